/** Prints rows below their heads, with numbers aligned to the right. */
export function printTable(heads, rows) {
  const cells = [heads, ...rows].map((row) => row.map((cell) => (cell === undefined ? '' : String(cell))));
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => pad(cell, widths[column], column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  const [head, ...body] = cells.map(line);
  console.log([head, rule, ...body].join('\n'));
}

/** Formats a number with about three significant digits. */
export function short(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** CSV records as RFC 4180 defines them. */

const QUOTED = /[",\r\n]/;

/** Returns the record with its line end. */
export function formatRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** Returns the cells of a record without its line end; undefined if something follows a closing quotation mark, or one is missing. */
export function parseRecord(text: string, separator = ','): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    let end: number;
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      if (close === undefined) return undefined;
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      end = close + 1;
      if (end < text.length && text[end] !== separator) return undefined;
    } else {
      const next = text.indexOf(separator, at);
      end = next < 0 ? text.length : next;
      cells.push(text.slice(at, end));
    }
    if (end >= text.length) return cells;
    at = end;
  }
}

/** Two quotation marks stand for one. */
function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return undefined;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12,345` */
export function countInWords(count: number): string {
  return whole.format(count);
}

/** `1 entry`, `12,345 entries` */
export function countedAs(count: number, one: string, many = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : many}`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `1.4 MB` */
export function bytesInWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1_000 ** power;
  return `${(value < 10 && power > 0 ? short : whole).format(value)} ${UNITS[power]}`;
}

const DECIMAL = /^[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;
const ZERO = 48;

/** With so few digits and no exponent, a number is always kept. */
const SURE_DIGITS = 15;
const PLAIN = /^[+-]?[\d.]*$/;

/**
 * Whether a decimal number is kept as a double: the shortest text that the double has denotes the same number. `9007199254740993` becomes
 * `9007199254740992`, `1e-400` becomes `0`, and `1e400` is out of range.
 */
export function isExactNumber(decimal: string): boolean {
  if (decimal.length <= SURE_DIGITS && PLAIN.test(decimal)) return true;
  const value = Number(decimal);
  return Number.isFinite(value) && significand(decimal) === significand(String(value));
}

/** Returns the digits without zeros at their ends, and the exponent of the last one. Equal numbers have equal texts, but for their sign. */
function significand(decimal: string): string | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(decimal) ?? [];
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits.charCodeAt(start) === ZERO) start++;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

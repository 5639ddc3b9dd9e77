const DECIMAL = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** Whether a decimal number is kept as it is: `9007199254740993` would become `9007199254740992`. The service decides it the same way. */
export function isExactNumber(decimal: string): boolean {
  const value = Number(decimal);
  return Number.isFinite(value) && significand(decimal) === significand(String(value));
}

/** Strings, so that what they hold is passed over, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** The first number in a JSON text that would become another one. */
export function inexactNumberIn(json: string): string | undefined {
  return json.match(TOKEN)?.find((token) => !token.startsWith('"') && !isExactNumber(token));
}

/** The digits without zeros at their ends, and the exponent of the last one. Equal numbers have equal texts, but for their sign. */
function significand(decimal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(decimal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

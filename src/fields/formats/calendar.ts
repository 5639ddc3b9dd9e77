/** A day as `isDate` reads it. */
const DAY =
  '(?!0000)(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|' +
  '(?:\\d{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?';
const OFFSET = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d)';

/** What `isDate` and `instantOf` read, for JSON Schema. An instant may still leave the years 0001–9999 because of its offset. */
export const CALENDAR_PATTERNS = { date: `^${DAY}$`, datetime: `^${DAY}(?:[Tt ]${TIME}${OFFSET})?$` } as const;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))$/;
const RFC_3339 = /^[\d-]{10}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const OFFSET_WITHOUT_PLUS = /^([\d-]{10}[Tt ][\d:.]+) (\d{2}:?\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the text is a day of the (proleptic Gregorian) calendar from 0001 to 9999, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  return parts !== null && isDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/**
 * Returns the instant of a date and time in a form that sorts: UTC, `YYYY-MM-DDTHH:MM:SS` and the fraction without trailing zeros. Reads
 * RFC 3339, also without seconds, with an offset without a colon, and with a space instead of `T` (as others export them), and a day, which means its midnight in UTC.
 * Returns undefined if the text is invalid, has a leap second or more than nine digits of a fraction, or leaves the years 0001–9999.
 */
export function instantOf(text: string): string | undefined {
  if (isDate(text)) return `${text}T00:00:00`;
  const parts = DATE_TIME.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHours, offsetMinutes] = parts;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  const date = new Date(0);
  // Date.UTC would read the years 0–99 as 1900–1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === '-' ? -1 : 1);
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  const utcYear = date.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return undefined;
  const digits = fraction.replace(/0+$/, '');
  return date.toISOString().slice(0, 19) + (digits && `.${digits}`);
}

/** Reads a date and time of RFC 3339, with seconds and an offset, to the millisecond. Returns undefined for other text (see `instantOf`). */
export function timestampOf(text: string): Date | undefined {
  const instant = RFC_3339.test(text) ? instantOf(text) : undefined;
  return instant === undefined ? undefined : new Date(`${instant}Z`);
}

/** The beginning or the end of a period. */
export type Edge = 'start' | 'end';

/** Returns the instant that bounds a period, as `instantOf` does. A day means its first or its last millisecond in UTC. */
export function boundOf(text: string, edge: Edge): string | undefined {
  return edge === 'end' && isDate(text) ? `${text}T23:59:59.999` : instantOf(text);
}

/** Why `instantOf` reads no instant from a text, as the end of a sentence that begins with the field's name. */
export function faultOfInstant(text: string): string {
  const [day = ''] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  if (day !== '' && !isDate(day)) return `must be a date and time, but there is no day ${day}`;
  if (day !== '' && instantOf(`${text}Z`) !== undefined) return 'must have an offset from UTC, such as Z or +01:00';
  return 'must be a date and time with an offset, such as 2026-01-31T09:30:00Z, or a date';
}

/** Restores the `+` of an offset, which a query string decodes to a space if it was not encoded. Other texts are returned unchanged. */
export function offsetWithPlus(text: string): string {
  return text.replace(OFFSET_WITHOUT_PLUS, '$1+$2');
}

function isDay(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

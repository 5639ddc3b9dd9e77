/** RFC 3339, in the wider forms that the service stores: a space for the `T`, no seconds, no colon in the offset, or a date alone. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?(\.\d+)?\s?([Zz]|[+-]\d{2}:?\d{2}))?$/;

/** The instant that a stored value means. Undefined if the browser cannot tell. */
export function dateOf(value: string): Date | undefined {
  const [, day, time = '00:00', seconds = ':00', fraction = '', offset = 'Z'] = TIME.exec(value) ?? [];
  if (day === undefined) return undefined;
  const zone = offset.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2').toUpperCase();
  const date = new Date(`${day}T${time}${seconds}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** As an input shows it, in the person's zone: `2026-01-31T09:30`. */
export function localText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  const text = local.toISOString().slice(0, -1);
  return text.replace(/:00\.000$/, '').replace(/\.000$/, '');
}

/** The offset of the person's zone at this time: `+01:00`. */
export function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const digits = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${digits(Math.abs(minutes) / 60)}:${digits(Math.abs(minutes) % 60)}`;
}

const zoned = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

/** `GMT+1` */
export function zoneName(date: Date): string {
  return zoned.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** Returns a time as an email shows it: of a time zone, which it names. A zone that this process does not know is UTC. */
export function timeIn(timeZone: string | null, at: string): string {
  const options = { dateStyle: 'long', timeStyle: 'long' } as const;
  const date = new Date(at);
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timeZone ?? 'UTC' }).format(date);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(date);
  }
}

const HOUR_MS = 3_600_000;
/** From this number of hours on, days are counted. */
const HOURS_OF_DAYS = 48;

/** Returns how long the time from `from` to `until` is, and when it ends: `one hour, until 31 January 2026 at 09:30 UTC`. Both are ISO 8601. */
export function lastingUntil(from: string, until: string): string {
  const hours = Math.round((Date.parse(until) - Date.parse(from)) / HOUR_MS);
  const days = Math.round(hours / 24);
  const lasting = hours >= HOURS_OF_DAYS ? `${days} days` : hours > 1 ? `${hours} hours` : 'one hour';
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${lasting}, until ${new Intl.DateTimeFormat('en-GB', options).format(new Date(until))} UTC`;
}

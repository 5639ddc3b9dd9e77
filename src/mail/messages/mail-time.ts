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

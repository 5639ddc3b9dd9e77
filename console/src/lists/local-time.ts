/** The time in the person's zone, as the browser's box for it takes it: `2026-01-31T09:30`. Empty if the browser cannot read it. */
export function localTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

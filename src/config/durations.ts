const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a duration such as `500ms`, `5s`, `5m`, `2h`, `1.5d` or `0`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(trimmed) ?? [];
  return amount && unit ? Math.round(Number(amount) * UNITS[unit]!) : undefined;
}

/** Returns the milliseconds of each duration in a comma-separated list; undefined if an item is not a duration. */
export function parseDurations(text: string): number[] | undefined {
  const durations = text.split(',').map(parseDuration);
  return durations.every((duration) => duration !== undefined) ? durations : undefined;
}

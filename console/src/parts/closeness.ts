/** From this share on, a limit is close. */
export const CLOSE = 0.9;

/** How close a limit is, in words; undefined while it is not. */
export function closenessOf(used: number, limit: number): 'full' | 'nearly full' | undefined {
  if (used >= limit) return 'full';
  return used >= limit * CLOSE ? 'nearly full' : undefined;
}

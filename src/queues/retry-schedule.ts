const MAX_RETRY_AFTER_MS = 86_400_000;
const JITTER = 0.2;

interface FailedAttempt {
  /** The pauses, in milliseconds. */
  schedule: readonly number[];
  /** The number of the attempt that failed, from 1. */
  attempt: number;
  now: Date;
  /** The `Retry-After` header of a 429 or 503, unparsed. */
  retryAfter?: string;
  /** Returns a number from 0 to 1, like `Math.random`. */
  random?: () => number;
}

/**
 * Returns when to try again, or undefined if the schedule is exhausted: after the scheduled pause ±20 %, so that simultaneous failures are
 * not repeated simultaneously, or at the time of `retryAfter` if that is later (at most 24 hours).
 */
export function nextAttemptAt({ schedule, attempt, now, retryAfter, random = Math.random }: FailedAttempt) {
  const pause = schedule[attempt - 1];
  if (pause === undefined) return undefined;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random()));
  const asked = Math.min(retryAfterMs(retryAfter, now) ?? 0, MAX_RETRY_AFTER_MS);
  return new Date(now.getTime() + Math.max(jittered, asked));
}

/**
 * Returns the pause after a failed attempt, in milliseconds; undefined if the schedule is exhausted. `attempt` counts from 1. The database's
 * clock alone then decides when the next attempt is due.
 */
export function pauseAfter(schedule: readonly number[], attempt: number, retryAfter?: string): number | undefined {
  const now = new Date();
  const next = nextAttemptAt({ schedule, attempt, now, retryAfter });
  return next && next.getTime() - now.getTime();
}

/** Parses a number of seconds or an HTTP date (RFC 9110, section 10.2.3). Returns milliseconds from now; undefined for other text. */
function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : date - now.getTime();
}

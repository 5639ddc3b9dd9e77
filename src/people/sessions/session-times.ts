import { timeOf } from '../../ids/type-id.js';

const MINUTE_MS = 60_000;
/** A session that sends no request for so long has ended. */
export const IDLE_MS = 12 * 60 * MINUTE_MS;
/** A session ends after this time in any case. */
const LONGEST_MS = 30 * 24 * 60 * MINUTE_MS;

/** When the session ends unless it sends another request, in milliseconds since 1970. The UUID has the time at which it began. */
export function endOfSession(id: string, lastSeenAt: number): number {
  return Math.min(lastSeenAt + IDLE_MS, timeOf(id).getTime() + LONGEST_MS);
}

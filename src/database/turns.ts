import { FairQueue } from '../admission/fair-queue.js';
import { Problem } from '../errors/problem.js';

/** Statements of one tenant that may wait for a connection. Later ones would probably wait until they time out. */
const MAX_WAITING = 500;
const WAIT_MS = 5_000;

/** Returns the turns of the tenants on this many connections. A statement is refused with 503 if too many wait, or if it waits for too long. */
export function turnsOn(connections: number): FairQueue {
  return new FairQueue({
    concurrency: connections,
    maxWaiting: MAX_WAITING,
    waitMs: WAIT_MS,
    refusal: () => Problem.unavailable('This tenant has too many requests in progress.'),
  });
}

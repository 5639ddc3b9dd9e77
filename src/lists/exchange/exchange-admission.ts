import { FairQueue } from '../../admission/fair-queue.js';
import { Problem } from '../../errors/problem.js';

/** Imports, and exports, of all tenants at once. One tenant alone gets half of them. */
const LIMITS = { concurrency: 8, maxWaiting: 16, waitMs: 20_000 };

/** Limits the imports or exports in progress. Further ones wait, without reading their body. */
export function exchangeQueue(noun: string): FairQueue {
  return new FairQueue({
    ...LIMITS,
    refusal: () => Problem.unavailable(`Too many ${noun} of this tenant are in progress.`, 5),
  });
}

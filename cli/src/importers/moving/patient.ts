import { setTimeout as sleep } from 'node:timers/promises';
import { TrivetError } from '@trivet/client';

/** Pauses in seconds before work is tried again that the service was too busy for. */
const PAUSES = [1, 2, 5, 10, 20, 30];

/** Runs work that the client does not try again itself. Tries again while the service is busy, or limits the rate. */
export async function patiently<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const pause = PAUSES[tries];
      const isBusy = error instanceof TrivetError && (error.status === 503 || error.status === 429);
      if (!isBusy || pause === undefined) throw error;
      await sleep(Math.max(pause, error.retryAfter ?? 0) * 1_000, undefined, { signal });
    }
  }
}

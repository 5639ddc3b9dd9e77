import { setTimeout as sleep } from 'node:timers/promises';
import { TrivetError } from '@trivet/client';

/** Pauses in seconds before work is tried again that the service was too busy for. */
const PAUSES = [1, 2, 5, 10, 20, 30];

interface Patience {
  /** Whether the work may be done twice, so that it is also tried again after a connection broke. */
  readonly isRepeatable?: boolean;
}

/** Runs work that the client does not try again itself. Tries again while the service is busy, or limits the rate. */
export async function patiently<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
  { isRepeatable = false }: Patience = {},
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const pause = PAUSES[tries];
      if (!(error instanceof TrivetError) || pause === undefined) throw error;
      const { status, code, retryAfter } = error;
      if (status !== 503 && status !== 429 && !(isRepeatable && code === 'network')) throw error;
      await sleep(Math.max(pause, retryAfter ?? 0) * 1_000, undefined, { signal });
    }
  }
}

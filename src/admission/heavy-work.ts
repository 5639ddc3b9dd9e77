import { setImmediate as nextIteration } from 'node:timers/promises';
import { Problem } from '../errors/problem.js';
import { FairQueue, type FairQueueOptions } from './fair-queue.js';
import { KeyedQueue } from './keyed-queue.js';
import type { Steps } from './steps.js';

/** Bytes of JSON from which on its work takes turns. The worst 16 KiB cost some milliseconds. */
const HEAVY_BYTES = 16 * 1024;

/** How long one piece of work may occupy the event loop. */
const SLICE_MS = 5;

const LIMITS: Omit<FairQueueOptions, 'concurrency'> = {
  maxWaiting: 500,
  waitMs: 20_000,
  refusal: () =>
    new Problem('unavailable', 'Too much work on large values is waiting. Try again soon.', undefined, {
      'Retry-After': '2',
    }),
};

/** Whether work on this much JSON (in bytes or characters) has to take turns. */
export function isHeavy(size: number): boolean {
  return size > HEAVY_BYTES;
}

/**
 * Takes turns on the event loop. Of all the work that is given to it one slice of some milliseconds runs in each iteration of the loop,
 * keys (tenants) in turn, so waiting work delays a small request by at most one slice in each iteration. The work of one key is done in
 * order.
 */
export class HeavyWork {
  private readonly tasks = new KeyedQueue(LIMITS);
  private readonly slices = new FairQueue({ ...LIMITS, concurrency: 1 });

  /** Pieces of work that have not begun, or wait for their next slice. */
  get waiting(): number {
    return this.tasks.waiting + this.slices.waiting;
  }

  /** Runs the steps, which are synchronous work only. Rejects with 503 when too much work of the key waits. */
  async run<Result>(key: string, steps: Steps<Result>): Promise<Result> {
    return this.tasks.run(key, async () => {
      for (;;) {
        const step = await this.slices.run(key, () => runSlice(steps));
        if (step.done) return step.value;
      }
    });
  }
}

async function runSlice<Result>(steps: Steps<Result>): Promise<IteratorResult<undefined, Result>> {
  const end = performance.now() + SLICE_MS;
  let step = steps.next();
  while (!step.done && performance.now() < end) step = steps.next();
  await nextIteration();
  return step;
}

/** The one of this process, because what it shares out is the process's only event loop. */
export const heavyWork = new HeavyWork();

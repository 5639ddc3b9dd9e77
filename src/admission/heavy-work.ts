import { setImmediate as nextIteration } from 'node:timers/promises';
import { Problem } from '../errors/problem.js';
import { FairQueue, type FairQueueOptions } from './fair-queue.js';
import { KeyedQueue } from './keyed-queue.js';
import type { Steps } from './steps.js';

/** Work on more JSON than this takes turns. The worst 16 KiB cost some milliseconds. */
const HEAVY_BYTES = 16 * 1024;

/** How long one slice of work may occupy the event loop. */
const SLICE_MS = 5;

const LIMITS: Omit<FairQueueOptions, 'concurrency'> = {
  maxWaiting: 500,
  waitMs: 20_000,
  refusal: () => Problem.unavailable('Too much work on large values is waiting. Try again soon.', 2),
};

/** Whether work on this much JSON (in bytes or characters) must take turns. */
export function isHeavy(size: number): boolean {
  return size > HEAVY_BYTES;
}

/**
 * Runs long synchronous work in slices of some milliseconds, one slice in each iteration of the event loop. So heavy work delays a small
 * request by at most one slice per iteration. Keys (tenants) take turns, and the work of one key runs in order.
 */
export class HeavyWork {
  private readonly tasks = new KeyedQueue(LIMITS);
  private readonly slices = new FairQueue({ ...LIMITS, concurrency: 1 });

  /** Tasks that have not begun, or that wait for their next slice. */
  get waiting(): number {
    return this.tasks.waiting + this.slices.waiting;
  }

  /** Runs the steps, which must be synchronous. Rejects with 503 when too much work of the key waits. */
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

/** One instance per process, because a process has one event loop. */
export const heavyWork = new HeavyWork();

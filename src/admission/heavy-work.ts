import { setImmediate as nextIteration } from 'node:timers/promises';
import { Problem } from '../errors/problem.js';
import { FairQueue, type FairQueueOptions } from './fair-queue.js';
import { KeyedMutex } from './keyed-mutex.js';
import { runAtOnce, type SlicedWork } from './sliced-work.js';

/** Work on more JSON than this takes turns. The worst 16 KiB cost some milliseconds. */
const HEAVY_BYTES = 16 * 1024;

/** How long slices of work may occupy the event loop in one iteration. */
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
 * Runs long synchronous work in slices, which together take some milliseconds of each iteration of the event loop. So heavy work delays a small
 * request by at most that per iteration, and work that turns out to be short does not wait for an iteration. Keys (tenants) take turns, and
 * the work of one key runs in order.
 */
export class HeavyWork {
  private readonly tasks = new KeyedMutex(LIMITS);
  private readonly slices = new FairQueue({ ...LIMITS, concurrency: 1 });
  /** Milliseconds that slices have taken since one last waited for an iteration. */
  private spent = 0;

  /** Tasks that have not begun, or that wait for their next slice. */
  get waiting(): number {
    return this.tasks.waiting + this.slices.waiting;
  }

  /** Runs the steps, which must be synchronous. Rejects with 503 when too much work of the key waits. */
  async run<Result>(key: string, steps: SlicedWork<Result>): Promise<Result> {
    return this.tasks.run(key, async () => {
      for (;;) {
        const step = await this.slices.run(key, () => this.runSlice(steps));
        if (step.done) return step.value;
      }
    });
  }

  /** Runs the steps in slices if they are heavy, otherwise at once. */
  runIf<Result>(isHeavy: boolean, key: string, steps: SlicedWork<Result>): Result | Promise<Result> {
    return isHeavy ? this.run(key, steps) : runAtOnce(steps);
  }

  private async runSlice<Result>(steps: SlicedWork<Result>): Promise<IteratorResult<undefined, Result>> {
    const began = performance.now();
    const end = began + SLICE_MS - this.spent;
    let step: IteratorResult<undefined, Result>;
    try {
      step = steps.next();
      while (!step.done && performance.now() < end) step = steps.next();
    } finally {
      this.spent += performance.now() - began;
    }
    if (this.spent >= SLICE_MS) {
      this.spent = 0;
      await nextIteration();
    }
    return step;
  }
}

/** One instance per process, because a process has one event loop. */
export const heavyWork = new HeavyWork();

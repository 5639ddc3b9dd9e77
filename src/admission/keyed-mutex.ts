import { FairQueue, type FairQueueOptions } from './fair-queue.js';

/** Runs tasks of one key in order, one after the other. Tasks of different keys do not wait for each other. */
export class KeyedMutex {
  private readonly queues = new Map<string, FairQueue>();

  constructor(private readonly options: Omit<FairQueueOptions, 'concurrency'>) {}

  get waiting(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.waiting;
    return count;
  }

  /** Runs the task after the earlier tasks of its key. Rejects with the refusal when too many wait or the wait expires. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(key);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Same as `run`, for a task that is not one call: resolves when it may start, with a function that must be called at its end. */
  async enter(key: string): Promise<() => void> {
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = new FairQueue({ ...this.options, concurrency: 1 })));
    const entered = queue;
    const tidy = () => {
      if (entered.running === 0 && entered.waiting === 0) this.queues.delete(key);
    };
    try {
      const leave = await entered.enterAndWait(key);
      return () => {
        leave();
        tidy();
      };
    } catch (error) {
      tidy();
      throw error;
    }
  }
}

import { Quotas } from './quotas.js';

export interface FairQueueOptions {
  /** Tasks of all keys that may run at once. If tasks take different amounts, this limits the sum of the amounts. */
  concurrency: number;
  /** Tasks of one key that may wait. A further one is refused. */
  maxWaiting: number;
  /** Maximum wait of a task, in milliseconds. */
  waitMs: number;
  /** The error that a task gets when its key's queue is full or its wait expires. */
  refusal: () => Error;
}

interface Waiter {
  amount: number;
  start: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Runs tasks by key (a tenant). Each key has a share of the capacity (see `Quotas`). Tasks that exceed it wait, and keys take turns:
 * a key with a thousand waiting tasks delays another key by no more than one task.
 */
export class FairQueue {
  private readonly quotas: Quotas;
  /** In the order of turns: first the key that has waited longest for its turn. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly options: FairQueueOptions) {
    this.quotas = new Quotas(options.concurrency);
  }

  get running(): number {
    return this.quotas.used;
  }

  get waiting(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  /** The number of tasks of the key that wait. */
  waitingOf(key: string): number {
    return this.queues.get(key)?.length ?? 0;
  }

  /** Runs the task when it is its turn. Rejects with the refusal when the key's queue is full or the wait expires. */
  async run<Result>(key: string, task: () => Promise<Result>, amount = 1): Promise<Result> {
    if (!this.tryEnter(key, amount)) await this.wait(key, amount);
    try {
      return await task();
    } finally {
      this.leave(key, amount);
    }
  }

  /**
   * Calls `start` with capacity reserved: at once if it is free, otherwise from within the `leave` that frees it. Calls `refused` instead
   * when the key's queue is full or the wait expires. For the hottest path, where a promise would cost an iteration of the event loop.
   */
  enter(key: string, start: () => void, refused: (error: Error) => void, amount = 1): void {
    if (this.tryEnter(key, amount)) start();
    else this.enqueue(key, start, refused, amount);
  }

  /** Same as `run`, for a task that is not one call: resolves when it may start, with a function that must be called at its end. */
  async enterAndWait(key: string, amount = 1): Promise<() => void> {
    if (!this.tryEnter(key, amount)) await this.wait(key, amount);
    return () => this.leave(key, amount);
  }

  /** Reserves capacity if it is free now. `leave` must release it. */
  private tryEnter(key: string, amount = 1): boolean {
    if (this.queues.has(key) || !this.quotas.fits(key, amount)) return false;
    this.quotas.take(key, amount);
    return true;
  }

  /** Resolves with capacity reserved. Rejects with the refusal when the key's queue is full or the wait expires. */
  private wait(key: string, amount: number): Promise<void> {
    return new Promise((resolve, reject) => this.enqueue(key, resolve, reject, amount));
  }

  private enqueue(key: string, start: () => void, refused: (error: Error) => void, amount: number): void {
    const queue = this.queues.get(key) ?? [];
    if (queue.length >= this.options.maxWaiting) {
      refused(this.options.refusal());
      return;
    }
    const waiter: Waiter = {
      amount,
      start,
      timer: setTimeout(() => {
        this.remove(key, waiter);
        refused(this.options.refusal());
      }, this.options.waitMs),
    };
    queue.push(waiter);
    this.queues.set(key, queue);
  }

  leave(key: string, amount = 1): void {
    this.quotas.give(key, amount);
    if (this.queues.size > 0) this.startNext();
  }

  /** Takes capacity again after `leave`, also if it is not free. Then no other task starts until it is. */
  returnTo(key: string, amount = 1): void {
    this.quotas.take(key, amount);
  }

  /** From now on, the key and others that are restricted have only a small part of the capacity together. */
  restrict(key: string): void {
    this.quotas.restrict(key);
  }

  restore(key: string): void {
    this.quotas.restore(key);
    if (this.queues.size > 0) this.startNext();
  }

  private startNext(): void {
    for (const [key, queue] of this.queues) {
      if (this.quotas.isFull) return;
      const [waiter] = queue;
      if (!waiter || !this.quotas.fits(key, waiter.amount)) continue;
      queue.shift();
      // Setting the key again moves it to the end.
      this.queues.delete(key);
      if (queue.length > 0) this.queues.set(key, queue);
      clearTimeout(waiter.timer);
      this.quotas.take(key, waiter.amount);
      waiter.start();
    }
  }

  private remove(key: string, waiter: Waiter): void {
    const queue = this.queues.get(key);
    if (!queue) return;
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.queues.delete(key);
  }
}

import { Shares } from './shares.js';

export interface FairQueueOptions {
  /** Tasks that run at once, of all keys together; or what tasks may take together, where they take different amounts. */
  concurrency: number;
  /** Tasks of one key that may wait; a further one is refused. */
  maxWaiting: number;
  /** Milliseconds that a task waits at most. */
  waitMs: number;
  /** The error that a task gets when its key's queue is full or its wait expires. */
  refusal: () => Error;
}

/** From how many waiting tasks on, and from which expected wait of a further one on, a key is overloaded. */
const OVERLOAD_WAITING = 64;
const OVERLOAD_MS = 500;
/** The weight of the newest interval in the mean of a queue's intervals. */
const NEWEST = 0.05;

interface Waiter {
  amount: number;
  start: () => void;
  timer: NodeJS.Timeout;
}

/** The waiting tasks of a key. */
interface Queue {
  waiters: Waiter[];
  /** Tasks that left it, when the last one did, and the mean of milliseconds between two of them. */
  started: number;
  startedAt: number;
  intervalMs: number;
}

/**
 * Runs tasks by key (a tenant). Each key has a share of the places (see `Shares`); tasks that find no place wait, and keys take turns:
 * a key with a thousand waiting tasks delays another key by no more than one task.
 */
export class FairQueue {
  private readonly shares: Shares;
  /** In the order of turns: the key that waits longest for its turn comes first. */
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly options: FairQueueOptions) {
    this.shares = new Shares(options.concurrency);
  }

  get running(): number {
    return this.shares.used;
  }

  get waiting(): number {
    let count = 0;
    for (const { waiters } of this.queues.values()) count += waiters.length;
    return count;
  }

  /**
   * Whether more tasks of the key come than can be run: many wait already, and a further one would wait for long. A caller that has the
   * choice refuses new work then, so that the work it has accepted is done soon. A few long tasks alone are no overload.
   */
  isOverloaded(key: string): boolean {
    const queue = this.queues.get(key);
    if (!queue || queue.waiters.length < OVERLOAD_WAITING) return false;
    return queue.waiters.length >= this.options.maxWaiting || queue.waiters.length * queue.intervalMs > OVERLOAD_MS;
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
   * Calls `start` with a place taken: at once when one is free, otherwise from within the `leave` that makes it free. Calls `refused`
   * instead when the key's queue is full or the wait expires. For the hottest path, which a promise would cost a round of the event loop.
   */
  enter(key: string, start: () => void, refused: (error: Error) => void, amount = 1): void {
    if (this.tryEnter(key, amount)) start();
    else this.enqueue(key, start, refused, amount);
  }

  /** Takes a place if one is free now; every place taken is given back by `leave`. */
  private tryEnter(key: string, amount = 1): boolean {
    if (this.queues.has(key) || !this.shares.fits(key, amount)) return false;
    this.shares.take(key, amount);
    return true;
  }

  /** Resolves with a place taken. Rejects with the refusal when the key's queue is full or the wait expires. */
  private wait(key: string, amount: number): Promise<void> {
    return new Promise((resolve, reject) => this.enqueue(key, resolve, reject, amount));
  }

  private enqueue(key: string, start: () => void, refused: (error: Error) => void, amount: number): void {
    const queue = this.queues.get(key) ?? newQueue();
    if (queue.waiters.length >= this.options.maxWaiting) {
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
    queue.waiters.push(waiter);
    this.queues.set(key, queue);
  }

  leave(key: string, amount = 1): void {
    this.shares.give(key, amount);
    if (this.queues.size > 0) this.startNext();
  }

  private startNext(): void {
    for (const [key, queue] of this.queues) {
      if (this.shares.isFull) return;
      const [waiter] = queue.waiters;
      if (!waiter || !this.shares.fits(key, waiter.amount)) continue;
      queue.waiters.shift();
      // Set again, the key comes last.
      this.queues.delete(key);
      if (queue.waiters.length > 0) this.queues.set(key, queue);
      noteStart(queue);
      clearTimeout(waiter.timer);
      this.shares.take(key, waiter.amount);
      waiter.start();
    }
  }

  private remove(key: string, waiter: Waiter): void {
    const queue = this.queues.get(key);
    if (!queue) return;
    queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
    if (queue.waiters.length === 0) this.queues.delete(key);
  }
}

function newQueue(): Queue {
  return { waiters: [], started: 0, startedAt: performance.now(), intervalMs: 0 };
}

function noteStart(queue: Queue): void {
  const now = performance.now();
  queue.started++;
  queue.intervalMs += (now - queue.startedAt - queue.intervalMs) * Math.max(NEWEST, 1 / queue.started);
  queue.startedAt = now;
}

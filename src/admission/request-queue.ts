import type { Socket } from 'node:net';

interface RequestQueueOptions {
  /** Whether requests of the key that have started already keep its share of the capacity busy. */
  isBusy: (key: string) => boolean;
  /** The error of a request that cannot start in time. */
  refusal: () => Error;
}

/** How long a request waits for its start. */
const WAIT_MS = 2_000;
/** Requests that wait, of one key and of all. They hold a connection and their headers, but not their body. */
const MAX_WAITING_OF_KEY = 1_000;
const MAX_WAITING = 4_000;
/** The pause between two looks at the waiting requests if none could start. */
const PAUSE_MS = 2;

interface Waiter {
  socket: Socket;
  until: number;
  start: () => void;
  refuse: (error: Error) => void;
}

/**
 * Lets requests start by key (a tenant) as fast as they are worked off. A client that sends a request as soon as it has the last response
 * would otherwise get refusals as fast as the process can write them, and these would take the time of all others.
 */
export class RequestQueue {
  private readonly queues = new Map<string, Waiter[]>();
  private count = 0;
  private isLooking = false;

  constructor(private readonly options: RequestQueueOptions) {}

  get waiting(): number {
    return this.count;
  }

  /** Returns undefined if the request may start now. Otherwise resolves when it may start; rejects with the refusal after two seconds. */
  enter(key: string, socket: Socket): Promise<void> | undefined {
    const queue = this.queues.get(key);
    if (!queue && !this.options.isBusy(key)) return undefined;
    return new Promise((start, refuse) => {
      if (this.count >= MAX_WAITING || (queue?.length ?? 0) >= MAX_WAITING_OF_KEY) {
        refuse(this.options.refusal());
        return;
      }
      const waiter = { socket, until: performance.now() + WAIT_MS, start, refuse };
      if (queue) queue.push(waiter);
      else this.queues.set(key, [waiter]);
      this.count++;
      if (!this.isLooking) this.lookAfterPause();
    });
  }

  private lookAfterPause(): void {
    this.isLooking = true;
    setTimeout(() => this.look(), PAUSE_MS);
  }

  /**
   * Starts a request of each key, and looks again in the next iteration of the event loop: then the statements of that request are counted,
   * and what arrived meanwhile for others comes in between.
   */
  private look(): void {
    const now = performance.now();
    let hasStarted = false;
    for (const [key, queue] of this.queues) {
      // The first has waited for longest. A request whose client has left is not started.
      while (queue[0] && (queue[0].until <= now || queue[0].socket.destroyed)) {
        this.take(queue).refuse(this.options.refusal());
      }
      if (queue.length > 0 && !this.options.isBusy(key)) {
        this.take(queue).start();
        hasStarted = true;
      }
      if (queue.length === 0) this.queues.delete(key);
    }
    this.isLooking = this.queues.size > 0;
    if (!this.isLooking) return;
    if (hasStarted) setImmediate(() => this.look());
    else this.lookAfterPause();
  }

  private take(queue: Waiter[]): Waiter {
    this.count--;
    return queue.shift()!;
  }
}

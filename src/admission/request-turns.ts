import type { Socket } from 'node:net';

export interface RequestTurnsOptions {
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
/** The pause between two looks at the waiting requests, and how many of a key start at one: their statements are not yet counted then. */
const PAUSE_MS = 2;
const STARTS = 8;

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
export class RequestTurns {
  private readonly queues = new Map<string, Waiter[]>();
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RequestTurnsOptions) {}

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
      this.timer ??= setInterval(() => this.look(), PAUSE_MS);
    });
  }

  private look(): void {
    const now = performance.now();
    for (const [key, queue] of this.queues) {
      // The first has waited for longest. A request whose client has left is not started.
      while (queue[0] && (queue[0].until <= now || queue[0].socket.destroyed)) {
        this.take(queue).refuse(this.options.refusal());
      }
      for (let starts = 0; starts < STARTS && queue.length > 0 && !this.options.isBusy(key); starts++) {
        this.take(queue).start();
      }
      if (queue.length === 0) this.queues.delete(key);
    }
    if (this.queues.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private take(queue: Waiter[]): Waiter {
    this.count--;
    return queue.shift()!;
  }
}

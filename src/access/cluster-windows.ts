import cluster, { type Worker } from 'node:cluster';
import { type Count, RateLimitWindows } from './rate-limit-windows.js';

interface Question {
  rateLimit: { id: number; key: string; ttl: number };
}

interface Answer {
  rateLimit: { id: number; count: Count };
}

/** A primary that doesn't answer within this is about to end. */
const PATIENCE = 500;

/** In the primary of a cluster: counts for the worker, so that all of them count together. */
export function countFor(worker: Worker, windows: RateLimitWindows): void {
  worker.on('message', (message: Partial<Question>) => {
    if (!message.rateLimit) return;
    const { id, key, ttl } = message.rateLimit;
    const answer: Answer = { rateLimit: { id, count: windows.count(key, ttl) } };
    worker.send(answer, () => undefined);
  });
}

/** In a worker of a cluster: windows that its primary keeps. */
export class ClusterWindows {
  private readonly waiting = new Map<number, (count: Count) => void>();
  private asked = 0;

  constructor() {
    process.on('message', ({ rateLimit }: Partial<Answer>) => {
      if (rateLimit) this.waiting.get(rateLimit.id)?.(rateLimit.count);
    });
  }

  /** Throws when the primary doesn't answer. */
  async count(key: string, ttl: number): Promise<Count> {
    const id = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Count>((resolve, reject) => {
        this.waiting.set(id, resolve);
        timer = setTimeout(() => reject(new Error('The primary process does not answer.')), PATIENCE);
        const question: Question = { rateLimit: { id, key, ttl } };
        cluster.worker?.send(question);
      });
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }
}

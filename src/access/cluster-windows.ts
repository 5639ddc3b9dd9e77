import type { Worker } from 'node:cluster';
import { answerOn, PrimaryLine } from '../primary-line.js';
import type { Count, RateLimitWindows } from './rate-limit-windows.js';

const SUBJECT = 'rate limits';

interface Question {
  key: string;
  ttl: number;
}

/** In the primary of a cluster: counts for the worker, so that all of them count together. */
export function countFor(worker: Worker, windows: RateLimitWindows): void {
  answerOn<Question, Count>(worker, SUBJECT, ({ key, ttl }) => windows.count(key, ttl));
}

/** In a worker of a cluster: windows that its primary keeps. */
export class ClusterWindows {
  private readonly primary = new PrimaryLine<Question, Count>(SUBJECT);

  /** Throws when the primary doesn't answer. */
  async count(key: string, ttl: number): Promise<Count> {
    return this.primary.ask({ key, ttl });
  }
}

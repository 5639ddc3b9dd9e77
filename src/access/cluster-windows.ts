import type { Worker } from 'node:cluster';
import { answerRequests, PrimaryClient } from '../processes/cluster-messages.js';
import type { Count, RateLimitWindows } from './rate-limit-windows.js';

const SUBJECT = 'rate limits';

interface Question {
  key: string;
  ttl: number;
  hits: 0 | 1;
}

/** In the primary of a cluster: counts for the worker, so that all workers share one count. */
export function countFor(worker: Worker, windows: RateLimitWindows): void {
  answerRequests<Question, Count>(worker, SUBJECT, ({ key, ttl, hits }) => windows.count(key, ttl, hits));
}

/** In a worker of a cluster: rate-limit windows that the primary counts. */
export class ClusterWindows {
  private readonly primary = new PrimaryClient<Question, Count>(SUBJECT);

  /** Throws when the primary does not answer in time. */
  async count(key: string, ttl: number, hits: 0 | 1): Promise<Count> {
    return this.primary.request({ key, ttl, hits });
  }
}

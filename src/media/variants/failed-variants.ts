import { LRUCache } from 'lru-cache';

const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;
const MAX_REMEMBERED = 10_000;

interface Failure {
  until: number;
  delayMs: number;
}

/**
 * Remembers variants that could not be drawn. They are not tried again for 10 s, and for twice as long after each further failure, up to 5
 * minutes. Times are in milliseconds since 1970.
 */
export class FailedVariants {
  private readonly failures = new LRUCache<string, Failure>({ max: MAX_REMEMBERED });

  isTooSoon(key: string, now = Date.now()): boolean {
    return (this.failures.get(key)?.until ?? 0) > now;
  }

  failed(key: string, now = Date.now()): void {
    const earlier = this.failures.get(key);
    const delayMs = earlier ? Math.min(earlier.delayMs * 2, LONGEST_MS) : FIRST_MS;
    this.failures.set(key, { until: now + delayMs, delayMs });
  }

  succeeded(key: string): void {
    this.failures.delete(key);
  }
}

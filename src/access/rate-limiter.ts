import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { RateLimitStorage } from './rate-limit-storage.js';
import { type Rate, tooManyRequests, WINDOWS } from './rate-limits.js';

/** Limits what is counted only in some requests, such as failures. What each request counts towards is declared with `@RateLimit`. */
@Injectable()
export class RateLimiter {
  constructor(@Inject(ThrottlerStorage) private readonly storage: RateLimitStorage) {}

  /** Counts once. Throws a 429 with `detail` if it was too often. The key contains no text of a body or a header. */
  async count(key: string, { limit, window }: Rate, detail: string): Promise<void> {
    const { isBlocked, timeToExpire } = await this.storage.increment(key, WINDOWS[window], limit);
    if (isBlocked) throw tooManyRequests(timeToExpire, detail);
  }

  /** Counts nothing. Throws a 429 with `detail` if another hit would be too many. */
  async assertBelow(key: string, { limit, window }: Rate, detail: string): Promise<void> {
    const [hits, left] = await this.storage.look(key, WINDOWS[window]);
    if (hits >= limit) throw tooManyRequests(left / 1000, detail);
  }
}

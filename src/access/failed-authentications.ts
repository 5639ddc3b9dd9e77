import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from '../http/client-address.js';
import { RateLimiter } from './rate-limiter.js';
import type { Rate } from './rate-limits.js';

/** Failures of one address. Further requests with a bad or missing key get 429. Valid keys still work. */
const ALLOWED_FAILURES: Rate = { limit: 20, window: 'minute' };

@Injectable()
export class FailedAuthentications {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts one failure; throws a 429 when there were too many. */
  async record(request: Request): Promise<void> {
    const detail = 'This address sent too many requests with a missing or unknown API key.';
    await this.limiter.count(`auth:${clientAddress(request)}`, ALLOWED_FAILURES, detail);
  }
}

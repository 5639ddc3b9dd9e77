import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from '../http/client-address.js';
import { RateLimiter } from './rate-limiter.js';
import type { Rate } from './rate-limits.js';

/** Failures of one address. Further requests with a bad or missing key get 429. Valid keys still work. */
const ALLOWED_FAILURES: Rate = { limit: 20, window: 'minute' };

const TOO_MANY =
  'This address sent too many requests with a missing or unknown API key, or failed to sign in too often.';

@Injectable()
export class FailedAuthentications {
  constructor(private readonly limiter: RateLimiter) {}

  /** Throws a 429 if the address had too many failures. Before a password is checked, which could be guessed. */
  async assertMayTry(request: Request): Promise<void> {
    await this.limiter.assertBelow(`auth:${clientAddress(request)}`, ALLOWED_FAILURES, TOO_MANY);
  }

  /** Counts one failure; throws a 429 when there were too many. */
  async record(request: Request): Promise<void> {
    await this.limiter.count(`auth:${clientAddress(request)}`, ALLOWED_FAILURES, TOO_MANY);
  }
}

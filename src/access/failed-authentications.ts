import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Request } from 'express';
import { clientAddress } from '../http/client-address.js';
import { MINUTE, tooManyRequests } from './rate-limits.js';

/** Failures allowed per minute from one address. Further requests with a bad or missing key get 429. Valid keys still work. */
const ALLOWED_FAILURES = 20;

@Injectable()
export class FailedAuthentications {
  constructor(@Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage) {}

  /** Counts one failure; throws a 429 when there were too many. */
  async record(request: Request): Promise<void> {
    const key = `auth:${clientAddress(request)}`;
    const { isBlocked, timeToExpire } = await this.storage.increment(key, MINUTE, ALLOWED_FAILURES, 0, 'auth');
    if (isBlocked)
      throw tooManyRequests(timeToExpire, 'This address sent too many requests with a missing or unknown API key.');
  }
}

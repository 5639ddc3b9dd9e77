import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FailedAuthentications } from '../../access/failed-authentications.js';
import { RateLimiter } from '../../access/rate-limiter.js';
import type { Rate } from '../../access/rate-limits.js';
import { Database } from '../../database/database.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { IS_KNOWN_NETWORK } from '../people.sql.js';
import { networkOf } from './new-sessions.js';

/** Failures of an account from networks that it has not been used from. */
const ELSEWHERE: Rate = { limit: 5, window: 'quarter' };
/** Failures of an account from one network that it has been used from. */
const FROM_KNOWN: Rate = { limit: 30, window: 'quarter' };
const WAIT = 'Signing in failed too often. Wait, or use another way to sign in.';

/** A try to guess a password. */
interface Guess {
  /** Whether the person has signed in from the network before. */
  readonly isKnownNetwork: boolean;
  /** Throws a 429 if there were too many failures meanwhile: many tries may begin at the same time. */
  readonly begin: () => Promise<void>;
  /** Counts a failure. */
  readonly fail: () => Promise<void>;
}

/**
 * Limits how often passwords are tried: for each address of a client, as for keys, and for each account, whether it exists or not. Failures
 * elsewhere do not keep a person out of a network from which they have signed in before.
 */
@Injectable()
export class Guessing {
  constructor(
    private readonly database: Database,
    private readonly limiter: RateLimiter,
    private readonly failures: FailedAuthentications,
  ) {}

  /** Throws a 429 if there were too many failures of the client or the account, which is a canonical address. */
  async enter(request: Request, account: string): Promise<Guess> {
    await this.failures.assertMayTry(request);
    const network = networkOf(request);
    const known = await this.database.withoutTenants(IS_KNOWN_NETWORK, { address: account, network });
    const key = known.length > 0 ? `account ${account} ${network}` : `account ${account}`;
    const rate = known.length > 0 ? FROM_KNOWN : ELSEWHERE;
    const name = `sign-in:${hashedUuid(key)}`;
    const begin = () => this.limiter.assertBelow(name, rate, WAIT);
    await begin();
    return {
      isKnownNetwork: known.length > 0,
      begin,
      fail: async () => {
        await this.limiter.count(name, { ...rate, limit: Infinity }, WAIT);
        await this.failures.record(request);
      },
    };
  }
}

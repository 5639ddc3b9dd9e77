import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { Shares } from './shares.js';

/** Bytes that are held for one request. Given back once; a second call changes nothing. */
export interface Reservation {
  readonly bytes: number;
  release(): void;
}

/**
 * The bytes that requests may hold in memory at once: bodies while they are read and checked, answers while they are sent. Each tenant
 * has a share; what does not fit is refused with 503 rather than queued, since waiting would hold memory too.
 */
@Injectable()
export class ByteBudget {
  private readonly shares: Shares;

  constructor({ maxBytesInFlight }: Config) {
    this.shares = new Shares(maxBytesInFlight);
  }

  get used(): number {
    return this.shares.used;
  }

  get capacity(): number {
    return this.shares.capacity;
  }

  /** `key` is the tenant, or `publicKey(tenant)` for work of strangers. Throws 503 with `Retry-After` when it does not fit. */
  reserve(key: string, bytes: number): Reservation {
    if (!this.shares.fits(key, bytes)) {
      throw new Problem('unavailable', 'The service is processing too much data. Try again soon.', undefined, {
        'Retry-After': '1',
      });
    }
    return this.hold(key, bytes);
  }

  /** Counts bytes that can no longer be refused, such as the answer of a change that is committed. */
  hold(key: string, bytes: number): Reservation {
    this.shares.take(key, bytes);
    let held = true;
    return {
      bytes,
      release: () => {
        if (held) this.shares.give(key, bytes);
        held = false;
      },
    };
  }
}

/** The share of strangers who use what a tenant has made public: they must not use up the share of the tenant's own keys. */
export function publicKey(tenantId: string): string {
  return `public/${tenantId}`;
}

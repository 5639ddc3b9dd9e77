import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { Quotas } from './quotas.js';

/** Bytes that are counted for one request. A second call of `release` has no effect. */
export interface Reservation {
  readonly bytes: number;
  release(): void;
}

/**
 * Limits the bytes that requests hold in memory at once: bodies while they are read and checked, responses while they are sent. Each
 * tenant has a share. Bytes that do not fit are refused with 503 instead of queued, because waiting would hold memory too.
 */
@Injectable()
export class ByteBudget {
  private readonly quotas: Quotas;

  constructor({ maxBytesInFlight }: Config) {
    this.quotas = new Quotas(maxBytesInFlight);
  }

  get used(): number {
    return this.quotas.used;
  }

  get capacity(): number {
    return this.quotas.capacity;
  }

  /** `key` is the tenant's ID, or the `publicKey` of the client's address for requests without an API key. Throws 503 with `Retry-After` if they do not fit. */
  reserve(key: string, bytes: number): Reservation {
    if (!this.quotas.fits(key, bytes)) {
      throw Problem.unavailable('The service is processing too much data. Try again soon.');
    }
    return this.hold(key, bytes);
  }

  /** Counts bytes that can no longer be refused, such as the response to a committed change. */
  hold(key: string, bytes: number): Reservation {
    this.quotas.take(key, bytes);
    let held = true;
    return {
      bytes,
      release: () => {
        if (held) this.quotas.give(key, bytes);
        held = false;
      },
    };
  }
}

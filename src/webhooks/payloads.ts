import { Injectable } from '@nestjs/common';
import { FairQueue } from '../admission/fair-queue.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { EventRow } from '../events/event-presenter.js';
import { LARGE_EVENTS } from '../events/large-events.js';
import { LARGE_BYTES, largeRecords } from '../lists/large-json.js';
import type { ClaimedDelivery } from './claim.js';

/** Minimum memory for large payloads: twice the largest payload. */
const LEAST_BYTES = 32 * 1024 * 1024;
/** The memory of a payload in multiples of the event's data: the data, the body that contains it, and the bytes in transmission. */
const COPIES = 3;
const MAX_WAITING = 1_000;
const WAIT_MS = 5_000;

/** There was not enough memory for a payload in time. */
class NoRoom extends Error {}

/**
 * Limits the memory that deliveries take for the data of events. Small data is read with the claim, unless all claims together have too
 * much. Large data is read when its attempt begins. Tenants take turns for that, so hanging receivers do not block other tenants.
 */
@Injectable()
export class Payloads {
  private readonly turns: FairQueue;
  private readonly claimed = new Map<ClaimedDelivery, number>();
  private readonly capacity: number;
  private bytes = 0;

  constructor(
    private readonly database: Database,
    { maxBytesInFlight }: Config,
  ) {
    this.capacity = Math.max(LEAST_BYTES, Math.floor(maxBytesInFlight / 4));
    this.turns = new FairQueue({
      concurrency: this.capacity,
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      refusal: () => new NoRoom('There is not enough memory for the payload.'),
    });
  }

  /** Data of at least this many bytes is not read with a claim. */
  get limit(): number {
    return this.bytes < this.capacity ? LARGE_BYTES : 0;
  }

  /** Counts the data that was read with claims, until `forget`. */
  remember(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const bytes = delivery.event.data?.length ?? 0;
      this.claimed.set(delivery, bytes);
      this.bytes += bytes;
    }
  }

  forget(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      this.bytes -= this.claimed.get(delivery) ?? 0;
      this.claimed.delete(delivery);
    }
  }

  /**
   * Runs `attempt` with the event and its data, or with undefined if the event no longer exists. Returns undefined if there was not enough
   * memory in time.
   */
  async with<Result>(
    tenantId: string,
    { event, startBy }: ClaimedDelivery,
    attempt: (event: EventRow | undefined) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (event.data !== null) return attempt(event);
    const large = largeRecords(this.database, tenantId, LARGE_EVENTS, {});
    const [size] = await large.sizes([event.id]);
    if (!size) return attempt(undefined);
    const readAndAttempt = async () => {
      if (Date.now() > startBy) return undefined;
      const [row] = await large.rows([event.id]);
      // It may have been erased since the claim.
      return attempt(row?.data === 'null' ? undefined : row);
    };
    try {
      return await this.turns.run(tenantId, readAndAttempt, size.bytes * COPIES);
    } catch (error) {
      if (error instanceof NoRoom) return undefined;
      throw error;
    }
  }
}

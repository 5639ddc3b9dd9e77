import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../admission/fair-queue.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { EventRow } from '../../events/event-presenter.js';
import { LARGE_EVENTS } from '../../events/feed/large-events.js';
import { LARGE_BYTES, largeRecords } from '../../lists/large-json.js';
import type { ClaimedDelivery } from './delivery-claims.js';

/** Minimum memory for large payloads: twice the largest payload. */
const LEAST_BYTES = 32 * 1024 * 1024;
/** The memory of a payload in multiples of the event's data: the data, the body that contains it, and the bytes in transmission. */
const COPIES = 3;
const MAX_WAITING = 1_000;
const WAIT_MS = 5_000;

/** There was not enough memory for a payload in time. */
class NotEnoughMemory extends Error {}

/** What a delivery sends. */
interface Payload {
  /** Undefined if it no longer exists. */
  event: EventRow | undefined;
  release(): void;
}

/**
 * Limits the memory that deliveries take for the data of events. Small data is read with the claim, unless all claims together have too
 * much. Large data is read when its attempt begins. Tenants take turns for that, so hanging receivers do not block other tenants.
 */
@Injectable()
export class Payloads {
  private readonly queue: FairQueue;
  private readonly claimed = new Map<ClaimedDelivery, number>();
  private readonly capacity: number;
  private bytes = 0;

  constructor(
    private readonly database: Database,
    { maxBytesInFlight }: Config,
  ) {
    this.capacity = Math.max(LEAST_BYTES, Math.floor(maxBytesInFlight / 4));
    this.queue = new FairQueue({
      concurrency: this.capacity,
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      refusal: () => new NotEnoughMemory('There is not enough memory for the payload.'),
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
   * Returns the event with its data; without the event if it no longer exists. Returns undefined if there was not enough memory in time. The
   * payload must be released when it was sent.
   */
  async load(tenantId: string, { event, startBy }: ClaimedDelivery): Promise<Payload | undefined> {
    if (event.data !== null) return { event, release: () => undefined };
    const large = largeRecords(this.database, tenantId, LARGE_EVENTS, {});
    const [size] = await large.sizes([event.id]);
    if (!size) return { event: undefined, release: () => undefined };
    const release = await this.reserve(tenantId, size.bytes * COPIES);
    if (!release) return undefined;
    let payload: Payload | undefined;
    try {
      if (Date.now() > startBy) return undefined;
      const [row] = await large.rows([event.id]);
      // It may have been erased since the claim.
      return (payload = { event: row?.data === 'null' ? undefined : row, release });
    } finally {
      if (!payload) release();
    }
  }

  private async reserve(tenantId: string, bytes: number): Promise<(() => void) | undefined> {
    try {
      return await this.queue.enterAndWait(tenantId, bytes);
    } catch (error) {
      if (error instanceof NotEnoughMemory) return undefined;
      throw error;
    }
  }
}

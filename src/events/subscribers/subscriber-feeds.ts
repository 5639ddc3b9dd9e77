import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { formatId } from '../../ids/type-id.js';
import { SoftSemaphore } from '../../queues/soft-semaphore.js';
import type { Job } from '../../queues/job.js';
import { CoalescingRunner } from '../../queues/coalescing-runner.js';
import { SharedQueue, type SharedWorker } from '../../queues/shared-queue.js';
import {
  ADD_POSITION,
  ADVANCE,
  IS_BEHIND,
  LOCK_POSITION,
  NEXT_EVENTS,
  type PlacedEvent,
  TENANTS_BEHIND,
} from './positions.sql.js';
import { SubscriberPauses } from './subscriber-pauses.js';
import { type EventSubscriber, type RelayedEvent, Subscribers } from './subscriber.js';
import { SubscriberRegistry } from './subscriber-registry.js';

/** Maximum number of events in a batch. */
const BATCH = 500;
/** Maximum number of batches of a subscriber that a process runs at once. */
const BATCHES = 2;

/** `more`: the batch was full. `held`: another process passes this tenant's events to the subscriber. */
type Outcome = 'more' | 'done' | 'held';

interface Feed {
  subscriber: EventSubscriber;
  id: string;
}

/**
 * Passes the events of the feed to the subscribers that have positions of their own. A batch is one transaction, in which the subscriber
 * writes its rows and its position moves. Subscribers do not wait for each other, and the tenants of one take turns batch by batch.
 */
@Injectable()
export class SubscriberFeeds implements SharedWorker, OnModuleInit {
  readonly name = 'events of subscribers';
  private readonly logger = new Logger('Subscribers');
  private readonly runs = new CoalescingRunner(Infinity);
  private readonly gates = new Map<string, SoftSemaphore>();
  private readonly pauses = new SubscriberPauses();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly subscribers: Subscribers,
    private readonly registry: SubscriberRegistry,
    private readonly queue: SharedQueue,
  ) {}

  get finds(): readonly string[] {
    return this.subscribers.positioned().map(({ name }) => name);
  }

  onModuleInit(): void {
    this.queue.add(this);
  }

  /** Called when events have got their positions. A process without subscribers leaves them to the sweepers of other processes. */
  relayed(tenantId: string): void {
    if (this.subscribers.positioned().length > 0) this.queue.wake(tenantId);
  }

  async work({ tenantId }: Job): Promise<void> {
    await Promise.all(this.feeds().map((feed) => this.runs.run(keyOf(feed, tenantId), () => this.run(feed, tenantId))));
  }

  stopClaiming(): void {
    this.stopping = true;
  }

  async due(): Promise<Job[]> {
    const jobs: Job[] = [];
    for (const feed of this.feeds()) {
      const behind = await this.database.acrossTenants(TENANTS_BEHIND, { id: feed.id });
      jobs.push(...behind.filter(({ tenantId }) => !this.pauses.isPaused(keyOf(feed, tenantId))));
    }
    return jobs;
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    for (const feed of this.feeds()) {
      if (!this.pauses.isPaused(keyOf(feed, tenantId)) && (await this.isBehind(feed, tenantId))) return true;
    }
    return false;
  }

  private feeds(): Feed[] {
    return this.subscribers.positioned().flatMap((subscriber) => {
      const id = this.registry.idOf(subscriber);
      return id ? [{ subscriber, id }] : [];
    });
  }

  private async isBehind({ id }: Feed, tenantId: string): Promise<boolean> {
    return (await this.database.query(tenantId, IS_BEHIND, { id })).length > 0;
  }

  private async run(feed: Feed, tenantId: string): Promise<void> {
    const gate = this.gates.get(feed.id) ?? new SoftSemaphore(BATCHES);
    this.gates.set(feed.id, gate);
    const key = keyOf(feed, tenantId);
    // Most wake-ups are for the rows of a subscriber, and not for new events.
    let outcome: Outcome = (await this.isBehind(feed, tenantId)) ? 'more' : 'done';
    while (outcome === 'more' && !this.stopping && !this.pauses.isPaused(key)) {
      const pass = () => this.pass(feed, tenantId);
      // A batch that may not be answered takes no turn of others.
      outcome = await (this.database.isRestricted(tenantId) ? pass() : gate.run(pass));
    }
    // The other process may have read its batch before the events of this call had their positions.
    if (outcome === 'held' && (await this.isBehind(feed, tenantId))) this.queue.wake(tenantId);
  }

  /** Passes one batch. After a failure, later batches are smaller, so that the events before the one that fails are passed. */
  private async pass(feed: Feed, tenantId: string): Promise<Outcome> {
    const key = keyOf(feed, tenantId);
    const limit = this.pauses.reduced(key, BATCH);
    let first: string | undefined;
    try {
      const share = `subscriber ${feed.subscriber.name}`;
      const outcome = await this.database.transaction(
        tenantId,
        (transaction) => this.batch(transaction, tenantId, feed, limit, (id) => (first = id)),
        share,
      );
      if (outcome !== 'held') this.pauses.succeeded(key);
      if (first !== undefined) feed.subscriber.committed?.(tenantId);
      return outcome;
    } catch (error) {
      this.pauses.failed(key);
      const event = first && { event: formatId('evt', first) };
      this.logger.error(
        { err: error, tenant_id: tenantId, subscriber: feed.subscriber.name, ...event, events: limit },
        'A subscriber did not accept events; they will be passed to it again',
      );
      return 'done';
    }
  }

  private async batch(
    transaction: Transaction,
    tenantId: string,
    { subscriber, id }: Feed,
    limit: number,
    began: (firstId: string | undefined) => void,
  ): Promise<Outcome> {
    const [at] = await transaction.query(tenantId, LOCK_POSITION, { id });
    const place = at ?? (await transaction.query(tenantId, ADD_POSITION, { id }))[0];
    if (!place) return 'held';
    // A statement of its own: it must see what the last owner of the lock has committed.
    const rows = await transaction.query(tenantId, NEXT_EVENTS, { after: place.position, limit });
    const events = rows.flatMap(eventOf).filter(({ type }) => subscriber.types?.includes(type) ?? true);
    began(events[0]?.id);
    if (events.length > 0) await subscriber.accept(transaction, tenantId, events);
    const isFull = rows.length === limit && rows[0]?.position !== null;
    const position = isFull ? rows.at(-1)?.position : rows[0]?.horizon;
    if (position && BigInt(position) > BigInt(place.position)) {
      await transaction.query(tenantId, ADVANCE, { id, position });
    }
    return isFull ? 'more' : 'done';
  }
}

/** Returns nothing for an event that no longer exists, and for a place without an event. */
function eventOf({ id, type, occurredAt }: PlacedEvent): RelayedEvent[] {
  return id === null ? [] : [{ id, type, occurredAt }];
}

function keyOf({ id }: Feed, tenantId: string): string {
  return `${id}/${tenantId}`;
}

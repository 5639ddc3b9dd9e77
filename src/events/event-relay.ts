import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { outsideUnitOfWork } from '../database/unit-of-work.js';
import { isLockTimeout } from '../errors/database-problem.js';
import { SoftSemaphore } from '../queues/soft-semaphore.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import { CoalescingRunner } from '../queues/coalescing-runner.js';
import { EventRecorder } from './event-recorder.js';
import { ADD_COUNTER, BATCH, IS_PENDING, LOCK_RELAY, TAKE, TENANTS_WITH_PENDING, WAIT_FOR_LOCK } from './relay.sql.js';
import { Subscribers } from './subscribers/subscriber.js';
import { SubscriberFeeds } from './subscribers/subscriber-feeds.js';

/** Maximum time that a reader of the feed, or a change of a subscription, waits for pending events. */
const CATCH_UP_MS = 2_000;
/** Maximum number of batches that a process runs at once, because requests need connections too. */
const BATCHES = 2;
/** Maximum number of batches at once for which a request waits. They are not queued behind those of the worker. */
const AWAITED_BATCHES = 2;
/**
 * The share of connections that all batches use. In its tenant's share, a batch would wait behind the requests of a busy tenant, and other
 * batches behind it.
 */
const SHARE = 'events';
/**
 * Maximum number of transactions of a process that wait for a tenant's lock at once. They do not count as batches, so other tenants do not
 * wait.
 */
const WAITING = 2;

/** `more`: the batch was full. `held`: another transaction is relaying this tenant's events. */
type Outcome = 'more' | 'done' | 'held';

/**
 * Assigns each event its position in the feed and passes it to webhooks and mail once, in the transaction in which they write their rows.
 * Other subscribers follow at positions of their own (`SubscriberFeeds`). A tenant has one relay at a time. Tenants take turns batch by
 * batch.
 */
@Injectable()
export class EventRelay implements QueueWorker, OnModuleInit, OnModuleDestroy {
  readonly queue = 'events';
  private readonly runs = new CoalescingRunner(Infinity);
  private readonly catchUps = new CoalescingRunner(Infinity);
  private readonly batches = new SoftSemaphore(BATCHES);
  private readonly awaitedBatches = new SoftSemaphore(AWAITED_BATCHES);
  private readonly waiting = new SoftSemaphore(WAITING);
  private readonly listeners: ((tenantId: string) => void)[] = [];
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly recorder: EventRecorder,
    private readonly subscribers: Subscribers,
    private readonly feeds: SubscriberFeeds,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.queues.register(this);
    this.recorder.onCommitted((tenantId) => this.queues.wake('events', { tenantId }));
  }

  onModuleDestroy(): void {
    this.stopClaiming();
  }

  /** Calls `listener` after every batch of events that this process has added to the feed of a tenant. */
  onRelayed(listener: (tenantId: string) => void): void {
    this.listeners.push(listener);
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.runs.run(tenantId, async () => {
      let outcome: Outcome;
      // Events that are committed after a batch that was not full cause another wake-up.
      do outcome = await this.through(this.batches, tenantId);
      while (outcome === 'more' && !this.stopping);
      // The other relay may have taken its batch before the event of this call was committed.
      if (outcome === 'held') this.queues.wake('events', { tenantId });
    });
  }

  stopClaiming(): void {
    this.stopping = true;
  }

  async due(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_PENDING, {});
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.database.query(tenantId, IS_PENDING, {})).length > 0;
  }

  /**
   * Relays pending events. Must be awaited before the feed is read and before a subscription changes, so that earlier events have their
   * positions and were passed to the subscriptions of their time. Takes one query if no event is pending. Gives up after two seconds.
   */
  async catchUp(tenantId: string): Promise<void> {
    if (!(await this.isDue({ tenantId }))) return;
    const inTime = new AbortController();
    const relay = () => this.relayUntil(tenantId, Date.now() + CATCH_UP_MS);
    const caughtUp = outsideUnitOfWork(() => this.catchUps.run(tenantId, relay));
    const late = sleep(CATCH_UP_MS, undefined, { signal: inTime.signal }).catch(() => undefined);
    try {
      await Promise.race([caughtUp, late]);
    } finally {
      inTime.abort();
    }
  }

  private async relayUntil(tenantId: string, deadline: number): Promise<void> {
    let outcome: Outcome = 'more';
    while (outcome === 'more' && Date.now() < deadline) {
      outcome = await this.through(this.awaitedBatches, tenantId);
      if (outcome === 'held') {
        outcome = await this.waiting.run(() => this.relayBatch(tenantId, { until: deadline }));
      }
    }
  }

  /** Relays a batch when it is its turn. One that may not be answered takes no turn of others. */
  private through(gate: SoftSemaphore, tenantId: string): Promise<Outcome> {
    const relay = () => this.relayBatch(tenantId);
    return this.database.isRestricted(tenantId) ? relay() : gate.run(relay);
  }

  /** Waits for another relay of the tenant until the time `until` (milliseconds since 1970); by default, does not wait. */
  private async relayBatch(tenantId: string, { until = 0 } = {}): Promise<Outcome> {
    const subscribers = this.subscribers.inRelay();
    const events = await this.database
      .transaction(
        tenantId,
        async (transaction) => {
          if (!(await lock(transaction, tenantId, until - Date.now()))) return undefined;
          const taken = await transaction.query(tenantId, TAKE, { nowMicros: Date.now() * 1_000 });
          if (taken.length === 0) return taken;
          for (const subscriber of subscribers) await subscriber.accept(transaction, tenantId, taken);
          return taken;
        },
        SHARE,
      )
      .catch((error: unknown) => {
        if (isLockTimeout(error)) return undefined;
        throw error;
      });
    if (!events) return 'held';
    const [first] = events;
    if (!first) return 'done';
    for (const subscriber of subscribers) subscriber.committed?.(tenantId);
    this.feeds.relayed(tenantId);
    for (const listener of this.listeners) listener(tenantId);
    return first.found === BATCH ? 'more' : 'done';
  }
}

/** Locks the tenant's relay. Returns false if another transaction has the lock. Waits for that one if `waitMs` is above 0. */
async function lock(transaction: Transaction, tenantId: string, waitMs: number): Promise<boolean> {
  if (waitMs <= 0) {
    const locked = await transaction.query(tenantId, LOCK_RELAY, {});
    return locked.length > 0 || (await transaction.query(tenantId, ADD_COUNTER, {})).length > 0;
  }
  await transaction.limitLockWaits(waitMs);
  await transaction.query(tenantId, ADD_COUNTER, {});
  return (await transaction.query(tenantId, WAIT_FOR_LOCK, {})).length > 0;
}

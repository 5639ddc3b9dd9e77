import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import { Rerun } from '../queues/rerun.js';
import { EventRecorder } from './event-recorder.js';
import { type RelayedEvent, Subscribers } from './subscriber.js';

const BATCH = 500;
/** What the events of one batch may weigh as stored, unless the first alone weighs more. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** However much is pending, nobody who changes a subscription waits for longer. */
const CATCH_UP_MS = 2_000;
/** Transactions of one process at once: requests need connections too. */
const CONCURRENCY = 2;

interface TakenEvent extends RelayedEvent {
  /** Of all the events that were looked at, how many there were. */
  found: number;
}

/** The oldest pending events, taken for good if this transaction commits. */
export const TAKE = {
  name: 'events.take',
  text: `WITH next AS (
      SELECT event_id FROM pending_events WHERE tenant_id = $1
      ORDER BY event_id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), weighed AS (
      SELECT e.id, e.type, e.occurred_at, e.data,
        sum(pg_column_size(e.data)) OVER (ORDER BY e.id) - pg_column_size(e.data) AS before
      FROM next CROSS JOIN LATERAL (
        SELECT id, type, occurred_at, data FROM events WHERE tenant_id = $1 AND id = next.event_id LIMIT 1
      ) AS e
    ), taken AS (
      DELETE FROM pending_events WHERE tenant_id = $1
        AND event_id = ANY (ARRAY(SELECT id FROM weighed WHERE before < ${BATCH_BYTES}))
    )
    SELECT id, type, occurred_at AS "occurredAt", data, (SELECT count(*) FROM next) AS found FROM weighed WHERE before < ${BATCH_BYTES} ORDER BY id`,
};

const TENANTS_WITH_PENDING = {
  name: 'events.tenants_with_pending',
  text: `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM pending_events p WHERE p.tenant_id = t.id)`,
};

const IS_PENDING = {
  name: 'events.is_pending',
  text: 'SELECT 1 FROM pending_events WHERE tenant_id = $1 LIMIT 1',
};

const IS_PENDING_BEFORE = {
  name: 'events.is_pending_before',
  text: 'SELECT 1 FROM pending_events WHERE tenant_id = $1 AND event_id < $2 LIMIT 1',
};

/** Hands each event to every subscriber, once: taking it and what the subscribers write are one transaction. */
@Injectable()
export class EventRelay implements QueueWorker, OnModuleInit, OnModuleDestroy {
  readonly queue = 'events';
  private readonly rerun = new Rerun(CONCURRENCY);
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly recorder: EventRecorder,
    private readonly subscribers: Subscribers,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.queues.register(this);
    this.recorder.onCommitted((tenantId) => this.queues.wake('events', { tenantId }));
  }

  onModuleDestroy(): void {
    this.stopping = true;
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.rerun.run(tenantId, async () => {
      // What comes after a batch that was not full has a wake of its own, and is gathered until then.
      while (!this.stopping && (await this.relayBatch(tenantId)));
    });
  }

  async due(): Promise<Job[]> {
    return this.database.acrossTenants<Job>(TENANTS_WITH_PENDING);
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.database.query(tenantId, IS_PENDING)).length > 0;
  }

  /**
   * To be awaited before a subscription changes: what has happened is handed over to those who were subscribed then. Gives up after two
   * seconds, if so much is pending.
   */
  async catchUp(tenantId: string): Promise<void> {
    const now = newUuid();
    const deadline = Date.now() + CATCH_UP_MS;
    while (Date.now() < deadline) {
      const pending = await this.database.query(tenantId, IS_PENDING_BEFORE, [now]);
      if (pending.length === 0) return;
      // What is left then, another process is at.
      if (!(await this.relayBatch(tenantId))) await sleep(5);
    }
  }

  /** Whether the batch was full, by number or by weight. */
  private async relayBatch(tenantId: string): Promise<boolean> {
    const subscribers = this.subscribers.all();
    const events = await this.database.transaction(async (transaction) => {
      const taken = await transaction.query<TakenEvent>(tenantId, TAKE);
      if (taken.length === 0) return taken;
      for (const subscriber of subscribers) await subscriber.accept(transaction, tenantId, taken);
      return taken;
    });
    const [first] = events;
    if (!first) return false;
    for (const subscriber of subscribers) subscriber.committed?.(tenantId);
    return first.found === BATCH || first.found > events.length;
  }
}

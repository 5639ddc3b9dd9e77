import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { EventRow } from '../events/event-presenter.js';
import type { EventType } from '../modules/module-manifest.js';
import type { EventAbout, EventSubscriber, RelayedEvent, StartsFrom } from '../events/subscribers/subscriber.js';
import { formatId } from '../ids/type-id.js';
import type { Job } from '../queues/job.js';
import { pauseAfter } from '../queues/retry-schedule.js';
import type { SharedWorker } from '../queues/shared-queue.js';
import { FairSemaphore } from './fair-semaphore.js';
import { withTimeLimit } from './time-limit.js';
import { WorkFailure } from './work-failure.js';
import type { Settled, WorkItem, WorkSource } from './work-item.js';
import { WorkLoop } from './work-loop.js';
import type { WorkServices } from './work-services.js';
import { subscriberStatements, type WorkClaim } from './work-subscriber.sql.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A claimed row is attempted within this time, or its claim is released. */
const START_WITHIN_MS = 10 * SECOND;
/** A claim lasts this much longer than the time-out of an attempt: time to begin, and to store the result. */
const LEASE_MARGIN_MS = 15 * SECOND;
/** Maximum number of batches in one round of the retention. The next round deletes the rest. */
const MAX_PRUNED_BATCHES = 100;
const MAX_REASON = 500;

/** How a subscriber works off its table. */
interface WorkLimits {
  /** Maximum number of attempts of a process at once. */
  concurrency: number;
  /** Time-out of an attempt, in milliseconds. */
  timeoutMs: number;
  /** The pauses after failed attempts, in milliseconds. If the attempt after the last pause fails, the work has failed. */
  schedule: readonly number[];
  /** Time for running attempts to finish when the process stops. */
  graceMs: number;
}

const DEFAULTS: WorkLimits = {
  concurrency: 5,
  timeoutMs: 30 * SECOND,
  schedule: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  graceMs: 10 * SECOND,
};

type ClaimedWork = WorkClaim & WorkItem;

interface WorkResult {
  status: 'done' | 'pending' | 'failed';
  reason: string | null;
  pauseMs: number | null;
}

/**
 * A subscriber that writes a row for each event into a table of its own (`createWorkTable`, `WorkRow`) and then processes the rows: claimed
 * for a limited time, retried, and pruned. A subclass has a name, says where it starts, and implements `process`.
 */
export abstract class WorkSubscriber
  implements EventSubscriber, SharedWorker, WorkSource<ClaimedWork, WorkResult>, OnModuleInit, OnModuleDestroy
{
  abstract readonly name: string;
  abstract readonly startsFrom: StartsFrom;
  readonly types?: readonly EventType[];
  private readonly logger = new Logger('Subscribers');
  private readonly limits: WorkLimits;
  private readonly statements;
  private readonly loop: WorkLoop<ClaimedWork, WorkResult>;
  private failing = false;

  constructor(
    protected readonly services: WorkServices,
    table: string,
    limits: Partial<WorkLimits> = {},
  ) {
    this.limits = { ...DEFAULTS, ...limits };
    this.statements = subscriberStatements(table);
    const { concurrency } = this.limits;
    this.loop = new WorkLoop<ClaimedWork, WorkResult>(this, {
      name: table,
      semaphore: new FairSemaphore(concurrency, services.database),
      restrictedTenants: services.database,
      concurrency,
      // Data of events may be large, so a row is claimed only when it can be processed at once.
      minBatch: 1,
      maxBatch: 1,
    });
  }

  /**
   * Processes an event. It may be called again for the same event, which the receiver must recognize by its ID. Throws if it failed; a
   * `WorkFailure` can say that further attempts are useless. It must end soon after `signal` has aborted.
   */
  protected abstract process(tenantId: string, event: EventRow, signal: AbortSignal): Promise<void>;

  onModuleInit(): void {
    this.register();
    this.services.queue.add(this);
  }

  /** Adds the subscriber to those that receive events. */
  protected register(): void {
    this.services.subscribers.add(this);
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop(this.limits.graceMs);
  }

  async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    await transaction.query(tenantId, this.statements.add, { ids: events.map(({ id }) => id) });
  }

  committed(tenantId: string): void {
    this.services.queue.wake(tenantId);
  }

  async oldestNeeded(tenantId: string): Promise<string | undefined> {
    const [row] = await this.services.database.query(tenantId, this.statements.oldestPending, {});
    return row?.id;
  }

  async unfinished(tenantId: string, events: readonly EventAbout[]): Promise<string[]> {
    const ids = events.map(({ id }) => id);
    return (await this.services.database.query(tenantId, this.statements.pendingOf, { ids })).map(({ id }) => id);
  }

  async prune(tenantId: string, before: string): Promise<void> {
    for (let batch = 0; batch < MAX_PRUNED_BATCHES; batch++) {
      const pruned = await this.services.database.query(tenantId, this.statements.prune, { before });
      if (pruned.length === 0) return;
    }
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.loop.work(tenantId);
  }

  stopClaiming(): void {
    this.loop.stopClaiming();
  }

  async due(): Promise<Job[]> {
    return this.services.database.acrossTenants(this.statements.tenantsWithDue, {});
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.services.database.query(tenantId, this.statements.hasDue, {})).length > 0;
  }

  /** All rows of a tenant are one group. */
  async groups(tenantId: string): Promise<string[]> {
    return (await this.isDue({ tenantId })) ? [tenantId] : [];
  }

  async claim(tenantId: string, _group: string, count: number): Promise<ClaimedWork[]> {
    const startBy = Date.now() + START_WITHIN_MS;
    const leaseMs = this.limits.timeoutMs + LEASE_MARGIN_MS;
    const rows = await this.services.database.query(tenantId, this.statements.claim, { limit: count, leaseMs });
    return rows.map((row) => ({ ...row, startBy }));
  }

  async attempt(
    tenantId: string,
    _group: string,
    { id, type, occurredAt, data, attempts }: ClaimedWork,
    stop: AbortSignal,
  ): Promise<WorkResult | undefined> {
    try {
      if (type === null) throw new WorkFailure('The event is no longer stored.', { permanent: true });
      const event = { id, type, occurredAt, data };
      await withTimeLimit(this.limits.timeoutMs, stop, (signal) => this.process(tenantId, event, signal));
      this.failing = false;
      return { status: 'done', reason: null, pauseMs: null };
    } catch (error) {
      if (stop.aborted) return undefined;
      return this.failed(tenantId, id, attempts + 1, error);
    }
  }

  async store(tenantId: string, settled: readonly Settled<ClaimedWork, WorkResult>[]): Promise<void> {
    await this.services.database.query(tenantId, this.statements.settle, {
      ids: settled.map(({ item }) => item.id),
      claimedUntil: settled.map(({ item }) => item.claimedUntil),
      statuses: settled.map(({ result }) => result.status),
      pausesMs: settled.map(({ result }) => result.pauseMs),
      errors: settled.map(({ result }) => result.reason),
    });
  }

  async release(tenantId: string, items: readonly ClaimedWork[]): Promise<void> {
    const claimedUntil = items.map((item) => item.claimedUntil);
    await this.services.database.query(tenantId, this.statements.release, {
      ids: items.map(({ id }) => id),
      claimedUntil,
    });
  }

  private failed(tenantId: string, eventId: string, attempts: number, error: unknown): WorkResult {
    const { permanent, retryAfter } =
      error instanceof WorkFailure ? error : { permanent: false, retryAfter: undefined };
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
    const pauseMs = permanent ? undefined : pauseAfter(this.limits.schedule, attempts, retryAfter);
    const log = { err: error, tenant_id: tenantId, subscriber: this.name, event: formatId('evt', eventId), attempts };
    if (pauseMs === undefined) {
      this.logger.error(log, 'A subscriber failed permanently to process an event');
      return { status: 'failed', reason, pauseMs: null };
    }
    // Log this once, not for each event that waits for an unavailable receiver.
    if (!this.failing) this.logger.warn(log, 'A subscriber failed to process an event; it will be retried');
    this.failing = true;
    return { status: 'pending', reason, pauseMs };
  }
}

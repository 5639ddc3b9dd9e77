import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Backlog } from '../backlog/backlog.js';
import { Database } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import type { Job } from '../queues/job.js';
import { pauseAfter } from '../queues/retry-schedule.js';
import { SharedQueue, type SharedWorker } from '../queues/shared-queue.js';
import { FairSemaphore } from '../work/fair-semaphore.js';
import { withTimeLimit } from '../work/time-limit.js';
import type { Settled, WorkSource } from '../work/work-item.js';
import { WorkLoop } from '../work/work-loop.js';
import {
  CLAIM_SCHEDULED_JOBS,
  DUE_KINDS,
  PAUSE,
  RELEASE_SCHEDULED_JOBS,
  TENANTS_WITH_DUE_JOBS,
} from './scheduled-jobs.sql.js';
import { ClaimLost, type ScheduledJob, ScheduledJobs } from './scheduled-jobs.js';

/** Attempts of a process at once. They use connections of their tenant's share. */
const CONCURRENCY = 6;
/** Attempts at once of one kind of a tenant. */
const CONCURRENCY_OF_KIND = 3;
const MAX_BATCH = 30;
/** A claimed row is attempted within this time, or its claim is released. */
const START_WITHIN_MS = 5_000;
const TIMEOUT_MS = 20_000;
/** Time to begin, for the attempt, and to store that it failed. A crash delays the work by this time. */
const LEASE_MS = START_WITHIN_MS + TIMEOUT_MS + 5_000;
/** The pauses after failed attempts, whose causes usually are outages. The last one is repeated. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** `done`: the handler settled the item, or it is no longer this worker's. */
type Outcome = 'done' | { pauseMs: number };

/** Finds the work that is due, claims it and has it carried out. Tenants take turns, and the kinds of a tenant do not wait for each other. */
@Injectable()
export class ScheduledJobWorker
  implements SharedWorker, WorkSource<ScheduledJob, Outcome>, OnModuleInit, OnModuleDestroy
{
  readonly name = 'scheduled_jobs';
  private readonly logger = new Logger('ScheduledJobs');
  private readonly loop: WorkLoop<ScheduledJob, Outcome>;

  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly queue: SharedQueue,
    private readonly backlog: Backlog,
  ) {
    this.loop = new WorkLoop<ScheduledJob, Outcome>(this, {
      name: this.name,
      semaphore: new FairSemaphore(CONCURRENCY, database),
      restrictedTenants: database,
      concurrency: CONCURRENCY_OF_KIND,
      minBatch: CONCURRENCY_OF_KIND,
      maxBatch: MAX_BATCH,
    });
  }

  get finds(): readonly string[] {
    return this.scheduledJobs.kinds;
  }

  onModuleInit(): void {
    this.queue.add(this);
    this.backlog.countScheduledJobsOf(() => this.scheduledJobs.kinds);
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop(SHUTDOWN_TIMEOUT_MS);
  }

  async due(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_DUE_JOBS, { kinds: this.scheduledJobs.kinds });
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.kindsDue(tenantId)).length > 0;
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.loop.work(tenantId);
  }

  stopClaiming(): void {
    this.loop.stopClaiming();
  }

  async groups(tenantId: string): Promise<string[]> {
    return (await this.kindsDue(tenantId)).map((kind) => groupOf(tenantId, kind));
  }

  async claim(tenantId: string, group: string, count: number): Promise<ScheduledJob[]> {
    const kind = kindOf(group);
    const claim = newUuid();
    const startBy = Date.now() + START_WITHIN_MS;
    const rows = await this.database.query(tenantId, CLAIM_SCHEDULED_JOBS, {
      kind,
      claim,
      limit: count,
      leaseMs: LEASE_MS,
    });
    return rows
      .map((row) => ({ ...row, kind, claim, startBy }))
      .sort((a, b) => (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : 0));
  }

  async attempt(tenantId: string, _group: string, item: ScheduledJob, stop: AbortSignal): Promise<Outcome | undefined> {
    try {
      const handler = this.scheduledJobs.handlerOf(item.kind);
      await withTimeLimit(TIMEOUT_MS, stop, () => handler.carryOut(tenantId, item));
      return 'done';
    } catch (error) {
      if (error instanceof ClaimLost) return 'done';
      if (stop.aborted) return undefined;
      const { kind, id, attempts } = item;
      this.logger.warn(
        { err: error, tenant_id: tenantId, kind, key: id, attempts: attempts + 1 },
        'A scheduled job could not be carried out; it will be tried again',
      );
      return { pauseMs: pauseAfter(PAUSES_MS, Math.min(attempts + 1, PAUSES_MS.length)) ?? 0 };
    }
  }

  async store(tenantId: string, settled: readonly Settled<ScheduledJob, Outcome>[]): Promise<void> {
    const failed = settled.flatMap(({ item, result }) => (result === 'done' ? [] : { item, pauseMs: result.pauseMs }));
    if (failed.length === 0) return;
    const claims = columnsOf(failed.map(({ item }) => item));
    await this.database.query(tenantId, PAUSE, { ...claims, pausesMs: failed.map(({ pauseMs }) => pauseMs) });
  }

  async release(tenantId: string, items: readonly ScheduledJob[]): Promise<void> {
    await this.database.query(tenantId, RELEASE_SCHEDULED_JOBS, columnsOf(items));
  }

  private async kindsDue(tenantId: string): Promise<string[]> {
    const rows = await this.database.query(tenantId, DUE_KINDS, { kinds: this.scheduledJobs.kinds });
    return rows.map(({ kind }) => kind);
  }
}

/** The kinds of each tenant are groups of their own. */
function groupOf(tenantId: string, kind: string): string {
  return `${kind} ${tenantId}`;
}

function kindOf(group: string): string {
  return group.slice(0, group.indexOf(' '));
}

function columnsOf(items: readonly ScheduledJob[]) {
  return {
    kinds: items.map(({ kind }) => kind),
    keys: items.map(({ id }) => id),
    claims: items.map(({ claim }) => claim),
  };
}

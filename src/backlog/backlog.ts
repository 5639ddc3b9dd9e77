import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import {
  FAILED_DELIVERIES,
  FAILED_LETTERS,
  FAILED_MAILS,
  type FailedRow,
  type SubscriberRow,
  SUBSCRIBERS_BEHIND,
  WAITING_DELIVERIES,
  WAITING_SCHEDULED_JOBS,
  WAITING_EVENTS,
  WAITING_LETTERS,
  WAITING_MAILS,
  type WaitingRow,
} from './backlog.sql.js';
import { Recent } from './recent.js';

/** Tenants that are listed, beside the sums over all tenants. */
const LISTED_TENANTS = 50;
/** Tenants that are listed for each subscriber, beside the sum over all tenants. */
const LISTED_TENANTS_OF_SUBSCRIBER = 10;
/** From this number of rows of a webhook, or of a tenant's emails or events, on, the numbers are minimums. */
const COUNT_TO = 100_000;
const COUNT_FAILED_TO = 1_000;
/** From this number of events of a subscriber, divided by the number of tenants, on, the number of a tenant's events is a minimum. */
const COUNT_EVENTS_TO = 1_000_000;
const MIN_MS = 1_000;

/** Work that waits in a table, of a tenant or of all tenants. */
export interface Waiting {
  pending: number;
  /** Pending, not in progress, and its time has come. */
  due: number;
  /** Pending after at least one failed attempt. */
  failing: number;
  /** When the oldest of it was created, or was due. */
  oldest?: Date;
}

/** Work that was given up. It is stored until the retention deletes it. */
export interface Failed {
  failed: number;
  latest?: Date;
}

/** The sum over all tenants, and the tenants that need attention first. */
interface BacklogTenants<Work> {
  all: Work;
  tenants: ({ tenantId: string } & Work)[];
}

/** A kind of work that waits in a table. */
export type Kind = 'events' | 'deliveries' | 'mails' | 'letters' | 'due';

/** The kinds that are given up after some attempts. */
export type GivenUpKind = 'deliveries' | 'mails' | 'letters';

/** The events that a subscriber with a position of its own has not passed, of a tenant or of all tenants. */
export interface Behind {
  pending: number;
  /** When the oldest of them occurred. Undefined if none is pending, or if that event no longer exists. */
  oldest?: Date;
}

export interface BehindSubscriber extends BacklogTenants<Behind> {
  name: string;
  /** The last time that a worker had the subscriber. */
  seen?: Date;
  /** The number of tenants with events that the subscriber has not passed. */
  tenantCount: number;
}

/** What waits in the tables, which is the truth about the work: the queues in Redis only wake workers. Readings are cached. */
@Injectable()
export class Backlog {
  private readonly recentlyWaiting = new Recent(MIN_MS, () => this.readWaiting());
  private readonly recentlyFailed = new Recent(MIN_MS, () => this.readFailed());

  private readonly recentSubscribers = new Recent(MIN_MS, () => this.readSubscribers());

  private dueKinds: () => readonly string[] = () => [];

  constructor(private readonly database: Database) {}

  /** Scheduled jobs are counted if they are of one of these kinds. */
  countScheduledJobsOf(kinds: () => readonly string[]): void {
    this.dueKinds = kinds;
  }

  /** The work that waits, with the tenants whose work is oldest. */
  waiting(): Promise<Record<Kind, BacklogTenants<Waiting> & { tenantCount: number }>> {
    return this.recentlyWaiting.get();
  }

  /** The work that was given up, with the tenants where that happened last. Events and scheduled jobs are never given up. */
  failed(): Promise<Record<GivenUpKind, BacklogTenants<Failed>>> {
    return this.recentlyFailed.get();
  }

  /** Every subscriber with a position of its own, by name, with the tenants whose events it has not passed for the longest time. */
  subscribers(): Promise<BehindSubscriber[]> {
    return this.recentSubscribers.get();
  }

  /** One statement after the other, so that they never use more than one connection. */
  private async readWaiting() {
    const limits = { countTo: COUNT_TO, tenants: LISTED_TENANTS };
    const events = await this.database.acrossTenants(WAITING_EVENTS, limits);
    const deliveries = await this.database.acrossTenants(WAITING_DELIVERIES, limits);
    const mails = await this.database.acrossTenants(WAITING_MAILS, limits);
    const letters = await this.database.acrossTenants(WAITING_LETTERS, limits);
    const due = await this.database.acrossTenants(WAITING_SCHEDULED_JOBS, { ...limits, kinds: this.dueKinds() });
    return {
      events: waitingOf(events),
      deliveries: waitingOf(deliveries),
      mails: waitingOf(mails),
      letters: waitingOf(letters),
      due: waitingOf(due),
    };
  }

  private async readFailed() {
    const limits = { countTo: COUNT_FAILED_TO, tenants: LISTED_TENANTS };
    const deliveries = await this.database.acrossTenants(FAILED_DELIVERIES, limits);
    const mails = await this.database.acrossTenants(FAILED_MAILS, limits);
    const letters = await this.database.acrossTenants(FAILED_LETTERS, limits);
    return { deliveries: failedOf(deliveries), mails: failedOf(mails), letters: failedOf(letters) };
  }

  private async readSubscribers(): Promise<BehindSubscriber[]> {
    const limits = { countTo: COUNT_EVENTS_TO, tenants: LISTED_TENANTS_OF_SUBSCRIBER };
    return subscribersOf(await this.database.acrossTenants(SUBSCRIBERS_BEHIND, limits));
  }
}

function waitingOf(rows: readonly WaitingRow[]): BacklogTenants<Waiting> & { tenantCount: number } {
  const [first] = rows;
  const { allPending = 0, allDue = 0, allFailing = 0, tenants = 0 } = first ?? {};
  return {
    all: { pending: allPending, due: allDue, failing: allFailing, oldest: dateOf(first?.oldest) },
    tenantCount: tenants,
    tenants: rows.map(({ tenantId, pending, due, failing, oldest }) => ({
      tenantId,
      pending,
      due,
      failing,
      oldest: dateOf(oldest),
    })),
  };
}

function failedOf(rows: readonly FailedRow[]): BacklogTenants<Failed> {
  const [first] = rows;
  return {
    all: { failed: first?.allFailed ?? 0, latest: dateOf(first?.latest) },
    tenants: rows.map(({ tenantId, failed, latest }) => ({ tenantId, failed, latest: dateOf(latest) })),
  };
}

/** Joins the rows of each subscriber, which follow each other. The first tenant's event is the oldest. */
function subscribersOf(rows: readonly SubscriberRow[]): BehindSubscriber[] {
  const subscribers: BehindSubscriber[] = [];
  for (const { name, seenAt, tenantId, pending, oldest, tenants, allPending } of rows) {
    let last = subscribers.at(-1);
    if (last?.name !== name) {
      const all = { pending: allPending, oldest: dateOf(oldest) };
      last = { name, seen: dateOf(seenAt), all, tenantCount: tenants, tenants: [] };
      subscribers.push(last);
    }
    if (tenantId !== null) last.tenants.push({ tenantId, pending: pending ?? 0, oldest: dateOf(oldest) });
  }
  return subscribers;
}

function dateOf(text: string | null | undefined): Date | undefined {
  return text ? new Date(text) : undefined;
}

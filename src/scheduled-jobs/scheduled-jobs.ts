import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Database } from '../database/database.js';
import type { Executor, Transaction } from '../database/transaction.js';
import type { ClaimedItem } from '../work/work-item.js';
import { FINISH, MOVE } from './scheduled-jobs.sql.js';

/** An attempt of work in parts ends after this time, so that other work has its turn. */
const ATTEMPT_MS = 5_000;

/** Work that is due, and that this worker has claimed. */
export interface ScheduledJob extends ClaimedItem {
  kind: string;
  /** ISO 8601. */
  dueAt: string;
  /** Identifies the claim. */
  claim: string;
  /** Number of failed attempts before this one. */
  attempts: number;
}

/** A provider that carries out the scheduled jobs of these kinds. Each kind has one handler. */
export const HandlesScheduledJobs = DiscoveryService.createDecorator<readonly string[]>();

/** A provider with `@HandlesScheduledJobs`. */
export interface ScheduledJobHandler {
  /**
   * Carries out the item, and settles it in the commit of its effect: with `ScheduledJobs.settle`, or with `settleJob` in the statement of the
   * effect. The key is `item.id`. If it throws, it is called again after a pause, with a new claim. It may be called again although an
   * earlier call is still running; only one of them can settle the item.
   */
  carryOut(tenantId: string, item: ScheduledJob): Promise<void>;
}

/** The work was settled or replaced, or another worker has claimed it. The transaction with the effect must be rolled back. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** The handlers of scheduled jobs, and how they settle it. Work is put by the statement of the change that causes it (`putJob`). */
@Injectable()
export class ScheduledJobs implements OnModuleInit {
  private readonly handlers = new Map<string, ScheduledJobHandler>();

  constructor(
    private readonly database: Database,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    for (const provider of this.discovery.getProviders({ metadataKey: HandlesScheduledJobs.KEY })) {
      for (const kind of this.discovery.getMetadataByDecorator(HandlesScheduledJobs, provider) ?? []) {
        if (this.handlers.has(kind)) throw new Error(`The scheduled job "${kind}" has two handlers.`);
        this.handlers.set(kind, provider.instance as ScheduledJobHandler);
      }
    }
  }

  get kinds(): string[] {
    return [...this.handlers.keys()];
  }

  handlerOf(kind: string): ScheduledJobHandler {
    const handler = this.handlers.get(kind);
    if (!handler) throw new Error(`The scheduled job "${kind}" has no handler.`);
    return handler;
  }

  /**
   * Removes the item, or moves it to the time `next`, in the transaction of its effect. Throws `ClaimLost`, which rolls the transaction
   * back, if the claim no longer holds: this is what makes the effect happen only once.
   */
  async settle(
    executor: Executor,
    tenantId: string,
    { kind, id: key, claim }: ScheduledJob,
    next?: string,
  ): Promise<void> {
    const claimed = { kind, key, claim };
    const rows =
      next === undefined
        ? await executor.query(tenantId, FINISH, claimed)
        : await executor.query(tenantId, MOVE, { ...claimed, at: next });
    if (rows.length === 0) throw new ClaimLost('The claim of the scheduled job no longer holds.');
  }

  /**
   * Carries out work in parts, each in a transaction. `part` does the next one. When it has settled the item, it returns true. An attempt
   * that ends before that is followed by another one.
   */
  async inParts(
    tenantId: string,
    item: ScheduledJob,
    part: (transaction: Transaction) => Promise<boolean>,
  ): Promise<void> {
    const until = Date.now() + ATTEMPT_MS;
    do {
      if (await this.database.transaction(tenantId, part)) return;
    } while (Date.now() < until);
    await this.settle(this.database, tenantId, item, new Date().toISOString());
  }
}

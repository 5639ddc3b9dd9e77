import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { newUuid } from '../../ids/type-id.js';
import { Queues } from '../../queues/queues.js';
import { REPLAY } from '../job-kinds.js';
import { nextInRange, type ReplayedEvent } from './replay-range.js';
import { ADD_REPLAYED, ADVANCE_REPLAY, COUNT_DUE, LOCK_REPLAY, REMOVE_REPLAY, type ReplayRow } from './replays.sql.js';
import type { WebhookFilters } from '../options/webhook-filters.js';

/**
 * A replay writes no more deliveries while its webhook has this many due ones. New events are sent after those that are due, so this is
 * what they wait for at most.
 */
const MAX_DUE = 500;
const PAGE = 2_000;
/** Maximum number of pages that one step looks at. */
const MAX_PAGES = 5;
const PAUSE_MS = 1_000;

/** Writes the deliveries of replays, in steps that are each one short transaction. */
@Injectable()
@HandlesScheduledJobs([REPLAY])
export class ReplayWorker implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly queues: Queues,
  ) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.database.transaction(tenantId, async (transaction) => {
      const [replay] = await transaction.query(tenantId, LOCK_REPLAY, { id: item.id });
      if (!replay || (await this.step(transaction, tenantId, item.id, replay))) {
        await transaction.query(tenantId, REMOVE_REPLAY, { id: item.id });
        await this.scheduledJobs.settle(transaction, tenantId, item);
      } else {
        await this.scheduledJobs.settle(transaction, tenantId, item, new Date(Date.now() + PAUSE_MS).toISOString());
      }
    });
    this.queues.wake('webhooks', { tenantId });
  }

  /** Returns whether the replay is finished. */
  private async step(transaction: Transaction, tenantId: string, id: string, replay: ReplayRow): Promise<boolean> {
    const { webhookId, types } = replay;
    const [due] = await transaction.query(tenantId, COUNT_DUE, { webhookId, most: MAX_DUE });
    const range = { webhookId, types, since: new Date(replay.since), until: new Date(replay.until) };
    const filters = replay.filters === null ? null : (JSON.parse(replay.filters) as WebhookFilters);
    let { afterId, remaining } = replay;
    let room = Math.min(MAX_DUE - (due?.total ?? 0), remaining);
    for (let pages = 0; room > 0 && pages < MAX_PAGES; pages++) {
      const page = await nextInRange(transaction, tenantId, range, filters, { afterId, limit: PAGE });
      const events = page.events.slice(0, room);
      if (events.length > 0) await this.add(transaction, tenantId, webhookId, events);
      room -= events.length;
      remaining -= events.length;
      const isWhole = events.length === page.events.length;
      // Events that the retention deleted in the meantime are not sent.
      if (remaining === 0 || (isWhole && page.looked < PAGE)) return true;
      afterId = (isWhole ? page.lastId : events.at(-1)?.id) ?? afterId;
    }
    await transaction.query(tenantId, ADVANCE_REPLAY, { id, afterId, remaining });
    return false;
  }

  private async add(
    transaction: Transaction,
    tenantId: string,
    webhookId: string,
    events: readonly ReplayedEvent[],
  ): Promise<void> {
    await transaction.query(tenantId, ADD_REPLAYED, {
      ids: events.map(() => newUuid()),
      webhookId,
      eventIds: events.map(({ id }) => id),
      eventTypes: events.map(({ type }) => type),
    });
  }
}

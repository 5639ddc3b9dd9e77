import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Executor, Transaction } from '../../database/transaction.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { presentProblem, Problem } from '../../errors/problem.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { newUuid } from '../../ids/type-id.js';
import { PublishDraft } from '../drafts/publish-draft.js';
import type { UpdateEntryDto } from '../entries/entries.dto.js';
import { UpdateEntry } from '../entries/writes/update-entry.js';
import { EntryLocales } from '../locales/entry-locales.service.js';
import { localesOf } from '../locales/tenant-locales.js';
import { SCHEDULE } from './schedule-kind.js';
import { presentSchedule } from './schedule-presenter.js';
import { assertStillThere } from './scheduled-locales.js';
import { nextOf } from './schedules.service.js';
import { type DueSchedule, FAIL_SCHEDULE, GET_DUE_SCHEDULE, REMOVE_SCHEDULE, REMOVE_TIME } from './schedules.sql.js';

/** Maximum number of errors in a stored problem. */
const MAX_ERRORS = 100;

/** Who makes the change, as the history shows it, and by which right: only who may publish sets a schedule. */
const BY = { name: 'schedule', scopes: new Set(['content:write']) };

/** Carries out the earliest time of a schedule, with the services that carry out the same request. */
@Injectable()
@HandlesScheduledJobs([SCHEDULE])
export class ScheduledActions implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly updates: UpdateEntry,
    private readonly publishDraft: PublishDraft,
    private readonly entryLocales: EntryLocales,
    private readonly scheduledJobs: ScheduledJobs,
  ) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    const [schedule] = await this.database.query(tenantId, GET_DUE_SCHEDULE, { entryId: item.id });
    if (!schedule || nextOf(schedule) === undefined) return this.drop(tenantId, item);
    try {
      await this.act(tenantId, item, schedule);
    } catch (error) {
      // Others are failures of the service, which pass.
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (error.code === 'not_found') return this.drop(tenantId, item);
      await this.fail(tenantId, item, schedule, error);
    }
  }

  private async act(tenantId: string, item: ScheduledJob, schedule: DueSchedule): Promise<void> {
    const { typeId: id, entryId, locales } = schedule;
    const isPublished = nextOf(schedule) === schedule.publishAt;
    if (locales !== null) return this.actOnLocales(tenantId, item, schedule, locales);
    const executor = this.executorOf(item, schedule);
    const by = { tenantId, ...BY };
    const action = 'scheduled';
    const scheduled = isPublished ? schedule : undefined;
    if (isPublished && schedule.hasDraft) {
      try {
        await this.publishDraft.publish(by, { id }, entryId, {
          precondition: undefined,
          force: false,
          action,
          scheduled,
          executor,
        });
        return;
      } catch (error) {
        // The draft was discarded or published meanwhile.
        if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      }
    }
    const status = isPublished ? 'published' : 'draft';
    const body: CheckedBody<UpdateEntryDto> = { dto: { status }, errors: [], queueKey: tenantId, isHeavy: false };
    await this.updates.run(by, { id }, entryId, body, undefined, { action, scheduled, executor });
  }

  /** Carries out nothing, and says why, if a locale of the schedule was removed meanwhile. Nobody has asked for the other half alone. */
  private async actOnLocales(
    tenantId: string,
    item: ScheduledJob,
    schedule: DueSchedule,
    locales: readonly string[],
  ): Promise<void> {
    assertStillThere(locales, await localesOf(this.database, tenantId));
    const { typeId: id, entryId } = schedule;
    const by = { tenantId, ...BY };
    const isPublished = nextOf(schedule) === schedule.publishAt;
    const how = { action: 'scheduled', executor: this.executorOf(item, schedule) } as const;
    if (isPublished) {
      const publication = { ...how, precondition: undefined, force: false, scheduled: schedule, locales };
      try {
        await this.publishDraft.publish(by, { id }, entryId, publication);
        return;
      } catch (error) {
        // Somebody has published or discarded these values meanwhile.
        if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      }
    } else if (await this.entryLocales.takeOff(by, { id }, entryId, locales, how)) return;
    await this.database.transaction(tenantId, (transaction) => this.passTime(transaction, tenantId, item, schedule));
  }

  /** Returns an executor for the statement of the change. It settles the work, and removes the time from the schedule, in the same commit. */
  private executorOf(item: ScheduledJob, schedule: DueSchedule): Executor {
    return {
      query: (tenantId, statement, parameters) =>
        this.database.transaction(tenantId, async (transaction) => {
          const rows = await transaction.query(tenantId, statement, parameters);
          if (rows.length > 0) await this.passTime(transaction, tenantId, item, schedule);
          return rows;
        }),
    };
  }

  /** Settles the work, and removes its time from the schedule: the order in which a schedule is set locks both. */
  private async passTime(
    transaction: Transaction,
    tenantId: string,
    item: ScheduledJob,
    schedule: DueSchedule,
  ): Promise<void> {
    const { entryId, publishAt, unpublishAt } = schedule;
    const isPublished = nextOf(schedule) === publishAt;
    const next = (isPublished ? unpublishAt : publishAt) ?? undefined;
    if (next === undefined) await transaction.query(tenantId, REMOVE_SCHEDULE, { entryId });
    else await transaction.query(tenantId, REMOVE_TIME, { entryId, isPublished });
    await this.scheduledJobs.settle(transaction, tenantId, item, next);
  }

  private async fail(tenantId: string, item: ScheduledJob, schedule: DueSchedule, failure: Problem): Promise<void> {
    const { errors, ...problem } = presentProblem(failure);
    const stored = JSON.stringify({ ...problem, ...(errors && { errors: errors.slice(0, MAX_ERRORS) }) });
    // If another worker has claimed the work meanwhile, nothing is written.
    await this.database.query(tenantId, FAIL_SCHEDULE, {
      typeId: schedule.typeId,
      key: item.id,
      claim: item.claim,
      problem: stored,
      eventIds: [newUuid()],
      eventTypes: ['entry.schedule_failed'],
      eventData: presentSchedule({ ...schedule, problem: stored }),
      at: new Date().toISOString(),
    });
  }

  /** Removes work whose entry no longer exists. */
  private async drop(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.database.transaction(tenantId, async (transaction) => {
      await this.scheduledJobs.settle(transaction, tenantId, item);
      await transaction.query(tenantId, REMOVE_SCHEDULE, { entryId: item.id });
    });
  }
}

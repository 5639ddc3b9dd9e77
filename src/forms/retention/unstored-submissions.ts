import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { EventProgress } from '../../events/subscribers/event-progress.js';
import { timeOf } from '../../ids/type-id.js';
import { Form } from '../form.entity.js';
import { SubmissionDeletions } from '../submissions/submission-deletions.js';
import { MARK_UNSTORED, NEXT_UNSTORED, NEXT_UNSTORED_SPAM, PUT_UNSTORED, UNSTORED_KIND } from './unstored.sql.js';
import { UnstoredTimes } from './unstored-times.js';

/** Submissions that are looked at together, and that are deleted in a transaction. */
const PAGE = 1_000;
const BATCH = 200;
/** An attempt ends after this time, and the next one goes on. */
const ATTEMPT_MS = 10_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes the submissions that arrived while their form had `store: false`: when nothing more is to be done for their events, or when they
 * are a day old. Spam is kept for the day, so that it can be released. The work of a form is one row, which is there while it has such
 * submissions.
 */
@Injectable()
@HandlesScheduledJobs([UNSTORED_KIND])
export class UnstoredSubmissions implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly progress: EventProgress,
    private readonly submissions: SubmissionDeletions,
    private readonly times: UnstoredTimes,
  ) {}

  /** Marks a submission in the transaction that has written it. */
  async mark(transaction: Transaction, tenantId: string, formId: string, submissionId: string): Promise<void> {
    await transaction.query(tenantId, MARK_UNSTORED, { formId, submissionId, afterMs: this.times.first });
  }

  /** Puts the work in the transaction that releases a marked submission. While the form has only spam, it is due when that is a day old. */
  async released(transaction: Transaction, tenantId: string, formId: string): Promise<void> {
    await this.put(transaction, tenantId, formId, this.times.first);
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    // The submissions of a deleted form are deleted with it, without events.
    const form = await this.database.repository(Form).findOne(tenantId, { id: item.id });
    if (!form) return this.scheduledJobs.settle(this.database, tenantId, item);
    const until = Date.now() + ATTEMPT_MS;
    const isWhole =
      (await this.deleteSpam(tenantId, form.id, until)) && (await this.deleteDone(tenantId, form.id, until));
    if (!isWhole) return this.scheduledJobs.settle(this.database, tenantId, item, new Date().toISOString());
    await this.database.transaction(tenantId, (transaction) => this.settle(transaction, tenantId, item));
  }

  /** Returns whether all spam that is too old was deleted in time. */
  private async deleteSpam(tenantId: string, formId: string, until: number): Promise<boolean> {
    while (Date.now() < until) {
      const page = { formId, after: FIRST_ID, limit: BATCH };
      const rows = await this.database.query(tenantId, NEXT_UNSTORED_SPAM, page);
      const old = rows.filter(({ id }) => this.isOld(id)).map(({ id }) => id);
      if (old.length > 0) await this.delete(tenantId, formId, old);
      if (old.length < BATCH) return true;
    }
    return false;
  }

  /** Deletes the other submissions for which nothing is left to do, or that are too old. Returns whether all were looked at in time. */
  private async deleteDone(tenantId: string, formId: string, until: number): Promise<boolean> {
    for (let after = FIRST_ID; Date.now() < until;) {
      const rows = await this.database.query(tenantId, NEXT_UNSTORED, { formId, after, limit: PAGE });
      const last = rows.at(-1);
      if (!last) return true;
      const events = rows.flatMap(({ id, eventId }) =>
        eventId === null || this.isOld(id) ? [] : { id: eventId, resourceId: id },
      );
      const unfinished = await this.progress.unfinished(tenantId, events);
      const done = rows.filter(({ id, eventId }) => eventId === null || this.isOld(id) || !unfinished.has(eventId));
      for (let start = 0; start < done.length; start += BATCH) {
        const ids = done.slice(start, start + BATCH).map(({ id }) => id);
        await this.delete(tenantId, formId, ids);
      }
      after = last.id;
    }
    return false;
  }

  private async delete(tenantId: string, formId: string, ids: readonly string[]): Promise<void> {
    await this.database.transaction(tenantId, (transaction) =>
      this.submissions.deleteRecorded(transaction, tenantId, formId, ids),
    );
  }

  private isOld(id: string): boolean {
    return timeOf(id).getTime() <= Date.now() - this.times.most;
  }

  /**
   * Removes the work before it looks for what is left. A submission that is being written holds the row until its commit, and one that comes
   * later waits for this commit and puts the work again.
   */
  private async settle(transaction: Transaction, tenantId: string, item: ScheduledJob): Promise<void> {
    await this.scheduledJobs.settle(transaction, tenantId, item);
    const first = { formId: item.id, after: FIRST_ID, limit: 1 };
    const [left] = await transaction.query(tenantId, NEXT_UNSTORED, first);
    if (left) return this.put(transaction, tenantId, item.id, this.times.again);
    const [spam] = await transaction.query(tenantId, NEXT_UNSTORED_SPAM, first);
    if (!spam) return;
    const leftMs = timeOf(spam.id).getTime() + this.times.most - Date.now();
    await this.put(transaction, tenantId, item.id, Math.max(leftMs, this.times.again));
  }

  private async put(transaction: Transaction, tenantId: string, formId: string, afterMs: number): Promise<void> {
    await transaction.query(tenantId, PUT_UNSTORED, { formId, afterMs });
  }
}

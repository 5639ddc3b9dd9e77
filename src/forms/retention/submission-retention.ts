import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { write } from '../../database/statements/write.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { timeOf } from '../../ids/type-id.js';
import type { CompiledForm } from '../form-schemas.js';
import { Form } from '../form.entity.js';
import { SubmissionDeletions } from '../submissions/submission-deletions.js';
import { SUBMISSIONS_OF_FORM } from '../submissions/submission-deletions.sql.js';

const KIND = 'submission_retention';
const DAY_MS = 86_400_000;
const BATCH = 200;
/** Submissions become old one after the other. They are deleted together, at most once in this time. */
const PAUSE_MS = 60_000;

/** One scheduled job for a form, however many submissions it has. */
const PUT = write<{ formId: string }, never>()('forms.put_retention', [
  putJob(undefined, { kind: KIND, key: ':formId::uuid', at: 'now()' }),
]);

/** Deletes the submissions of forms with `retention_days` when they are old. The work of a form is one row, which is due again when the oldest is. */
@Injectable()
@HandlesScheduledJobs([KIND])
export class SubmissionRetention implements ScheduledJobHandler {
  constructor(
    private readonly scheduledJobs: ScheduledJobs,
    private readonly submissions: SubmissionDeletions,
  ) {}

  /** Puts the work in the transaction that changes the form, if the time has changed. */
  async follow(transaction: Transaction, before: Form | undefined, after: Form): Promise<void> {
    const days = after.settings?.retention_days;
    if (days === undefined || days === before?.settings?.retention_days) return;
    await transaction.query(after.tenantId, PUT, { formId: after.id });
  }

  /** Looks at the submissions of the form again, in the transaction that adds older ones. */
  async look(
    transaction: Transaction,
    tenantId: string,
    { id, settings }: Pick<CompiledForm, 'id' | 'settings'>,
  ): Promise<void> {
    if (settings.retention_days !== undefined) await transaction.query(tenantId, PUT, { formId: id });
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.scheduledJobs.inParts(tenantId, item, (transaction) => this.step(transaction, tenantId, item));
  }

  /** Deletes the next submissions that are too old. Returns true, and settles the item, if none was left or the form keeps its submissions. */
  private async step(transaction: Transaction, tenantId: string, item: ScheduledJob): Promise<boolean> {
    const form = await transaction.repository(Form).findOne(tenantId, { id: item.id });
    const days = form?.settings?.retention_days;
    if (days === undefined) {
      await this.scheduledJobs.settle(transaction, tenantId, item);
      return true;
    }
    const keptMs = days * DAY_MS;
    const now = Date.now();
    const rows = await transaction.query(tenantId, SUBMISSIONS_OF_FORM, { formId: item.id, limit: BATCH });
    const old = rows.filter(({ id }) => timeOf(id).getTime() <= now - keptMs).map(({ id }) => id);
    if (old.length > 0) {
      await this.submissions.deleteRecorded(transaction, tenantId, item.id, old);
      return false;
    }
    const [oldest] = rows;
    const nextMs = (oldest ? timeOf(oldest.id).getTime() : now) + keptMs;
    const at = new Date(Math.max(nextMs, now + PAUSE_MS)).toISOString();
    await this.scheduledJobs.settle(transaction, tenantId, item, at);
    return true;
  }
}

import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { write } from '../database/statements/write.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../scheduled-jobs/scheduled-jobs.js';
import { putJob } from '../scheduled-jobs/scheduled-jobs.sql.js';
import { DELETE_STATISTICS } from './inbox/submission-statistics.sql.js';
import { DELETE_MARK } from './inbox/submission-words.sql.js';
import { SubmissionDeletions } from './submissions/submission-deletions.js';
import {
  DELETE_COUNTS_OF_FORM,
  DELETE_DIGEST_SLOTS,
  DELETE_VALUES_OF_FORM,
  SUBMISSIONS_OF_FORM,
} from './submissions/submission-deletions.sql.js';

const NOW = 'form_deletion';
/** Deletes once more, because a submission that was being written during the deletion may be committed after it. */
const LATER = 'form_deletion_late';
const BATCH = 200;

const PUT_NOW = write<{ formId: string }, never>()('forms.put_deletion', [
  putJob(undefined, { kind: NOW, key: ':formId::uuid', at: 'now()' }),
]);

const PUT_LATER = write<{ formId: string }, never>()('forms.put_late_deletion', [
  putJob(undefined, { kind: LATER, key: ':formId::uuid', at: "now() + interval '1 minute'" }),
]);

/** Deletes what belongs to a deleted form. Nobody finds it any more, because every request looks up the form first. */
@Injectable()
@HandlesScheduledJobs([NOW, LATER])
export class FormDeletions implements ScheduledJobHandler {
  constructor(
    private readonly scheduledJobs: ScheduledJobs,
    private readonly submissions: SubmissionDeletions,
  ) {}

  /** Puts the work in the transaction that deletes the form. */
  async begin(transaction: Transaction, tenantId: string, formId: string): Promise<void> {
    await transaction.query(tenantId, PUT_NOW, { formId });
    await transaction.query(tenantId, PUT_LATER, { formId });
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.scheduledJobs.inParts(tenantId, item, (transaction) => this.step(transaction, tenantId, item));
  }

  /** Deletes the next part. Returns true, and settles the item, if nothing was left. */
  private async step(transaction: Transaction, tenantId: string, item: ScheduledJob): Promise<boolean> {
    const formId = item.id;
    const next = await transaction.query(tenantId, SUBMISSIONS_OF_FORM, { formId, limit: BATCH });
    if (next.length > 0) {
      const ids = next.map(({ id }) => id);
      await this.submissions.delete(transaction, tenantId, formId, ids);
      return false;
    }
    if ((await transaction.query(tenantId, DELETE_VALUES_OF_FORM, { formId })).length > 0) return false;
    await transaction.query(tenantId, DELETE_COUNTS_OF_FORM, { formId });
    await transaction.query(tenantId, DELETE_DIGEST_SLOTS, { formId });
    await transaction.query(tenantId, DELETE_MARK, { formId });
    await transaction.query(tenantId, DELETE_STATISTICS, { formId });
    await this.scheduledJobs.settle(transaction, tenantId, item);
    return true;
  }
}

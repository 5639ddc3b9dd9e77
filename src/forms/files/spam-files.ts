import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { DELETE_SPAM_FILES, SPAM_FILES_KIND } from './submission-files.sql.js';

/** Deletes the files of spam some days after it was found to be spam. The submission stays. */
@Injectable()
@HandlesScheduledJobs([SPAM_FILES_KIND])
export class SpamFiles implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
  ) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, DELETE_SPAM_FILES, { submissionId: item.id });
      await this.scheduledJobs.settle(transaction, tenantId, item);
    });
  }
}

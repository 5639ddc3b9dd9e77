import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type DueHandler, type DueItem, DueWork, HandlesDueWork } from '../../due/due-work.js';
import { DELETE_SPAM_FILES, SPAM_FILES_KIND } from './submission-files.sql.js';

/** Deletes the files of spam some days after it was found to be spam. The submission stays. */
@Injectable()
@HandlesDueWork([SPAM_FILES_KIND])
export class SpamFiles implements DueHandler {
  constructor(
    private readonly database: Database,
    private readonly dueWork: DueWork,
  ) {}

  async carryOut(tenantId: string, item: DueItem): Promise<void> {
    await this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, DELETE_SPAM_FILES, { submissionId: item.id });
      await this.dueWork.settle(transaction, tenantId, item);
    });
  }
}

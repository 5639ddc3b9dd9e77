import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { type DueHandler, type DueItem, DueWork } from '../../due/due-work.js';
import { DELETE_SPAM_FILES, SPAM_FILES_KIND } from './submission-files.sql.js';

/** Deletes the files of spam some days after it was found to be spam. The submission stays. */
@Injectable()
export class SpamFiles implements DueHandler, OnModuleInit {
  readonly kind = SPAM_FILES_KIND;

  constructor(
    private readonly database: Database,
    private readonly dueWork: DueWork,
  ) {}

  onModuleInit(): void {
    this.dueWork.register(this);
  }

  async carryOut(tenantId: string, item: DueItem): Promise<void> {
    await this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, DELETE_SPAM_FILES, { submissionId: item.id });
      await this.dueWork.settle(transaction, tenantId, item);
    });
  }
}

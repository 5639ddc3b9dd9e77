import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { afterCommit } from '../database/unit-of-work.js';
import { type Eraser, EventErasure, type Forgotten } from '../events/event-erasure.js';
import { messageIds } from './messages/mail-names.js';
import { MailTransports } from './transports/mail-transports.js';
import { ERASE, ERASE_FROM_DIGESTS, NOTHING } from './mails.sql.js';

/** Removes the emails about deleted submissions, also those that the transport has stored. Pending ones are not sent any more. */
@Injectable()
export class MailErasure implements Eraser, OnModuleInit {
  readonly name = 'mails';
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly erasure: EventErasure,
    private readonly transports: MailTransports,
  ) {}

  onModuleInit(): void {
    this.erasure.register(this);
  }

  async erase(transaction: Transaction, tenantId: string, { resourceIds }: Forgotten): Promise<number> {
    const erasing = { submissionIds: resourceIds };
    const deleted = await transaction.query(tenantId, ERASE, erasing);
    const kept = await transaction.query(tenantId, ERASE_FROM_DIGESTS, { ...erasing, nothing: NOTHING });
    const erased = [...deleted, ...kept];
    if (erased.length > 0) await afterCommit(() => this.forget(erased.flatMap(messageIds)));
    return erased.length;
  }

  private async forget(ids: readonly string[]): Promise<void> {
    try {
      await this.transports.storing?.forget?.([...new Set(ids)]);
    } catch (error) {
      this.logger.error({ err: error }, 'Emails about deleted submissions could not be removed from their folder');
    }
  }
}

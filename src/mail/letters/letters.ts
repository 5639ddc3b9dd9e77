import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Executor } from '../../database/transaction.js';
import { afterCommit } from '../../database/unit-of-work.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { Queues } from '../../queues/queues.js';
import { letterName } from '../messages/mail-names.js';
import { MailTransports } from '../transports/mail-transports.js';
import type { Letter } from './letter.js';
import { LetterCipher } from './letter-cipher.js';
import { ADD_LETTERS, CANCEL_LETTERS, CANCEL_LETTERS_TO, PRUNE_LETTERS } from './letters.sql.js';

/**
 * Emails to persons: invitations, password resets, requests for reviews. A letter is written in the transaction of the change that it is about,
 * and sent after the commit, like every other email.
 */
@Injectable()
export class Letters implements OnModuleInit {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly cipher: LetterCipher,
    private readonly transports: MailTransports,
  ) {}

  onModuleInit(): void {
    this.database.onInserted('letters', (tenantId) => this.queues.wake('mail', { tenantId }));
  }

  /**
   * Writes letters, which are sent when the transaction is committed. A letter that was written before is not sent again. Limits are asked
   * before: see `LetterLimits`.
   */
  async write(transaction: Executor, tenantId: string, ...letters: readonly Letter[]): Promise<void> {
    await transaction.query(tenantId, PRUNE_LETTERS, {});
    await transaction.query(tenantId, ADD_LETTERS, {
      ids: letters.map(({ id }) => id),
      kinds: letters.map(({ kind }) => kind),
      recipients: letters.map(({ to }) => recipientOf(tenantId, to.address)),
      contents: letters.map((letter) => this.cipher.encrypt(tenantId, letter)),
    });
  }

  /** Cancels those of the letters that were not sent, and removes those that the transport has stored. */
  async cancel(transaction: Executor, tenantId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await transaction.query(tenantId, CANCEL_LETTERS, { ids });
    await afterCommit(() => this.forget(ids));
  }

  /** Cancels all letters of the tenant to an address that were not sent: when a membership ends. */
  async cancelTo(transaction: Executor, tenantId: string, address: string): Promise<void> {
    const rows = await transaction.query(tenantId, CANCEL_LETTERS_TO, { recipient: recipientOf(tenantId, address) });
    if (rows.length > 0) await afterCommit(() => this.forget(rows.map(({ id }) => id)));
  }

  private async forget(ids: readonly string[]): Promise<void> {
    try {
      await this.transports.storing?.forget?.(ids.map(letterName));
    } catch (error) {
      this.logger.error({ err: error }, 'Canceled letters could not be removed from their folder');
    }
  }
}

function recipientOf(tenantId: string, address: string): string {
  return hashedUuid(JSON.stringify([tenantId, canonicalEmail(address)]));
}

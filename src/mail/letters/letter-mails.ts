import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { composeLetter } from '../messages/letter.js';
import type { ComposedMail } from '../messages/mail-composer.js';
import type { ClaimedLetter } from '../mails.js';
import { parseSender, type Sender } from '../transports/sender.js';
import { LetterCipher } from './letter-cipher.js';
import { LetterLimits } from './letter-limits.js';

/** Composes letters, and decides whether they may be sent now. */
@Injectable()
export class LetterMails {
  private readonly sender: Sender;

  constructor(
    private readonly cipher: LetterCipher,
    private readonly limits: LetterLimits,
    { mailFrom }: Config,
  ) {
    this.sender = parseSender(mailFrom);
  }

  /** Returns undefined if the link of the letter is no longer valid. Throws if the key that it was encrypted with is missing. */
  async compose(tenantId: string, row: ClaimedLetter): Promise<ComposedMail | 'later' | undefined> {
    const letter = this.cipher.decrypt(tenantId, row);
    if ('expiresAt' in letter && Date.parse(letter.expiresAt) <= Date.now()) return undefined;
    if (letter.kind === 'invitation' && (await this.limits.mustWait(letter.to.address))) return 'later';
    return { message: composeLetter(letter, row.createdAt, this.sender), submissionIds: [] };
  }
}

import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { composeLetter } from '../messages/letter.js';
import type { ComposedMail } from '../messages/mail-composer.js';
import type { ClaimedLetter } from '../mails.js';
import { parseSender, type Sender } from '../transports/sender.js';
import type { ReviewRequest } from './letter.js';
import { LetterCipher } from './letter-cipher.js';
import { LetterLimits } from './letter-limits.js';

/** Whether a request for a review is still to be sent. */
type IsReviewWanted = (tenantId: string, letter: ReviewRequest) => Promise<boolean>;

/** Composes letters, and decides whether they may be sent now. */
@Injectable()
export class LetterMails {
  private readonly sender: Sender;
  private isReviewWanted?: IsReviewWanted;

  constructor(
    private readonly cipher: LetterCipher,
    private readonly limits: LetterLimits,
    { mailFrom }: Config,
  ) {
    this.sender = parseSender(mailFrom);
  }

  /** Asks before each attempt to send a request for a review. This module does not know reviews. */
  askAboutReviews(isWanted: IsReviewWanted): void {
    this.isReviewWanted = isWanted;
  }

  /** Returns undefined if the link of the letter is no longer valid, or the review is not waited for any more. Throws if the key that it was encrypted with is missing. */
  async compose(tenantId: string, row: ClaimedLetter): Promise<ComposedMail | 'later' | undefined> {
    const letter = this.cipher.decrypt(tenantId, row);
    if ('expiresAt' in letter && Date.parse(letter.expiresAt) <= Date.now()) return undefined;
    if (letter.kind === 'review' && (await this.isReviewWanted?.(tenantId, letter)) === false) return undefined;
    if (letter.kind === 'invitation' && (await this.limits.mustWait(letter.to.address))) return 'later';
    return { message: composeLetter(letter, row.createdAt, this.sender), submissionIds: [] };
  }
}

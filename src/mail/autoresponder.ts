import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isEmail } from '../fields/formats/email.js';
import type { Autoresponder as Settings, NotifyRule } from '../forms/settings/form-settings.js';
import { formatId } from '../ids/type-id.js';
import { AutoresponderLimits } from './autoresponder-limits.js';
import { composeAutoresponse, refusalOfAddress } from './messages/autoresponse.js';
import type { ComposedMail } from './messages/mail-composer.js';
import { mailSuffix } from './messages/mail-names.js';
import type { ClaimedMail } from './mails.js';
import { parseSender } from './transports/sender.js';

/** Why an email is not sent, or that it is sent later. */
export type Unsent = { skipped: string } | 'later';

const UNGUARDED =
  'The submission came without a solved challenge and without a time token (_t), so a program may have sent it. It was not released either.';

/** Composes emails to visitors, and decides whether they may be sent. */
@Injectable()
export class AutoresponderMails {
  constructor(
    private readonly limits: AutoresponderLimits,
    private readonly config: Config,
  ) {}

  /**
   * Returns the message, or why it is skipped, or that it must wait. Returns undefined if the submission or the setting no longer exists, or the submission is
   * spam.
   */
  async compose(tenantId: string, mail: ClaimedMail): Promise<ComposedMail | Unsent | undefined> {
    const { autoresponder, values: json, submittedAt, field } = mail;
    if (autoresponder === null || json === null || submittedAt === null || field === null || mail.isSpam) {
      return undefined;
    }
    const values = JSON.parse(json) as Record<string, string>;
    const to = (Object.hasOwn(values, field) && values[field]) || '';
    if (!isEmail(to)) return { skipped: 'The submission has no address.' };
    if (!mail.isGuarded) return { skipped: UNGUARDED };
    const from = parseSender(this.config.mailFrom);
    const rules = mail.rules === null ? [] : (JSON.parse(mail.rules) as NotifyRule[]);
    const others = [from.address, ...rules.flatMap((rule) => rule.to)];
    if (mail.notifyEmail !== null) others.push(mail.notifyEmail);
    const refusal = refusalOfAddress(to, others) ?? (await this.limits.refusalOf(tenantId, mail, to));
    if (refusal !== undefined) return { skipped: refusal };
    if (await this.limits.mustWait(to)) return 'later';
    const id = `${formatId('sub', mail.submissionId)}${mailSuffix(mail)}`;
    const response = { id, submittedAt, values, autoresponder: JSON.parse(autoresponder) as Settings };
    return { message: composeAutoresponse(response, from, to), submissionIds: [mail.submissionId] };
  }
}

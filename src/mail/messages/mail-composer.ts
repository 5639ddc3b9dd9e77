import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { PublicUrl } from '../../http/public-url.js';
import { formatId } from '../../ids/type-id.js';
import { composeDigest } from './digest.js';
import type { MailMessage } from '../transports/mail-transport.js';
import { type ClaimedMail, Mails } from '../mails.js';
import { composeNotification } from './notification.js';
import { mailSuffix } from './mail-names.js';
import { parseSender, type Sender } from '../transports/sender.js';

/** A message, and the UUIDs of the submissions that it shows. */
export interface ComposedMail {
  message: MailMessage;
  submissionIds: readonly string[];
}

/** What emails show of a form. */
interface MailForm {
  formName: string;
  definitions: FieldDefinition[];
  timeZone: string | null;
}

/** Composes the messages of emails from the current state of submissions and forms. */
@Injectable()
export class MailComposer {
  private readonly sender: Sender;

  constructor(
    private readonly mails: Mails,
    private readonly publicUrl: PublicUrl,
    { mailFrom }: Config,
  ) {
    this.sender = parseSender(mailFrom);
  }

  /** Returns undefined if the form or every submission was deleted, or turned out to be spam. */
  async compose(tenantId: string, mail: ClaimedMail): Promise<ComposedMail | undefined> {
    if (mail.formName === null || mail.definitions === null) return undefined;
    const definitions = JSON.parse(mail.definitions) as FieldDefinition[];
    const form = { formName: mail.formName, definitions, timeZone: mail.timeZone };
    return mail.isDigest ? this.digest(tenantId, mail, form) : this.notification(mail, form);
  }

  private notification(mail: ClaimedMail, form: MailForm): ComposedMail | undefined {
    const { values, submittedAt, recipient, subject, isUntimed } = mail;
    if (values === null || submittedAt === null || mail.isSpam) return undefined;
    const id = formatId('sub', mail.submissionId);
    const submission = { ...form, id, values: valuesOf(values), submittedAt, isUntimed };
    const message = composeNotification(submission, this.sender, recipient, { suffix: mailSuffix(mail), subject });
    return { message, submissionIds: [mail.submissionId] };
  }

  private async digest(tenantId: string, mail: ClaimedMail, form: MailForm): Promise<ComposedMail | undefined> {
    const rows = await this.mails.submissionsOf(tenantId, mail);
    const [first] = rows;
    if (!first) return undefined;
    const id = formatId('sub', mail.id);
    const submissions = rows.map(({ id, values, submittedAt, isUntimed }) => ({
      id: formatId('sub', id),
      values: valuesOf(values),
      submittedAt,
      isUntimed,
    }));
    const listUrl = `${this.publicUrl.base}/v1/forms/${tenantId}/${formatId('frm', mail.formId)}/submissions`;
    const digest = { ...form, id, total: first.total, submissions, listUrl };
    return { message: composeDigest(digest, this.sender, mail.recipient), submissionIds: rows.map((row) => row.id) };
  }
}

function valuesOf(json: string): Record<string, string> {
  return JSON.parse(json) as Record<string, string>;
}

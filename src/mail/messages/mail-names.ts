import { formatId } from '../../ids/type-id.js';
import type { MailName } from '../mails.sql.js';

/** The part of a name that distinguishes an email from the first one about its submission. */
export function mailSuffix({ id, submissionId }: Pick<MailName, 'id' | 'submissionId'>): string {
  return id === submissionId ? '' : `.${id.slice(-12)}`;
}

/** The IDs of the messages that an email may have led to (`MailMessage.id`). */
export function messageIds(mail: MailName): string[] {
  const own = `${formatId('sub', mail.submissionId)}${mailSuffix(mail)}`;
  return mail.digestId === null ? [own] : [own, `digest.${formatId('sub', mail.digestId)}`];
}

/** The ID of the message of a letter. */
export function letterName(id: string): string {
  return formatId('mail', id);
}

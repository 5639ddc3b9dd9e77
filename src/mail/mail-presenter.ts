import { formatId } from '../ids/type-id.js';
import type { MailRow } from './mail-list.sql.js';
import type { MailDto } from './mails.dto.js';

export function presentMail({ id, isAutoresponse, recipient, status, ...row }: MailRow): MailDto {
  // No digest leaves an email gathered.
  const state = status === 'gathered' ? 'pending' : status;
  return {
    id: formatId('mail', id),
    kind: isAutoresponse ? 'autoresponder' : 'notify',
    recipient,
    state,
    attempts: row.attempts,
    last_error: row.lastError,
    sent_at: state === 'sent' ? row.finishedAt : null,
  };
}

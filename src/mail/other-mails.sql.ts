import { statement } from '../database/statements/statement.js';
import { insert, write } from '../database/statements/write.js';
import type { NewMails } from './mails.sql.js';

/** Emails that are not counted towards the hour of their form. */
export interface OtherMails extends NewMails {
  /** See `Mail.field`. */
  fields: readonly (string | null)[];
  /** Why the email is skipped. Null if it is sent. */
  reasons: readonly (string | null)[];
}

/** Those of the submissions that have emails already, because their event was relayed before. */
export const HAVE_MAILS = statement<{ submissionIds: readonly string[] }, { id: string }>()(
  'mails.of_relayed',
  'SELECT submission_id AS id FROM mails WHERE tenant_id = :tenantId AND submission_id = ANY (:submissionIds::uuid[])',
);

export const WRITE_OTHERS = write<OtherMails, never>()('mails.write_others', [
  insert(
    'added',
    `INSERT INTO mails (tenant_id, submission_id, about_id, form_id, recipient, subject, field, status, last_error, attempts, next_attempt_at,
      created_at, finished_at)
      SELECT :tenantId, n.id, nullif(n.submission_id, n.id), n.form_id, n.recipient, n.subject, n.field,
      CASE WHEN n.reason IS NULL THEN 'pending' ELSE 'skipped' END, n.reason, 0, CASE WHEN n.reason IS NULL THEN now() END,
      now(), CASE WHEN n.reason IS NOT NULL THEN now() END
      FROM unnest(:ids::uuid[], :submissionIds::uuid[], :formIds::uuid[], :recipients::text[], :subjects::text[], :fields::text[], :reasons::text[]) AS n (id, submission_id, form_id, recipient, subject, field, reason)
      ON CONFLICT DO NOTHING`,
    { computes: true },
  ),
]);

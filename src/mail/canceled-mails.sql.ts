import { statement } from '../database/statements/statement.js';
import { insert, write } from '../database/statements/write.js';
import { isFree } from '../work/work.sql.js';
import { ABOUT } from './mails.sql.js';

/** Returns those of the submissions that have an email that waits, or that a digest that waits lists. */
export const UNFINISHED = statement<{ submissionIds: readonly string[] }, { submissionId: string }>()(
  'mails.unfinished',
  `SELECT DISTINCT coalesce(m.about_id, m.submission_id) AS "submissionId" FROM mails m
    WHERE m.tenant_id = :tenantId AND m.submission_id = ANY (${ABOUT})
      AND (m.status = 'pending' OR m.status = 'gathered' AND (
        SELECT d.status FROM mails d WHERE d.tenant_id = :tenantId AND d.submission_id = m.digest_id LIMIT 1
      ) = 'pending')`,
);

/** Cancels the emails about submissions, except those in an attempt, and digests that wait: these list other submissions too. */
export const CANCEL_MAILS = statement<{ submissionIds: readonly string[] }, never>()(
  'mails.cancel',
  `UPDATE mails m SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
    WHERE m.tenant_id = :tenantId AND m.submission_id = ANY (${ABOUT}) AND (
      ${isFree('m')} AND m.digest_id IS DISTINCT FROM m.submission_id OR m.status = 'gathered' AND (
        SELECT d.status FROM mails d WHERE d.tenant_id = :tenantId AND d.submission_id = m.digest_id AND ${isFree('d')} LIMIT 1
      ) = 'pending')`,
);

/** An email about a submission. */
interface LeftDigest {
  submissionId: string;
  formId: string;
  recipient: string;
  subject: string | null;
}

/** Lets the digests that wait, and are not in an attempt, be about their other submissions only. `:nothing` is `NOTHING`. */
export const LEAVE_DIGESTS = statement<{ submissionIds: readonly string[]; nothing: string }, LeftDigest>()(
  'mails.leave_digests',
  `UPDATE mails m SET about_id = :nothing::uuid FROM (
      SELECT submission_id AS id, coalesce(about_id, submission_id) AS about FROM mails
      WHERE tenant_id = :tenantId AND submission_id = ANY (${ABOUT}) FOR UPDATE
    ) AS o
    WHERE m.tenant_id = :tenantId AND m.submission_id = o.id AND m.digest_id = m.submission_id AND ${isFree('m')}
    RETURNING o.about AS "submissionId", m.form_id AS "formId", m.recipient, m.subject`,
);

export const ADD_CANCELED = write<
  {
    ids: readonly string[];
    submissionIds: readonly string[];
    formIds: readonly string[];
    recipients: readonly string[];
    subjects: readonly (string | null)[];
  },
  never
>()('mails.add_canceled', [
  insert(
    'added',
    `INSERT INTO mails (tenant_id, submission_id, about_id, form_id, recipient, subject, status, attempts, created_at, finished_at)
      SELECT :tenantId, n.id, n.submission_id, n.form_id, n.recipient, n.subject, 'canceled', 0, now(), now()
      FROM unnest(:ids::uuid[], :submissionIds::uuid[], :formIds::uuid[], :recipients::text[], :subjects::text[]) AS n (id, submission_id, form_id, recipient, subject)`,
  ),
]);

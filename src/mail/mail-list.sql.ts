import { statement } from '../database/statements/statement.js';
import type { MailStatus } from './mail.entity.js';

/** An email about a submission. One that is listed in a digest has the state of the digest. */
export interface MailRow {
  id: string;
  isAutoresponse: boolean;
  recipient: string | null;
  status: MailStatus;
  attempts: number;
  lastError: string | null;
  finishedAt: string | null;
}

/** Returns one row without an email (`id` is null) if the submission has none, and no row if the submission does not exist. */
export const MAILS_OF_SUBMISSION = statement<
  { formId: string; submissionId: string },
  Omit<MailRow, 'id'> & { id: string | null }
>()(
  'mails.of_submission',
  `SELECT m.submission_id AS id, m.field IS NOT NULL AS "isAutoresponse",
      CASE WHEN m.field IS NULL THEN m.recipient ELSE s.fields ->> m.field END AS recipient,
      CASE WHEN m.status <> 'gathered' THEN m.status ELSE coalesce(d.status, 'canceled') END AS status,
      coalesce(d.attempts, m.attempts) AS attempts, coalesce(d.last_error, m.last_error) AS "lastError",
      coalesce(d.finished_at, m.finished_at) AS "finishedAt"
    FROM submissions s LEFT JOIN LATERAL (
      SELECT * FROM mails WHERE tenant_id = :tenantId AND submission_id = :submissionId AND about_id IS NULL
      UNION ALL SELECT * FROM mails WHERE tenant_id = :tenantId AND about_id = :submissionId
    ) AS m ON true
    LEFT JOIN LATERAL (
      SELECT status, attempts, last_error, finished_at FROM mails
      WHERE tenant_id = :tenantId AND submission_id = m.digest_id AND m.status = 'gathered' LIMIT 1
    ) AS d ON true
    WHERE s.tenant_id = :tenantId AND s.form_id = :formId AND s.id = :submissionId
    ORDER BY m.about_id IS NOT NULL, m.submission_id`,
);

import { statement } from '../../database/statements/statement.js';
import { part, write } from '../../database/statements/write.js';
import { putJob, putJobBy } from '../../scheduled-jobs/scheduled-jobs.sql.js';

export const UNSTORED_KIND = 'unstored_submissions';

/** Work of the form in `:afterMs`. */
const WORK = {
  kind: UNSTORED_KIND,
  key: ':formId::uuid',
  at: "now() + :afterMs::float8 * interval '1 millisecond'",
} as const;

/** Marks a submission that this transaction has written. The work of its form is done in `:afterMs` at the latest. */
export const MARK_UNSTORED = write<{ formId: string; submissionId: string; afterMs: number }, never>()(
  'submissions.mark_unstored',
  [
    part(
      'submission',
      `UPDATE submissions SET unstored = true WHERE tenant_id = :tenantId AND form_id = :formId AND id = :submissionId
      RETURNING 1`,
    ),
    putJobBy('submission', WORK),
  ],
);

/** Puts the work of the form, if a submission of it is not stored. */
export const PUT_UNSTORED = write<{ formId: string; afterMs: number }, never>()('forms.put_unstored', [
  putJob(undefined, WORK),
]);

interface Page {
  formId: string;
  after: string;
  limit: number;
}

/** `ok` submissions that are not stored, the oldest first. */
export const NEXT_UNSTORED = statement<Page, { id: string; eventId: string | null }>()(
  'submissions.next_unstored',
  `SELECT id, event_id AS "eventId" FROM submissions
    WHERE tenant_id = :tenantId AND form_id = :formId AND id > :after AND unstored AND verdict IS NULL ORDER BY id LIMIT :limit`,
);

/** Spam that is not stored, the oldest first. */
export const NEXT_UNSTORED_SPAM = statement<Page, { id: string }>()(
  'submissions.next_unstored_spam',
  `SELECT id FROM submissions
    WHERE tenant_id = :tenantId AND form_id = :formId AND id > :after AND unstored AND verdict IS NOT NULL ORDER BY id LIMIT :limit`,
);

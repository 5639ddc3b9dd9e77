import { COUNT_SHARD } from '../../database/count-shard.js';
import { statement } from '../../database/statement.js';
import { LAST_EVENT_ID, recordEvents } from '../../events/event-recorder.js';
import type { NewSubmission, Written } from '../submissions/submissions.sql.js';

interface CheckedSubmission extends NewSubmission {
  reasons: readonly string[];
  /** The smallest ID of a submission whose duplicate is spam; null if duplicates are allowed. */
  duplicatesSince: string | null;
  asksForProof: boolean;
  /** The valid proof; null if there is none. */
  proofId: string | null;
  proofExpiresAt: string | null;
}

/** Equal submissions have the same slot. Different ones seldom do, and then wait for each other. */
const SLOT = 'get_byte(uuid_send(:digest::uuid), 0)';

/**
 * Like `CREATE_SUBMISSION`, for a form with spam settings: completes the reasons and, if there are any, stores the submission apart, without
 * an event. A proof that was used before is not inserted again.
 *
 * Where duplicates are refused, the statement changes the slot of the submission's digest, and so waits for an equal one in progress, which it
 * does not see. Then the slot is no longer as it was when the statement began: it writes nothing, but keeps the slot locked, and `isStored` is
 * false. Repeated in the same transaction, it sees every equal submission.
 */
export const CREATE_CHECKED_SUBMISSION = statement<CheckedSubmission, Written>()(
  'submissions.create_checked',
  `WITH form AS (
    SELECT id FROM forms WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion
  ), seen AS (
    SELECT changes FROM digest_slots WHERE tenant_id = :tenantId AND form_id = :formId AND slot = ${SLOT}
  ), changed AS (
    INSERT INTO digest_slots AS s (tenant_id, form_id, slot, changes)
    SELECT :tenantId, id, ${SLOT}, 1 FROM form WHERE :duplicatesSince::uuid IS NOT NULL
    ON CONFLICT (tenant_id, form_id, slot) DO UPDATE SET changes = s.changes + 1 WHERE s.changes = (SELECT changes FROM seen)
    RETURNING 1
  ), current AS (
    SELECT id FROM form WHERE :duplicatesSince::uuid IS NULL OR EXISTS (SELECT 1 FROM changed)
  ), used AS (
    INSERT INTO challenge_solutions (tenant_id, expires_at, id)
    SELECT :tenantId, :proofExpiresAt::timestamptz, :proofId::uuid FROM current WHERE :proofId::uuid IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING 1
  ), judged AS (
    SELECT id, :reasons::text[]
      || CASE WHEN :duplicatesSince::uuid IS NOT NULL AND EXISTS (
        SELECT 1 FROM submissions d
        WHERE d.tenant_id = :tenantId AND d.form_id = :formId AND d.digest = :digest::uuid AND d.id >= :duplicatesSince::uuid
      ) THEN '{duplicate}'::text[] ELSE '{}' END
      || CASE WHEN :asksForProof::boolean AND NOT EXISTS (SELECT 1 FROM used) THEN '{challenge}'::text[] ELSE '{}' END AS reasons
    FROM current
  ), submission AS (
    INSERT INTO submissions
      (tenant_id, form_id, id, fields, size, event_id, addresses, digest, origin, locale, verdict, reasons, created_at)
    SELECT :tenantId, id, :submissionId::uuid, :fields::text::json, octet_length(:fields::text),
      CASE WHEN reasons = '{}' THEN ${LAST_EVENT_ID} END, :addresses::uuid[], :digest::uuid, :origin, :locale,
      CASE WHEN reasons <> '{}' THEN 'spam' END, nullif(reasons, '{}'), :at::timestamptz
    FROM judged
    RETURNING verdict
  ), valued AS (
    INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
    SELECT :tenantId, :formId, CASE WHEN s.verdict IS NULL THEN v.field ELSE '?' || v.field END, v.key, :submissionId, v.discriminator
    FROM submission s, unnest(:valueFields::text[], :valueKeys::text[], :valueDiscriminators::text[]) AS v (field, key, discriminator)
  ), counted AS (
    INSERT INTO submission_counts AS c (tenant_id, form_id, shard, submissions, spam)
    SELECT :tenantId, :formId, ${COUNT_SHARD}, (verdict IS NULL)::int, (verdict IS NOT NULL)::int FROM submission
    ON CONFLICT (tenant_id, form_id, shard) DO UPDATE SET
      submissions = c.submissions + excluded.submissions, spam = c.spam + excluded.spam
  ), accepted AS (
    SELECT 1 FROM submission WHERE verdict IS NULL
  ), ${recordEvents('accepted')}
  SELECT EXISTS (SELECT 1 FROM submission) AS "isStored" FROM form`,
);

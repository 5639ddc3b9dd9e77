import { COUNT_SHARD, RANDOM_STATE } from '../../database/count-shard.js';
import { insert, part, write } from '../../database/write.js';
import { LAST_EVENT_ID, recordEvents } from '../../events/event-recorder.js';
import type { NewSubmission, Written } from '../submissions/submissions.sql.js';
import { ADD_TO_COUNTS, COUNTS } from '../submissions/submission-counts.sql.js';

interface CheckedSubmission extends NewSubmission {
  /** `valueFields` of spam. */
  spamFields: readonly string[];
  reasons: readonly string[];
  /** The smallest ID of a submission whose duplicate is spam; null if duplicates are allowed. */
  duplicatesSince: string | null;
  asksForProof: boolean;
  /** The valid proof; null if there is none. */
  proofId: string | null;
  proofExpiresAt: string | null;
  /** True or null, as they are stored (see `Submission`). */
  untimed: true | null;
  guarded: true | null;
}

/** SQL for the slot of a digest. Equal submissions have the same slot. Different ones seldom do, and then wait for each other. */
export const slotOf = <const Digest extends string>(digest: Digest) => `get_byte(uuid_send(${digest}), 0)` as const;

const SLOT = slotOf(':digest::uuid');

/**
 * Like `CREATE_SUBMISSION`, for a form with spam settings: completes the reasons and, if there are any, stores the submission apart, without
 * an event. A proof that was used before is not inserted again.
 *
 * Where duplicates are refused, the statement changes the slot of the submission's digest, and so waits for an equal one in progress, which it
 * does not see. Then the slot is no longer as it was when the statement began: it writes nothing, but keeps the slot locked, and `isStored` is
 * false. Repeated in the same transaction, it sees every equal submission.
 */
export const CREATE_CHECKED_SUBMISSION = write<CheckedSubmission, Written>()('submissions.create_checked', [
  part('form', 'SELECT id FROM forms WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion', {
    returns: { id: 'uuid' },
  }),
  part(
    'seen',
    `SELECT changes FROM digest_slots WHERE tenant_id = :tenantId AND form_id = :formId AND slot = ${SLOT}`,
    { returns: { changes: 'bigint' } },
  ),
  insert(
    'changed',
    `INSERT INTO digest_slots AS s (tenant_id, form_id, slot, changes)
      SELECT :tenantId, form.id, ${SLOT}, 1
      FROM form
      WHERE :duplicatesSince::uuid IS NOT NULL
      ON CONFLICT (tenant_id, form_id, slot) DO UPDATE SET changes = s.changes + 1 WHERE s.changes = (SELECT changes FROM seen)
      RETURNING 1`,
    { reads: ['seen'] },
  ),
  part('current', 'SELECT id FROM form WHERE :duplicatesSince::uuid IS NULL OR EXISTS (SELECT 1 FROM changed)', {
    of: 'form',
    reads: ['changed'],
    returns: { id: 'uuid' },
  }),
  insert(
    'used',
    `INSERT INTO challenge_solutions (tenant_id, expires_at, id)
      SELECT :tenantId, :proofExpiresAt::timestamptz, :proofId::uuid
      FROM current
      WHERE :proofId::uuid IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING 1`,
  ),
  part(
    'judged',
    `SELECT id, :reasons::text[]
      || CASE WHEN :duplicatesSince::uuid IS NOT NULL AND EXISTS (
        SELECT 1 FROM submissions d
        WHERE d.tenant_id = :tenantId AND d.form_id = :formId AND d.digest = :digest::uuid AND d.id >= :duplicatesSince::uuid
      ) THEN '{duplicate}'::text[] ELSE '{}' END
      || CASE WHEN :asksForProof::boolean AND NOT EXISTS (SELECT 1 FROM used) THEN '{challenge}'::text[] ELSE '{}' END AS reasons
    FROM current`,
    { of: 'current', reads: ['used'], returns: { id: 'uuid', reasons: 'text[]' } },
  ),
  insert(
    'submission',
    `INSERT INTO submissions (tenant_id, form_id, id, fields, size, event_id, addresses, digest, origin, locale, verdict, reasons, untimed, guarded, created_at)
      SELECT :tenantId, judged.id, :submissionId::uuid, :fields::text::json, octet_length(:fields::text),
      CASE WHEN judged.reasons = '{}' THEN ${LAST_EVENT_ID} END, :addresses::uuid[], :digest::uuid, :origin, :locale,
      CASE WHEN judged.reasons <> '{}' THEN 'spam' END, nullif(judged.reasons, '{}'),
      :untimed::boolean, :guarded::boolean, :at::timestamptz
      FROM judged
      RETURNING verdict`,
    { returns: { verdict: 'text' } },
  ),
  insert(
    'valued',
    `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
      SELECT :tenantId, :formId, v.field, v.key, :submissionId, v.discriminator
      FROM submission, unnest(:valueKeys::text[], :valueDiscriminators::text[], CASE WHEN submission.verdict IS NULL THEN :valueFields::text[] ELSE :spamFields::text[] END) AS v (key, discriminator, field)`,
  ),
  insert(
    'counted',
    `INSERT INTO ${COUNTS}
      SELECT :tenantId, :formId, ${COUNT_SHARD}, (submission.verdict IS NULL)::int, (submission.verdict IS NOT NULL)::int, ${RANDOM_STATE}
      FROM submission
      ${ADD_TO_COUNTS}`,
  ),
  part('accepted', 'SELECT 1 FROM submission WHERE verdict IS NULL', { of: 'submission' }),
  ...recordEvents('accepted'),
  part('result', 'SELECT EXISTS (SELECT 1 FROM submission) AS "isStored" FROM form', {
    of: 'form',
    reads: ['submission'],
  }),
]);

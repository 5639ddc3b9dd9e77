import { insert, part, write } from '../../database/statements/write.js';
import { type EventParameters, LAST_EVENT_ID, recordEvents } from '../../events/event-recorder.js';
import { count } from './submission-counts.sql.js';

/*
 * A submission is written by one statement: its row, its index rows, its counter and its event. It writes nothing and returns no row unless the form is
 * still in the version that the values were checked against. `create-submissions.sql.ts` does the same for several submissions.
 */

/** A submission to write. */
export interface NewSubmission extends EventParameters {
  formId: string;
  formVersion: number;
  submissionId: string;
  /** JSON text. */
  fields: string;
  addresses: readonly string[] | null;
  digest: string;
  origin: string | null;
  locale: string | null;
  /** The rows of the index by field: the field, its name if the submission is spam, the sort key and the discriminator of each. */
  valueFields: readonly string[];
  spamFields: readonly string[];
  valueKeys: readonly string[];
  valueDiscriminators: readonly string[];
}

/** What the spam checks of the form found, and what the statement has to check. */
export interface SpamParameters {
  reasons: readonly string[];
  /** The smallest ID of a submission whose duplicate is spam; null if duplicates are allowed. */
  duplicatesSince: string | null;
  asksForProof: boolean;
  /** The ID of the challenge that the visitor has solved; null if there is none. */
  proofId: string | null;
  proofExpiresAt: string | null;
  /** True or null, as they are stored (see `Submission`). */
  untimed: true | null;
  guarded: true | null;
}

/** The form is current. The submission is stored, or the statement must be repeated in a transaction (see `CREATE_CHECKED_SUBMISSION`). */
export interface Written {
  isStored: boolean;
}

/** SQL expressions for what was sent, and for why it is spam. */
interface RowExpressions {
  id: string;
  fields: string;
  size: string;
  eventId: string;
  addresses: string;
  digest: string;
  origin: string;
  locale: string;
  at: string;
  reasons: string;
}

/** The INSERT of submissions, one for each row of the part `judged`. Without reasons, a submission has its event. With reasons, it is spam. */
export const insertSubmissions = <const Row extends RowExpressions>(row: Row) =>
  `INSERT INTO submissions (tenant_id, form_id, id, fields, size, event_id,
      addresses, digest, origin, locale,
      verdict, reasons, untimed, guarded, created_at)
    SELECT :tenantId, :formId, ${row.id}, ${row.fields}, ${row.size}, CASE WHEN ${row.reasons} = '{}' THEN ${row.eventId} END,
      ${row.addresses}, ${row.digest}, ${row.origin}, ${row.locale},
      CASE WHEN ${row.reasons} <> '{}' THEN 'spam' END, nullif(${row.reasons}, '{}'), judged.untimed, judged.guarded, ${row.at}
    FROM judged` as const;

const SUBMISSION = insert(
  'submission',
  `${insertSubmissions({
    id: ':submissionId::uuid',
    fields: ':fields::text::json',
    size: 'octet_length(:fields::text)',
    eventId: LAST_EVENT_ID,
    addresses: ':addresses::uuid[]',
    digest: ':digest::uuid',
    origin: ':origin',
    locale: ':locale',
    at: ':at::timestamptz',
    reasons: 'judged.reasons',
  })} RETURNING verdict, true AS "isStored"`,
  { returns: { verdict: 'text' } },
);

const ADD_VALUES = insert(
  'added_values',
  `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
    SELECT :tenantId, :formId, v.field, v.key, :submissionId, v.discriminator
    FROM submission, unnest(:valueKeys::text[], :valueDiscriminators::text[],
      CASE WHEN submission.verdict IS NULL THEN :valueFields::text[] ELSE :spamFields::text[] END) AS v (key, discriminator, field)`,
);

const COUNT = count('(submission.verdict IS NULL)::int', '(submission.verdict IS NOT NULL)::int', 'submission');

/** What `judged` says of a submission. */
const JUDGED = { returns: { reasons: 'text[]', untimed: 'boolean', guarded: 'boolean' } } as const;

/** Writes a submission to a form without spam settings. */
export const CREATE_SUBMISSION = write<NewSubmission, Written>()(
  'submissions.create',
  [
    part(
      'judged',
      `SELECT '{}'::text[] AS reasons, NULL::boolean AS untimed, NULL::boolean AS guarded FROM forms
        WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion`,
      JUDGED,
    ),
    SUBMISSION,
    ADD_VALUES,
    COUNT,
    ...recordEvents('submission'),
  ],
  { columns: '"isStored"', of: 'submission' },
);

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
export const CREATE_CHECKED_SUBMISSION = write<NewSubmission & SpamParameters, Written>()(
  'submissions.create_checked',
  [
    part('form', 'SELECT id FROM forms WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion', {
      returns: { id: 'uuid' },
    }),
    part(
      'slot',
      `SELECT changes FROM digest_slots WHERE tenant_id = :tenantId AND form_id = :formId AND slot = ${SLOT}`,
      { returns: { changes: 'bigint' } },
    ),
    insert(
      'changed_slot',
      `INSERT INTO digest_slots AS s (tenant_id, form_id, slot, changes)
      SELECT :tenantId, form.id, ${SLOT}, 1
      FROM form
      WHERE :duplicatesSince::uuid IS NOT NULL
      ON CONFLICT (tenant_id, form_id, slot) DO UPDATE SET changes = s.changes + 1 WHERE s.changes = (SELECT changes FROM slot)
      RETURNING 1`,
      { reads: ['slot'] },
    ),
    part('current', 'SELECT id FROM form WHERE :duplicatesSince::uuid IS NULL OR EXISTS (SELECT 1 FROM changed_slot)', {
      of: 'form',
      reads: ['changed_slot'],
      returns: { id: 'uuid' },
    }),
    insert(
      'used_proof',
      `INSERT INTO challenge_solutions (tenant_id, expires_at, id)
      SELECT :tenantId, :proofExpiresAt::timestamptz, :proofId::uuid
      FROM current
      WHERE :proofId::uuid IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING 1`,
    ),
    part(
      'judged',
      `SELECT :reasons::text[]
      || CASE WHEN :duplicatesSince::uuid IS NOT NULL AND EXISTS (
        SELECT 1 FROM submissions d
        WHERE d.tenant_id = :tenantId AND d.form_id = :formId AND d.digest = :digest::uuid AND d.id >= :duplicatesSince::uuid
      ) THEN '{duplicate}'::text[] ELSE '{}' END
      || CASE WHEN :asksForProof::boolean AND NOT EXISTS (SELECT 1 FROM used_proof) THEN '{challenge}'::text[] ELSE '{}' END AS reasons,
      :untimed::boolean AS untimed, :guarded::boolean AS guarded
    FROM current`,
      { of: 'current', reads: ['used_proof'], ...JUDGED },
    ),
    SUBMISSION,
    ADD_VALUES,
    COUNT,
    part('accepted', 'SELECT 1 FROM submission WHERE verdict IS NULL', { of: 'submission' }),
    ...recordEvents('accepted'),
    part('result', 'SELECT EXISTS (SELECT 1 FROM submission) AS "isStored" FROM form', {
      of: 'form',
      reads: ['submission'],
    }),
  ],
);

import { COUNT_SHARD, RANDOM_STATE } from '../../database/statements/count-shard.js';
import { part, write } from '../../database/statements/write.js';
import { recordEventOfEach } from '../../events/event-recorder.js';
import { insertSubmissions, slotOf } from './create-submission.sql.js';
import { ADD_TO_COUNTS, COUNTS } from './submission-counts.sql.js';

/** Submissions to one version of a form. The arrays have an element for each, in the same order. */
export interface SubmissionGroup {
  formId: string;
  formVersion: number;
  ids: readonly string[];
  /** The JSON text of the event, which contains the fields. */
  data: readonly string[];
  eventIds: readonly string[];
  /** Arrays in PostgreSQL's notation: arrays of arrays would need the same length. */
  addresses: readonly (string | null)[];
  reasons: readonly string[];
  digests: readonly string[];
  origins: readonly (string | null)[];
  locales: readonly (string | null)[];
  times: readonly string[];
  proofIds: readonly (string | null)[];
  proofsExpireAt: readonly (string | null)[];
  duplicatesSince: string | null;
  asksForProof: boolean;
  untimed: readonly ('true' | null)[];
  guarded: readonly ('true' | null)[];
  /** The rows of the index by field: the place of the submission in the other arrays (from 1), the field, the sort key and the discriminator. */
  valuePlaces: readonly number[];
  valueFields: readonly string[];
  valueKeys: readonly string[];
  valueDiscriminators: readonly string[];
}

const SENT = {
  id: 'uuid',
  data: 'json',
  fields: 'json',
  event_id: 'uuid',
  addresses: 'text',
  found: 'text',
  digest: 'uuid',
  origin: 'text',
  locale: 'text',
  at: 'timestamptz',
  proof_id: 'uuid',
  proof_expires_at: 'timestamptz',
  untimed: 'boolean',
  guarded: 'boolean',
  slot: 'integer',
} as const;

/**
 * Does for each submission what `CREATE_CHECKED_SUBMISSION` does for one, and `CREATE_SUBMISSION` if the form has no spam settings. Returns no
 * row unless the form exists in this version. Otherwise returns the ID of each submission that is stored, or null if none is. The others must be
 * written again: an equal one was in progress. For one submission, the other statements take PostgreSQL less time, and Citus sends no such INSERT
 * to the server of the tenant (docs/decisions/grouped-submissions.md).
 *
 * No two submissions may have the same digest if duplicates are refused, nor the same proof. Slots and proofs are locked in their order, and the
 * counter comes last, so that groups of several processes never wait for each other in a circle.
 */
export const CREATE_SUBMISSIONS = write<SubmissionGroup, { id: string | null }>()('submissions.create_group', [
  part('form', 'SELECT id FROM forms WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion', {
    returns: { id: 'uuid' },
  }),
  part(
    'sent',
    `SELECT sent.*, sent.data -> 'fields' AS fields, ${slotOf('sent.digest')} AS slot
      FROM form, unnest(:ids::uuid[], :data::json[], :eventIds::uuid[], :addresses::text[], :reasons::text[], :digests::uuid[], :origins::text[],
        :locales::text[], :times::timestamptz[], :proofIds::uuid[], :proofsExpireAt::timestamptz[], :untimed::boolean[], :guarded::boolean[])
      AS sent (id, data, event_id, addresses, found, digest, origin, locale, at, proof_id, proof_expires_at, untimed, guarded)`,
    { of: 'form', returns: SENT, isMany: true },
  ),
  part(
    'changed_slot',
    `INSERT INTO digest_slots AS s (tenant_id, form_id, slot, changes)
      SELECT :tenantId, :formId, slot,
        1 + coalesce((SELECT changes FROM digest_slots WHERE tenant_id = :tenantId AND form_id = :formId AND slot = sent.slot), 0)
      FROM (SELECT DISTINCT slot FROM sent) AS sent
      WHERE :duplicatesSince::uuid IS NOT NULL ORDER BY slot
      ON CONFLICT (tenant_id, form_id, slot) DO UPDATE SET changes = excluded.changes WHERE s.changes = excluded.changes - 1
      RETURNING slot`,
    { of: 'sent', needs: ['duplicatesSince'], returns: { slot: 'integer' }, isMany: true },
  ),
  part(
    'current',
    'SELECT * FROM sent WHERE :duplicatesSince::uuid IS NULL OR slot IN (SELECT slot FROM changed_slot)',
    {
      of: 'sent',
      reads: ['changed_slot'],
      returns: SENT,
      isMany: true,
    },
  ),
  part(
    'used_proof',
    `INSERT INTO challenge_solutions (tenant_id, expires_at, id)
      SELECT :tenantId, proof_expires_at, proof_id FROM current WHERE proof_id IS NOT NULL ORDER BY proof_expires_at, proof_id
      ON CONFLICT DO NOTHING RETURNING id`,
    { of: 'current', returns: { id: 'uuid' }, isMany: true },
  ),
  part(
    'judged',
    `SELECT current.*, (found::text[]
        || CASE WHEN duplicate.id IS NOT NULL THEN '{duplicate}'::text[] ELSE '{}' END
        || CASE WHEN :asksForProof::boolean AND NOT EXISTS (SELECT 1 FROM used_proof WHERE used_proof.id = proof_id) THEN '{challenge}'::text[] ELSE '{}' END
      )::text AS reasons
      FROM current LEFT JOIN LATERAL (
        SELECT id FROM submissions
        WHERE tenant_id = :tenantId AND form_id = :formId AND digest = current.digest AND id >= :duplicatesSince::uuid LIMIT 1
      ) AS duplicate ON true
      OFFSET 0`,
    { of: 'current', reads: ['used_proof'], returns: { ...SENT, reasons: 'text' }, isMany: true },
  ),
  part(
    'submission',
    `${insertSubmissions({
      id: 'judged.id',
      fields: 'judged.fields',
      size: 'octet_length(judged.fields::text)',
      eventId: 'judged.event_id',
      addresses: 'judged.addresses::uuid[]',
      digest: 'judged.digest',
      origin: 'judged.origin',
      locale: 'judged.locale',
      at: 'judged.at',
      reasons: 'judged.reasons::text[]',
    })} RETURNING id, verdict`,
    { of: 'judged', returns: { id: 'uuid', verdict: 'text' }, isMany: true },
  ),
  part(
    'added_values',
    `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
      SELECT :tenantId, :formId, CASE WHEN submission.verdict IS NULL THEN v.field ELSE '?' || v.field END, v.key, submission.id, v.discriminator
      FROM unnest(:valuePlaces::int[], :valueFields::text[], :valueKeys::text[], :valueDiscriminators::text[]) AS v (place, field, key, discriminator)
      JOIN submission ON submission.id = (:ids::uuid[])[v.place]`,
    { of: 'submission' },
  ),
  part(
    'counted',
    `INSERT INTO ${COUNTS}
      SELECT :tenantId, :formId, ${COUNT_SHARD}, count(*) FILTER (WHERE verdict IS NULL), count(*) FILTER (WHERE verdict IS NOT NULL), ${RANDOM_STATE}
      FROM submission HAVING count(*) > 0
      ${ADD_TO_COUNTS}`,
    { of: 'submission' },
  ),
  part('accepted', 'SELECT sent.event_id AS id, data, at FROM submission JOIN sent USING (id) WHERE verdict IS NULL', {
    of: 'submission',
    reads: ['sent'],
    returns: { id: 'uuid', data: 'json', at: 'timestamptz' },
    isMany: true,
  }),
  ...recordEventOfEach('accepted', 'form.submitted'),
  part('result', 'SELECT submission.id FROM form LEFT JOIN submission ON true', { of: 'form', reads: ['submission'] }),
]);

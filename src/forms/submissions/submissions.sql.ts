import { COUNT_SHARD, RANDOM_STATE } from '../../database/count-shard.js';
import { insert, part, write } from '../../database/write.js';
import { type EventParameters, LAST_EVENT_ID, recordEvents } from '../../events/event-recorder.js';
import { ADD_TO_COUNTS, COUNTS } from './submission-counts.sql.js';

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
  /** The rows of the index by field: the field, the sort key and the discriminator of each. */
  valueFields: readonly string[];
  valueKeys: readonly string[];
  valueDiscriminators: readonly string[];
}

/** The form is current. The submission is stored, or the statement must be repeated in a transaction (see `CREATE_CHECKED_SUBMISSION`). */
export interface Written {
  isStored: boolean;
}

/** Writes the submission, its index rows, the counter and the event. Writes nothing and returns no row unless the form exists in this version. */
export const CREATE_SUBMISSION = write<NewSubmission, Written>()(
  'submissions.create',
  [
    part('form', 'SELECT id FROM forms WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion', {
      returns: { id: 'uuid' },
    }),
    insert(
      'submission',
      `INSERT INTO submissions (tenant_id, form_id, id, fields, size, event_id, addresses, digest, origin, locale, created_at)
      SELECT :tenantId, form.id, :submissionId::uuid, :fields::text::json, octet_length(:fields::text), ${LAST_EVENT_ID}, :addresses::uuid[],
      :digest::uuid, :origin, :locale, :at::timestamptz
      FROM form
      RETURNING true AS "isStored"`,
    ),
    insert(
      'valued',
      `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
      SELECT :tenantId, :formId, v.field, v.key, :submissionId, v.discriminator
      FROM submission, unnest(:valueFields::text[], :valueKeys::text[], :valueDiscriminators::text[]) AS v (field, key, discriminator)`,
    ),
    insert(
      'counted',
      `INSERT INTO ${COUNTS}
      SELECT :tenantId, :formId, ${COUNT_SHARD}, 1, 0, ${RANDOM_STATE}
      FROM submission
      ${ADD_TO_COUNTS}`,
    ),
    ...recordEvents('submission'),
  ],
  { columns: '"isStored"', of: 'submission' },
);

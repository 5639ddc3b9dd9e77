import { COUNT_SHARD } from '../../database/count-shard.js';
import { statement } from '../../database/statement.js';
import { type EventParameters, LAST_EVENT_ID, recordEvents } from '../../events/event-recorder.js';

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
export const CREATE_SUBMISSION = statement<NewSubmission, Written>()(
  'submissions.create',
  `WITH submission AS (
    INSERT INTO submissions (tenant_id, form_id, id, fields, size, event_id, addresses, digest, origin, locale, created_at)
    SELECT :tenantId, id, :submissionId::uuid, :fields::text::json, octet_length(:fields::text), ${LAST_EVENT_ID}, :addresses::uuid[],
      :digest::uuid, :origin, :locale, :at::timestamptz
    FROM forms WHERE tenant_id = :tenantId AND id = :formId AND version = :formVersion
    RETURNING 1
  ), valued AS (
    INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
    SELECT :tenantId, :formId, v.field, v.key, :submissionId, v.discriminator
    FROM submission, unnest(:valueFields::text[], :valueKeys::text[], :valueDiscriminators::text[]) AS v (field, key, discriminator)
  ), counted AS (
    INSERT INTO submission_counts AS c (tenant_id, form_id, shard, submissions)
    SELECT :tenantId, :formId, ${COUNT_SHARD}, 1 FROM submission
    ON CONFLICT (tenant_id, form_id, shard) DO UPDATE SET submissions = c.submissions + 1
  ), ${recordEvents('submission')}
  SELECT true AS "isStored" FROM submission`,
);

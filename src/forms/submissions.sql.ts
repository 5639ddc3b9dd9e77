import { COUNT_SHARD } from '../database/count-shard.js';
import { statement } from '../database/statement.js';
import { type EventParameters, recordEvents } from '../events/event-recorder.js';

interface NewSubmission extends EventParameters {
  formId: string;
  submissionId: string;
  /** JSON text. */
  fields: string;
  /** The rows of the index by field: the field and the sort key of each. */
  valueFields: readonly string[];
  valueKeys: readonly string[];
}

/** Writes the submission, its index rows, the counter and the event. Writes nothing and returns no row if the form does not exist. */
export const CREATE_SUBMISSION = statement<NewSubmission, unknown>()(
  'submissions.create',
  `WITH submission AS (
    INSERT INTO submissions (tenant_id, form_id, id, fields, size, created_at)
    SELECT :tenantId, id, :submissionId::uuid, :fields::text::json, octet_length(:fields::text), :at::timestamptz
    FROM forms WHERE tenant_id = :tenantId AND id = :formId
    RETURNING 1
  ), valued AS (
    INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id)
    SELECT :tenantId, :formId, v.field, v.key, :submissionId
    FROM submission, unnest(:valueFields::text[], :valueKeys::text[]) AS v (field, key)
  ), counted AS (
    INSERT INTO submission_counts AS c (tenant_id, form_id, shard, submissions)
    SELECT :tenantId, :formId, ${COUNT_SHARD}, 1 FROM submission
    ON CONFLICT (tenant_id, form_id, shard) DO UPDATE SET submissions = c.submissions + 1
  ), ${recordEvents('submission')}
  SELECT 1 FROM submission`,
);

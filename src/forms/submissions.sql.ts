import { COUNT_SLOT } from '../database/count-slot.js';
import { recordEvents } from '../events/event-recorder.js';

/** `$1` is the tenant, `$2` the form. Submission, index rows, counter and event are written by one statement; none of it without the form. */
export const CREATE_SUBMISSION = {
  name: 'submissions.create',
  text: `WITH submission AS (
    INSERT INTO submissions (tenant_id, form_id, id, fields, size, created_at)
    SELECT $1, id, $3::uuid, $4::text::json, octet_length($4::text), $5::timestamptz FROM forms WHERE tenant_id = $1 AND id = $2
    RETURNING 1
  ), valued AS (
    INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id)
    SELECT $1, $2, v.field, v.key, $3 FROM submission, unnest($6::text[], $7::text[]) AS v (field, key)
  ), counted AS (
    INSERT INTO submission_counts AS c (tenant_id, form_id, slot, submissions)
    SELECT $1, $2, ${COUNT_SLOT}, 1 FROM submission
    ON CONFLICT (tenant_id, form_id, slot) DO UPDATE SET submissions = c.submissions + 1
  ), ${recordEvents({ source: 'submission', ids: '$8', types: '$9', data: '$10', at: '$5' })}
  SELECT 1 FROM submission`,
};

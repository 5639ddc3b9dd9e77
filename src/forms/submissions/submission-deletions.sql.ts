import { statement } from '../../database/statements/statement.js';
import { part, write } from '../../database/statements/write.js';
import { deleteFiles } from '../files/submission-files.sql.js';
import { count } from './submission-counts.sql.js';
import { BY_SUBMISSION } from './submission-index.js';

interface Named {
  formId: string;
  ids: readonly string[];
}

/** A submission to delete. `fields` is JSON text. */
export interface LockedSubmission {
  id: string;
  fields: string;
  isSpam: boolean;
  eventId: string | null;
}

export const LOCK_SUBMISSIONS = statement<Named, LockedSubmission>()(
  'submissions.lock',
  `SELECT id, fields, verdict IS NOT NULL AS "isSpam", event_id AS "eventId" FROM submissions
    WHERE tenant_id = :tenantId AND form_id = :formId AND id = ANY (:ids::uuid[]) ORDER BY id FOR UPDATE`,
);

/** Finds the events of submissions (`sub_…`) that do not know theirs. Their IDs are between the two UUIDs. */
export const FIND_EVENTS = statement<
  { submissions: readonly string[]; from: readonly string[]; to: readonly string[] },
  { id: string }
>()(
  'submissions.find_events',
  `SELECT e.id FROM unnest(:submissions::text[], :from::uuid[], :to::uuid[]) AS s (id, first, last)
    CROSS JOIN LATERAL (
      SELECT id FROM events
      WHERE tenant_id = :tenantId AND id >= s.first AND id < s.last AND type = 'form.submitted' AND data ->> 'id' = s.id LIMIT 1
    ) e`,
);

/** Deletes locked submissions with their files, and with the rows of the index that are named. Returns the number of these rows, and of the files. `count` and `spam` are subtracted from the form's counters. */
export const DELETE_SUBMISSIONS = write<
  Named & {
    valueIds: readonly string[];
    valueFields: readonly string[];
    valueKeys: readonly string[];
    count: number;
    spam: number;
  },
  { values: number; files: number }
>()('submissions.delete', [
  part(
    'submission',
    'DELETE FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId AND id = ANY (:ids::uuid[])',
  ),
  part('changed_counts', 'SELECT 1 WHERE :count::int + :spam::int > 0'),
  count('-:count::int', '-:spam::int', 'changed_counts'),
  part(
    'removed_words',
    'DELETE FROM submission_words WHERE tenant_id = :tenantId AND form_id = :formId AND submission_id = ANY (:ids::uuid[])',
  ),
  part(
    'removed_values',
    `DELETE FROM submission_values x USING unnest(:valueIds::uuid[], :valueFields::text[], :valueKeys::text[]) AS v (id, field, key)
      WHERE x.tenant_id = :tenantId AND x.form_id = :formId AND x.field = v.field AND x.sort_key = v.key AND x.submission_id = v.id
      RETURNING x.submission_id`,
    { returns: { submission_id: 'uuid' }, isMany: true },
  ),
  ...deleteFiles('f.submission_id = ANY (:ids::uuid[])'),
  part(
    'result',
    'SELECT (SELECT count(*)::int FROM removed_values) AS values, (SELECT count(*)::int FROM file) AS files',
    {
      reads: ['removed_values', 'file'],
    },
  ),
]);

/** Deletes all rows of the submissions in the index. */
export const DELETE_ALL_VALUES = statement<Named, never>()(
  'submission_values.delete_of_submissions',
  `DELETE FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId AND submission_id = ANY (:ids::uuid[]) AND ${BY_SUBMISSION}`,
);

/** Lists the oldest submissions of a form. */
export const SUBMISSIONS_OF_FORM = statement<{ formId: string; limit: number }, { id: string }>()(
  'submissions.of_form',
  'SELECT id FROM submissions WHERE tenant_id = :tenantId AND form_id = :formId ORDER BY id LIMIT :limit',
);

/** Deletes a part of what belongs to a deleted form beside its submissions. Returns a row for each. */
export const DELETE_VALUES_OF_FORM = statement<{ formId: string }, object>()(
  'submission_values.delete_of_form',
  `DELETE FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId AND ctid = ANY (ARRAY(
      SELECT ctid FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId LIMIT 5000
    ))
    RETURNING 1`,
);

export const DELETE_DIGEST_SLOTS = statement<{ formId: string }, never>()(
  'digest_slots.delete_of_form',
  'DELETE FROM digest_slots WHERE tenant_id = :tenantId AND form_id = :formId',
);

export const DELETE_COUNTS_OF_FORM = statement<{ formId: string }, never>()(
  'submission_counts.delete_of_form',
  'DELETE FROM submission_counts WHERE tenant_id = :tenantId AND form_id = :formId',
);

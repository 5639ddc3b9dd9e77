import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { statement } from '../../database/statements/statement.js';
import { part, write } from '../../database/statements/write.js';
import { count } from '../submissions/submission-counts.sql.js';
import { FULL_RETURNED, type FullRow, fullColumns } from './submission-full.js';

/** A deleted form has no submissions, although they may still be stored. */
const OF_FORM = `tenant_id = :tenantId AND form_id = :formId AND id = :submissionId
      AND EXISTS (SELECT 1 FROM forms f WHERE f.tenant_id = :tenantId AND f.id = :formId)`;

const ROW = `s.id, s.fields, s.created_at AS "createdAt", ${fullColumns('s', ':tenantId')}` as const;

export const GET_SUBMISSION = statement<{ formId: string; submissionId: string }, FullRow>()(
  'submissions.get',
  `SELECT ${ROW} FROM submissions s WHERE ${OF_FORM}`,
);

/** Changes the state if it is not null, and the note if `changesNote`. Returns the submission as it is then. */
export const UPDATE_SUBMISSION = write<
  AuditParameter & {
    formId: string;
    submissionId: string;
    state: string | null;
    changesNote: boolean;
    note: string | null;
  },
  FullRow
>()('submissions.update', [
  part(
    'updated',
    `UPDATE submissions s SET
      state = CASE WHEN :state::text IS NULL THEN state ELSE nullif(:state, 'new') END,
      note = CASE WHEN :changesNote::boolean THEN :note::text ELSE note END
    WHERE ${OF_FORM}
    RETURNING s.*`,
    { returns: FULL_RETURNED },
  ),
  count('0', '0', 'updated'),
  recordChange('updated'),
  part('shown', `SELECT ${ROW} FROM updated s`, { of: 'updated' }),
]);

import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { type EventParameters, LAST_EVENT_ID, recordEvents } from '../../events/event-recorder.js';
import { FULL_RETURNED, type FullRow, fullColumns } from '../inbox/submission-full.js';
import { count } from './submission-counts.sql.js';
import { BY_SUBMISSION } from './submission-index.js';

interface Named {
  formId: string;
  submissionId: string;
}

const ROW = `s.id, s.fields, s.created_at AS "createdAt", ${fullColumns('s', ':tenantId')}` as const;

export const LOCK_SUBMISSION = statement<Named, FullRow & { eventId: string | null; isUnstored: boolean }>()(
  'submissions.lock_one',
  `SELECT ${ROW}, s.event_id AS "eventId", s.unstored IS TRUE AS "isUnstored" FROM submissions s
    WHERE tenant_id = :tenantId AND form_id = :formId AND id = :submissionId FOR UPDATE`,
);

interface Moved extends Named {
  /** The rows of the index that the submission has, and the ones that it gets. */
  oldFields: readonly string[];
  newFields: readonly string[];
  keys: readonly string[];
  discriminators: readonly string[];
}

/** Gives a locked submission its other rows in the index. Returns the number of the old rows that were found. */
export const MOVE_VALUES = write<Moved, { values: number }>()('submission_values.move', [
  part(
    'removed_values',
    `DELETE FROM submission_values x USING unnest(:oldFields::text[], :keys::text[]) AS v (field, key)
      WHERE x.tenant_id = :tenantId AND x.form_id = :formId AND x.field = v.field AND x.sort_key = v.key
        AND x.submission_id = :submissionId
      RETURNING x.field`,
    { returns: { field: 'text' }, isMany: true },
  ),
  insert(
    'added_values',
    `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
      SELECT :tenantId, :formId, v.field, v.key, :submissionId, v.discriminator
      FROM unnest(:newFields::text[], :keys::text[], :discriminators::text[]) AS v (field, key, discriminator)
      ON CONFLICT DO NOTHING`,
  ),
  part('result', 'SELECT count(*)::int AS values FROM removed_values', { reads: ['removed_values'] }),
]);

/** Deletes the rows that a submission has in the sections of the other verdict. */
export const DELETE_OTHER_VALUES = statement<Named & { keptFields: readonly string[] }, never>()(
  'submission_values.delete_others',
  `DELETE FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId AND submission_id = :submissionId AND ${BY_SUBMISSION}
      AND field <> ALL (:keptFields::text[])`,
);

const SHOWN = part('shown', `SELECT ${ROW} FROM submission s`, { of: 'submission' });

/** Releases a locked submission. `eventId`: that of the event that it had before; null if it had none. */
export const RELEASE_SUBMISSION = write<Named & EventParameters & { eventId: string | null }, FullRow>()(
  'submissions.release',
  [
    part(
      'submission',
      `UPDATE submissions s SET verdict = NULL, event_id = coalesce(:eventId::uuid, ${LAST_EVENT_ID})
      WHERE tenant_id = :tenantId AND form_id = :formId AND id = :submissionId RETURNING s.*`,
      { returns: FULL_RETURNED },
    ),
    part('first_release', 'SELECT 1 FROM submission WHERE :eventId::uuid IS NULL', { of: 'submission' }),
    count('1', '-1', 'submission'),
    ...recordEvents('first_release'),
    SHOWN,
  ],
);

/** Marks a locked submission as spam. `eventId` is stored if it is not null. */
export const MARK_SPAM = write<Named & { eventId: string | null }, FullRow>()('submissions.mark_spam', [
  part(
    'submission',
    `UPDATE submissions s SET verdict = 'spam', event_id = coalesce(:eventId::uuid, event_id)
      WHERE tenant_id = :tenantId AND form_id = :formId AND id = :submissionId RETURNING s.*`,
    { returns: FULL_RETURNED },
  ),
  count('-1', '1', 'submission'),
  SHOWN,
]);

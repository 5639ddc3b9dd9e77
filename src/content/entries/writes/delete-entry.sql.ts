import { recordChange } from '../../../audit/record-changes.js';
import { insert, part, write } from '../../../database/statements/write.js';
import { removeJob } from '../../../scheduled-jobs/scheduled-jobs.sql.js';
import { LAST_EVENT_ID, recordVersionEvents } from '../../../events/event-recorder.js';
import { SCHEDULE } from '../../schedules/schedule-kind.js';
import type { EntryForWrite } from '../entries.sql.js';
import { REMOVE_DOCUMENTS } from '../../words/locale-words.sql.js';
import { liveFields } from '../live-fields.js';
import {
  type CommonParameters,
  countEntries,
  REMOVE_UNIQUES,
  type RemovedUniques,
  CURRENT_TYPE,
  WRITTEN,
} from './entry-parts.sql.js';

export type Deletion = CommonParameters &
  RemovedUniques &
  Pick<EntryForWrite, 'version' | 'isDrafted' | 'schedules' | 'preparedFrom'>;

/*
 * The last state has a version already, unless a change of the type's fields has changed the values since.
 *
 * `isDrafted`, `schedules` and `preparedFrom` must be as they were read: otherwise the statement would not see rows that were added to
 * `entry_drafts`, `entry_schedules`, `scheduled_jobs` and `entry_values` meanwhile.
 */
const DELETED = [
  CURRENT_TYPE,
  part(
    'entry',
    `DELETE FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND version = :version
      AND (drafted IS TRUE) = :isDrafted::boolean AND coalesce(schedules, 0) = :schedules::int
      AND prepared_from IS NOT DISTINCT FROM :preparedFrom::int AND EXISTS (SELECT FROM type)
    RETURNING ${liveFields('entries', ':typeId')} AS fields`,
    { of: 'type', returns: { fields: 'text' } },
  ),
  insert(
    'versioned',
    `INSERT INTO versions (tenant_id, resource_id, number, summary, data, at, event_id)
      SELECT :tenantId, :entryId::uuid, :version::int, :summary, concat(:head::text, coalesce(:shownFields::text, entry.fields::text), :tail::text), :at::timestamptz, ${LAST_EVENT_ID}
      FROM entry
      ON CONFLICT DO NOTHING`,
  ),
  part(
    'removed_document',
    `DELETE FROM entry_words x USING entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
    { of: 'entry' },
  ),
  part(
    'removed_values',
    `DELETE FROM entry_values x USING entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
    { of: 'entry' },
  ),
  part(
    'removed_draft',
    `DELETE FROM entry_drafts x USING entry
    WHERE :isDrafted::boolean AND x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
    { of: 'entry', needs: ['isDrafted'] },
  ),
  part(
    'removed_schedules',
    `DELETE FROM entry_schedules x USING entry
    WHERE :schedules::int > 0 AND x.tenant_id = :tenantId AND x.entry_id = :entryId
    RETURNING x.entry_id`,
    { of: 'entry', needs: ['schedules'], returns: { entry_id: 'uuid' } },
  ),
  removeJob('removed_schedules', { kind: SCHEDULE, key: 'removed_schedules.entry_id' }),
  REMOVE_UNIQUES,
  countEntries('entry'),
  ...recordVersionEvents('entry', { resource: ':entryId::uuid', number: ':version::int' }),
  recordChange('entry'),
] as const;

export const DELETE_ENTRY = write<Deletion, object>()('entries.delete', DELETED, WRITTEN);

/** For an entry of a type with localized fields. */
export const DELETE_LOCALIZED_ENTRY = write<Deletion, object>()(
  'entries.delete_localized',
  [...DELETED, REMOVE_DOCUMENTS],
  WRITTEN,
);

import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { keepToTypes, type OfTypes } from '../narrowed-lists.js';
import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { putJob, removeJob, settleJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { type EventParameters, recordEvents } from '../../events/event-recorder.js';
import { CURRENT_TYPE } from '../entries/writes/entry-parts.sql.js';
import { SCHEDULE } from './schedule-kind.js';
import type { ScheduledState } from './scheduled-state.js';

/*
 * Every statement that changes a schedule first locks the content type and then the entry, as the writes of entries do, so that they wait
 * for each other in one order.
 */

/** The schedule of an entry. Times are ISO 8601, and null if the schedule does not have them. */
export interface ScheduleRow {
  entryId: string;
  typeId: string;
  publishAt: string | null;
  unpublishAt: string | null;
  /** The codes of the locales that it concerns; null if it concerns the whole entry. */
  locales: readonly string[] | null;
  /** JSON text; null unless the schedule has failed. */
  problem: string | null;
}

/** An entry that exists, and its present state. Without a schedule, both times are null. */
type ScheduleOfEntry = ScheduleRow & ScheduledState & { typeVersion: number };

interface OfEntry {
  typeId: string;
  entryId: string;
}

const COLUMNS = 's.publish_at AS "publishAt", s.unpublish_at AS "unpublishAt", s.locales, s.problem';
const ROW = `s.entry_id AS "entryId", s.content_type_id AS "typeId", ${COLUMNS}` as const;
/** The earliest remaining time, as the index has it. */
const NEXT = 'least(s.publish_at, s.unpublish_at)';

export const GET_SCHEDULE = statement<OfEntry, ScheduleOfEntry>()(
  'schedules.get',
  `SELECT e.id AS "entryId", e.content_type_id AS "typeId", t.version AS "typeVersion", ${COLUMNS}, e.version AS "entryVersion",
      coalesce(d.number, 0) AS "draftNumber"
    FROM entries e JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId
    LEFT JOIN entry_schedules s ON s.tenant_id = :tenantId AND s.entry_id = :entryId
    LEFT JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.entry_id = :entryId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId`,
);

/** Sets the schedule. Counts it in the entry, so that a deletion in progress notices it. */
export const PUT_SCHEDULE = write<
  OfEntry &
    AuditParameter &
    ScheduledState &
    Pick<ScheduleRow, 'publishAt' | 'unpublishAt' | 'locales'> & { typeVersion: number },
  object
>()(
  'schedules.put',
  [
    CURRENT_TYPE,
    part(
      'entry',
      `UPDATE entries SET schedules = coalesce(schedules, 0) + 1
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND EXISTS (SELECT FROM type)
    RETURNING 1`,
      { of: 'type' },
    ),
    insert(
      'scheduled',
      `INSERT INTO entry_schedules AS s (tenant_id, entry_id, content_type_id, publish_at, unpublish_at, locales, entry_version, draft_number)
      SELECT :tenantId, :entryId::uuid, :typeId, :publishAt::timestamptz, :unpublishAt::timestamptz, :locales::text[], :entryVersion::int,
        :draftNumber::int
      FROM entry
      ON CONFLICT (tenant_id, entry_id)
    DO UPDATE SET publish_at = excluded.publish_at, unpublish_at = excluded.unpublish_at, locales = excluded.locales,
      problem = NULL,
      entry_version = excluded.entry_version, draft_number = excluded.draft_number
    RETURNING ${NEXT} AS next`,
      { returns: { next: 'timestamptz' } },
    ),
    putJob('scheduled', { kind: SCHEDULE, key: ':entryId::uuid', at: 'scheduled.next' }),
    recordChange('scheduled'),
  ],
  { columns: '1', of: 'scheduled' },
);

/** Lock the entry. */
const locked = <const EntryId extends string>(entryId: EntryId) =>
  [
    part('held', 'SELECT 1 FROM content_types WHERE tenant_id = :tenantId AND id = :typeId FOR KEY SHARE'),
    part(
      'entry',
      `SELECT 1 FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ${entryId} AND EXISTS (SELECT FROM held)
    FOR NO KEY UPDATE`,
      { of: 'held' },
    ),
  ] as const;

export const DELETE_SCHEDULE = write<OfEntry & AuditParameter, object>()(
  'schedules.delete',
  [
    ...locked(':entryId'),
    part(
      'scheduled',
      `DELETE FROM entry_schedules s USING entry WHERE s.tenant_id = :tenantId AND s.entry_id = :entryId
    RETURNING s.entry_id`,
      { of: 'entry', returns: { entry_id: 'uuid' } },
    ),
    removeJob('scheduled', { kind: SCHEDULE, key: 'scheduled.entry_id' }),
    recordChange('scheduled'),
  ],
  { columns: '1', of: 'scheduled' },
);

/** A schedule as its worker reads it. */
export type DueSchedule = ScheduleRow & ScheduledState & { hasDraft: boolean };

export const GET_DUE_SCHEDULE = statement<{ entryId: string }, DueSchedule>()(
  'schedules.get_due',
  `SELECT ${ROW}, s.entry_version AS "entryVersion", s.draft_number AS "draftNumber", EXISTS (
      SELECT FROM entry_drafts d
      WHERE d.tenant_id = :tenantId AND d.content_type_id = s.content_type_id AND d.entry_id = :entryId AND d.fields IS NOT NULL
    ) AS "hasDraft"
    FROM entry_schedules s WHERE s.tenant_id = :tenantId AND s.entry_id = :entryId`,
);

/** What somebody who may not publish made last, of the entry and of its draft. */
export const GET_UNAPPROVED = statement<
  OfEntry,
  { unapprovedVersion: number | null; unapprovedNumber: number | null }
>()(
  'schedules.get_unapproved',
  `SELECT e.unapproved AS "unapprovedVersion", d.unapproved AS "unapprovedNumber" FROM entries e
    LEFT JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.entry_id = :entryId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId`,
);

/** Removes a time that was carried out. */
export const REMOVE_TIME = statement<{ entryId: string; isPublished: boolean }, never>()(
  'schedules.remove_time',
  `UPDATE entry_schedules SET publish_at = CASE WHEN :isPublished::boolean THEN NULL ELSE publish_at END,
      unpublish_at = CASE WHEN :isPublished THEN unpublish_at END
    WHERE tenant_id = :tenantId AND entry_id = :entryId`,
);

/** Removes a schedule whose last time was carried out. */
export const REMOVE_SCHEDULE = statement<{ entryId: string }, never>()(
  'schedules.remove',
  'DELETE FROM entry_schedules WHERE tenant_id = :tenantId AND entry_id = :entryId',
);

/** Marks the schedule as failed and records the event, with the version of the entry, if the claim of its work still holds. */
export const FAIL_SCHEDULE = write<
  EventParameters & { typeId: string; key: string; claim: string; problem: string },
  object
>()(
  'schedules.fail',
  [
    ...locked(':key'),
    settleJob('entry', { kind: SCHEDULE }),
    part(
      'failed',
      `UPDATE entry_schedules s SET problem = :problem::text::json FROM settled_due
    WHERE s.tenant_id = :tenantId AND s.entry_id = :key
    RETURNING (SELECT version FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :key) AS version`,
      { of: 'settled_due', returns: { version: 'int' } },
    ),
    ...recordEvents('failed', 'failed.version'),
  ],
  { columns: '1', of: 'failed' },
);

/** Times between which a list shows schedules, both included. ISO 8601, or `-infinity` and `infinity`. */
interface Range extends OfTypes {
  from: string;
  to: string;
}

const LISTED = `FROM entry_schedules s
    WHERE s.tenant_id = :tenantId AND ${NEXT} >= :from::timestamptz AND ${NEXT} <= :to::timestamptz
      AND ${keepToTypes('s.content_type_id')}` as const;
const ORDER = `ORDER BY ${NEXT}, s.entry_id LIMIT :limit` as const;

export const SCHEDULES_PAGE = statement<Range & { limit: number; offset: number }, ScheduleRow>()(
  'schedules.page',
  `SELECT ${ROW} ${LISTED} ${ORDER} OFFSET :offset`,
);

export const FIRST_SCHEDULES = statement<Range & { limit: number }, ScheduleRow>()(
  'schedules.first',
  `SELECT ${ROW} ${LISTED} ${ORDER}`,
);

export const SCHEDULES_AFTER = statement<Range & { limit: number; at: string; id: string }, ScheduleRow>()(
  'schedules.after',
  `SELECT ${ROW} ${LISTED} AND (${NEXT}, s.entry_id) > (:at::timestamptz, :id::uuid) ${ORDER}`,
);

export const COUNT_SCHEDULES = statement<Range, { total: number }>()(
  'schedules.count',
  `SELECT count(*) AS total ${LISTED}`,
);

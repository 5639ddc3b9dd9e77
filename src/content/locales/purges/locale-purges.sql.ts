import { type AuditParameter, recordChange } from '../../../audit/record-changes.js';
import { type NoParameters, statement } from '../../../database/statements/statement.js';
import type { TextArray } from '../../../database/statements/text-array.js';
import { insert, part, write } from '../../../database/statements/write.js';
import { putJob } from '../../../scheduled-jobs/scheduled-jobs.sql.js';
import { PURGE_LOCALE } from '../locale-jobs.js';

/** A purge as the API shows it. Times are ISO 8601. */
export interface PurgeRow {
  id: string;
  code: string;
  entries: number;
  drafts: number;
  versions: number;
  createdAt: string;
  finishedAt: string | null;
}

const COLUMNS = 'id, code, entries, drafts, versions, created_at AS "createdAt", finished_at AS "finishedAt"';

export const GET_PURGE = statement<{ id: string }, PurgeRow>()(
  'locale_purges.get',
  `SELECT ${COLUMNS} FROM locale_purges WHERE tenant_id = :tenantId AND id = :id`,
);

/** The purges that are not finished. The settings of the locales are locked, so that none begins meanwhile. */
export const RUNNING_PURGES = statement<NoParameters, PurgeRow>()(
  'locale_purges.running',
  `SELECT ${COLUMNS} FROM locale_purges WHERE tenant_id = :tenantId AND finished_at IS NULL ORDER BY id`,
);

/** A finished purge is kept for a week. */
export const BEGIN_PURGE = write<{ id: string; code: string; first: string; at: string } & AuditParameter, never>()(
  'locale_purges.begin',
  [
    insert(
      'begun',
      `INSERT INTO locale_purges (tenant_id, id, code, phase, type_id, after, after_number, entries, drafts, versions, created_at)
      VALUES (:tenantId, :id::uuid, :code, 'entries', :first::uuid, :first::uuid, 0, 0, 0, 0, :at::timestamptz)
      RETURNING id`,
      { returns: { id: 'uuid' } },
    ),
    putJob('begun', { kind: PURGE_LOCALE, key: 'begun.id', at: 'now()' }),
    part('pruned', `DELETE FROM locale_purges WHERE tenant_id = :tenantId AND finished_at < now() - interval '7 days'`),
    recordChange('begun'),
  ],
);

type PurgePhase = 'entries' | 'drafts' | 'versions';

export interface RunningPurge {
  id: string;
  code: string;
  phase: PurgePhase;
  typeId: string;
  after: string;
  afterNumber: number;
}

/** Locks an unfinished purge, so that only one worker does its next batch. */
export const LOCK_PURGE = statement<{ id: string }, RunningPurge>()(
  'locale_purges.lock',
  `SELECT id, code, phase, type_id AS "typeId", after, after_number AS "afterNumber" FROM locale_purges
    WHERE tenant_id = :tenantId AND id = :id AND finished_at IS NULL FOR UPDATE`,
);

export const MOVE_PURGE = statement<RunningPurge & { entries: number; drafts: number; versions: number }, never>()(
  'locale_purges.move',
  `UPDATE locale_purges SET phase = :phase, type_id = :typeId::uuid, after = :after::uuid, after_number = :afterNumber::int,
      entries = entries + :entries::int, drafts = drafts + :drafts::int, versions = versions + :versions::int
    WHERE tenant_id = :tenantId AND id = :id AND code = :code`,
);

export const FINISH_PURGE = statement<{ id: string }, never>()(
  'locale_purges.finish',
  'UPDATE locale_purges SET finished_at = now() WHERE tenant_id = :tenantId AND id = :id',
);

/**
 * The next content type, from `:typeId` on, of which a field is or was localized. It is locked: no change of it begins before the end of the
 * transaction.
 */
export const LOCK_LOCALIZED_TYPE = statement<{ typeId: string; mark: string }, { id: string; isChanging: boolean }>()(
  'locale_purges.lock_type',
  `SELECT id, change_id IS NOT NULL AS "isChanging" FROM content_types
    WHERE tenant_id = :tenantId AND id >= :typeId AND (locales IS NOT NULL OR strpos(retired::text, :mark::text) > 0)
    ORDER BY id LIMIT 1 FOR KEY SHARE`,
);

/** Entries that may have values of the locale among removed ones, or say something of it. */
export const ENTRIES_TO_PURGE = statement<
  { typeId: string; first: string; last: string; mark: string; state: string },
  { id: string; version: number; fields: string; retired: string | null }
>()(
  'locale_purges.entries',
  `SELECT id, version, fields, retired FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id >= :first AND id <= :last
      AND (strpos(fields::text, :state::text) > 0 OR strpos(retired::text, :mark::text) > 0)
    ORDER BY id`,
);

/** An entry that was changed since it was read stays as it is, and is not returned. */
export const WRITE_PURGED_ENTRIES = statement<
  { typeId: string; ids: TextArray; versions: TextArray; fields: TextArray; retired: TextArray },
  object
>()(
  'locale_purges.write_entries',
  `UPDATE entries e SET fields = n.fields::json, size = octet_length(n.fields), retired = n.retired::json, version = e.version + 1
    FROM unnest(:ids::uuid[], :versions::int[], :fields::text[], :retired::text[]) AS n (id, version, fields, retired)
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = n.id AND e.version = n.version
    RETURNING 1`,
);

/**
 * The next versions of all resources. `bytes` is what must be read of one that may have values of the locale, and null for others. Only entries in
 * several locales have `stored`; a deletion has none, and `data` with the values of each locale as a member.
 */
export const NEXT_VERSIONS = statement<
  { after: string; afterNumber: number; mark: string; member: string },
  { id: string; number: number; bytes: number | null }
>()(
  'locale_purges.next_versions',
  `SELECT resource_id AS id, number,
      CASE WHEN strpos(stored, :mark::text) > 0 OR (stored IS NULL AND strpos(data, :member::text) > 0)
        THEN coalesce(octet_length(stored), 0) + octet_length(data) END AS bytes
    FROM versions WHERE tenant_id = :tenantId AND (resource_id, number) > (:after::uuid, :afterNumber::int)
    ORDER BY resource_id, number LIMIT 200`,
);

export const VERSIONS_TO_PURGE = statement<
  { ids: readonly string[]; numbers: readonly number[] },
  { id: string; number: number; data: string; stored: string | null }
>()(
  'locale_purges.versions',
  `SELECT v.resource_id AS id, v.number, v.data, v.stored
    FROM unnest(:ids::uuid[], :numbers::int[]) AS n (id, number) CROSS JOIN LATERAL (
      SELECT resource_id, number, data, stored FROM versions
      WHERE tenant_id = :tenantId AND resource_id = n.id AND number = n.number LIMIT 1
    ) AS v`,
);

export const WRITE_PURGED_VERSIONS = statement<
  { ids: TextArray; numbers: TextArray; data: TextArray; stored: TextArray },
  never
>()(
  'locale_purges.write_versions',
  `UPDATE versions v SET data = n.data, stored = n.stored
    FROM unnest(:ids::uuid[], :numbers::int[], :data::text[], :stored::text[]) AS n (id, number, data, stored)
    WHERE v.tenant_id = :tenantId AND v.resource_id = n.id AND v.number = n.number`,
);

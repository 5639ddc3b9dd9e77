import { statement } from '../../../database/statements/statement.js';
import { insert, part, write } from '../../../database/statements/write.js';
import type { TextArray } from '../../../database/statements/text-array.js';
import { putJob } from '../../../scheduled-jobs/scheduled-jobs.sql.js';
import { SCHEMA_CHANGE } from './schema-change-kind.js';

/** A change as the API shows it. */
export interface ChangeRow {
  id: string;
  /** The content type. */
  typeId: string;
  state: 'running' | 'done' | 'failed';
  processed: number;
  total: number;
  /** JSON text. */
  problem: string | null;
}

/**
 * What is done next: look at all entries and prepare their values (`prepare`), then at those written meanwhile (`catch_up`), and once more for
 * those whose write took long (`review`); when few are left, make the next values valid (`switch`), then store them (`fold`) and remove what was
 * there before (`sweep`). `undo` removes what was prepared.
 */
export type Phase = 'prepare' | 'catch_up' | 'review' | 'switch' | 'fold' | 'sweep' | 'undo';

export interface RunningChange {
  typeId: string;
  phase: Phase;
  /** JSON text. */
  request: string;
  after: string;
  conflicts: number;
  problem: string | null;
  /** When it began, less the difference of clocks. */
  from: string;
  /** Entries that were written before have been caught up with. From `review` on, no earlier write is in progress. */
  since: string;
}

export const GET_CHANGE = statement<{ id: string }, ChangeRow>()(
  'schema_changes.get',
  `SELECT id, content_type_id AS "typeId", state, least(processed, total) AS processed, total, problem FROM schema_changes
    WHERE tenant_id = :tenantId AND id = :id`,
);

/** Finished changes are kept for a week, at most this many of a tenant. */
const KEPT = 1_000;

/** Begins a change of the type, which the transaction has locked, and forgets old ones. */
export const BEGIN_SCHEMA_CHANGE = write<
  { id: string; typeId: string; request: string; first: string; at: string },
  never
>()('schema_changes.begin', [
  part(
    'counts',
    `SELECT coalesce(sum(drafts + published), 0) AS entries FROM entry_counts
      WHERE tenant_id = :tenantId AND content_type_id = :typeId::uuid`,
    { returns: { entries: 'bigint' } },
  ),
  insert(
    'begun',
    `INSERT INTO schema_changes (tenant_id, id, content_type_id, state, phase, request, after, processed, total, conflicts, created_at)
      SELECT :tenantId, :id::uuid, :typeId::uuid, 'running', 'prepare', :request::text::json, :first::uuid, 0, counts.entries, 0,
      :at::timestamptz
      FROM counts`,
  ),
  putJob(undefined, { kind: SCHEMA_CHANGE, key: ':id::uuid', at: 'now()' }),
  part(
    'pruned',
    `DELETE FROM schema_changes WHERE tenant_id = :tenantId AND state <> 'running' AND (
        finished_at < now() - interval '7 days' OR id <= (
          SELECT id FROM schema_changes WHERE tenant_id = :tenantId AND state <> 'running' ORDER BY id DESC OFFSET ${KEPT} LIMIT 1
        )
      )`,
  ),
  part('changing', 'UPDATE content_types SET change_id = :id::uuid WHERE tenant_id = :tenantId AND id = :typeId::uuid'),
]);

const BEGAN = `created_at - :clocksMs::int * interval '1 millisecond'`;

/** Locks a running change, so that only one worker carries out its next batch. `clocksMs` is how far clocks may differ. */
export const LOCK_CHANGE = statement<{ id: string; clocksMs: number }, RunningChange>()(
  'schema_changes.lock',
  `SELECT content_type_id AS "typeId", phase, request, after, conflicts, problem, ${BEGAN} AS "from", coalesce(since, ${BEGAN}) AS since
    FROM schema_changes WHERE tenant_id = :tenantId AND id = :id AND state = 'running' FOR UPDATE`,
);

export const MOVE_CHANGE = statement<
  { id: string; phase: Phase; after: string; processed: number; conflicts: number; since: string },
  never
>()(
  'schema_changes.move',
  `UPDATE schema_changes SET phase = :phase, after = :after::uuid, processed = processed + :processed::int, conflicts = :conflicts::int,
      since = :since::timestamptz
    WHERE tenant_id = :tenantId AND id = :id`,
);

/** The change cannot be made: what was prepared is removed, then it has failed. */
export const GIVE_UP_CHANGE = statement<{ id: string; first: string; problem: string }, never>()(
  'schema_changes.give_up',
  `UPDATE schema_changes SET phase = 'undo', after = :first::uuid, problem = :problem::text::json
    WHERE tenant_id = :tenantId AND id = :id AND state = 'running'`,
);

/** Ends the change. The version of the type increases, because documents of search were written that no version counts. */
export const FINISH_CHANGE = statement<{ id: string; typeId: string }, never>()(
  'schema_changes.finish',
  `WITH type AS (
      UPDATE content_types SET change_id = NULL, version = version + 1 WHERE tenant_id = :tenantId AND id = :typeId
    )
    UPDATE schema_changes SET state = CASE WHEN problem IS NULL THEN 'done' ELSE 'failed' END, request = NULL, finished_at = now()
    WHERE tenant_id = :tenantId AND id = :id`,
);

/** How many entries a type has, and their bytes, up to the limit of a change that is made at once. */
export const SIZE_OF_TYPE = statement<{ typeId: string; limit: number }, { entries: number; bytes: number }>()(
  'schema_changes.size_of_type',
  `SELECT count(*) AS entries, coalesce(sum(coalesce(size, 4096)), 0)::bigint AS bytes FROM (
      SELECT size FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId ORDER BY id LIMIT :limit
    ) e`,
);

/** An entry to prepare. `stale` is what was prepared from an earlier version of it. */
export interface EntryToPrepare {
  id: string;
  fields: string;
  retired: string | null;
  version: number;
  stale: string | null;
}

const TO_PREPARE = 'id, fields, retired, version, prepared AS stale';

export const ENTRIES_TO_PREPARE = statement<{ typeId: string; first: string; last: string }, EntryToPrepare>()(
  'schema_changes.entries_to_prepare',
  `SELECT ${TO_PREPARE} FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id >= :first AND id <= :last ORDER BY id`,
);

export interface WrittenEntry {
  id: string;
  bytes: number;
  updatedAt: string;
}

/** The first entries that were written between two times and are not prepared as they are now, with their bytes. */
export const WRITTEN_BETWEEN = statement<
  { typeId: string; from: string; until: string; limit: number },
  WrittenEntry
>()(
  'schema_changes.written_between',
  `SELECT id, coalesce(size, 4096) + coalesce(octet_length(retired::text), 0) AS bytes, updated_at AS "updatedAt" FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND updated_at >= :from::timestamptz AND updated_at < :until::timestamptz
      AND prepared_from IS DISTINCT FROM version
    ORDER BY updated_at LIMIT :limit`,
);

export const ENTRIES_BY_IDS = statement<{ typeId: string; ids: readonly string[] }, EntryToPrepare>()(
  'schema_changes.entries_by_ids',
  `SELECT ${TO_PREPARE} FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:ids::uuid[]) ORDER BY id`,
);

/** Stores what entries become. An entry that was written since it was read is left out. Returns those that were not. */
export const WRITE_PREPARED = statement<
  { typeId: string; typeVersion: number; ids: TextArray; versions: TextArray; prepared: TextArray; retired: TextArray },
  { id: string }
>()(
  'schema_changes.write_prepared',
  `UPDATE entries e SET prepared = n.prepared::json, prepared_retired = n.retired::json, prepared_from = n.version, prepared_for = :typeVersion::int
    FROM unnest(:ids::uuid[], :versions::int[], :prepared::text[], :retired::text[]) AS n (id, version, prepared, retired)
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = n.id AND e.version = n.version
    RETURNING e.id`,
);

/** Removes the rows that were prepared for earlier versions of entries. */
export const REMOVE_PREPARED_VALUES = statement<
  { typeId: string; ids: readonly string[]; fields: readonly string[] },
  never
>()(
  'schema_changes.remove_prepared_values',
  `DELETE FROM entry_values x USING unnest(:ids::uuid[]) AS n (id)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = n.id AND x.field = ANY (:fields::text[])`,
);

/** Removes claims of entries that are gone, or that were written since and have not yet been prepared again. */
export const REMOVE_STALE_CLAIMS = statement<
  { typeId: string; typeVersion: number; fields: TextArray; values: TextArray },
  never
>()(
  'schema_changes.remove_stale_claims',
  `WITH stale AS MATERIALIZED (
      SELECT u.field, u.value FROM unnest(:fields::text[], :values::text[]) AS v (field, value)
      CROSS JOIN LATERAL (
        SELECT field, value, entry_id FROM entry_uniques
        WHERE tenant_id = :tenantId AND content_type_id = :typeId AND field = v.field AND value = v.value OFFSET 0
      ) AS u
      WHERE (
        SELECT true FROM entries e WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = u.entry_id
          AND e.prepared_from = e.version AND e.prepared_for = :typeVersion::int
      ) IS NULL
    )
    DELETE FROM entry_uniques x USING stale s
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = s.field AND x.value = s.value`,
);

/** Removes the claims of unique values that these entries had when they were prepared before. */
export const REMOVE_CLAIMS = statement<
  { typeId: string; ids: TextArray; fields: TextArray; values: TextArray },
  never
>()(
  'schema_changes.remove_claims',
  `DELETE FROM entry_uniques x USING unnest(:ids::uuid[], :fields::text[], :values::text[]) AS v (id, field, value)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = v.field AND x.value = v.value AND x.entry_id = v.id`,
);

/**
 * Makes the prepared values the values, after the switch. An entry that was written since has other values already, but what it hides was not
 * written. Returns the values as they are then.
 */
export const FOLD = statement<
  { typeId: string; first: string; last: string; raises: number },
  { id: string; fields: string }
>()(
  'schema_changes.fold',
  `UPDATE entries SET fields = CASE WHEN prepared_from = version AND prepared IS NOT NULL THEN prepared ELSE fields END,
      size = CASE WHEN prepared_from = version AND prepared IS NOT NULL THEN octet_length(prepared::text) ELSE size END,
      retired = CASE WHEN prepared IS NOT NULL THEN prepared_retired ELSE retired END,
      version = version + CASE WHEN prepared_from = version AND prepared IS NOT NULL THEN :raises::int ELSE 0 END,
      prepared = NULL, prepared_retired = NULL, prepared_from = NULL, prepared_for = NULL
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id >= :first AND id <= :last AND prepared_from IS NOT NULL
    RETURNING id, fields`,
);

/** Forgets what was prepared. */
export const FORGET = statement<{ typeId: string; first: string; last: string }, never>()(
  'schema_changes.forget',
  `UPDATE entries SET prepared = NULL, prepared_retired = NULL, prepared_from = NULL, prepared_for = NULL
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id >= :first AND id <= :last AND prepared_from IS NOT NULL`,
);

/** Removes some rows of these names from the index. Returns one row for each. */
export const SWEEP_VALUES = statement<{ typeId: string; fields: readonly string[] }, object>()(
  'schema_changes.sweep_values',
  `DELETE FROM entry_values WHERE tenant_id = :tenantId AND content_type_id = :typeId AND ctid = ANY (ARRAY(
      SELECT ctid FROM entry_values WHERE tenant_id = :tenantId AND content_type_id = :typeId AND field = ANY (:fields::text[]) LIMIT 5000
    ))
    RETURNING 1`,
);

export const SWEEP_UNIQUES = statement<{ typeId: string; fields: readonly string[] }, object>()(
  'schema_changes.sweep_uniques',
  `DELETE FROM entry_uniques WHERE tenant_id = :tenantId AND content_type_id = :typeId AND ctid = ANY (ARRAY(
      SELECT ctid FROM entry_uniques WHERE tenant_id = :tenantId AND content_type_id = :typeId AND field = ANY (:fields::text[]) LIMIT 5000
    ))
    RETURNING 1`,
);

/** Removes claims of entries that were deleted while the change was prepared. */
export const SWEEP_ORPHANS = statement<{ typeId: string; fields: readonly string[] }, never>()(
  'schema_changes.sweep_orphans',
  `DELETE FROM entry_uniques x WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = ANY (:fields::text[]) AND (
      SELECT true FROM entries e WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = x.entry_id
    ) IS NULL`,
);

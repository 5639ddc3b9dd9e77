import { statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import type { TextArray } from '../../database/statements/text-array.js';
import { markPending } from '../../events/event-recorder.js';
import { countEntries, FINISHED, learnWords, type NewWords } from '../entries/writes/entry-parts.sql.js';

/**
 * The statements that write many entries of one content type, in one transaction. They do what the statements of single writes do
 * (`entries/writes`), with arrays that have an element for each row.
 */

/** Locks the types in the order of their IDs. A schema change locks its type FOR UPDATE, and waits. */
export const LOCK_TYPES = statement<{ typeIds: readonly string[] }, { id: string; version: number }>()(
  'entry_batch.lock_types',
  `SELECT id, version FROM content_types WHERE tenant_id = :tenantId AND id = ANY (:typeIds::uuid[]) ORDER BY id FOR KEY SHARE`,
);

/** The current versions of types. */
export const TYPE_VERSIONS = statement<{ typeIds: readonly string[] }, { id: string; version: number }>()(
  'entry_batch.type_versions',
  `SELECT id, version FROM content_types WHERE tenant_id = :tenantId AND id = ANY (:typeIds::uuid[])`,
);

interface LockedEntry {
  id: string;
  version: number;
  isDrafted: boolean;
  schedules: number;
}

const lockEntries = <const Strength extends 'UPDATE' | 'NO KEY UPDATE'>(strength: Strength) =>
  `SELECT id, version, drafted IS TRUE AS "isDrafted", coalesce(schedules, 0) AS schedules FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:entryIds::uuid[])
    ORDER BY id FOR ${strength}` as const;

/** Locks entries in the order of their IDs, so that two batches of the same entries do not wait for each other. */
export const LOCK_BATCH_ENTRIES = statement<{ typeId: string; entryIds: readonly string[] }, LockedEntry>()(
  'entry_batch.lock_entries',
  lockEntries('NO KEY UPDATE'),
);

/** Also waits for the writes that hold the entries because they refer to them. */
export const LOCK_REFERRED_ENTRIES = statement<{ typeId: string; entryIds: readonly string[] }, LockedEntry>()(
  'entry_batch.lock_guarded_entries',
  lockEntries('UPDATE'),
);

/** The entries that have unique values. `place` is the position in the arrays, from 1. */
export const UNIQUE_HOLDERS = statement<
  { typeId: string; fields: TextArray; values: TextArray },
  { place: number; entryId: string }
>()(
  'entry_batch.unique_holders',
  `SELECT u.place::int, x.entry_id AS "entryId"
    FROM unnest(:fields::text[], :values::text[]) WITH ORDINALITY AS u (field, value, place)
    JOIN entry_uniques x ON x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = u.field AND x.value = u.value`,
);

/**
 * Who has the IDs that new entries are to get: the content type of an entry, and the last version of an earlier entry, which its events refer to. Both
 * are null for an ID that no entry has had.
 */
export const ID_HOLDERS = statement<
  { ids: readonly string[] },
  { id: string; typeId: string | null; version: number | null }
>()(
  'entry_batch.id_holders',
  `SELECT w.id,
      (SELECT e.content_type_id FROM content_types t
        JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = t.id AND e.id = w.id
        WHERE t.tenant_id = :tenantId LIMIT 1) AS "typeId",
      (SELECT max(v.number) FROM versions v WHERE v.tenant_id = :tenantId AND v.resource_id = w.id) AS version
    FROM unnest(:ids::uuid[]) AS w (id)`,
);

export interface StoredColumns {
  entryIds: TextArray;
  fields: TextArray;
  statuses: TextArray;
  times: TextArray;
  publishedTimes: TextArray;
  words: Buffer;
  gaps: TextArray;
  sequences: TextArray;
}

/** Times and versions of new entries. */
export interface CreatedColumns {
  createdTimes: TextArray;
  versions: TextArray;
}

export const INSERT_ENTRIES = write<StoredColumns & CreatedColumns & { typeId: string }, never>()(
  'entry_batch.insert',
  [
    insert(
      'entry',
      `INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at, published_at)
      SELECT :tenantId, :typeId, n.id, n.fields::json, octet_length(n.fields), n.status, n.version, n.created, n.at, n.published
      FROM unnest(:entryIds::uuid[], :fields::text[], :statuses::text[], :times::timestamptz[], :publishedTimes::timestamptz[],
        :createdTimes::timestamptz[], :versions::int[]) AS n (id, fields, status, at, published, created, version)`,
      { computes: true },
    ),
    insert(
      'search_document',
      `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words, gaps, sequence)
      SELECT :tenantId, :typeId, n.id, n.words, n.gaps, n.sequence
      FROM unnest(:entryIds::uuid[], :words::tsvector[], :gaps::smallint[], :sequences::text[]) AS n (id, words, gaps, sequence)`,
    ),
  ],
);

const STORED =
  `unnest(:entryIds::uuid[], :fields::text[], :statuses::text[], :times::timestamptz[], :publishedTimes::timestamptz[],
      :words::tsvector[], :gaps::smallint[], :sequences::text[]) AS n (id, fields, status, at, published, words, gaps, sequence)` as const;

/** The entries must be locked. `words` is null if the search document is unchanged. */
export const UPDATE_ENTRIES = statement<StoredColumns & { typeId: string }, never>()(
  'entry_batch.update',
  `WITH changed AS (SELECT * FROM ${STORED}), entry AS (
    UPDATE entries x SET fields = n.fields::json, size = octet_length(n.fields), status = n.status, version = x.version + 1, updated_at = n.at,
      published_at = n.published, unapproved = CASE WHEN n.status = 'published' THEN NULL ELSE x.unapproved END
    FROM changed n
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.id = n.id AND x.id = ANY (:entryIds::uuid[])
  )
  UPDATE entry_words x SET words = n.words, gaps = n.gaps, sequence = n.sequence FROM changed n
  WHERE n.words IS NOT NULL AND x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = n.id
    AND x.entry_id = ANY (:entryIds::uuid[])`,
);

type Entries = { typeId: string; entryIds: readonly string[] };

/** For updates by somebody who may not publish, after `UPDATE_ENTRIES`. */
export const MARK_UNAPPROVED = statement<Entries, never>()(
  'entry_batch.mark_unapproved',
  `UPDATE entries SET unapproved = version WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:entryIds::uuid[])`,
);

/** For updates that publish entries. Drafts keep their reviews. */
export const END_REVIEWS = statement<Entries, never>()(
  'entry_batch.end_reviews',
  `UPDATE entry_drafts SET ${FINISHED}
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND entry_id = ANY (:entryIds::uuid[]) AND fields IS NULL
      AND (review_at IS NOT NULL OR saved_by IS NOT NULL)`,
);

interface ValueColumns {
  ids: TextArray;
  fields: TextArray;
  keys: TextArray;
  discriminators: TextArray;
}

export const ADD_BATCH_VALUES = write<ValueColumns & { typeId: string }, never>()('entry_batch.add_values', [
  insert(
    'added_values',
    `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
      SELECT :tenantId, :typeId, v.field, v.key, v.discriminator, v.id
      FROM unnest(:ids::uuid[], :fields::text[], :keys::text[], :discriminators::text[]) AS v (id, field, key, discriminator)
      ORDER BY v.field, v.key`,
  ),
]);

export const REMOVE_BATCH_VALUES = statement<ValueColumns & { typeId: string }, never>()(
  'entry_batch.remove_values',
  `DELETE FROM entry_values x
    USING unnest(:ids::uuid[], :fields::text[], :keys::text[], :discriminators::text[]) AS v (id, field, key, discriminator)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = v.field AND x.sort_key = v.key
      AND x.discriminator = v.discriminator AND x.entry_id = v.id`,
);

interface UniqueColumns {
  ids: TextArray;
  fields: TextArray;
  values: TextArray;
}

/** All batches claim in one order, so that two of them with the same values do not wait for each other. */
export const ADD_BATCH_UNIQUES = write<UniqueColumns & { typeId: string }, never>()('entry_batch.add_uniques', [
  insert(
    'added_uniques',
    `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
      SELECT :tenantId, :typeId, u.field, u.value, u.id
      FROM unnest(:ids::uuid[], :fields::text[], :values::text[]) AS u (id, field, value)`,
  ),
]);

export const REMOVE_BATCH_UNIQUES = statement<UniqueColumns & { typeId: string }, never>()(
  'entry_batch.remove_uniques',
  `DELETE FROM entry_uniques x USING unnest(:ids::uuid[], :fields::text[], :values::text[]) AS u (id, field, value)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = u.field AND x.value = u.value AND x.entry_id = u.id`,
);

/** Rows of versions, and rows of their events. */
export interface RecordColumns {
  entryIds: TextArray;
  numbers: TextArray;
  /** The versions of the content types. */
  schemaVersions: TextArray;
  summaries: TextArray;
  data: TextArray;
  stored: TextArray;
  times: TextArray;
  lastEventIds: TextArray;
  eventIds: TextArray;
  eventTypes: TextArray;
  eventEntryIds: TextArray;
  eventNumbers: TextArray;
  eventTimes: TextArray;
}

const record = <const Conflict extends '' | 'ON CONFLICT DO NOTHING'>(onConflict: Conflict) => [
  insert(
    'versioned',
    `INSERT INTO versions (tenant_id, resource_id, number, schema_version, summary, data, stored, at, event_id)
      SELECT :tenantId, v.id, v.number, v.schema_version, v.summary, v.data, v.stored, v.at, v.event_id
      FROM unnest(:entryIds::uuid[], :numbers::int[], :schemaVersions::int[], :summaries::text[], :data::text[], :stored::text[], :times::timestamptz[], :lastEventIds::uuid[]) AS v (id, number, schema_version, summary, data, stored, at, event_id)
      ${onConflict}`,
    { computes: true },
  ),
  insert(
    'recorded',
    `INSERT INTO events (tenant_id, id, type, resource_id, version, occurred_at)
      SELECT :tenantId, e.id, e.type, e.resource_id, e.number, e.at
      FROM unnest(:eventIds::uuid[], :eventTypes::text[], :eventEntryIds::uuid[], :eventNumbers::int[], :eventTimes::timestamptz[]) AS e (id, type, resource_id, number, at)`,
    { computes: true },
  ),
  ...markPending(undefined, 'unnest(:eventIds::uuid[]) AS e (id)', 'e.id'),
];

/** The last state of a deleted entry has a version already, unless a change of the type's fields has changed the values since. */
export const RECORD = write<RecordColumns, never>()('entry_batch.record', record('ON CONFLICT DO NOTHING'));

/** For entries whose IDs were sent. Fails if another write has given the ID to an entry of another type since the look-up. */
export const RECORD_KEPT = write<RecordColumns, never>()('entry_batch.record_kept', record(''));

/**
 * Counts what a batch adds, and teaches the dictionary its words. It comes last, once for each type, because other writes of the type may
 * wait for these rows.
 */
export const COUNT_AND_LEARN = write<{ typeId: string; drafts: number; published: number } & NewWords, never>()(
  'entry_batch.count_and_learn',
  [learnWords(''), countEntries()],
);

import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import type { TextArray } from '../../database/statements/text-array.js';

/** SQL for the size of a JSON column in bytes. A value that is stored compressed must be read to find the length of its text. */
const bytesOf = <const Column extends string>(column: Column) =>
  `CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column}) ELSE octet_length(${column}::text) END` as const;

/** An entry as it is stored: JSON text. `retired` holds the values of removed fields. */
export interface StoredRow {
  id: string;
  fields: string;
  retired: string | null;
}

/** Lists the next entries with the number of bytes that reading each one takes. */
export const NEXT_SIZES = statement<{ typeId: string; after: string }, { id: string; bytes: number }>()(
  'schema_change.next_sizes',
  `SELECT id, coalesce(size, ${bytesOf('fields')}) + coalesce(${bytesOf('retired')}, 0) AS bytes FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id > :after ORDER BY id LIMIT 500`,
);

export const ENTRIES_BETWEEN = statement<{ typeId: string; first: string; last: string }, StoredRow>()(
  'schema_change.entries_between',
  `SELECT id, fields, retired FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id >= :first AND id <= :last ORDER BY id`,
);

export const WRITE_ENTRIES = statement<
  { typeId: string; ids: TextArray; fields: TextArray; retired: TextArray },
  never
>()(
  'schema_change.write_entries',
  `UPDATE entries e SET fields = n.fields::json, size = octet_length(n.fields), retired = n.retired::json,
      version = e.version + 1
    FROM unnest(:ids::uuid[], :fields::text[], :retired::text[]) AS n (id, fields, retired)
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = n.id`,
);

/** A draft and the live values of its entry, as JSON text. */
interface StoredDraftRow {
  id: string;
  number: number;
  draft: string;
  bases: string;
  live: string;
}

const DRAFTS = `FROM entry_drafts d CROSS JOIN LATERAL (
      SELECT fields, size FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = d.entry_id OFFSET 0
    ) AS e
    WHERE d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.fields IS NOT NULL` as const;

/** Like `NEXT_SIZES`, for drafts and their entries. */
export const NEXT_DRAFT_SIZES = statement<{ typeId: string; after: string }, { id: string; bytes: number }>()(
  'schema_change.next_draft_sizes',
  `SELECT d.entry_id AS id, coalesce(d.size, 0) + coalesce(e.size, ${bytesOf('e.fields')}) AS bytes ${DRAFTS} AND d.entry_id > :after
    ORDER BY d.entry_id LIMIT 500`,
);

export const DRAFTS_BETWEEN = statement<{ typeId: string; first: string; last: string }, StoredDraftRow>()(
  'schema_change.drafts_between',
  `SELECT d.entry_id AS id, d.number, d.fields AS draft, d.bases, e.fields AS live ${DRAFTS}
      AND d.entry_id >= :first AND d.entry_id <= :last ORDER BY d.entry_id`,
);

/** A draft that was changed or removed since it was read stays as it is. */
export const WRITE_DRAFTS = statement<
  { typeId: string; ids: TextArray; numbers: TextArray; drafts: TextArray; bases: TextArray },
  never
>()(
  'schema_change.write_drafts',
  `UPDATE entry_drafts d SET fields = n.draft::json, size = octet_length(n.draft), bases = n.bases::json, number = d.number + 1
    FROM unnest(:ids::uuid[], :numbers::int[], :drafts::text[], :bases::text[]) AS n (id, number, draft, bases)
    WHERE d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.entry_id = n.id AND d.number = n.number AND d.fields IS NOT NULL`,
);

/** Adds what a change of the type did to its values to the log, and removes the oldest of more than `kept` changes. */
export const LOG_MOVES = write<{ typeId: string; version: number; moves: string; kept: number }, never>()(
  'schema_change.log_moves',
  [
    insert(
      'logged',
      `INSERT INTO content_type_moves (tenant_id, content_type_id, version, moves, at)
      VALUES (:tenantId, :typeId, :version::int, :moves::text::json, now())`,
    ),
    part(
      'removed',
      `DELETE FROM content_type_moves WHERE tenant_id = :tenantId AND content_type_id = :typeId AND version <= (
      SELECT version FROM content_type_moves WHERE tenant_id = :tenantId AND content_type_id = :typeId
      ORDER BY version DESC OFFSET :kept LIMIT 1
    )`,
    ),
  ],
);

export const WRITE_WORDS = statement<
  { typeId: string; ids: TextArray; words: Buffer; gaps: TextArray; sequences: TextArray },
  never
>()(
  'schema_change.write_words',
  `UPDATE entry_words x SET words = n.words, gaps = n.gaps, sequence = n.sequence
    FROM unnest(:ids::uuid[], :words::tsvector[], :gaps::smallint[], :sequences::text[]) AS n (id, words, gaps, sequence)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = n.id`,
);

export const LEARN_WORDS = write<{ typeId: string; words: TextArray }, never>()('schema_change.learn_words', [
  insert(
    'new_words',
    `INSERT INTO search_words (tenant_id, content_type_id, length, word)
      SELECT :tenantId, :typeId, char_length(w.word), w.word
      FROM unnest(:words::text[]) AS w (word)
      ON CONFLICT DO NOTHING`,
    { computes: true },
  ),
]);

/** Rows of the value index, as four arrays of equal length. */
interface IndexedValues {
  typeId: string;
  ids: TextArray;
  fields: TextArray;
  keys: TextArray;
  discriminators: TextArray;
}

const INDEXED_VALUES =
  'unnest(:ids::uuid[], :fields::text[], :keys::text[], :discriminators::text[]) AS v (id, field, key, discriminator)';

export const REMOVE_MOVED_VALUES = statement<IndexedValues, never>()(
  'schema_change.remove_values',
  `DELETE FROM entry_values x USING ${INDEXED_VALUES}
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = v.field AND x.sort_key = v.key AND x.discriminator = v.discriminator
      AND x.entry_id = v.id`,
);

const INSERT_VALUES = `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
    SELECT :tenantId, :typeId, v.field, v.key, v.discriminator, v.id
    FROM ${INDEXED_VALUES}
    ORDER BY v.field, v.key` as const;

export const ADD_MOVED_VALUES = write<IndexedValues, never>()('schema_change.add_values', [
  insert('added_values', INSERT_VALUES),
]);

/** Rows of fields that no schema has yet. */
export const ADD_PREPARED_VALUES = write<IndexedValues, never>()('schema_change.add_prepared_values', [
  insert('added_values', `${INSERT_VALUES} ON CONFLICT DO NOTHING`),
]);

export const REMOVE_MOVED_UNIQUES = statement<{ typeId: string; fields: readonly string[] }, never>()(
  'schema_change.remove_uniques',
  `DELETE FROM entry_uniques WHERE tenant_id = :tenantId AND content_type_id = :typeId AND field = ANY (:fields::text[])`,
);

/** Claims unique values. Returns those that no entry had. */
export const ADD_MOVED_UNIQUES = write<
  { typeId: string; ids: TextArray; fields: TextArray; values: TextArray },
  { id: string; field: string; value: string }
>()('schema_change.add_uniques', [
  insert(
    'added_uniques',
    `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
      SELECT :tenantId, :typeId, v.field, v.value, v.id
      FROM unnest(:ids::uuid[], :fields::text[], :values::text[]) AS v (id, field, value)
      ON CONFLICT DO NOTHING RETURNING entry_id AS id, field, value`,
  ),
]);

/** Finds the entries that have these unique values. */
export const OWNERS = statement<
  { typeId: string; fields: TextArray; values: TextArray },
  { id: string; field: string }
>()(
  'schema_change.owners',
  `SELECT x.entry_id AS id, x.field FROM unnest(:fields::text[], :values::text[]) AS v (field, value)
    JOIN entry_uniques x ON x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = v.field AND x.value = v.value`,
);

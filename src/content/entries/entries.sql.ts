import { COUNT_SLOT } from '../../database/count-slot.js';
import { recordEvents } from '../../events/event-recorder.js';

/**
 * The statements of the hot paths. `$1` is the tenant, `$2` the content type.
 *
 * A write is one statement: it locks the content type's row in the version that the values were validated against, and does nothing
 * when that version is gone; then it writes the entry, its index rows, its counter and its events.
 */

export const GET_ENTRY = {
  name: 'entries.get',
  text: `SELECT id, fields, status, version, created_at, updated_at
    FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id = $3`,
};

/** The entry as a write finds it, and the version of its type's schema. */
export const GET_FOR_WRITE = {
  name: 'entries.get_for_write',
  text: `SELECT e.id, e.fields, e.status, e.version, e.created_at, e.updated_at, t.version AS type_version
    FROM entries e JOIN content_types t ON t.tenant_id = $1 AND t.id = $2
    WHERE e.tenant_id = $1 AND e.content_type_id = $2 AND e.id = $3`,
};

/** A schema change takes the row FOR UPDATE: it waits for writes under way, and those that come later find another version. */
const TYPE = `type AS (
    SELECT 1 FROM content_types WHERE tenant_id = $1 AND id = $2 AND version = $3 FOR KEY SHARE
  )`;

function count(drafts: string, published: string): string {
  return `counted AS (
    INSERT INTO entry_counts AS c (tenant_id, content_type_id, slot, drafts, published)
    SELECT $1, $2, ${COUNT_SLOT}, ${drafts}, ${published} FROM entry WHERE (${drafts}, ${published}) <> (0, 0)
    ON CONFLICT (tenant_id, content_type_id, slot)
    DO UPDATE SET drafts = c.drafts + excluded.drafts, published = c.published + excluded.published
  )`;
}

const VALUES_OF = 'AS v (field, key, mark)';

/** `rows` are the parameters of three arrays. */
const addValues = (...rows: [fields: string, keys: string, marks: string]) => `valued AS (
    INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, mark, entry_id)
    SELECT $1, $2, v.field, v.key, v.mark, $4 FROM entry, unnest(${textArrays(rows)}) ${VALUES_OF}
  )`;

const removeValues = (...rows: [fields: string, keys: string, marks: string]) => `unvalued AS (
    DELETE FROM entry_values x USING entry, unnest(${textArrays(rows)}) ${VALUES_OF}
    WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = v.field AND x.sort_key = v.key AND x.mark = v.mark
      AND x.entry_id = $4
  )`;

function textArrays(parameters: readonly string[]): string {
  return parameters.map((parameter) => `${parameter}::text[]`).join(', ');
}

const addUniques = (fields: string, values: string) => `claimed AS (
    INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
    SELECT $1, $2, u.field, u.value, $4 FROM entry, unnest(${fields}::text[], ${values}::text[]) AS u (field, value)
  )`;

const removeUniques = (fields: string, values: string) => `released AS (
    DELETE FROM entry_uniques x USING entry, unnest(${fields}::text[], ${values}::text[]) AS u (field, value)
    WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = u.field AND x.value = u.value AND x.entry_id = $4
  )`;

export const CREATE_ENTRY = {
  name: 'entries.create',
  text: `WITH ${TYPE}, entry AS (
    INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
    SELECT $1, $2, $4::uuid, $5::text::json, octet_length($5::text), $6, 1, $8::timestamptz, $8::timestamptz FROM type
    RETURNING 1
  ), worded AS (
    INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words) SELECT $1, $2, $4, $7::tsvector FROM entry
  ), ${addValues('$9', '$10', '$11')}, ${addUniques('$12', '$13')}, ${count('$14::int', '$15::int')},
  ${recordEvents({ source: 'entry', ids: '$16', types: '$17', data: '$18', at: '$8' })}
  SELECT 1 FROM entry`,
};

/** Only the very version that was read is changed; `$9` is the search vector, null when no word changed. */
export const UPDATE_ENTRY = {
  name: 'entries.update',
  text: `WITH ${TYPE}, entry AS (
    UPDATE entries SET fields = $6::text::json, size = octet_length($6::text), status = $7, version = version + 1,
      updated_at = $8::timestamptz
    WHERE tenant_id = $1 AND content_type_id = $2 AND id = $4::uuid AND version = $5 AND EXISTS (SELECT FROM type)
    RETURNING 1
  ), worded AS (
    UPDATE entry_words x SET words = $9::text::tsvector FROM entry
    WHERE $9::text IS NOT NULL AND x.tenant_id = $1 AND x.content_type_id = $2 AND x.entry_id = $4
  ), ${removeValues('$10', '$11', '$12')}, ${addValues('$13', '$14', '$15')},
  ${removeUniques('$16', '$17')}, ${addUniques('$18', '$19')}, ${count('$20::int', '$21::int')},
  ${recordEvents({ source: 'entry', ids: '$22', types: '$23', data: '$24', at: '$8' })}
  SELECT 1 FROM entry`,
};

export const DELETE_ENTRY = {
  name: 'entries.delete',
  text: `WITH ${TYPE}, entry AS (
    DELETE FROM entries
    WHERE tenant_id = $1 AND content_type_id = $2 AND id = $4::uuid AND version = $5 AND EXISTS (SELECT FROM type)
    RETURNING 1
  ), unworded AS (
    DELETE FROM entry_words x USING entry WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.entry_id = $4
  ), unvalued AS (
    DELETE FROM entry_values x USING entry WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.entry_id = $4
  ), ${removeUniques('$6', '$7')}, ${count('$8::int', '$9::int')},
  ${recordEvents({ source: 'entry', ids: '$10', types: '$11', data: '$12', at: '$13' })}
  SELECT 1 FROM entry`,
};

/** Which of the values of unique fields another entry has taken; the places of the first 1,000 of those in the arrays, from 1. */
export const TAKEN_UNIQUES = {
  name: 'entries.taken_uniques',
  text: `SELECT u.place::int FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS u (field, value, place)
    JOIN entry_uniques x ON x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = u.field AND x.value = u.value
    WHERE x.entry_id <> $5 ORDER BY u.place LIMIT 1000`,
};

/** Which of the referenced entries are not there; the places of those in the arrays, from 1. */
export const MISSING_REFERENCES = {
  name: 'entries.missing_references',
  text: `SELECT r.place::int FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS r (type, id, place)
    WHERE NOT EXISTS (SELECT FROM entries e WHERE e.tenant_id = $1 AND e.content_type_id = r.type AND e.id = r.id)
    ORDER BY r.place`,
};

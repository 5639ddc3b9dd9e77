/** The statements of a schema change. `$1` is the tenant, `$2` the content type. */

/** Bytes of a JSON column: of one that is stored compressed, those of its text. Only that needs to be read for it. */
const bytesOf = (column: string) =>
  `CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column}) ELSE octet_length(${column}::text) END`;

/** The next entries, and how much there is to read of each. */
export const NEXT_SIZES = {
  name: 'restatement.next_sizes',
  text: `SELECT id, coalesce(size, ${bytesOf('fields')}) + coalesce(${bytesOf('retired')}, 0) AS bytes FROM entries
    WHERE tenant_id = $1 AND content_type_id = $2 AND id > $3 ORDER BY id LIMIT 500`,
};

export const ENTRIES_BETWEEN = {
  name: 'restatement.entries_between',
  text: `SELECT id, fields, retired FROM entries
    WHERE tenant_id = $1 AND content_type_id = $2 AND id >= $3 AND id <= $4 ORDER BY id`,
};

export const WRITE_ENTRIES = {
  name: 'restatement.write',
  text: `UPDATE entries e SET fields = n.fields::json, size = octet_length(n.fields), retired = n.retired::json,
      version = e.version + 1
    FROM unnest($3::uuid[], $4::text[], $5::text[]) AS n (id, fields, retired)
    WHERE e.tenant_id = $1 AND e.content_type_id = $2 AND e.id = n.id`,
};

export const WRITE_WORDS = {
  name: 'restatement.write_words',
  text: `UPDATE entry_words x SET words = n.words::tsvector
    FROM unnest($3::uuid[], $4::text[]) AS n (id, words)
    WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.entry_id = n.id`,
};

export const REMOVE_VALUES = {
  name: 'restatement.remove_values',
  text: `DELETE FROM entry_values x USING unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS v (id, field, key, mark)
    WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = v.field AND x.sort_key = v.key AND x.mark = v.mark
      AND x.entry_id = v.id`,
};

export const ADD_VALUES = {
  name: 'restatement.add_values',
  text: `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, mark, entry_id)
    SELECT $1, $2, v.field, v.key, v.mark, v.id
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS v (id, field, key, mark)`,
};

export const REMOVE_UNIQUES = {
  name: 'restatement.remove_uniques',
  text: `DELETE FROM entry_uniques WHERE tenant_id = $1 AND content_type_id = $2 AND field = ANY ($3::text[])`,
};

/** Answers the values that nobody had. */
export const ADD_UNIQUES = {
  name: 'restatement.add_uniques',
  text: `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
    SELECT $1, $2, v.field, v.value, v.id FROM unnest($3::uuid[], $4::text[], $5::text[]) AS v (id, field, value)
    ON CONFLICT DO NOTHING RETURNING entry_id AS id, field, value`,
};

/** The entries that hold these values. */
export const OWNERS = {
  name: 'restatement.owners',
  text: `SELECT x.entry_id AS id FROM unnest($3::text[], $4::text[]) AS v (field, value)
    JOIN entry_uniques x ON x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = v.field AND x.value = v.value`,
};

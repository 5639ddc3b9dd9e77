/** The floor's tables and their rows, from the same data as the service's. */
import { statusOf, uuidOf, valuesOf } from './data.mjs';
import { using } from './postgres.mjs';

const BATCH = 1_000;

/** A handmade index for each query. */
const SCHEMA = `
  CREATE TABLE entries (
    id text COLLATE "C" PRIMARY KEY,
    content_type_id text NOT NULL,
    fields jsonb NOT NULL,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    search tsvector GENERATED ALWAYS AS (jsonb_to_tsvector('simple', fields, '["string"]')) STORED
  );
  CREATE INDEX ON entries (created_at, id);
  CREATE INDEX ON entries ((fields ->> 'title'), id);
  CREATE INDEX ON entries (lower(fields ->> 'title') COLLATE "C", id);
  CREATE INDEX ON entries USING gin (search);
  CREATE TABLE submissions (
    id text COLLATE "C" PRIMARY KEY,
    form_id text NOT NULL,
    fields jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL
  );
  CREATE INDEX ON submissions (form_id, created_at)`;

const INSERT = `
  INSERT INTO entries (id, content_type_id, fields, status, created_at, updated_at)
  SELECT id, $1, fields, status, at, at
  FROM json_to_recordset($2) AS n (id text, fields jsonb, status text, at timestamptz)`;

/** Writes the entries below `count` with the same IDs as in the service's seed. */
export async function seedFloor(databaseUrl, { ids, typeId, count }) {
  await using(databaseUrl, async (client) => {
    await client.query(SCHEMA);
    for (let from = 0; from < count; from += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => rowOf(ids, from + index));
      await client.query(INSERT, [typeId, JSON.stringify(rows)]);
    }
  });
}

function rowOf(ids, number) {
  const uuid = uuidOf(number);
  return {
    id: ids.formatId('ent', uuid),
    fields: valuesOf(number),
    status: statusOf(number),
    at: ids.timeOf(uuid).toISOString(),
  };
}

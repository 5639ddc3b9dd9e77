/** The floor's tables and their rows, from the same data as the service's. */
import { LINKS_OF_A_PERSON, personOf, statusOf, uuidOf, valuesOf } from './data.mjs';
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
  CREATE TABLE links (
    id text COLLATE "C" PRIMARY KEY,
    content_type_id text NOT NULL,
    fields jsonb NOT NULL,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
  );
  CREATE INDEX ON links (created_at, id);
  CREATE TABLE people (LIKE links INCLUDING INDEXES);
  CREATE TABLE submissions (
    id text COLLATE "C" PRIMARY KEY,
    form_id text NOT NULL,
    fields jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL
  );
  CREATE INDEX ON submissions (form_id, created_at)`;

const insertInto = (table) => `
  INSERT INTO ${table} (id, content_type_id, fields, status, created_at, updated_at)
  SELECT id, $1, fields, status, at, at
  FROM json_to_recordset($2) AS n (id text, fields jsonb, status text, at timestamptz)`;

/** Writes the entries below `count`, and as many that refer to people, with the same IDs as in the service's seed. */
export async function seedFloor(databaseUrl, { ids, typeId, references, count }) {
  const { links, people, linkOf } = references;
  await using(databaseUrl, async (client) => {
    await client.query(SCHEMA);
    const fill = async (table, type, size, fieldsOf) => {
      for (let from = 0; from < size; from += BATCH) {
        const length = Math.min(BATCH, size - from);
        const rows = Array.from({ length }, (_, index) => rowOf(ids, from + index, fieldsOf));
        await client.query(insertInto(table), [type, JSON.stringify(rows)]);
      }
    };
    await fill('entries', typeId, count, valuesOf);
    await fill('links', links.id, count, linkOf);
    await fill('people', people.id, count / LINKS_OF_A_PERSON, personOf);
  });
}

function rowOf(ids, number, fieldsOf) {
  const uuid = uuidOf(number);
  return {
    id: ids.formatId('ent', uuid),
    fields: fieldsOf(number),
    status: statusOf(number),
    at: ids.timeOf(uuid).toISOString(),
  };
}

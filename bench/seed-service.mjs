/**
 * Writes entries directly into the service's tables, with rows from the service's own compiled modules: the result of a million requests,
 * in minutes. `assertEntriesAreTrue` compares the rows with those that requests write.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { statusOf, submissionOf, uuidOf, valuesOf } from './data.mjs';
import { withoutIndexes } from './indexes.mjs';
import { open, using } from './postgres.mjs';
import { KEY_NAME, TENANT } from './service.mjs';

const BATCH = 1_000;
const CONNECTIONS = 2;
/** With fewer new entries the indexes are not dropped. */
const BULK = 50_000;

const INSERT_ENTRIES = `
  WITH n AS (
    SELECT *, unnest AS words FROM ROWS FROM (
      json_to_recordset($3) AS (id uuid, fields text, status text, versions int, summary text, head text, tail text, gaps smallint, sequence text, vocabulary text[], at timestamptz, names text[], keys text[], discriminators text[]),
      unnest($4::tsvector[])
    ) AS n
  ), entry AS (
    INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at, published_at)
    SELECT $1, $2::uuid, id, fields::json, octet_length(fields), status, versions, at, at, CASE status WHEN 'published' THEN at END FROM n
  ), versioned AS (
    INSERT INTO versions (tenant_id, resource_id, number, summary, data, at)
    SELECT $1, id, number, summary, concat(head, fields, tail), at FROM n, generate_series(1, n.versions) AS number
    -- Several types have entries with the same IDs.
    ON CONFLICT DO NOTHING
  ), worded AS (
    INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words, gaps, sequence)
    SELECT $1, $2::uuid, id, words, gaps, sequence FROM n
  ), learned AS (
    INSERT INTO search_words (tenant_id, content_type_id, length, word)
    SELECT $1, $2::uuid, char_length(word), word
    FROM (SELECT DISTINCT w COLLATE "C" AS word FROM n, unnest(n.vocabulary) AS w ORDER BY 1) v
    ON CONFLICT DO NOTHING
  )
  INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
  SELECT $1, $2::uuid, v.field, v.key, v.discriminator, n.id FROM n, unnest(n.names, n.keys, n.discriminators) AS v (field, key, discriminator)`;

const COUNT_ENTRIES = `
  INSERT INTO entry_counts AS c (tenant_id, content_type_id, shard, drafts, published) VALUES ($1, $2, 0, $3, $4)
  ON CONFLICT (tenant_id, content_type_id, shard)
  DO UPDATE SET drafts = c.drafts + excluded.drafts, published = c.published + excluded.published`;

const COPY_TYPE = `
  INSERT INTO content_types (tenant_id, id, name, slug, fields, retired, targets, version, created_at, updated_at)
  SELECT $1, $2, name, $3, fields, retired, targets, version, created_at, updated_at
  FROM content_types WHERE tenant_id = $4 AND id = $5`;

const INSERT_SUBMISSIONS = `
  WITH n AS (
    SELECT * FROM json_to_recordset($3) AS n
      (id uuid, fields text, addresses uuid[], digest uuid, at timestamptz, names text[], keys text[], discriminators text[])
  ), submission AS (
    INSERT INTO submissions (tenant_id, form_id, id, fields, size, addresses, digest, created_at)
    SELECT $1, $2::uuid, id, fields::json, octet_length(fields), addresses, digest, at FROM n
  )
  INSERT INTO submission_values (tenant_id, form_id, field, sort_key, discriminator, submission_id)
  SELECT $1, $2::uuid, v.field, v.key, v.discriminator, n.id FROM n, unnest(n.names, n.keys, n.discriminators) AS v (field, key, discriminator)`;

const COUNT_SUBMISSIONS = `
  INSERT INTO submission_counts AS c (tenant_id, form_id, shard, submissions) VALUES ($1, $2, 0, $3)
  ON CONFLICT (tenant_id, form_id, shard) DO UPDATE SET submissions = c.submissions + excluded.submissions`;

export class ServiceSeed {
  /** How many versions each entry has. */
  versions = 1;

  static async of(dist, databaseUrl) {
    const load = (path) => import(pathToFileURL(join(dist, path)).href);
    const [{ Schema }, { documentOf }, { tsvectorArray }, { runAtOnce }, { aroundFields }, { summaryOf }, hashes, ids] =
      await Promise.all([
        load('fields/schema.js'),
        load('content/entries/writes/stored-form.js'),
        load('search/tsvector.js'),
        load('admission/sliced-work.js'),
        load('content/entries/entry-presenter.js'),
        load('content/history/entry-version.js'),
        load('forms/submissions/submission-hashes.js'),
        load('ids/type-id.js'),
      ]);
    const modules = { Schema, documentOf, tsvectorArray, runAtOnce, aroundFields, summaryOf, hashes, ids };
    return new ServiceSeed({ databaseUrl, ...modules });
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** The public ID of an entry. */
  entryId(number) {
    return this.ids.formatId('ent', uuidOf(number));
  }

  /** Writes the entries `from` to `to` (exclusive) of a content type. */
  async entries({ id, fields }, from, to, { tenantId = TENANT, valuesOf: valuesOfEntry = valuesOf } = {}) {
    const schema = this.Schema.compile(fields, 'content');
    const typeId = this.ids.parseId('ct', id);
    const tables = ['entries', 'entry_words', 'entry_values'];
    await this.write(tables, from, to, INSERT_ENTRIES, [tenantId, typeId], (number) =>
      this.entryRow(schema, typeId, number, valuesOfEntry(number)),
    );
    const drafts = Array.from({ length: to - from }, (_, index) => statusOf(from + index)).filter(isDraft).length;
    const counts = [tenantId, typeId, drafts, to - from - drafts];
    await using(this.databaseUrl, (client) => client.query(COUNT_ENTRIES, counts));
  }

  /** Writes the submissions `from` to `to` (exclusive) of a form. */
  async submissions({ id, fields }, from, to, { valuesOf: valuesOfSubmission = submissionOf } = {}) {
    const schema = this.Schema.compile(fields, 'form');
    const formId = this.ids.parseId('frm', id);
    const tables = ['submissions', 'submission_values'];
    await this.write(tables, from, to, INSERT_SUBMISSIONS, [TENANT, formId], (number) => {
      const values = valuesOfSubmission(number);
      return {
        ...indexOf(schema, values),
        addresses: this.hashes.addressHashes(TENANT, schema, values),
        digest: this.hashes.digestOf(formId, values),
        id: uuidOf(number),
        fields: JSON.stringify(values),
        at: timeOf(this, number),
      };
    });
    await using(this.databaseUrl, (client) => client.query(COUNT_SUBMISSIONS, [TENANT, formId, to - from]));
  }

  /** Writes `types` copies of a content type with a few entries each, for each of the tenants. */
  async neighbours(tenantIds, type, { types, entries }) {
    const schema = this.Schema.compile(type.fields, 'content');
    const drafts = Array.from({ length: entries }, (_, number) => statusOf(number)).filter(isDraft).length;
    await using(this.databaseUrl, async (client) => {
      for (const tenantId of tenantIds) {
        for (let index = 0; index < types; index++) {
          const typeId = this.ids.newUuid();
          const source = [TENANT, this.ids.parseId('ct', type.id)];
          await client.query(COPY_TYPE, [tenantId, typeId, `neighbour-${index}`, ...source]);
          const rows = Array.from({ length: entries }, (_, number) => this.entryRow(schema, typeId, number));
          const values = [tenantId, typeId, ...this.parametersOf(rows)];
          await client.query({ name: 'seed', text: INSERT_ENTRIES, values });
          await client.query(COUNT_ENTRIES, [tenantId, typeId, drafts, entries - drafts]);
        }
      }
    });
  }

  entryRow(schema, typeId, number, values = valuesOf(number)) {
    const document = this.runAtOnce(this.documentOf({ id: typeId, schema, stem: undefined }, values));
    const [id, status, at] = [uuidOf(number), statusOf(number), timeOf(this, number)];
    return {
      ...indexOf(schema, values),
      ...this.aroundFields(typeId, { id, status, createdAt: at, updatedAt: at }),
      id,
      fields: JSON.stringify(values),
      status,
      versions: this.versions,
      summary: this.summaryOf({ action: 'created', status, changed: Object.keys(values), by: KEY_NAME }),
      words: document.vector,
      gaps: document.gaps,
      sequence: document.sequence,
      vocabulary: document.vocabulary,
      at,
    };
  }

  /** The rows as JSON, and the search vectors of those that have one as an array. */
  parametersOf(rows) {
    const vectors = rows.flatMap(({ words }) => (words ? [words] : []));
    const json = JSON.stringify(rows.map((row) => ({ ...row, words: undefined })));
    return vectors.length > 0 ? [json, this.tsvectorArray(vectors)] : [json];
  }

  async write(tables, from, to, statement, parents, rowOf) {
    const fill = async () => {
      const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(this.databaseUrl)));
      let next = from;
      const work = async (client) => {
        while (next < to) {
          const first = next;
          next = Math.min(to, first + BATCH);
          const rows = Array.from({ length: next - first }, (_, index) => rowOf(first + index));
          await client.query({ name: 'seed', text: statement, values: [...parents, ...this.parametersOf(rows)] });
        }
      };
      try {
        await Promise.all(clients.map(work));
      } finally {
        await Promise.all(clients.map((client) => client.end()));
      }
    };
    if (to - from < BULK) return fill();
    await using(this.databaseUrl, (client) => withoutIndexes(client, tables, fill));
  }
}

/** Compares the rows of submissions made by requests with those of the same submissions made here. Throws if they differ. */
export async function assertSubmissionsAreTrue(service, seed, fields) {
  const path = `/v1/forms/${TENANT}`;
  const sent = await service.send('POST', path, { name: 'Sent', fields });
  const seeded = await service.send('POST', path, { name: 'Seeded', fields });
  for (let number = 0; number < 5; number++) {
    await service.send('POST', `${path}/${sent.id}/submissions`, { fields: submissionOf(number) });
  }
  await seed.submissions(seeded, 0, 5).catch((error) => outdated(`it cannot be written: ${error.message}`));
  await assertSameRows(
    seed,
    SUBMISSION_ROWS,
    [sent, seeded].map(({ id }) => seed.ids.parseId('frm', id)),
  );
}

/** Compares the rows of entries made by requests with those of the same entries made here. Throws if they differ. */
export async function assertEntriesAreTrue(service, seed, fields) {
  const path = `/v1/content/${TENANT}/types`;
  const sent = await service.send('POST', path, { name: 'Sent', fields });
  const seeded = await service.send('POST', path, { name: 'Seeded', fields });
  for (let number = 0; number < 10; number++) {
    const body = { fields: valuesOf(number), status: statusOf(number) };
    await service.send('POST', `${path}/${sent.id}/entries`, body);
  }
  await seed.entries(seeded, 0, 10).catch((error) => outdated(`it cannot be written: ${error.message}`));
  await assertSameRows(
    seed,
    ENTRY_ROWS,
    [sent, seeded].map(({ id }) => seed.ids.parseId('ct', id)),
  );
  for (const { id } of [sent, seeded]) await service.send('DELETE', `${path}/${id}`);
}

function outdated(why) {
  throw new Error(`The benchmark's seed is out of date. Fix bench/seed-service.mjs: ${why}`);
}

const ENTRY_ROWS = {
  entries: `SELECT (to_jsonb(e) - '{id,content_type_id,created_at,updated_at}'::text[] || jsonb_build_object('published_at', published_at IS NOT NULL))::text AS row
    FROM entries e WHERE content_type_id = $1 ORDER BY fields ->> 'title'`,
  entry_values: `SELECT (to_jsonb(v) - '{entry_id,content_type_id}'::text[] || jsonb_build_object('of', e.fields ->> 'title'))::text AS row
    FROM entry_values v LEFT JOIN entries e ON e.content_type_id = $1 AND e.id = v.entry_id
    WHERE v.content_type_id = $1 ORDER BY 1`,
  entry_words: `SELECT e.fields ->> 'title' || replace(words::text, chr(39) || right(e.content_type_id::text, 5), chr(39)) AS row
    FROM entry_words w JOIN entries e ON e.content_type_id = $1 AND e.id = w.entry_id
    WHERE w.content_type_id = $1 ORDER BY 1`,
  versions: `SELECT concat(v.number, v.summary, regexp_replace(v.data, '"(id|content_type_id|created_at|updated_at)":"[^"]*"', '', 'g')) AS row
    FROM versions v JOIN entries e ON e.content_type_id = $1 AND e.tenant_id = v.tenant_id AND e.id = v.resource_id ORDER BY 1`,
  search_words: `SELECT word AS row FROM search_words WHERE content_type_id = $1 ORDER BY 1`,
  entry_counts: `SELECT json_build_object('drafts', sum(drafts), 'published', sum(published))::text AS row
    FROM entry_counts WHERE content_type_id = $1`,
};

const SUBMISSION_ROWS = {
  submissions: `SELECT concat(fields, size, addresses) AS row FROM submissions WHERE form_id = $1 ORDER BY id`,
  submission_values: `SELECT (to_jsonb(v) - '{submission_id,form_id}'::text[] || to_jsonb(s.fields))::text AS row
    FROM submission_values v LEFT JOIN submissions s ON s.form_id = $1 AND s.id = v.submission_id
    WHERE v.form_id = $1 ORDER BY 1`,
  submission_counts: `SELECT sum(submissions)::text AS row FROM submission_counts WHERE form_id = $1`,
};

/** Runs the queries of each table for the parents of the sent and of the seeded data. */
async function assertSameRows({ databaseUrl }, statements, [sent, seeded]) {
  await using(databaseUrl, async (client) => {
    const read = async (statement, id) => (await client.query(statement, [id])).rows.map(({ row }) => row).join('\n');
    for (const [table, statement] of Object.entries(statements)) {
      const [expected, actual] = [await read(statement, sent), await read(statement, seeded)];
      if (expected === actual) continue;
      const differences = [excerpt(expected, actual), excerpt(actual, expected)].join('\nseeded: ');
      outdated(`the rows of ${table} differ from those that requests make.\nsent:   ${differences}`);
    }
  });
}

/** The part of a text around the first difference from another one. */
function excerpt(text, other) {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return text.slice(Math.max(0, at - 100), at + 200);
}

function indexOf(schema, values) {
  const rows = schema.indexRows(values);
  const column = (name) => rows.map((row) => row[name]);
  return { names: column('field'), keys: column('key'), discriminators: column('discriminator') };
}

function isDraft(status) {
  return status === 'draft';
}

function timeOf({ ids }, number) {
  return ids.timeOf(uuidOf(number)).toISOString();
}

import pg from 'pg';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { Schema } from '../../src/fields/schema.js';
import type { CompiledForm } from '../../src/forms/form-schemas.js';
import { readSelection } from '../../src/forms/inbox/submission-list-request.js';
import { submissionQuery, submissionTable } from '../../src/forms/inbox/submission-table.js';
import { ListStatement } from '../../src/lists/engine/list-statement.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const TENANT = 'ten_plans';
const FORM = '01900000-0000-7000-8000-000000000001';
const FIELDS = [
  { name: 'email', type: 'email' },
  { name: 'name', type: 'text' },
] as const;

describe('lists of submissions, planned before there are statistics', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    const { extra } = dataSourceOptions(database.url, 1) as { extra: { options: string } };
    client = new pg.Client({ connectionString: database.url, options: `${extra.options} -c statement_timeout=0` });
    await client.connect();
    await client.query('ALTER TABLE submission_values SET (autovacuum_enabled = false)');
    await client.query(
      `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
        SELECT '${TENANT}', '${FORM}', field, 'key' || number, gen_random_uuid(), '=' FROM generate_series(1, 10000) AS number,
          unnest('{email,name}'::text[]) AS field`,
    );
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['the newest with a value', 'filter[name]=a', {}],
    ['the newest with one of several values', 'filter[name][in]=a,b', {}],
    ['the newest in a range', 'filter[name][gte]=a', {}],
    ['those with a value, by another field', 'filter[name]=a', { isByField: true }],
  ] as [title: string, search: string, order: { isByField?: boolean }][])(
    '%s: rows are found by their key',
    async (_title, search, { isByField = false }) => {
      const schema = Schema.compile(FIELDS, 'form');
      const params = Object.fromEntries(new URLSearchParams(search));
      const form = { id: FORM, schema, version: 1, unindexed: [] } as unknown as CompiledForm;
      const query = submissionQuery(form, readSelection({ ...params, ...(isByField && { sort: '-email' }) }));
      const statement = new ListStatement(submissionTable(form, ['ok'], false), query);
      const { text, values: bound } = statement.page('ordered', 'with value', { limit: 25 }, true);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [TENANT, ...bound]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('submission_values_pkey');
      const lines = plan.split('\n');
      // The index by submission finds one submission, never those of a form.
      for (const [index, line] of lines.entries()) {
        if (line.includes('submission_values_of')) expect(lines[index + 1]).toContain('submission_id =');
      }
    },
  );
});

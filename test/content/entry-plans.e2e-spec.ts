import pg from 'pg';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { entryTable } from '../../src/content/lists/entry-table.js';
import { Bindings } from '../../src/database/statements/bindings.js';
import { fetched } from '../../src/lists/engine/list-statement.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';

const TYPE = '01900000-0000-7000-8000-000000000001';
const ONE = '01900000-0000-7000-8000-000000000002';

/** The look-up of the entries of a page. The parameters are the tenant, the type, an entry and the version. */
function lookUp(): string {
  const bindings = new Bindings();
  for (const id of [TYPE, ONE]) bindings.add(id);
  return fetched({ bindings, table: entryTable({ id: TYPE, version: 1 }, 'plain'), parent: '$2' });
}

describeOnPlain('while the table of entries has no statistics', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    const { extra } = dataSourceOptions(database.url, 1) as { extra: { options: string } };
    client = new pg.Client({ connectionString: database.url, options: `${extra.options} -c statement_timeout=0` });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['a get', 'SELECT fields FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id = $3'],
    ['an update', 'UPDATE entries SET size = size WHERE tenant_id = $1 AND content_type_id = $2 AND id = $3'],
    ['a page', `SELECT e.fields FROM unnest(ARRAY[$3]) AS p (id) ${lookUp()}`],
  ])('%s looks up entries by their primary key', async (name, text) => {
    const statement = client.escapeIdentifier(name);
    await client.query(`PREPARE ${statement} (text, uuid, uuid, int) AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE ${statement} ('ten_plans', '${TYPE}', '${ONE}', 1)`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using entries_pkey on entries');
  });
});

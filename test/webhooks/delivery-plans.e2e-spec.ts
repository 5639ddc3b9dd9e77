import pg from 'pg';
import { dataSourceOptions } from '../../src/database/data-source.js';
import {
  CLAIM,
  CLAIM_LIMITED,
  TENANTS_WITH_DUE,
  WEBHOOKS_WITH_DUE,
} from '../../src/webhooks/deliveries/delivery-claims.sql.js';
import { RECORD_RESULTS } from '../../src/webhooks/deliveries/record-results.sql.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';

const TENANT = 'ten_plans';
const HEALTHY = '01900000-0000-7000-8000-000000000001';
const HANGING = '01900000-0000-7000-8000-000000000002';
const ORDERED = '01900000-0000-7000-8000-000000000003';

describeOnPlain('while most deliveries are pending for one webhook', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    const { extra } = dataSourceOptions(database.url, 1) as { extra: { options: string } };
    client = new pg.Client({ connectionString: database.url, options: `${extra.options} -c statement_timeout=0` });
    await client.connect();
    await client.query(`INSERT INTO tenants (id, name, created_at) VALUES ('${TENANT}', 'Plans', now())`);
    await client.query(`INSERT INTO webhooks (tenant_id, id, url, events, active, created_at)
      SELECT '${TENANT}', id, 'https://example.com', '{entry.created}', true, now()
      FROM unnest('{${HEALTHY},${HANGING}}'::uuid[]) AS id`);
    await client.query(`INSERT INTO deliveries
        (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at, finished_at)
      SELECT '${TENANT}', gen_random_uuid(), CASE WHEN pending THEN '${HANGING}' ELSE '${HEALTHY}' END::uuid,
        gen_random_uuid(), 'entry.created', CASE WHEN pending THEN 'pending' ELSE 'succeeded' END, 0,
        CASE WHEN pending THEN now() END, now(), CASE WHEN NOT pending THEN now() END
      FROM generate_series(1, 12000) AS number, LATERAL (SELECT number % 6 > 0 AS pending) AS p`);
    await client.query('ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['the webhooks of a tenant with due deliveries', WEBHOOKS_WITH_DUE, '(text)', `('${TENANT}')`],
    ['the tenants with due deliveries', TENANTS_WITH_DUE, '', ''],
    ['the next deliveries', CLAIM, '(text, uuid, int, int, int)', `('${TENANT}', '${HEALTHY}', 10, 1000, 65536)`],
    [
      'the next deliveries within max_concurrency',
      CLAIM_LIMITED,
      '(text, uuid, int, int, int)',
      `('${TENANT}', '${HEALTHY}', 10, 1000, 65536)`,
    ],
  ])('a query for %s uses an index', async (title, { text }, types, values) => {
    const name = `"${title}"`;
    await client.query(`PREPARE ${name} ${types} AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE ${name} ${values}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using deliveries_due');
    expect(plan).not.toContain('Seq Scan on deliveries');
  });

  it('a claim of an ordered webhook reads none of the deliveries that wait for one resource', async () => {
    await client.query(`INSERT INTO webhooks (tenant_id, id, url, events, ordered, active, created_at)
      VALUES ('${TENANT}', '${ORDERED}', 'https://example.com', '{entry.created}', true, true, now())`);
    await client.query(`INSERT INTO deliveries
        (tenant_id, id, webhook_id, event_id, event_type, resource, turn, status, attempts, next_attempt_at, created_at)
      SELECT '${TENANT}', gen_random_uuid(), '${ORDERED}', gen_random_uuid(), 'entry.created',
        CASE number WHEN 100000 THEN 'ent_free' ELSE 'ent_failing' END, number, 'pending', 0,
        CASE number WHEN 100000 THEN now() WHEN 1 THEN now() + interval '1 day' END, now()
      FROM generate_series(1, 100000) AS number`);
    await client.query(`PREPARE ordered (text, uuid, int, int, int) AS ${CLAIM.text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, TIMING OFF) EXECUTE ordered ('${TENANT}', '${ORDERED}', 10, 1000, 65536)`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using deliveries_due on deliveries w\S* .*rows=1(\.00)? loops=1/);
    expect(plan).not.toContain('Rows Removed by Filter');
  });
});

describeOnPlain('while tenants have hardly any deliveries', () => {
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

  // These plans remain until the next ANALYZE, while one tenant may get many deliveries.
  it.each([
    ['no delivery was ever written', ''],
    [
      'each of many tenants has one',
      `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
       SELECT 'ten_' || number, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'entry.created', 'pending', 0, now(), now()
       FROM generate_series(1, 5000) AS number; ANALYZE deliveries`,
    ],
  ])('claims and results read no other deliveries of their tenant, if %s', async (_title, setUp) => {
    if (setUp) await client.query(setUp);
    const planOf = async (name: string, text: string, count: number) => {
      await client.query(`PREPARE ${name} AS ${text}`);
      const nulls = Array.from({ length: count }, () => 'NULL').join(', ');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE ${name} (${nulls})`);
      await client.query(`DEALLOCATE ${name}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    for (const { text } of [CLAIM, CLAIM_LIMITED]) {
      expect(await planOf('claim', text, 5)).toMatch(/Tid Scan on deliveries w\S* .*\n\s*TID Cond/);
    }
    const results = await planOf('results', RECORD_RESULTS.text, 12);
    const lookUps = results.match(/Index Scan using deliveries_pkey on deliveries.*\n\s*Index Cond: .*/g);
    expect(lookUps).toHaveLength(2);
    for (const lookUp of lookUps!) expect(lookUp).toMatch(/tenant_id = \$1\) AND \(id >= .* AND \(id <= /);
    expect(results).toMatch(/Tid Scan on deliveries w .*\n\s*TID Cond: \((r\.place = ctid|ctid = r\.place)\)/);
    expect(results.match(/Scan .*on deliveries\b/g)).toHaveLength(3);
  });
});

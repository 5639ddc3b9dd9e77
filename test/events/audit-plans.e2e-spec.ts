import pg from 'pg';
import { AUDIT_TABLE, type AuditFilter, auditQuery } from '../../src/audit/audit-list.js';
import { ListStatement } from '../../src/lists/engine/list-statement.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const TENANT = 'ten_audited';
const RECORDS = 200_000;
const PAGE = 26;
/** Of a key that made one of the first changes, of one that made every hundredth, and of one that made all others. */
const KEYS = { old: formatId('key', newUuid()), some: formatId('key', newUuid()), busy: formatId('key', newUuid()) };
const ENTRY = formatId('ent', newUuid());
const ALL: AuditFilter = { actor: undefined, action: undefined, resource: undefined, from: undefined, to: undefined };

describeOnPlain('the list of audit records', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    // The settings of the service: plans are generic.
    const { extra } = dataSourceOptions(database.url, 1) as { extra: { options: string } };
    client = new pg.Client({ connectionString: database.url, options: `${extra.options} -c statement_timeout=0` });
    await client.connect();
    await client.query(
      `INSERT INTO audit_records (tenant_id, id, actor_id, actor_name, action, resource_type, resource_id, request_id)
        SELECT CASE WHEN n % 50 = 0 THEN 'ten_other' ELSE $1 END,
          (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
          CASE WHEN n = 7 THEN $2 WHEN n % 100 = 1 THEN $3 ELSE $4 END, 'key',
          CASE WHEN n = 9 THEN 'revoked' WHEN n % 3 = 0 THEN 'created' ELSE 'updated' END,
          'entry', CASE WHEN n IN (5, 11) THEN $5 ELSE 'ent_' || n % 1000 END, 'request'
        FROM generate_series(1, ${RECORDS}) AS n`,
      [TENANT, KEYS.old, KEYS.some, KEYS.busy, ENTRY],
    );
    await client.query('VACUUM ANALYZE audit_records');
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const day = (n: number) => new Date(1_700_000_000_000 + n);
  const plan = async (filter: Partial<AuditFilter>, after?: string): Promise<PlanNode> => {
    const statement = new ListStatement(AUDIT_TABLE, auditQuery({ ...ALL, ...filter }));
    const bounds = { limit: PAGE, after: after === undefined ? undefined : [after] };
    const { text, values } = statement.page('ordered', 'with value', bounds, false);
    await client.query(`PREPARE page AS ${text}`);
    const literals = [TENANT, ...values].map((value) => pg.escapeLiteral(String(value))).join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page (${literals})`,
    );
    await client.query('DEALLOCATE page');
    return rows[0]!['QUERY PLAN'][0]!.Plan;
  };
  /** The rows that the scans of the plan look at. */
  const looked = ({ Plans = [], ...node }: PlanNode): number =>
    Plans.length > 0
      ? Plans.reduce((sum, below) => sum + looked(below), 0)
      : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

  it.each<[string, Partial<AuditFilter>, number]>([
    ['without a filter', {}, PAGE],
    ['of a key that made few changes', { actor: KEYS.old }, 1],
    ['of a key that made many', { actor: KEYS.busy }, PAGE],
    ['of a rare action', { action: 'revoked' }, 1],
    ['of a frequent action', { action: 'updated' }, PAGE],
    ['of an action that never happened', { action: 'released' }, 0],
    ['of a resource', { resource: ENTRY }, 2],
    ['of a time', { from: day(100), to: day(120) }, 21],
    ['of a key and a time', { actor: KEYS.busy, from: day(100), to: day(150) }, PAGE],
    ['of a resource and an action', { resource: ENTRY, action: 'updated' }, 2],
  ])('reads only the rows of a page %s', async (_name, filter, most) => {
    expect(looked(await plan(filter))).toBeLessThanOrEqual(most);
  });

  it('reads only the rows of a page in the middle', async () => {
    const middle = `${(1_700_000_000_000 + RECORDS / 2)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    for (const filter of [{}, { actor: KEYS.some }, { action: 'created' }]) {
      expect(looked(await plan(filter, middle))).toBe(PAGE);
    }
  });
});

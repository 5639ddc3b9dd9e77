import pg from 'pg';
import { dataSourceOptions } from '../src/database/data-source.js';
import { EventRetention } from '../src/events/event-retention.js';
import { Subscribers } from '../src/events/subscriber.js';
import { SubscriberFeeds } from '../src/events/subscriber-feeds.js';
import { SubscriberRegistry } from '../src/events/subscriber-registry.js';
import { MediaSweeper } from '../src/media/media-sweeper.js';
import { createWorkTable } from '../src/database/work-table.js';
import { CrmModule } from './examples/crm/crm.module.js';
import { startApp, type TestApp } from './support/app.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { playScenario } from './support/scenario.js';
import { until } from './support/until.js';

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** The fields of a PostgreSQL plan node that tell what is read and under which conditions. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  Plans?: PlanNode[];
  [property: string]: unknown;
}

interface Scan {
  table: string;
  alias: string;
  conditions: string[];
}

/** `d.tenant_id = 'ten_a'::text`, `NOT (d.tenant_id IS DISTINCT FROM 'ten_a'::text)`, or `d.tenant_id = w.tenant_id`. */
const TENANT_IS = [
  /^(?:"?\w+"?\.)?tenant_id = (?:'(\w+)'::text(?: COLLATE "C")?|"?(\w+)"?\.tenant_id)$/,
  /^NOT \((?:\w+\.)?tenant_id IS DISTINCT FROM '(\w+)'::text\)$/,
];
const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'TID Cond'];
/** Statements that read and write no table. */
const CONTROL =
  /^\s*(START TRANSACTION|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET |SELECT 1$|SELECT pg_(try_)?advisory)/i;

/**
 * The queries across all tenants. Each is a plain read that finds where there is work to do. The work itself then runs for one tenant at a
 * time.
 */
const ACROSS_TENANTS = [
  'events.tenants_with_pending',
  'deliveries.tenants_with_due',
  'mails.tenants_with_due',
  'crm_jobs.tenants_with_due',
  'subscribers.tenants_with_events',
  'subscribers.tenants_behind',
  'media.old_orphans',
  'variants.totals',
  'variants.unmeasured',
];

/** Fills the growing tables, mostly for one tenant, one type and one form. */
const MUCH_DATA = [
  `CREATE TEMPORARY TABLE numbers AS SELECT number, gen_random_uuid() AS id,
    CASE WHEN number % 10 < 8 THEN :tenant ELSE 'ten_other' || number % 50 END AS tenant_id,
    ('01900000-0000-7000-8000-00000000000' || CASE WHEN number % 10 < 8 THEN 0 ELSE number % 10 END)::uuid AS parent
    FROM generate_series(1, 20000) AS number`,
  `INSERT INTO entries (tenant_id, content_type_id, id, fields, status, version, created_at, updated_at)
    SELECT tenant_id, parent, id, json_build_object('title', repeat('word ', 40)), CASE number % 3 WHEN 0 THEN 'draft' ELSE 'published' END,
      number % 9, now(), now() - number * interval '1 s' FROM numbers`,
  `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
    SELECT tenant_id, parent, field, field || number, '', id FROM numbers, unnest('{title,price,kind,at}'::text[]) AS field`,
  `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
    SELECT tenant_id, parent, id, array_to_tsvector(ARRAY['00000', '00000word' || number, '00000word' || number % 100]) FROM numbers`,
  `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
    SELECT tenant_id, parent, 'slug', '=slug' || number, id FROM numbers`,
  `INSERT INTO submissions (tenant_id, form_id, id, fields, created_at)
    SELECT tenant_id, parent, id, json_build_object('message', repeat('word ', 40)), now() FROM numbers`,
  `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id)
    SELECT tenant_id, parent, field, field || number, id FROM numbers, unnest('{email,message}'::text[]) AS field`,
  `INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, parent, 'a@example.com', 'sent', 1, now(), now() FROM numbers`,
  `INSERT INTO crm_jobs (tenant_id, event_id, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, 'done', 1, now(), now() FROM numbers`,
  `INSERT INTO events (tenant_id, id, type, data, occurred_at)
    SELECT tenant_id, id, 'entry.created', json_build_object('title', repeat('word ', 40)), now() FROM numbers`,
  `INSERT INTO event_positions (tenant_id, position, event_id, type)
    SELECT tenant_id, number, id, 'entry.created' FROM numbers`,
  `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, status, attempts, created_at, finished_at)
    SELECT tenant_id, id, parent, id, 'entry.created', 'succeeded', 1, now(), now() FROM numbers`,
  `INSERT INTO delivery_attempts (tenant_id, delivery_id, id, attempted_at, duration_ms, status, response)
    SELECT tenant_id, id, id, now(), 5, 200, repeat('word ', 40) FROM numbers`,
  `INSERT INTO tenants (id, name, created_at) SELECT 'ten_other' || number, 'Other', now() FROM generate_series(0, 49) AS number`,
  `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, search, created_at)
    SELECT tenant_id, id, 'file' || number, '', 'image/png', 'png', 1, array_to_tsvector(ARRAY['00000word' || number]), now() FROM numbers`,
  `INSERT INTO media_variants (tenant_id, media_id, name, bytes, used_at)
    SELECT tenant_id, id, 'w320.webp', 1000, now() FROM numbers`,
];
const BIG_TABLES = MUCH_DATA.flatMap((text) => /INSERT INTO (\w+)/.exec(text)?.[1] ?? []).filter(
  (name) => name !== 'tenants',
);

describe('every statement of the service', () => {
  let database: TestDatabase;
  let app: TestApp;
  let ids: Set<string>;
  let tables: Set<string>;
  const statements = new Map<string, Statement>();
  beforeAll(async () => {
    const digests = { MAIL_HOURLY_LIMIT: '1', MAIL_DIGEST_INTERVAL: '100ms' };
    database = await createDatabase();
    for (const text of createWorkTable('crm_jobs')) await database.query(text);
    // Nothing listens on this port.
    const modules = [CrmModule.at('https://127.0.0.1:1/')];
    app = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', ...digests }, { database, modules });
    ids = new Set(app.config.tenants.map(({ id }) => id));
    const rows = await app.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'`,
    );
    tables = new Set(rows.map(({ name }) => name));
    const stopRecording = record((statement) => statements.set(statement.text, statement));
    for (let times = 0; times < 2; times++) await playScenario(app, app.tenant());
    // A subscriber that is added while there are events already.
    app.get(Subscribers).add({ name: 'late', startsFrom: 'now', accept: () => Promise.resolve() });
    await app.get(SubscriberRegistry).register();
    for (const tenantId of ids) await app.get(SubscriberFeeds).isDue({ tenantId });
    await app.get(EventRetention).prune();
    await app.get(MediaSweeper).sweep();
    const seen = () => [...statements.values()].map(({ name }) => name);
    const late = [...ACROSS_TENANTS, 'mails.digest'];
    await until(() => Promise.resolve(late.every((name) => seen().includes(name))));
    stopRecording();
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const ofTenants = () =>
    [...statements.values()].filter(
      ({ text }) => !CONTROL.test(text) && [...tables].some((table) => new RegExp(`\\b${table}\\b`).test(text)),
    );
  const isAcross = ({ name }: Statement) => name !== undefined && ACROSS_TENANTS.includes(name);

  it('was recorded: reads and writes of every table', () => {
    const texts = ofTenants()
      .map(({ text }) => text)
      .join('\n');
    expect(ofTenants().length).toBeGreaterThan(40);
    for (const table of tables) expect([table, texts.includes(table)]).toEqual([table, true]);
  });

  it('on a tenant’s table has the tenant’s ID as a parameter', () => {
    const without = ofTenants().filter(
      (statement) => !isAcross(statement) && !statement.values.some((value) => ids.has(String(value))),
    );
    expect(without.map(({ text }) => text)).toEqual([]);
  });

  it('reads rows of a tenant’s table only under a condition on that parameter, as PostgreSQL plans it', async () => {
    const open: string[] = [];
    for (const statement of ofTenants().filter((one) => !isAcross(one))) {
      const found = await openScans(statement);
      open.push(...found.map((scan) => `${scan} in ${statement.text}`));
    }
    expect(open).toEqual([]);
  });

  it('without that condition is detected', async () => {
    const [id] = ids;
    for (const text of [
      'SELECT $1 = $1 FROM entries',
      'SELECT 1 FROM entries e JOIN content_types t ON t.id = e.content_type_id WHERE e.tenant_id = $1',
      'UPDATE webhooks SET active = $1 = $1',
      'DELETE FROM events USING tenants t WHERE t.id = $1',
      'SELECT 1 FROM entries WHERE tenant_id = $1 OR status <> $1',
    ]) {
      expect([text, (await openScans({ text, values: [id] })).length]).toEqual([text, 1]);
    }
  });

  /** The scans of tenants' tables with neither a condition on the tenant nor a join to the tenant of a bound row. */
  const openScans = async (statement: Statement): Promise<string[]> => {
    const all = scans(await explain(app, statement));
    const bound = new Set<string>();
    const isBound = ({ conditions }: Scan) =>
      conditions.some((one) => {
        const [, value, alias] = TENANT_IS.map((pattern) => pattern.exec(one)).find((match) => match) ?? [];
        return (value !== undefined && ids.has(value)) || (alias !== undefined && bound.has(alias));
      });
    // A scan may be bound through another one that comes later in the plan, so repeat.
    for (let round = 0; round < 3; round++) for (const scan of all) if (isBound(scan)) bound.add(scan.alias);
    return all
      .filter((scan) => tables.has(scan.table) && !isBound(scan))
      .map(({ table, conditions }) => `${table}: ${conditions.join(' AND ')}`);
  };

  it('inserts rows only with that parameter', () => {
    const inserts = ofTenants().flatMap(({ text }) =>
      [...text.matchAll(/INSERT INTO "?(\w+)"?(?:\s+AS \w+)?\s*\(([^)]*)\)\s*(SELECT|VALUES)\s*\(?\s*(\S+?),/gi)].map(
        ([whole, table = '', columns = '', , first]) => ({
          table,
          leads: /^\s*"?tenant_id"?,/.test(columns) && first === '$1',
          whole,
        }),
      ),
    );
    const count = ofTenants().reduce((sum, { text }) => sum + (text.match(/INSERT INTO/gi)?.length ?? 0), 0);
    expect(inserts.length).toBe(count);
    expect(inserts.filter(({ table, leads }) => tables.has(table) && !leads)).toEqual([]);
  });

  it('binds its values: its text contains no ID', () => {
    const literal = /ten_[a-z0-9]{6,}|'[0-9a-f]{8}-[0-9a-f]{4}-/;
    expect([...statements.keys()].filter((text) => literal.test(text))).toEqual([]);
  });

  it('scans no big table completely in its generic plan', async () => {
    const [tenantId] = ids;
    const { extra } = dataSourceOptions(app.database.url, 1) as { extra: { options: string } };
    const client = new pg.Client({ connectionString: app.database.url, options: extra.options });
    await client.connect();
    try {
      for (const statement of MUCH_DATA) await client.query(statement.replaceAll(':tenant', `'${tenantId}'`));
      await client.query('ANALYZE');
      const wholeScans = async ({ text, values }: Statement): Promise<string[]> => {
        await client.query(`PREPARE statement AS ${text}`);
        const arguments_ = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `EXPLAIN (FORMAT JSON) EXECUTE statement ${arguments_}`,
        );
        await client.query('DEALLOCATE statement');
        return nodes(rows[0]!['QUERY PLAN'][0]!.Plan).flatMap((node) =>
          node['Node Type'] === 'Seq Scan' && BIG_TABLES.includes(node['Relation Name']!)
            ? [`${node['Relation Name']} in ${text}`]
            : [],
        );
      };
      const noticed = { text: 'SELECT id FROM entries WHERE version = $1::int', values: [7] };
      expect(await wholeScans(noticed)).toHaveLength(1);
      const found: string[] = [];
      for (const statement of ofTenants()) found.push(...(await wholeScans(statement)));
      expect(found).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('across all tenants only reads, and locks nothing', () => {
    for (const { text } of ofTenants().filter(isAcross)) {
      expect(text).toMatch(/^\s*(SELECT|WITH)/i);
      expect(text).not.toMatch(/\b(INSERT|UPDATE|DELETE|FOR (UPDATE|SHARE|NO KEY UPDATE|KEY SHARE))\b/);
    }
  });
});

/** Calls `note` with every statement that any connection runs from now on. Returns a function that stops this. */
function record(note: (statement: Statement) => void): () => void {
  const { prototype } = pg.Client;
  const original = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args as [string | Partial<Statement> | undefined, unknown];
    const name = typeof first === 'object' ? first.name : undefined;
    const text = typeof first === 'string' ? first : first?.text;
    const values =
      (typeof first === 'object' ? first.values : undefined) ?? (Array.isArray(second) ? (second as unknown[]) : []);
    if (text !== undefined) note({ name, text, values });
    return original.apply(this, args);
  };
  prototype.query = recording as typeof prototype.query;
  return () => {
    prototype.query = original as typeof prototype.query;
  };
}

async function explain(app: TestApp, { text, values }: Statement): Promise<PlanNode> {
  const [row] = await app.database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (VERBOSE, FORMAT JSON) ${text}`,
    values,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error(`There is no plan of ${text}`);
  return plan;
}

function nodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodes)];
}

/** A value as a literal for EXECUTE: text, for parameters of any type. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (!Array.isArray(value)) return pg.escapeLiteral(textOf(value));
  const elements = value.map((element) => (element === null ? 'NULL' : JSON.stringify(textOf(element))));
  return pg.escapeLiteral(`{${elements.join(',')}}`);
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Splits `((a = 1) AND (b = 2))` into `a = 1` and `b = 2`. Conditions joined by OR stay together. */
function conjuncts(condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < condition.length; at++) {
    if (condition[at] === '(') depth++;
    else if (condition[at] === ')') depth--;
    else if (depth === 0 && condition.startsWith(' AND ', at)) {
      parts.push(condition.slice(from, at));
      from = at + 5;
    }
  }
  parts.push(condition.slice(from));
  return parts.length > 1 ? parts.flatMap(conjuncts) : unwrapped(condition);
}

function unwrapped(condition: string): string[] {
  if (!condition.startsWith('(')) return [condition];
  let depth = 0;
  for (let at = 0; at < condition.length; at++) {
    if (condition[at] === '(') depth++;
    else if (condition[at] === ')' && --depth === 0) {
      return at === condition.length - 1 ? conjuncts(condition.slice(1, -1)) : [condition];
    }
  }
  return [condition];
}

/**
 * Every scan of a plan with the conditions that must all hold. A bitmap heap scan includes the conditions of its index scans; the
 * conditions of a subquery belong to the one table that it reads.
 */
function scans(node: PlanNode): Scan[] {
  const below = (node.Plans ?? []).flatMap(scans);
  const { 'Node Type': type, 'Relation Name': table, Alias: alias = '' } = node;
  if (type === 'Subquery Scan') {
    const [only, ...others] = below;
    if (only && others.length === 0) only.conditions.push(...conditionsOf(node));
  }
  if (!type.endsWith('Scan') || table === undefined) return below;
  const nodes = [node, ...(type === 'Bitmap Heap Scan' ? (node.Plans ?? []) : [])];
  return [{ table, alias, conditions: nodes.flatMap(conditionsOf) }, ...below];
}

function conditionsOf(node: PlanNode): string[] {
  return CONDITIONS.flatMap((name) => (node[name] as string | undefined) ?? []).flatMap(conjuncts);
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import type { MigrationClass } from '../../src/rooms/room.js';
import { tablesOfRooms } from '../../src/rooms/tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { loadTables, migrate } from '../support/tables.js';
import { until } from '../support/until.js';

interface ColumnRow {
  table: string;
  column: string;
  /** As PostgreSQL formats it: `timestamp(3) with time zone`, `text[]`. */
  type: string;
  nullable: boolean;
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY 1, 2`;

const INDEXES = `
  SELECT c.relname AS table, pg_get_indexdef(i.indexrelid) AS definition, a.attname AS first, i.indisprimary AS primary
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
  WHERE c.relnamespace = 'public'::regnamespace
  ORDER BY 1, 2`;

const CONSTRAINTS = `
  SELECT conrelid::regclass::text AS table, conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  ORDER BY 1, 2`;

/** Tables of the whole service, not of one tenant. */
const NOT_OF_A_TENANT = ['autoresponder_hours', 'migrations', 'subscribers', 'tenants'];
/**
 * Indexes that need not start with the tenant: lexemes start with a part of the type or tenant, and the sweeper of orphaned files covers
 * all tenants.
 */
const OTHER_INDEXES = ['entry_words_search', 'media_search', 'orphaned_files_since', 'submission_words_search'];

describe('the tables', () => {
  let app: TestApp;
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    app = await startApp();
    ({ database } = app);
    dataSource = app.get(DataSource);
  });
  afterAll(() => app.close());

  /** Without that of an example, which another test file of the process may have loaded. */
  const entities = () => dataSource.entityMetadatas.filter(({ tableName }) => tableName !== 'crm_jobs');

  it('that the rooms declare are registered by their modules, and no others', async () => {
    const registered = entities().map(({ target }) => target);
    expect(new Set(registered)).toEqual(new Set<unknown>((await tablesOfRooms()).entities));
  });

  it('match the entities: the same columns, types and nullability', async () => {
    const stored = (await database.query<ColumnRow & Record<string, unknown>>(COLUMNS))
      .filter(({ table }) => table !== 'migrations')
      .map(({ table, column, type, nullable }) => `${table}.${column} ${type}${nullable ? ' null' : ''}`);
    const mapped = entities().flatMap(({ tableName, columns }) =>
      columns.map((column) => {
        const plain = dataSource.driver.normalizeType(column);
        const type = plain === 'timestamp with time zone' ? `timestamp(${column.precision}) with time zone` : plain;
        return `${tableName}.${column.databaseName} ${type}${column.isArray ? '[]' : ''}${column.isNullable ? ' null' : ''}`;
      }),
    );
    expect(mapped.sort()).toEqual(stored.sort());
  });

  it('have the primary keys of the entities', async () => {
    const indexes = await database.query<{ table: string; definition: string; primary: boolean }>(INDEXES);
    for (const { tableName, primaryColumns } of entities()) {
      const primary = indexes.find((index) => index.table === tableName && index.primary)?.definition ?? '';
      const columns = /\(([^)]*)\)/.exec(primary.replaceAll('"', ''))?.[1]?.split(', ').sort();
      expect([tableName, columns]).toEqual([tableName, primaryColumns.map((column) => column.databaseName).sort()]);
    }
  });

  it('have indexes that all start with the tenant, so that they can be distributed by it', async () => {
    const indexes = await database.query<{ table: string; definition: string; first: string }>(INDEXES);
    const others = indexes
      .filter(({ table, first }) => first !== 'tenant_id' && !NOT_OF_A_TENANT.includes(table))
      .map(({ definition }) => / INDEX (\w+) ON /.exec(definition)?.[1]);
    expect(others).toEqual(OTHER_INDEXES);
  });

  it('have no triggers, and foreign keys only within a tenant', async () => {
    // Citus has triggers on tables of its own.
    const triggers = await database.query(
      `SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
        WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace`,
    );
    expect(triggers).toEqual([]);
    const constraints = await database.query<{ kind: string; definition: string }>(CONSTRAINTS);
    for (const { definition } of constraints.filter(({ kind }) => kind === 'f')) {
      expect(definition).toMatch(/^FOREIGN KEY \(tenant_id[,)]/);
    }
  });
});

describe('the migrations', () => {
  let migrations: MigrationClass[];
  beforeAll(async () => {
    ({ migrations } = await loadTables());
  });

  it('are ordered by their timestamps', () => {
    const names = migrations.map(({ name }) => name);
    const stamps = names.map((name) => Number(/\d{13}$/.exec(name)?.[0]));
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
    expect(new Set(stamps).size).toBe(stamps.length);
  });

  it('can all be reverted one by one, and run again to the same schema', async () => {
    const database = await createDatabase({ empty: true });
    const dataSource = await new DataSource(dataSourceOptions(database.url, 1, { migrations })).initialize();
    const schema = async () => [
      await database.query(COLUMNS),
      await database.query(INDEXES),
      await database.query(CONSTRAINTS),
    ];
    await dataSource.runMigrations({ transaction: 'each' });
    const whole = await schema();
    for (let step = 0; step < migrations.length; step++) await dataSource.undoLastMigration();
    const tables = await database.query<{ table: string }>(COLUMNS);
    expect([...new Set(tables.map(({ table }) => table))]).toEqual(['migrations']);
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await schema()).toEqual(whole);
    await dataSource.destroy();
    await database.drop();
  });

  it('give stored events positions in the order of their transactions, and can be reverted', async () => {
    const database = await createDatabase({ empty: true });
    const dataSource = await new DataSource(dataSourceOptions(database.url, 1, { migrations })).initialize();
    const isBefore = async () =>
      (await database.query(`SELECT to_regclass('event_positions') AS name`))[0]?.['name'] === null;
    const before = async () => {
      while (!(await isBefore())) await dataSource.undoLastMigration();
    };
    const after = () => dataSource.runMigrations({ transaction: 'each' });
    const list = async (text: string) => (await database.query<{ list: string }>(text)).map(({ list }) => list);
    const id = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;
    await after();
    await before();
    for (const [tenant, number, transaction, type] of [
      ['ten_a', 1, 6, 'entry.created'],
      ['ten_a', 2, 5, 'entry.updated'],
      ['ten_a', 3, 5, 'entry.deleted'],
      ['ten_a', 4, 4, 'webhook.test'],
      ['ten_a', 5, 8, 'form.submitted'],
      ['ten_a', 6, 7, 'form.submitted'],
      ['ten_b', 7, 3, 'media.deleted'],
    ] as const) {
      await database.query(
        `INSERT INTO events (tenant_id, id, type, data, occurred_at, committed_in) VALUES ($1, $2, $3, '{}', now(), $4::text::xid8)`,
        [tenant, id(number), type, transaction],
      );
    }
    await database.query(`INSERT INTO pending_events (tenant_id, event_id) VALUES ('ten_a', $1), ('ten_a', $2)`, [
      id(5),
      id(6),
    ]);

    await after();
    const positions = `SELECT tenant_id || ' ' || position || ' ' || right(event_id::text, 1) || ' ' || type AS list
      FROM event_positions ORDER BY tenant_id, position`;
    expect(await list(positions)).toEqual([
      'ten_a 1 2 entry.updated',
      'ten_a 2 3 entry.deleted',
      'ten_a 3 1 entry.created',
      'ten_b 1 7 media.deleted',
    ]);
    expect(await list(`SELECT tenant_id || ' ' || position AS list FROM event_counters ORDER BY 1`)).toEqual([
      'ten_a 3',
      'ten_b 1',
    ]);
    const pending = `SELECT right(event_id::text, 1) AS list FROM pending_events ORDER BY number`;
    expect(await list(pending)).toEqual(['6', '5']);
    await database.query(`INSERT INTO pending_events (tenant_id, event_id) VALUES ('ten_a', $1)`, [id(9)]);
    expect(await list(pending)).toEqual(['6', '5', '9']);

    await before();
    const feed = `SELECT right(id::text, 1) AS list FROM events
      WHERE tenant_id = 'ten_a' AND committed_in < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY committed_in, id`;
    // Transactions of other tests on the same server may be in progress; the old feed waited for them to end.
    await until(async () => (await list(feed)).length > 0);
    expect(await list(feed)).toEqual(['1', '2', '3', '4', '5', '6']);
    await database.query(
      `INSERT INTO events (tenant_id, id, type, data, occurred_at) VALUES ('ten_a', $1, 'x', '{}', now())`,
      [id(0)],
    );
    await until(async () => (await list(feed)).at(-1) === '0');
    expect(await list(`SELECT right(event_id::text, 1) AS list FROM pending_events ORDER BY event_id`)).toEqual([
      '5',
      '6',
      '9',
    ]);
    await after();
    await dataSource.destroy();
    await database.drop();
  });

  it('are known to TypeORM’s command line through ormconfig.ts', async () => {
    const database = await createDatabase();
    await migrate(database.url);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', './scripts/typescript.mjs', 'node_modules/typeorm/cli.js', '-d', 'ormconfig.ts', 'migration:show'],
      {
        cwd: join(import.meta.dirname, '../..'),
        env: { PATH: process.env['PATH'], DATABASE_URL: database.url, EXTENSIONS: process.env['EXTENSIONS'] },
      },
    );
    expect(stdout.match(/\[X\]/g)).toHaveLength(migrations.length);
    expect(stdout).not.toContain('[ ]');
    await database.drop();
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import type { MigrationClass } from '../../src/modules/module-manifest.js';
import { tablesOfModules } from '../../src/modules/tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { loadTables, migrate } from '../support/tables.js';

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

/** Tables of people, which stay on one server. */
const OF_PEOPLE = ['identities', 'known_networks', 'one_time_tokens', 'passkeys', 'people', 'sessions'];
/** Tables of the whole service, not of one tenant. */
const NOT_OF_A_TENANT = ['address_hours', 'migrations', 'subscribers', 'tenants', ...OF_PEOPLE];
/**
 * Indexes that need not start with the tenant: lexemes start with a part of the type or tenant, and the sweeper of orphaned files covers
 * all tenants.
 */
const OTHER_INDEXES = [
  'entry_locale_words_search',
  'entry_words_search',
  'media_search',
  'orphaned_files_since',
  'submission_words_search',
];

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

  it('that the modules declare are registered by their modules, and no others', async () => {
    const registered = entities().map(({ target }) => target);
    expect(new Set(registered)).toEqual(new Set<unknown>((await tablesOfModules()).entities));
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

  it('have no triggers, and foreign keys only within a tenant, or to a person', async () => {
    // Citus has triggers on tables of its own.
    const triggers = await database.query(
      `SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
        WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace`,
    );
    expect(triggers).toEqual([]);
    const constraints = await database.query<{ table: string; kind: string; definition: string }>(CONSTRAINTS);
    for (const { table, definition } of constraints.filter(({ kind }) => kind === 'f')) {
      const allowed = OF_PEOPLE.includes(table)
        ? /^FOREIGN KEY \(person_id\) REFERENCES people/
        : /^FOREIGN KEY \(tenant_id[,)]/;
      expect(definition).toMatch(allowed);
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

  it('refuse the tables of a version that had others, and change nothing', async () => {
    const database = await createDatabase();
    await database.query(`UPDATE migrations SET name = 'Initial1763000000000' WHERE name LIKE 'Tenants%'`);
    const before = await database.query(COLUMNS);
    await expect(migrate(database.url)).rejects.toThrow(/are those of a version that cannot be upgraded/);
    expect(await database.query(COLUMNS)).toEqual(before);
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

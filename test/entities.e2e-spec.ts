import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/data-source.js';
import { migrations } from '../src/database/migrations.js';
import { createDatabase, type TestDatabase } from './support/database.js';

interface ColumnRow {
  table: string;
  column: string;
  /** As PostgreSQL writes it: `timestamp(3) with time zone`, `text[]`. */
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

/** Columns that TypeORM has no type for; their entity says so. */
const UNMAPPED = ['events.committed_in'];
/** What belongs to the whole service, and not to one tenant. */
const NOT_OF_A_TENANT = ['migrations', 'tenants'];
/** Indexes that need no tenant in front: lexemes begin with a part of the type or tenant; strays are swept over all tenants. */
const OTHER_INDEXES = ['entry_words_search', 'media_search', 'media_strays_since'];

describe('the tables', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('are those of the entities, with the same columns, types and nullability', async () => {
    const stored = (await database.query<ColumnRow & Record<string, unknown>>(COLUMNS))
      .filter(({ table, column }) => table !== 'migrations' && !UNMAPPED.includes(`${table}.${column}`))
      .map(({ table, column, type, nullable }) => `${table}.${column} ${type}${nullable ? ' null' : ''}`);
    const mapped = dataSource.entityMetadatas.flatMap(({ tableName, columns }) =>
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
    for (const { tableName, primaryColumns } of dataSource.entityMetadatas) {
      const primary = indexes.find((index) => index.table === tableName && index.primary)?.definition ?? '';
      const columns = /\(([^)]*)\)/.exec(primary)?.[1]?.split(', ').sort();
      expect([tableName, columns]).toEqual([tableName, primaryColumns.map((column) => column.databaseName).sort()]);
    }
  });

  it('lead every index with the tenant, so that they can be spread by it', async () => {
    const indexes = await database.query<{ table: string; definition: string; first: string }>(INDEXES);
    const others = indexes
      .filter(({ table, first }) => first !== 'tenant_id' && !NOT_OF_A_TENANT.includes(table))
      .map(({ definition }) => / INDEX (\w+) ON /.exec(definition)?.[1]);
    expect(others).toEqual(OTHER_INDEXES);
  });

  it('have no triggers, and foreign keys only within a tenant', async () => {
    expect(await database.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal')).toEqual([]);
    const constraints = await database.query<{ kind: string; definition: string }>(CONSTRAINTS);
    for (const { definition } of constraints.filter(({ kind }) => kind === 'f')) {
      expect(definition).toMatch(/^FOREIGN KEY \(tenant_id[,)]/);
    }
  });
});

describe('the migrations', () => {
  it('are in the order of their time stamps', () => {
    const names = migrations.map(({ name }) => name);
    const stamps = names.map((name) => Number(/\d{13}$/.exec(name)?.[0]));
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
    expect(new Set(stamps).size).toBe(stamps.length);
  });

  it('run down to nothing, one by one, and up again to the same schema', async () => {
    const database = await createDatabase({ empty: true });
    const dataSource = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
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

  it('are known to TypeORM’s command line through ormconfig.ts', async () => {
    const database = await createDatabase();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', './scripts/typescript.mjs', 'node_modules/typeorm/cli.js', '-d', 'ormconfig.ts', 'migration:show'],
      { cwd: join(__dirname, '..'), env: { PATH: process.env['PATH'], DATABASE_URL: database.url } },
    );
    expect(stdout.match(/\[X\]/g)).toHaveLength(migrations.length);
    expect(stdout).not.toContain('[ ]');
    await database.drop();
  });
});

import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { StartError } from '../config/start-error.js';
import type { Tables } from '../modules/module-manifest.js';
import { hasCitus, isDistributed, localTablesOfTenants } from './servers/citus.js';

/** An arbitrary constant. It must be the same in every process. */
export const MIGRATION_LOCK = 7_368_561;

/** The time-out of a statement. */
export const STATEMENT_TIMEOUT_S = 30;

/** The settings of every connection, independent of the server's configuration. */
const SESSION = {
  // The row parsers expect timestamps in this format.
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  statement_timeout: `${STATEMENT_TIMEOUT_S}s`,
  idle_in_transaction_session_timeout: '120s',
  // A write uses a dozen tables, and planning it takes three times as long as running it. Each statement is written for its index, and
  // does not depend on statistics of columns that contain the values of all tenants and fields.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  // The default assumes spinning disks.
  random_page_cost: '1.1',
  // In a small table with long texts, the planner prefers to read the whole table, because it does not count what is stored out of line.
  enable_seqscan: 'off',
};

/** The settings as a connection sends them at its start. A pooler then applies them to the right sessions, unlike those of `SET`. */
export const SESSION_OPTIONS = Object.entries(SESSION)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Follows `SESSION_OPTIONS`. Citus plans a statement on several tables only for the tenant that it is executed for. */
export const CITUS_OPTIONS = '-c plan_cache_mode=auto';

/** Connection options of the service, TypeORM's command line (`ormconfig.ts`) and the commands. Each adds the tables that it needs. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  others: Partial<Tables> & { applicationName?: string } = {},
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize,
    applicationName: 'trivet',
    ...others,
    // The pool replaces a broken idle connection. This only prevents a crash.
    poolErrorHandler: () => undefined,
    extra: {
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // An unused connection has no listener, so an error would end the process. Its next statement fails anyway.
      onConnect: (client: pg.Client) => void client.on('error', () => undefined),
      options: SESSION_OPTIONS,
    },
  };
}

/**
 * Connects and runs the pending migrations. Processes that start at the same time take turns. Calls `warn` if tables of tenants should be
 * distributed and are not.
 */
export async function connectAndMigrate(
  options: PostgresDataSourceOptions,
  warn: (message: string) => void = () => undefined,
): Promise<DataSource> {
  return withMigrationLock(options.url ?? '', async (client) => {
    const isOnCitus = await hasCitus(client);
    const dataSource = new DataSource(isOnCitus ? onCitus(options) : options);
    await dataSource.initialize();
    try {
      await assertUpgradable(client, dataSource);
      await dataSource.runMigrations({ transaction: 'each' });
      if (isOnCitus) await warnOfLocalTables(client, warn);
      return dataSource;
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
  });
}

/** Throws if the database has migrations, and not the first of this version: another version's tables have the same names. */
async function assertUpgradable(client: pg.Client, { migrations }: DataSource): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  if (!migrations[0] || !rows[0]?.exists) return;
  const { rows: applied } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const first = migrations[0].name;
  if (applied.length === 0 || applied.some(({ name }) => name === first)) return;
  throw new StartError(
    'The tables of the database are those of a version that cannot be upgraded. Nothing was changed.',
  );
}

/** Runs work on the schema while no other process does. `client` is the connection that holds the lock. */
export async function withMigrationLock<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'trivet migrations' });
  // If the connection breaks between two statements, the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // A separate connection holds the lock, so that it is released however this process ends.
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The options for a database that has Citus, or may have it. */
export function onCitus(options: PostgresDataSourceOptions): PostgresDataSourceOptions {
  const extra = options.extra as { options: string };
  return { ...options, extra: { ...extra, options: `${extra.options} ${CITUS_OPTIONS}` } };
}

/** A migration creates a table on the coordinator only. */
async function warnOfLocalTables(client: pg.Client, warn: (message: string) => void): Promise<void> {
  if (!(await isDistributed(client))) return;
  const tables = await localTablesOfTenants(client);
  if (tables.length > 0) warn(`These tables are not distributed: ${tables.join(', ')}. Run npm run distribute.`);
}

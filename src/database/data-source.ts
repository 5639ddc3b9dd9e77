import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Tables } from '../rooms/room.js';

/** An arbitrary constant. It must be the same in every process. */
export const MIGRATION_LOCK = 7_368_561;

/** The settings of every connection, independent of the server's configuration. */
const SESSION = {
  // The row parsers expect timestamps in this format.
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  statement_timeout: '30s',
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

/** Connection options of the service, TypeORM's command line (`ormconfig.ts`) and the commands. Each adds the tables that it needs. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  others: Partial<Tables> & { applicationName?: string } = {},
): DataSourceOptions {
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

/** Connects and runs the pending migrations. Processes that start at the same time take turns. */
export async function connectAndMigrate(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource(options);
  await dataSource.initialize();
  try {
    await migrate(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

async function migrate(dataSource: DataSource): Promise<void> {
  const { url } = dataSource.options as { url: string };
  const lock = new pg.Client({ connectionString: url, application_name: 'trivet migrations' });
  await lock.connect();
  try {
    // A separate connection holds the lock, so that it is released however this process ends.
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await lock.end();
  }
}

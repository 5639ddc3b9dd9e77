import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from './migrations.js';

/** Any constant will do: it only has to be the same in every process that boots. */
export const MIGRATION_LOCK = 7_368_561;

/** What every connection sets, whatever the server's own settings are. */
const SESSION = {
  // Timestamps as the row types expect them.
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '120s',
  // A write names a dozen tables: to plan it anew takes three times as long as to run it. What index a statement walks is written
  // into it, and is not left to statistics of columns in which the values of all tenants and fields stand together.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  // The default assumes spinning disks.
  random_page_cost: '1.1',
};

/** How the service, TypeORM's command line (`ormconfig.ts`) and the commands connect. Each adds the entities that it needs. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  others: { migrations?: typeof migrations; applicationName?: string } = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize,
    applicationName: 'trivet',
    ...others,
    // A broken idle connection is replaced by the pool; nothing to do but not crash.
    poolErrorHandler: () => undefined,
    extra: {
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // Between two users a connection has no listener, and an error would end the process. Its next statement fails anyway.
      onConnect: (client: pg.Client) => void client.on('error', () => undefined),
      options: Object.entries(SESSION)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    },
  };
}

/** Connects and brings the schema up to date; processes that boot at once take turns. */
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
    // Held by a connection of its own: it is freed when this process dies, however it dies.
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await lock.end();
  }
}

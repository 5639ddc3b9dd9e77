import pg from 'pg';
import { distribute } from '../../src/distribution/distribute.js';
import type { TestDatabase } from './database.js';
import { loadTables } from './tables.js';
import { TEMPLATE } from './template.js';

/** A database on the coordinator of a Citus cluster, which knows its workers. With it, all end-to-end tests run on the cluster. */
export const TEST_CITUS_URL = process.env['TEST_CITUS_URL'];

/** What the connections of the database are doing, on all servers. A statement waits for a lock on the server of its tenant. */
export const ACTIVITY = TEST_CITUS_URL ? 'citus_stat_activity' : 'pg_stat_activity';

/** The column of `ACTIVITY` by which `pg_terminate_backend` ends what a connection of the service does, wherever it does it. */
export const PROCESS_ID = TEST_CITUS_URL ? 'global_pid' : 'pid';

/** Defines tests that need a Citus cluster. Without one, they are skipped and listed by name. */
export function describeOnCitus(name: string, tests: () => void): void {
  if (TEST_CITUS_URL) describe(name, tests);
  else describe(name, () => it.skip('needs a Citus cluster at TEST_CITUS_URL', () => undefined));
}

/** Creates the template on every server of the cluster, and distributes its tables. */
export async function createDistributedTemplate(): Promise<void> {
  const servers = await serversOfCluster();
  for (const { url } of servers) {
    await run(url, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await run(url, `CREATE DATABASE ${TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'`);
    await run(within(url, TEMPLATE), 'CREATE EXTENSION citus');
  }
  const [coordinator, ...workers] = servers;
  const template = within(coordinator!.url, TEMPLATE);
  await run(template, 'SELECT citus_set_coordinator_host($1, $2)', [coordinator!.host, coordinator!.port]);
  for (const { host, port } of workers) await run(template, 'SELECT citus_add_node($1, $2)', [host, port]);
  const { migrations } = await loadTables();
  await distribute(template, migrations);
  // The maintenance daemon of Citus would keep the template from being copied.
  for (const { url } of servers) {
    await run(url, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
    await run(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [TEMPLATE]);
  }
}

/** Distributes a table that a test has created. Does nothing on plain PostgreSQL. */
export async function distributeTable(database: Pick<TestDatabase, 'query'>, table: string): Promise<void> {
  if (!TEST_CITUS_URL) return;
  await database.query(`SELECT create_distributed_table($1, 'tenant_id', colocate_with => 'tenants')`, [table]);
}

/** Migrates, and distributes the tables that this creates. Does nothing on plain PostgreSQL. */
export async function migrateDistributed({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  if (!TEST_CITUS_URL) return;
  const { migrations } = await loadTables();
  await distribute(url, migrations);
}

export interface CitusServer {
  host: string;
  port: number;
  /** The URL of its database `postgres`, which is outside of the cluster. */
  url: string;
}

/** The servers of the cluster, the coordinator first. All have the same users. */
export async function serversOfCluster(): Promise<CitusServer[]> {
  const nodes = await run<{ host: string; port: number }>(
    TEST_CITUS_URL!,
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid',
  );
  return nodes.map(({ host, port }) => {
    const url = new URL(within(TEST_CITUS_URL!, 'postgres'));
    url.hostname = host;
    url.port = String(port);
    return { host, port, url: url.href };
  });
}

/** Runs a statement on a server, outside of the cluster's databases. */
export async function onServer({ url }: CitusServer, text: string): Promise<void> {
  await run(url, text);
}

function within(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function run<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

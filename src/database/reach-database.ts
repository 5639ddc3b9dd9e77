import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Cluster } from './embedded-postgres-cluster.js';
import { exists } from './embedded-postgres-initdb.js';
import { DATABASE, type EmbeddedPostgresOptions, NOT_NOW, startEmbeddedPostgres } from './embedded-postgres.js';

export interface ReachedDatabase {
  url: string;
  /** Stops the server if it was started for the caller. */
  readonly release: () => Promise<void>;
}

/** A server that starts up or shuts down is waited for at most this long. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 100;

/**
 * The database of the service, for a command beside it: the one at `databaseUrl`, or the embedded one. The server of a running service
 * is used as it is; if none runs, one is started until `release`. Throws when there is no database in `dataDir` yet.
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
        // The service may have been started at the same time; then its server is there now.
        if (!(await cluster.server())) throw error;
      }
    }
    if (Date.now() > deadline) throw new Error(`The PostgreSQL in ${dataDir} does not accept connections.`);
    await sleep(INTERVAL_MS);
  }
}

/**
 * The database for a command that must be alone with it: the one at `databaseUrl`, or an embedded server that is started for it until
 * `release`, with a new cluster if there is none. Throws when a service runs on `dataDir`.
 */
export async function claimDatabase(
  options: EmbeddedPostgresOptions & { databaseUrl?: string },
): Promise<ReachedDatabase> {
  const { databaseUrl: url } = options;
  if (url !== undefined) return { url, release: () => Promise.resolve() };
  const started = await startEmbeddedPostgres(options);
  return { url: started.url, release: () => started.stop() };
}

/** False while the server starts up or shuts down. */
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

import 'reflect-metadata';
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { serveCluster } from './cluster.js';
import type { Config } from './config/config.js';
import { ConfigError } from './config/environment.js';
import { configure } from './configure.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded-postgres.js';
import { greet } from './observability/greeting.js';
import { JsonLogger } from './observability/logger.js';
import { serve, type Service } from './serve.js';

// V8 would let 45 MB of live objects grow to 250 MB before a major garbage collection. To collect earlier costs little (bench/RESULTS.md).
setFlagsFromString('--heap-growing-percent=60');

/** Starts the configured role. Exits with code 0 on SIGINT, SIGTERM and SIGHUP, and with code 1 if it cannot start. */
async function main(): Promise<void> {
  const config = await configure();
  const logger = new JsonLogger(config.logLevel);
  let isStopping = false;
  let database: Promise<EmbeddedPostgres> | undefined;
  let service: Service | undefined;

  /** Also stops during the start, without waiting for it: a database must not be left running. */
  const stop = async (signal: string): Promise<void> => {
    isStopping = true;
    logger.log(`${signal} received; finishing the requests and jobs in progress`, 'Main');
    try {
      await service?.stop();
    } finally {
      const embedded = await database?.catch(() => undefined);
      await embedded?.stop();
    }
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Further signals change nothing: a terminal that closes sends several.
    process.on(signal, () => isStopping || void stop(signal).catch(fail));
  }

  try {
    database = config.databaseUrl ? undefined : startDatabase(config, logger);
    const url = config.databaseUrl ?? (await database)?.url ?? '';
    const asCluster = config.webConcurrency > 1 && cluster.isPrimary;
    service = await (asCluster ? serveCluster : serve)(config, url, logger);
  } catch (error) {
    if (isStopping) return;
    await (await database?.catch(() => undefined))?.stop();
    throw error;
  }
  if (cluster.isPrimary) {
    if (config.production && !config.metricsToken) {
      logger.warn('METRICS_TOKEN is not set; /metrics returns 404 to every client', 'Main');
    }
    greet(config, service.port);
  }
}

function startDatabase({ dataDir }: Config, logger: JsonLogger): Promise<EmbeddedPostgres> {
  const log = {
    info: (message: string) => logger.log(message, 'Postgres'),
    error: (message: string) => logger.error(message, 'Postgres'),
  };
  return startEmbeddedPostgres({ dataDir, log });
}

/** Prints the error (without a stack if it is a ConfigError) and exits with code 1. */
function fail(error: unknown): void {
  const known = error instanceof ConfigError;
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`, () => process.exit(1));
}

// Files of this process and of those that it starts are readable only by their user.
process.umask(0o077);
// The reader of these streams may end before this process, for example a terminal that is closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
main().catch(fail);

import 'reflect-metadata';
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { serveCluster } from './cluster.js';
import { type Config, loadConfig } from './config/config.js';
import { ConfigError } from './config/environment.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded-postgres.js';
import { greet } from './observability/greeting.js';
import { JsonLogger } from './observability/logger.js';
import { serve, type Service } from './serve.js';

// V8 would let 45 MB of live objects become 250 MB before it looks what is still in use. Looking earlier costs little (bench/RESULTS.md).
setFlagsFromString('--heap-growing-percent=60');

/** Starts the role that is asked for; ends with exit code 0 on SIGINT, SIGTERM and SIGHUP, 1 when it can't start. */
async function main(): Promise<void> {
  const config = await loadConfig();
  const logger = new JsonLogger(config.logLevel);
  let isStopping = false;
  let database: Promise<EmbeddedPostgres> | undefined;
  let service: Service | undefined;

  /** Also during the start, which is then not waited for: a database must not be left behind. */
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
    // A second one changes nothing: a terminal that closes sends several.
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

/** A person reads this: what is wrong, without a stack where it says nothing more. */
function fail(error: unknown): void {
  const known = error instanceof ConfigError;
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`, () => process.exit(1));
}

// Whatever this process and those that it starts write is for their user alone.
process.umask(0o077);
// Whoever reads them may go before this process, as a terminal does that is closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
main().catch(fail);

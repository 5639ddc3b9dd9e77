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

/** Starts the role that is asked for; ends with exit code 0 on SIGINT and SIGTERM, 1 when it can't start. */
async function main(): Promise<void> {
  const config = await loadConfig();
  const logger = new JsonLogger(config.logLevel);
  const embedded = config.databaseUrl ? undefined : await startDatabase(config, logger);
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  const asCluster = config.webConcurrency > 1 && cluster.isPrimary;
  let service: Service;
  try {
    service = await (asCluster ? serveCluster : serve)(config, databaseUrl, logger);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  if (cluster.isPrimary) greet(config, service.port);

  const stop = async (signal: string) => {
    logger.log(`${signal}: finishing what is under way`, 'Main');
    await service.stop();
    await embedded?.stop();
    process.exit(0);
  };
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      stop(signal).catch(fail);
    });
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

main().catch(fail);

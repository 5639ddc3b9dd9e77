import 'reflect-metadata';
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { serveCluster } from './cluster.js';
import type { Config } from './config/config.js';
import { loadLogging, withSecrets } from './config/load-config.js';
import { describeWeakKeys } from './config/tenants-config.js';
import { describeUnknown } from './config/unknown-variables.js';
import { listenUrl } from './config/variables.js';
import { readEnvironment } from './configure.js';
import { awaitDatabase } from './database/servers/await-database.js';
import type { EmbeddedPostgres } from './database/embedded/embedded-postgres.js';
import { hasConsole } from './console/console.js';
import { assertCanListen } from './http/listen-error.js';
import { reportFailure } from './observability/failure.js';
import { greet } from './observability/greeting.js';
import { outputTo } from './observability/log-output.js';
import { JsonLogger } from './observability/logger.js';
import { logProcessEvents } from './observability/process-events.js';
import { signInLink } from './people/links/sign-in-link.js';
import { forgetRunning, recordRunning } from './processes/running-file.js';
import { reportToPrimary } from './processes/start-failures.js';
import { serve, type Service } from './serve.js';
import { describeStartError, startDatabase } from './start.js';

// V8 would let 45 MB of live objects grow to 250 MB before a major garbage collection. To collect earlier costs little (bench/RESULTS.md).
setFlagsFromString('--heap-growing-percent=60');

const logging = loadLogging();
const logger = new JsonLogger(logging.logLevel, outputTo(1, logging.logFormat));

/** Starts the configured role. Exits with code 0 on SIGINT, SIGTERM and SIGHUP, and with code 1 if it cannot start. */
async function main(): Promise<void> {
  const settings = await readEnvironment();
  let isStopping = false;
  let database: Promise<EmbeddedPostgres> | undefined;
  let service: Service | undefined;

  /** Also stops during the start, without waiting for it: a database must not be left running. */
  const stop = async (signal: string): Promise<void> => {
    isStopping = true;
    logger.log(`${signal} received; finishing the requests and jobs in progress`, 'Main');
    if (cluster.isPrimary) forgetRunning(settings.dataDir);
    try {
      await service?.stop();
    } finally {
      const embedded = await database?.catch(() => undefined);
      await embedded?.stop();
    }
    if (cluster.isPrimary) logger.log('Stopped', 'Main');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Further signals change nothing: a terminal that closes sends several.
    process.on(signal, () => isStopping || void stop(signal).catch(fail));
  }
  if (cluster.isPrimary) {
    for (const unknown of settings.unknownVariables) logger.warn(describeUnknown(unknown), 'Main');
    for (const sentence of describeWeakKeys(settings.tenants ?? [])) logger.warn(sentence, 'Main');
    // Before anything is written or started, and before the workers of a cluster report the same.
    await assertCanListen(settings);
  }
  const config = await withSecrets(settings);
  let url: string;
  try {
    database = config.databaseUrl ? undefined : startDatabase(config, logger);
    url = config.databaseUrl ?? (await database)?.url ?? '';
    if (config.databaseUrl)
      await awaitDatabase({ url, waitMs: config.databaseWait, say: (line) => logger.log(line, 'Main') });
    const asCluster = config.webConcurrency > 1 && cluster.isPrimary;
    service = await (asCluster ? serveCluster : serve)(config, url, logger);
  } catch (error) {
    if (isStopping) return;
    await (await database?.catch(() => undefined))?.stop();
    throw describeStartError(error, config);
  }
  if (cluster.isPrimary && !isStopping) await announce(config, service, url);
}

/** `databaseUrl` is that of the database that the service uses. */
async function announce(config: Config, { port }: Service, databaseUrl: string): Promise<void> {
  if (config.production && !config.metricsToken) {
    logger.warn('METRICS_TOKEN is not set; /metrics returns 404 to every client', 'Main');
  }
  if (config.production && !config.hasPublicUrl) {
    logger.warn(
      `PUBLIC_URL is not set; URLs of files and links in responses and email begin with ${config.publicUrl}`,
      'Main',
    );
  }
  const url = listenUrl(config.host, port);
  try {
    if (config.role !== 'worker') recordRunning(config.dataDir, url);
  } catch (error) {
    logger.warn({ err: error }, 'DATA_DIR cannot be written to; npm run demo will not find this service', 'Main');
  }
  greet(config, url, logger, await demoLink(config, url, databaseUrl));
}

/** The link with which the console of the demo tenant is entered, if there is one. */
async function demoLink(config: Config, url: string, databaseUrl: string): Promise<string | undefined> {
  const { demo, tenants, consoleUrl, hasPublicUrl, publicUrl, port } = config;
  const tenant = tenants.find(({ id }) => id === demo?.tenantId);
  if (!tenant || !hasConsole(config)) return undefined;
  try {
    return await signInLink(databaseUrl, tenant, consoleUrl ?? (port === 0 && !hasPublicUrl ? url : publicUrl));
  } catch (error) {
    logger.warn({ err: error }, 'No sign-in link could be made; npm run console makes one', 'Main');
    return undefined;
  }
}

/** Reports the error, in a cluster through the primary, and exits with code 1. */
function fail(error: unknown): void {
  if (cluster.isWorker) void reportToPrimary(error).then(() => process.exit(1));
  else {
    reportFailure(error);
    process.exit(1);
  }
}

// Files of this process and of those that it starts are readable only by their user.
process.umask(0o077);
// The reader of these streams may end before this process, for example a terminal that is closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
logProcessEvents(logger, fail);

main().catch(fail);

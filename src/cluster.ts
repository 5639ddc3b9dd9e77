import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { countFor } from './access/cluster-windows.js';
import { RateLimitWindows } from './access/rate-limit-windows.js';
import type { Config } from './config/config.js';
import { StartError } from './config/start-error.js';
import { gatherFor } from './observability/cluster-metrics.js';
import type { JsonLogger } from './observability/logger.js';
import { endOf } from './processes/start-failures.js';
import { LoggedOutage } from './redis/logged-outage.js';
import { logOutagesOf } from './redis/reported-outage.js';
import type { Service } from './serve.js';

/** A worker may receive a signal to all processes before the primary does. Its end is then not a failure. */
const SIGNAL_MS = 200;
/** A worker that ends this soon after its start would probably end again, so it is restarted after this time. */
const QUICK_MS = 5_000;

/**
 * Runs `WEB_CONCURRENCY` processes that listen on one port (node's cluster). The primary serves no requests: it restarts workers that
 * ended, counts for the rate limits of all workers if there is no Redis, aggregates their metrics, and logs an outage of Redis once for all. Throws the error of the first
 * worker that cannot start, after it has ended the others.
 */
export async function serveCluster(config: Config, databaseUrl: string, logger: JsonLogger): Promise<Service> {
  const windows = new RateLimitWindows();
  const metrics = new AggregatorRegistry();
  const redis = new LoggedOutage(logger);
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  const start = (): { worker: Worker; end: Promise<Error> } => {
    const started = Date.now();
    const worker = cluster.fork({ DATABASE_URL: databaseUrl });
    countFor(worker, windows);
    gatherFor(worker, metrics);
    logOutagesOf(worker, redis);
    const end = endOf(worker);
    void end.then((error) => {
      if (phase === 'starting') return;
      const restart = () => {
        if (phase === 'stopping') return;
        if (error instanceof StartError) logger.error(error.message, 'Cluster');
        else logger.error({ err: error }, `Process ${worker.process.pid} ended; another one is started`, 'Cluster');
        start();
      };
      setTimeout(restart, Date.now() - started < QUICK_MS ? QUICK_MS : SIGNAL_MS);
    });
    return { worker, end };
  };
  const stop = async (): Promise<void> => {
    phase = 'stopping';
    redis.onApplicationShutdown();
    await Promise.all(Object.values(cluster.workers ?? {}).map(stopped));
  };
  try {
    const workers = Array.from({ length: config.webConcurrency }, start);
    const ports = await Promise.all(workers.map(({ worker, end }) => listening(worker, end)));
    phase = 'running';
    return { port: ports[0] ?? config.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the worker's port when it listens. Throws its error if it ends instead. */
function listening(worker: Worker, end: Promise<Error>): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port));
    void end.then(reject);
  });
}

async function stopped(worker: Worker | undefined): Promise<void> {
  if (!worker || worker.isDead()) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.process.kill('SIGTERM');
  await ended;
}

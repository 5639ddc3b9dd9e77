import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { countFor } from './access/cluster-windows.js';
import { RateLimitWindows } from './access/rate-limit-windows.js';
import type { Config } from './config/config.js';
import { gatherFor } from './observability/cluster-metrics.js';
import type { JsonLogger } from './observability/logger.js';
import type { Service } from './serve.js';

/** A worker may receive a signal to all processes before the primary does. Its end is then not a failure. */
const SIGNAL_MS = 200;
/** A worker that ends this soon after its start would probably end again, so it is restarted after this time. */
const QUICK_MS = 5_000;

/**
 * Runs `WEB_CONCURRENCY` processes that listen on one port (node's cluster). The primary serves no requests: it restarts workers that
 * ended, counts for the rate limits of all workers if there is no Redis, and aggregates their metrics.
 */
export async function serveCluster(config: Config, databaseUrl: string, logger: JsonLogger): Promise<Service> {
  const windows = new RateLimitWindows();
  const metrics = new AggregatorRegistry();
  let stopping = false;

  const start = (): Worker => {
    const started = Date.now();
    const worker = cluster.fork({ DATABASE_URL: databaseUrl });
    countFor(worker, windows);
    gatherFor(worker, metrics);
    worker.once('exit', (code, signal) => {
      const restart = () => {
        if (stopping) return;
        logger.error(`Process ${worker.process.pid} exited (${signal ?? code})`, 'Cluster');
        start();
      };
      setTimeout(restart, Date.now() - started < QUICK_MS ? QUICK_MS : SIGNAL_MS);
    });
    return worker;
  };

  const workers = Array.from({ length: config.webConcurrency }, start);
  const ports = await Promise.all(workers.map(listening));
  return {
    port: ports[0] ?? config.port,
    async stop() {
      stopping = true;
      await Promise.all(
        Object.values(cluster.workers ?? {}).map(async (worker) => {
          if (!worker || worker.isDead()) return;
          const ended = new Promise((resolve) => worker.once('exit', resolve));
          worker.process.kill('SIGTERM');
          await ended;
        }),
      );
    },
  };
}

function listening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port));
    worker.once('exit', (code) => reject(new Error(`A process exited (${code}) before it was listening.`)));
  });
}

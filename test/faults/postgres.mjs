/** A separate PostgreSQL from the embedded package, which can be stopped and restarted under the same URL. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { atEnd, freePort } from '../../bench/processes.mjs';
import { using } from '../../bench/postgres.mjs';
import { until } from './until.mjs';

const DATABASE = 'trivet';
/** Shutdown modes: `fast` rolls open transactions back, `immediate` exits at once, so that the next start runs recovery. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' };

export class Postgres {
  static async start({ dist, folder }) {
    const module = pathToFileURL(join(dist, 'database/embedded/embedded-postgres-cluster.js')).href;
    const { Cluster } = await import(module);
    const postgres = new Postgres(await Cluster.open(folder), await freePort());
    atEnd(() => postgres.cluster.shutDown());
    await postgres.start();
    await using(postgres.urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${DATABASE}`));
    return postgres;
  }

  constructor(cluster, port) {
    this.cluster = cluster;
    this.port = port;
  }

  get url() {
    return this.urlOf(DATABASE);
  }

  urlOf(database) {
    return this.cluster.url({ port: this.port }, database);
  }

  /** Returns when no process of the server is left. */
  async stop(how) {
    const server = await this.cluster.server();
    process.kill(server.pid, SIGNALS[how]);
    await until(async () => (await this.cluster.server()) === undefined, 'PostgreSQL ends', 30);
  }

  async start() {
    for (let tries = 1; ; tries++) {
      try {
        return await this.cluster.launch(this.port);
      } catch (error) {
        // Backends may still be exiting after an immediate shutdown.
        if (tries === 20) throw error;
        await sleep(100);
      }
    }
  }
}

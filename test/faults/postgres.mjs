/** A PostgreSQL of the script's own, out of the embedded package, that can be taken away and brought back under the same URL. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { atEnd, freePort } from '../../bench/processes.mjs';
import { using } from '../../bench/postgres.mjs';
import { until } from './until.mjs';

const DATABASE = 'trivet';
/** How a server is told to end: `fast` rolls open transactions back; `immediate` stops dead, and the next start recovers. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' };

export class Postgres {
  static async start({ dist, folder }) {
    const module = pathToFileURL(join(dist, 'database/embedded-postgres-cluster.js')).href;
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

  /** Returns when nothing of the server is left to answer. */
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
        // Backends of a server that stopped dead are on their way out still.
        if (tries === 20) throw error;
        await sleep(100);
      }
    }
  }
}

/** The PostgreSQL of a run: one started for it, or the one at `--database-url`. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { atEnd, childrenOf, cpuTime, parentOf } from './processes.mjs';

export class Postgres {
  /** Starts an embedded server in `folder`, or uses the one at `url`. */
  static async start({ url, dist, folder }) {
    let server = url;
    if (!server) {
      const path = pathToFileURL(join(dist, 'database/embedded/embedded-postgres.js')).href;
      const { startEmbeddedPostgres } = await import(path);
      const log = { info: () => {}, error: console.error };
      const embedded = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log });
      atEnd(() => embedded.stop());
      server = embedded.url;
    }
    const admin = await open(server);
    atEnd(() => admin.end());
    const { rows } = await admin.query(`SELECT pg_backend_pid() AS pid, current_setting('server_version') AS version`);
    const postmaster = await parentOf(rows[0].pid);
    const logFile = url ? undefined : join(folder, 'database/postgres.log');
    return new Postgres(server, admin, { own: !url, version: rows[0].version, postmaster, logFile });
  }

  constructor(server, admin, { own, version, postmaster, logFile }) {
    Object.assign(this, { server, admin, own, version, postmaster, logFile, databases: [] });
  }

  /** Creates an empty database, which is dropped at the end; returns its URL. */
  async createDatabase(name) {
    const database = `trivet_bench_${name}_${randomBytes(4).toString('hex')}`;
    await this.admin.query(`CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8'`);
    atEnd(() => this.admin.query(`DROP DATABASE ${database} WITH (FORCE)`));
    this.databases.push(database);
    const url = new URL(this.server);
    url.pathname = `/${database}`;
    return url.href;
  }

  /**
   * The processor time of PostgreSQL in microseconds. Includes all processes of the run's own server, but only the connections to the run's
   * databases on another server. NaN if the server is on another machine.
   */
  async cpuTime() {
    if (this.postmaster === undefined) return NaN;
    if (this.own) {
      const children = await childrenOf(this.postmaster);
      const times = await Promise.all(children.map((pid) => cpuTime(pid)));
      return sum(times) + (await cpuTime(this.postmaster, { reaped: true }));
    }
    const { rows } = await this.admin.query('SELECT pid FROM pg_stat_activity WHERE datname = ANY ($1)', [
      this.databases,
    ]);
    return sum(await Promise.all(rows.map(({ pid }) => cpuTime(pid))));
  }
}

/** Opens a connection whose sessions use UTC for timestamps. */
export async function open(connectionString) {
  const client = new pg.Client({ connectionString, options: '-c timezone=UTC', application_name: 'trivet bench' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs `work` with a new connection. */
export async function using(connectionString, work) {
  const client = await open(connectionString);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Updates statistics and visibility as autovacuum does later, and writes everything to disk. */
export async function settle(url) {
  await using(url, async (client) => {
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  });
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

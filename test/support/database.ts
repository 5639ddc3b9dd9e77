import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { serversOfCluster, TEST_CITUS_URL } from './citus.js';
import { TEMPLATE } from './template.js';

export interface TestDatabase {
  url: string;
  /** Runs SQL outside the application. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates a database on the server of the test run: migrated, unless `empty`. */
export async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const server = process.env['TRIVET_TEST_SERVER'];
  if (!server) throw new Error('The global set-up did not run.');
  const name = `trivet_test_${randomBytes(6).toString('hex')}`;
  // The copies of a distributed template, under the same name on every server, are a distributed database.
  const servers = TEST_CITUS_URL ? (await serversOfCluster()).map(({ url }) => url) : [server];
  const template = `${empty ? `template0 ENCODING 'UTF8'` : TEMPLATE} ${process.env['TRIVET_TEST_COPY'] ?? ''}`;
  for (const each of servers) await onServer(each, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  // `end()` does not wait until the connections are closed, and dropping the database breaks those that are still open.
  pool.on('error', () => {});
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    async drop() {
      await pool.end();
      const drop = (each: string) => onServer(each, `DROP DATABASE ${name} WITH (FORCE)`);
      for (const each of servers) {
        await drop(each).catch((error: { code?: string }) => {
          // The maintenance daemon of Citus may have connected again.
          if (error.code !== '55006') throw error;
          return drop(each);
        });
      }
    },
  };
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // PostgreSQL rejects two simultaneous copies of one template, so the test files take turns.
    await client.query('SELECT pg_advisory_lock(4711)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';

/** The global set-up passes this variable to the test files. */
const SERVER = 'TRIVET_TEST_SERVER_MAJOR';

/** Stores the major version of the server that the tests use. */
export async function noteServerVersion(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
  await client.end();
  process.env[SERVER] = String(Math.floor(Number(rows[0]?.server_version_num) / 10_000));
}

/** Defines tests that need a `pg_dump` of at least the server's version. Without one they are skipped and listed by name. */
export function describeWithPgDump(name: string, tests: () => void): void {
  const found = dumpVersion() >= Number(process.env[SERVER]);
  (found ? describe : describe.skip)(
    found ? name : `${name} (no pg_dump for PostgreSQL ${process.env[SERVER]})`,
    tests,
  );
}

/** Dumps the whole database as SQL that any client can run. */
export async function pgDump(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('pg_dump', ['--inserts', '--no-owner', '--dbname', url], {
    maxBuffer: 256 * 1024 * 1024,
  });
  // Removes psql's own commands, and a setting that older servers do not know.
  return stdout.replace(/^(\\.*|SET transaction_timeout = 0;)$/gm, '');
}

function dumpVersion(): number {
  try {
    return Number(/(\d+)[.\d]*/.exec(execFileSync('pg_dump', ['--version']).toString())?.[1]);
  } catch {
    return 0;
  }
}

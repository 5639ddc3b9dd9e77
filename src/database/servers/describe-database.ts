import pg from 'pg';

/** Returns the name of the database at the URL and where it is, without user and password. */
export function describeDatabase(connectionString: string): string {
  // The client also knows what the variables of PostgreSQL (`PGHOST` …) say.
  const { database, host, port } = new pg.Client({ connectionString });
  return `${database ?? ''} at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Says on the standard error which database a command works on: a variable may lead to another one than the operator believes. */
export function announceDatabase(connectionString: string): void {
  process.stderr.write(`Database: ${describeDatabase(connectionString)}\n`);
}

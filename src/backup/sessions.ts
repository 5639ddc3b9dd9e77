import pg from 'pg';

/** The settings of a backup's sessions. With them, values do not depend on the server that reads them, and nothing times out. */
const SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // If a policy hides rows, the backup fails instead of missing them.
  row_security: 'off',
};

/** Opens a connection for a backup. */
export async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'trivet backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: Object.entries(SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // If a connection breaks between two statements, the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

import pg from 'pg';

/** What the sessions of a backup set. Values read the same wherever they are loaded, and nothing ends because it takes long. */
const SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // A policy that hides rows becomes an error instead of a backup that lacks them.
  row_security: 'off',
};

/** A connection for a backup. */
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
  // A connection that breaks between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

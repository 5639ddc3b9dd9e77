import pg from 'pg';
import { hasNoService } from '../../src/database/servers/service-sessions.js';
import { startApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

describe('commands that need the database for themselves', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('notice a service that has no requests, and that it has ended', async () => {
    expect(await hasNoService(client)).toBe(true);
    const app = await startApp({ ROLE: 'api' }, { database });
    // The pool closes connections that nobody uses.
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trivet'`,
    );
    expect(await hasNoService(client)).toBe(false);
    await app.close();
    expect(await hasNoService(client)).toBe(true);
  });
});

import { startApp, type TestApp } from './support/app.js';
import { createEntries, createType } from './support/content.js';
import { until } from './support/until.js';

const CLEANING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%gin_clean_pending_list%' AND pid <> pg_backend_pid()`;

describe('the search index', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('sorts in what was written, without a vacuum', async () => {
    await app.database.query('ALTER TABLE entry_words SET (autovacuum_enabled = false)');
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createEntries(tenant, type, [{ fields: { title: 'Analytical engines' } }]);
    await until(async () => (await app.database.query(CLEANING)).length > 0);
    const rows = await app.database.query(`SELECT gin_clean_pending_list('entry_words_search')::int AS pages`);
    expect(rows).toEqual([{ pages: 0 }]);
  });
});

import { startApp, type TestApp } from './support/app.js';
import { createEntries, createType } from './support/content.js';
import { until } from './support/until.js';

const CLEANED = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND query LIKE '%gin_clean_pending_list%' AND query_start > $1`;
/** Empties the list itself, and returns how long it was. On Citus, the tenant's index is that of a shard. */
const PAGES = `SELECT gin_clean_pending_list(concat('entry_words_search', substring((
    SELECT tableoid::regclass::text FROM entry_words WHERE tenant_id = $1 LIMIT 1
  ) FROM '_[0-9]+$'))::regclass)::int AS pages`;

describe('the search index', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const now = async () => {
    const [row] = await app.database.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
    return row!.at;
  };

  const cleanedSince = (time: string) => until(async () => (await app.database.query(CLEANED, [time])).length > 0);

  it('sorts in what was written, without a vacuum', async () => {
    await app.database.query('ALTER TABLE entry_words SET (autovacuum_enabled = false)');
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const before = await now();
    await createEntries(tenant, type, [{ fields: { title: 'Analytical engines' } }]);
    await cleanedSince(before);
    const rows = await app.database.query(PAGES, [tenant.id]);
    expect(rows).toEqual([{ pages: 0 }]);
  });

  it('sorts in what other processes wrote when somebody searches', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const before = await now();
    await tenant.http.get(`${type.entries}?search=engines`).expect(200);
    await cleanedSince(before);
  });
});

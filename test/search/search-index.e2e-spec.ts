import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';
import { until } from '../support/until.js';

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

  /** Resolves when the list was emptied after the call. */
  const emptied = async (): Promise<void> => {
    const queries = jest.spyOn(app.get(Database), 'query');
    const found = () => queries.mock.calls.findIndex(([, { name }]) => name === 'entries.sort_in');
    const at = await until(() => Promise.resolve(found() >= 0 && { index: found() }));
    await queries.mock.results[at.index]?.value;
    queries.mockRestore();
  };

  it('sorts in what was written, without a vacuum', async () => {
    await app.database.query('ALTER TABLE entry_words SET (autovacuum_enabled = false)');
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createEntries(tenant, type, [{ fields: { title: 'Analytical engines' } }]);
    await emptied();
    const rows = await app.database.query(PAGES, [tenant.id]);
    expect(rows).toEqual([{ pages: 0 }]);
  });

  it('sorts in what other processes wrote when somebody searches', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const done = emptied();
    await tenant.http.get(`${type.entries}?search=engines`).expect(200);
    await done;
  });

  it('does not find excluded words while it sorts them in', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const words = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
    const titles = [...Array.from({ length: 10 }, () => `${words.join(' ')} end`), 'n5 end'];
    await createEntries(
      tenant,
      type,
      titles.map((title) => ({ fields: { title } })),
    );
    let isOver = false;
    const done = emptied().then(() => (isOver = true));
    const totals: unknown[] = [];
    while (!isOver) {
      const { body } = await tenant.http.get(`${type.entries}?search=end%20-n5`).expect(200);
      totals.push((body as { meta: { total: number } }).meta.total);
    }
    await done;
    expect(new Set(totals)).toEqual(new Set([0]));
  });
});

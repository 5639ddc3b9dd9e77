import { DataSource } from 'typeorm';
import { dataSourceOptions, onCitus } from '../../src/database/data-source.js';
import { startApp } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { loadTables } from '../support/tables.js';

describe('the migration of published_at', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(onCitus(dataSourceOptions(database.url, 1, await loadTables()))).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const times = async () =>
    Object.fromEntries(
      (
        await database.query<{ title: string; at: Date | null }>(
          `SELECT fields ->> 'title' AS title, published_at AS at FROM entries`,
        )
      ).map(({ title, at }) => [title, at]),
    );
  const hasColumn = async () =>
    (
      await database.query(
        `SELECT FROM information_schema.columns WHERE table_name = 'entries' AND column_name = 'published_at'`,
      )
    ).length > 0;

  it('reads from the versions when entries became published', async () => {
    const app = await startApp({}, { database });
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const states = {
      draft: [],
      born: ['published', undefined, 'published'],
      once: [undefined, 'published', undefined],
      twice: ['published', 'draft', 'published', undefined],
      withdrawn: ['published', 'draft'],
    };
    for (const [title, statuses] of Object.entries(states)) {
      const status = title === 'born' ? 'published' : 'draft';
      const [id] = await createEntries(tenant, type, [{ fields: { title }, status }]);
      for (const sent of statuses) {
        await tenant.http.patch(`${type.entries}/${id}`, sent ? { status: sent } : { fields: { title } }).expect(200);
      }
    }
    const [lost] = await createEntries(tenant, type, [{ fields: { title: 'lost' }, status: 'published' }]);
    const before = await times();
    await app.close();
    await database.query(`DELETE FROM versions WHERE tenant_id = $1 AND data LIKE $2`, [tenant.id, `%${lost}%`]);

    while (await hasColumn()) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    expect(before).toMatchObject({ draft: null, withdrawn: null, twice: expect.any(Date) });
    expect(await times()).toEqual(before);
  });
});

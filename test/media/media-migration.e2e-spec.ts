import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { newUuid } from '../../src/ids/type-id.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { loadTables } from '../support/tables.js';

// Migrations that are older than npm run distribute do not run on a distributed database.
describeOnPlain('the migration of variants to a table', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 1, await loadTables())).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const exists = async () =>
    (await database.query(`SELECT 1 FROM pg_tables WHERE tablename = 'media_variants'`)).length > 0;
  const undo = async () => {
    while (await exists()) await dataSource.undoLastMigration();
  };
  const [plain, scaled, deleted] = [newUuid(), newUuid(), newUuid()];

  it('keeps the names of every variant when it runs and when it is reverted', async () => {
    await undo();
    await database.query(`INSERT INTO tenants (id, name, created_at) VALUES ('ten_a', 'A', now())`);
    const media = `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, variants, search, created_at)
      VALUES ('ten_a', $1, 'a.png', '', 'image/png', 'png', 5, $2, '', now())`;
    await database.query(media, [plain, []]);
    await database.query(media, [scaled, ['w300.png', 'w320.webp']]);
    await database.query(
      `INSERT INTO media_strays (tenant_id, id, variants, leaving, since) VALUES ('ten_a', $1, '{w16.png}', true, now())`,
      [deleted],
    );

    await dataSource.runMigrations({ transaction: 'each' });
    const rows = await database.query('SELECT media_id, name, bytes::int, used_at < now() AS past FROM media_variants');
    expect(rows).toHaveLength(3);
    for (const [id, name] of [
      [scaled, 'w300.png'],
      [scaled, 'w320.webp'],
      [deleted, 'w16.png'],
    ]) {
      expect(rows).toContainEqual({ media_id: id, name, bytes: 0, past: true });
    }

    await undo();
    const names = async (table: string) => database.query(`SELECT id, variants FROM ${table} ORDER BY id`);
    expect(await names('media')).toEqual([
      { id: plain, variants: [] },
      { id: scaled, variants: ['w300.png', 'w320.webp'] },
    ]);
    expect(await names('media_strays')).toEqual([{ id: deleted, variants: ['w16.png'] }]);
  });
});

import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { startApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { loadTables } from '../support/tables.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
];

describe('the migration of search documents', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, 1, await loadTables())).initialize();
  });
  afterAll(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  const hasGaps = async () =>
    (await database.query(`SELECT FROM pg_attribute WHERE attrelid = 'entry_words'::regclass AND attname = 'gaps'`))
      .length > 0;

  it('writes the document of every entry, and can be reverted', async () => {
    while (await hasGaps()) await dataSource.undoLastMigration();
    const [typeId, tenantId] = [newUuid(), 'ten_upgraded'];
    await database.query(`INSERT INTO tenants (id, name, created_at) VALUES ($1, 'A', now())`, [tenantId]);
    await database.query(
      `INSERT INTO content_types (tenant_id, id, name, slug, fields, retired, targets, version, created_at, updated_at)
        VALUES ($1, $2, 'Article', 'article', $3, '[]', '{}', 1, now(), now())`,
      [tenantId, typeId, JSON.stringify(FIELDS)],
    );
    const partition = typeId.slice(-5);
    const texts = [
      ...Array.from({ length: 45 }, (_, index) => ({
        title: `Old news ${index}`,
        body: '<p>All about C++ and tea.</p>',
      })),
      { title: 'C++', body: `<p>${'the cat '.repeat(300)}the needle</p>` },
    ];
    for (const fields of texts) {
      const id = newUuid();
      await database.query(
        `WITH entry AS (
          INSERT INTO entries (tenant_id, content_type_id, id, fields, status, version, created_at, updated_at)
          VALUES ($1, $2, $3, $4, 'published', 1, now(), now())
        )
        INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words) VALUES ($1, $2, $3, $5::tsvector)`,
        [tenantId, typeId, id, JSON.stringify(fields), `'${partition}' '${partition}c':1 '${partition}old':2`],
      );
    }
    await database.query(
      `INSERT INTO entry_counts (tenant_id, content_type_id, shard, drafts, published) VALUES ($1, $2, 0, 0, 46)`,
      [tenantId, typeId],
    );

    // The start of the service migrates.
    const key = 'tvt_key_of_an_upgraded_tenant';
    const TENANTS = JSON.stringify([{ id: tenantId, name: 'A', api_keys: [{ key }] }]);
    const app = await startApp({ TENANTS }, { database });
    const list = async (query: string) => {
      const path = `/v1/content/${tenantId}/types/${formatId('ct', typeId)}/entries?${query}`;
      return (await app.client(`Bearer ${key}`).get(path).expect(200)).body;
    };
    const { data, meta } = await list(`search=${encodeURIComponent('c++')}`);
    expect(meta.total).toBe(46);
    expect(data[0].fields.title).toBe('C++');
    expect((await list('search=%22the needle%22')).meta.total).toBe(1);
    expect((await list('search=%22cat needle%22')).meta.total).toBe(0);
    expect((await list('search=needel&fuzzy=true')).meta).toMatchObject({ total: 1, corrected: 'needle' });
    const words = await database.query<{ word: string; length: number }>(
      'SELECT word, length FROM search_words ORDER BY 1',
    );
    expect(words.map(({ word }) => word)).toEqual([
      'about',
      'all',
      'and',
      'cat',
      'needle',
      'news',
      'old',
      'tea',
      'the',
    ]);
    expect(words.filter(({ word, length }) => word.length !== length)).toEqual([]);
    await app.close();

    while (await hasGaps()) await dataSource.undoLastMigration();
    expect(
      await database.query(`SELECT entry_id FROM entry_words WHERE words @@ $1::tsquery`, [`'${partition}needle'`]),
    ).toHaveLength(1);
  });
});

import { DataSource } from 'typeorm';
import { dataSourceOptions, onCitus } from '../../src/database/data-source.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { startApp } from '../support/app.js';
import { migrateDistributed } from '../support/citus.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { loadTables } from '../support/tables.js';

const FIELDS = [{ name: 'title', type: 'text' }];

describe('the migration of versions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await new DataSource(onCitus(dataSourceOptions(database.url, 1, await loadTables()))).initialize();
  });
  afterAll(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  const hasVersions = async () => (await database.query(`SELECT FROM pg_class WHERE relname = 'versions'`)).length > 0;
  const revert = async () => {
    while (await hasVersions()) await dataSource.undoLastMigration();
  };

  it('begins the history of every entry, keeps the data of events, and can be reverted', async () => {
    await revert();
    const [tenantId, typeId] = ['ten_upgraded', newUuid()];
    const typePublicId = formatId('ct', typeId);
    await database.query(`INSERT INTO tenants (id, name, created_at) VALUES ($1, 'A', now())`, [tenantId]);
    await database.query(
      `INSERT INTO content_types (tenant_id, id, name, slug, fields, retired, targets, version, created_at, updated_at)
        VALUES ($1, $2, 'Article', 'article', $3, '[]', '{}', 1, now(), now())`,
      [tenantId, typeId, JSON.stringify(FIELDS)],
    );
    // More than one batch of the migration.
    const entries = Array.from({ length: 1_205 }, (_, index) => ({ id: newUuid(), title: `Entry ${index} "é"` }));
    await database.query(
      `INSERT INTO entries (tenant_id, content_type_id, id, fields, status, version, created_at, updated_at)
        SELECT $1, $2, n.id, json_build_object('title', n.title), 'published', n.number, now() - interval '1 day', now()
        FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS n (id, title, number)`,
      [tenantId, typeId, entries.map(({ id }) => id), entries.map(({ title }) => title)],
    );
    await database.query(
      `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
        SELECT tenant_id, content_type_id, id, '' FROM entries`,
    );
    await database.query(
      `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
        SELECT tenant_id, content_type_id, 'title', lower(fields->>'title'), '', id FROM entries`,
    );
    const old = newUuid();
    await database.query(
      `WITH event AS (
          INSERT INTO events (tenant_id, id, type, data, occurred_at) VALUES ($1, $2, 'entry.updated', '{"fields": {"title": "of old"}}', now())
        )
        INSERT INTO pending_events (tenant_id, event_id) VALUES ($1, $2)`,
      [tenantId, old],
    );

    // The start of the service migrates. A new table is not distributed then.
    await migrateDistributed(database);
    const key = 'tvt_key_of_an_upgraded_tenant';
    const TENANTS = JSON.stringify([{ id: tenantId, name: 'A', api_keys: [{ key }] }]);
    const app = await startApp({ TENANTS }, { database });
    const http = app.client(`Bearer ${key}`);
    const pathOf = (index: number) =>
      `/v1/content/${tenantId}/types/${typePublicId}/entries/${formatId('ent', entries[index]?.id ?? '')}`;
    const [first, last] = [pathOf(0), pathOf(entries.length - 1)];
    const at = (await http.get(last).expect(200)).body.data.updated_at;
    expect((await http.get(`${first}/versions`).expect(200)).body.data).toMatchObject([
      { version: 1, action: 'created' },
    ]);
    expect((await http.get(`${last}/versions`).expect(200)).body.data).toEqual([
      { version: entries.length, action: 'updated', status: 'published', changed: [], at },
    ]);
    expect((await http.get(`${last}/versions/${entries.length}`).expect(200)).body.data.fields).toEqual({
      title: entries.at(-1)?.title,
    });
    await http.patch(last, { fields: { title: 'New' } }).expect(200);
    expect((await http.get(`${last}/versions/${entries.length + 1}/diff`).expect(200)).body.data).toEqual([
      { field: 'title', before: entries.at(-1)?.title, after: 'New' },
    ]);
    // What the version before the update knows about them is not known: they can only be compared with another one.
    await http.get(`${last}/versions/${entries.length}/diff`).expect(404);
    await http.post(`${last}/versions/${entries.length}/restore`).expect(200);
    const { data } = (await http.get(`/v1/events/${tenantId}`).expect(200)).body;
    expect(data.map((event: { data: { fields: object } }) => event.data.fields)).toEqual([
      { title: 'of old' },
      { title: 'New' },
      { title: entries.at(-1)?.title },
    ]);
    await app.close();

    await revert();
    const events = await database.query<{ title: string }>(
      `SELECT data #>> '{fields,title}' AS title FROM events WHERE tenant_id = $1 ORDER BY id`,
      [tenantId],
    );
    expect(events.map(({ title }) => title)).toEqual(['of old', 'New', entries.at(-1)?.title]);
    await dataSource.runMigrations();
    expect(await hasVersions()).toBe(true);
  }, 240_000);
});

import { DataSource } from 'typeorm';
import { runNow } from '../../src/admission/steps.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { digestSteps } from '../../src/json/json-digest.js';
import { startApp, type TestTenant } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { files } from '../support/files.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { loadTables } from '../support/tables.js';
import { upload } from '../support/upload.js';

const [ID, KEY] = ['ten_upgraded', 'tvt_key_of_an_upgraded_tenant'];
const [BEFORE, AFTER] = ['http://127.0.0.1:3000', 'https://cms.example.com'];
const MARK = '"\\u002fmedia/';
const FIELDS = [
  { name: 'cover', type: 'media' },
  { name: 'gallery', type: 'media', multiple: true },
  { name: 'seo', type: 'group', fields: [{ name: 'image', type: 'media' }] },
  { name: 'data', type: 'json' },
];

// A distributed database is made of tables that are as they are now.
describeOnPlain('the migration of URLs of files to paths', () => {
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

  const start = (PUBLIC_URL: string) => {
    const TENANTS = JSON.stringify([{ id: ID, name: 'A', api_keys: [{ key: KEY }] }]);
    return startApp({ TENANTS, PUBLIC_URL }, { database });
  };
  const hasUrls = async () =>
    (await database.query(`SELECT FROM information_schema.columns WHERE column_name = 'public_urls'`)).length > 0;

  /** Stores URLs in the place of paths, as it was before. */
  const store = async (draftedValue: object) => {
    for (const [table, column, type] of [
      ['entries', 'fields', 'json'],
      ['versions', 'data', 'text'],
      ['events', 'data', 'json'],
    ]) {
      await database.query(
        `UPDATE ${table} SET ${column} = replace(${column}::text, $1, $2)::${type} WHERE position($1 IN ${column}::text) > 0`,
        [MARK, `"${BEFORE}/media/`],
      );
    }
    await database.query(
      `UPDATE entry_values SET sort_key = $1 || sort_key WHERE sort_key LIKE '/media/%' AND field <> 'data'`,
      [BEFORE],
    );
    await database.query(
      `UPDATE entry_drafts SET fields = replace(fields::text, '"/media/', $1)::json, bases = $2 WHERE fields IS NOT NULL`,
      [`"${BEFORE}/media/`, JSON.stringify({ cover: runNow(digestSteps(draftedValue)) })],
    );
  };

  it('mends entries, drafts, versions and events', async () => {
    const app = await start(BEFORE);
    const http = app.client(`Bearer ${KEY}`);
    const tenant: TestTenant = { id: ID, key: KEY, publishedKey: '', http };
    const [one, two] = [await upload(app, tenant, await files.png()), await upload(app, tenant, await files.png())];
    await http.post(`/v1/content/${ID}/types`, { name: 'Page', slug: 'page', fields: FIELDS }).expect(201);
    const entries = `/v1/content/${ID}/types/page/entries`;
    const value = (url: string) => ({ url, alt: 'x' });
    const gone = one.url.replace(one.id, `med_${'0'.repeat(26)}`);
    const fields = {
      cover: value(one.url),
      gallery: [value('https://images.example/x.png'), value(two.url), value(gone)],
      seo: { image: value(`${one.url}?w=320`) },
      data: value(one.url),
    };
    const { id } = (await http.post(entries, { fields }).expect(201)).body.data;
    await http.patch(`${entries}/${id}/draft`, { fields: { cover: value(two.url) } }).expect(200);
    await app.close();
    while (await hasUrls()) await dataSource.undoLastMigration();
    await store(value(one.url));
    expect(await database.query(`SELECT FROM entries WHERE position('u002f' IN fields::text) > 0`)).toEqual([]);
    await dataSource.runMigrations({ transaction: 'each' });

    const upgraded = await start(AFTER);
    const moved = upgraded.client(`Bearer ${KEY}`);
    const data = async (path: string) => (await moved.get(path).expect(200)).body.data;
    const now = (url: string) => url.replace(BEFORE, AFTER);
    const shown = {
      ...fields,
      cover: value(now(one.url)),
      gallery: [fields.gallery[0], value(now(two.url)), value(gone)],
      seo: { image: value(`${now(one.url)}?w=320`) },
    };
    expect((await data(`${entries}/${id}`)).fields).toEqual(shown);
    expect((await data(`${entries}/${id}/versions/1`)).fields).toMatchObject({ cover: shown.cover, seo: shown.seo });
    expect((await data(`${entries}/${id}/draft`)).fields.cover).toEqual(value(now(two.url)));
    expect((await data(`${entries}?filter[cover]=${now(one.url)}`)).length).toBe(1);
    expect((await data(`${entries}?filter[seo.image][starts_with]=${now(one.url)}`)).length).toBe(1);
    expect((await data(`/v1/media/${ID}/${two.id}/usage`)).length).toBe(1);
    await moved.delete(`/v1/media/${ID}/${one.id}`).expect(409);
    const events: { type: string; data: { url: string } }[] = await data(`/v1/events/${ID}?cursor=`);
    const uploads = events.filter((event) => event.type === 'media.uploaded');
    expect(uploads.map((event) => event.data.url)).toEqual([now(one.url), now(two.url)]);
    await moved.post(`${entries}/${id}/draft/publish`).expect(200);
    // The earlier URL is known from the uploads.
    const old = await moved.post(entries, { fields: { cover: value(one.url) } }).expect(201);
    expect(old.body.data.fields.cover).toEqual(value(now(one.url)));
    await upgraded.close();
  });
});

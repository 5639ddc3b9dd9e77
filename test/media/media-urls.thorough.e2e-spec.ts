import { randomBytes } from 'node:crypto';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { EventStreamReader } from '../support/event-stream.js';
import { files } from '../support/files.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { type TestMedia, upload } from '../support/upload.js';

const [BEFORE, AFTER] = ['http://localhost:3000', 'https://cms.example.com/base'];
const [ID, KEY, PUBLISHED_KEY] = ['ten_moved', 'test-key-of-a-moved-service', 'published-key-of-a-moved-service'];
const TENANTS = JSON.stringify([
  {
    id: ID,
    name: 'Moved',
    api_keys: [
      { name: 'test', key: KEY },
      { name: 'published', key: PUBLISHED_KEY, scopes: ['content:read:published'] },
    ],
  },
]);
const ENV = { ...RECEIVER_ENV, TENANTS, ENCRYPTION_KEY: randomBytes(32).toString('base64') };

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'cover', type: 'media' },
  { name: 'gallery', type: 'media', multiple: true },
  { name: 'seo', type: 'group', fields: [{ name: 'image', type: 'media' }] },
  { name: 'sections', type: 'blocks', blocks: [{ name: 'picture', fields: [{ name: 'file', type: 'media' }] }] },
  { name: 'data', type: 'json' },
  { name: 'parent', type: 'reference', content_type: 'page' },
];

type Http = TestTenant['http'];
interface Entry {
  id: string;
  fields: Record<string, unknown>;
}

/** The same database, served under one URL and then under another. */
describe('URLs of files after PUBLIC_URL has changed', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let [before, after]: TestApp[] = [];
  let tenant: TestTenant;
  let moved: Http;
  let type: string;
  let media: TestMedia;
  let url: string;
  beforeAll(async () => {
    database = await createDatabase();
    receiver = await startReceiver();
    before = await startApp({ ...ENV, PUBLIC_URL: BEFORE }, { database });
    after = await startApp({ ...ENV, PUBLIC_URL: AFTER }, { database });
    const http = before.client(`Bearer ${KEY}`);
    tenant = { id: ID, key: KEY, publishedKey: PUBLISHED_KEY, http };
    moved = after.client(`Bearer ${KEY}`);
  });
  beforeEach(async () => {
    const slug = `page-${randomBytes(4).toString('hex')}`;
    const fields = FIELDS.map((field) => (field.name === 'parent' ? { ...field, content_type: slug } : field));
    await tenant.http.post(`/v1/content/${ID}/types`, { name: 'Page', slug, fields }).expect(201);
    type = `/v1/content/${ID}/types/${slug}`;
    media = await upload(before!, tenant, await files.png(), 'a.png', 'Red');
    url = media.url.replace(BEFORE, AFTER);
  });
  afterAll(async () => {
    await before?.close();
    await after?.close();
    await receiver.close();
    await database.drop();
  });

  const value = (of: string) => ({ url: of, alt: 'x' });
  const valuesWith = (of: string, parent?: string) => ({
    title: of,
    cover: value(of),
    gallery: [value('https://images.example/x.jpg'), value(`${of}?w=320&s=AbC`)],
    seo: { image: value(of) },
    sections: [{ block: 'picture', file: value(of) }],
    data: { cover: { url: media.url, alt: '"\\u002fmedia/ten_x' } },
    ...(parent !== undefined && { parent }),
  });
  /** What is shown of values that were written with the earlier URL: other fields stay as they were sent. */
  const shownOf = (parent?: string) => ({ ...valuesWith(url, parent), title: media.url });
  const create = async (fields: object, by = tenant.http): Promise<Entry> =>
    (await by.post(`${type}/entries`, { fields, status: 'published' }).expect(201)).body.data;
  const data = async (path: string, by = moved) => (await by.get(path).expect(200)).body.data;

  it('are the present ones wherever an entry is shown', async () => {
    const parent = await create(valuesWith(media.url));
    expect(parent.fields).toEqual(valuesWith(media.url));
    const { id } = await create(valuesWith(media.url, parent.id));
    const shown = shownOf(parent.id);
    const path = `${type}/entries/${id}`;
    expect((await data(path)).fields).toEqual(shown);
    expect((await data(`${type}/entries?per_page=1`))[0].fields).toEqual(shown);
    expect((await data(`${type}/entries?search=localhost&per_page=1`))[0].fields).toEqual(shown);
    expect((await data(`${path}?select=cover`)).fields).toEqual({ cover: value(url) });
    const { included } = (await moved.get(`${path}?include=parent`).expect(200)).body;
    expect(included[parent.id].fields).toEqual(shownOf());
    expect((await data(`${path}/versions/1`)).fields).toEqual(shown);
    expect(await data(`${path}/versions/1/diff`)).toContainEqual({ field: 'cover', after: value(url) });
    expect((await data(path, tenant.http)).fields).toEqual(valuesWith(media.url, parent.id));
  });

  it('are not taken from what a cache has', async () => {
    const { id } = await create({ cover: value(media.url) });
    const { id: other } = await create({ title: 'T' });
    const get = (by: Http, of: string, etag = '') => by.get(`${type}/entries/${of}`).set('If-None-Match', etag);
    const { etag = '' } = (await get(tenant.http, id).expect(200)).headers;
    expect(etag).toBe('"v1"');
    await get(tenant.http, id, etag).expect(304);
    const shown = await get(moved, id, etag).expect(200);
    expect(shown.body.data.fields).toEqual({ cover: value(url) });
    await get(moved, id, shown.headers['etag']).expect(304);
    await get(moved, other, '"v1"').expect(304);
    for (const known of ['"v2"', '"v2.1234"', 'W/"v1"']) {
      await moved.patch(`${type}/entries/${id}`, { status: 'draft' }).set('If-Match', known).expect(412);
    }
    await moved
      .patch(`${type}/entries/${id}`, { fields: { title: 'A' } })
      .set('If-Match', etag)
      .expect(200);
    await moved
      .patch(`${type}/entries/${id}`, { fields: { title: 'B' } })
      .set('If-Match', '"v2"')
      .expect(200);

    await tenant.http.put(type, { public: true }).expect(200);
    await create({ cover: value(media.url) });
    const list = (by: TestApp, known = '') => by.client().get(`${type}/entries`).set('If-None-Match', known);
    const { etag: listed = '' } = (await list(before!).expect(200)).headers;
    await list(before!, listed).expect(304);
    expect((await list(after!, listed).expect(200)).body.data[0].fields).toEqual({ cover: value(url) });
  });

  it('are the present ones in drafts, previews and what is published of them', async () => {
    const { id } = await create({ title: 'T' });
    const path = `${type}/entries/${id}`;
    await tenant.http.patch(`${path}/draft`, { fields: { cover: value(media.url) } }).expect(200);
    expect((await data(`${path}/draft`)).fields).toEqual({ title: 'T', cover: value(url) });
    expect((await data(`${path}?preview=true`)).fields.cover).toEqual(value(url));
    expect((await data(`${type}/entries?preview=true`))[0].fields.cover).toEqual(value(url));
    const { url: link } = (await tenant.http.post(`${path}/preview-links`, {}).expect(201)).body.data;
    const preview = await after!
      .client()
      .get(new URL(link as string).pathname)
      .expect(200);
    expect(preview.body.data.fields.cover).toEqual(value(url));
    await moved.post(`${path}/draft/publish`).expect(200);
    expect((await data(path)).fields).toEqual({ title: 'T', cover: value(url) });
  });

  it('are the present ones in exports, which can be imported again', async () => {
    const { id } = await create(valuesWith(media.url));
    const lines = async (by: Http, format: string) =>
      (await by.get(`${type}/entries/export?format=${format}`).expect(200)).text;
    const [line = ''] = (await lines(moved, 'ndjson')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ id, fields: shownOf() });
    expect(await lines(moved, 'csv')).toContain(`"{""url"":""${url}"",""alt"":""x""}"`);
    expect(await lines(moved, 'csv')).toContain('""\\\\u002fmedia/ten_x');
    const old = await lines(tenant.http, 'ndjson');
    await moved
      .post(`${type}/entries/import`, undefined)
      .set('Content-Type', 'application/x-ndjson')
      .send(old)
      .expect(200);
    expect((await data(`${type}/entries?per_page=1`))[0].fields).toEqual(shownOf());
  });

  it('are the present ones in the feed, in streams and in deliveries', async () => {
    await moved
      .post(`/v1/webhooks/${ID}`, { url: receiver.url('/moved'), events: ['entry.updated', 'media.deleted'] })
      .expect(201);
    const { id } = await create({ title: 'T' });
    const reader = await EventStreamReader.open(after!, tenant, '?cursor=');
    await tenant.http.patch(`${type}/entries/${id}`, { fields: { cover: value(media.url) } }).expect(200);
    await tenant.http.delete(`/v1/media/${ID}/${media.id}?force=true`).expect(200);
    const isOf = ({ data: of }: { data: { id?: string } }) => of.id === id || of.id === media.id;
    const own = (bodies: readonly { type: string; data: Record<string, unknown> }[]) => bodies.filter(isOf).slice(-2);
    const expected = [
      { type: 'entry.updated', data: { fields: { title: 'T', cover: value(url) } } },
      { type: 'media.deleted', data: { url } },
    ];
    const events: { type: string; data: Record<string, unknown> }[] = [];
    for (let cursor: string | null = ''; ;) {
      const answer: { body: { data: typeof events; meta: { next_cursor: string } } } = await moved
        .get(`/v1/events/${ID}?per_page=100&cursor=${cursor}`)
        .expect(200);
      events.push(...answer.body.data);
      if (answer.body.data.length < 100) break;
      cursor = answer.body.meta.next_cursor;
    }
    expect(own(events)).toMatchObject(expected);
    await reader.until(events.length);
    expect(own(reader.events.map(({ body }) => body))).toMatchObject(expected);
    reader.close();
    // Either process may send them.
    for (const { body } of await receiver.until('/moved', 2)) {
      const [sent] = own([body]);
      expect(JSON.stringify(sent)).toMatch(/cms\.example\.com|localhost:3000/);
      expect(JSON.stringify(sent)).not.toContain('u002f');
    }
  });

  it('still prevent the deletion of the file, and tell its uses', async () => {
    const { id } = await create({ cover: value(media.url) });
    await create({ seo: { image: value(url) } }, moved);
    const uses = await data(`/v1/media/${ID}/${media.id}/usage`);
    expect(uses).toHaveLength(2);
    expect(uses[1]).toMatchObject({ entry_id: id, field: 'cover' });
    await moved.delete(`/v1/media/${ID}/${media.id}`).expect(409);
  });

  it('are recognized in requests: the present one, the earlier one, each spelling of a loopback address and paths', async () => {
    const path = new URL(media.url).pathname;
    for (const written of [
      url,
      media.url,
      `http://127.0.0.1:3000${path}`,
      `http://[::1]:3000${path}`,
      `/base${path}`,
      path,
    ]) {
      expect((await create({ cover: value(written) }, moved)).fields['cover']).toEqual(value(url));
      const variant = `${written}?w=320#top`;
      expect((await create({ cover: value(variant) }, moved)).fields['cover']).toEqual(value(`${url}?w=320#top`));
    }
  });

  it('of other services stay as they were written', async () => {
    const path = new URL(media.url).pathname;
    for (const written of [
      `https://cdn.example${path}`,
      `http://127.0.0.1:4000${path}`,
      `HTTPS://CMS.example.com/base${path}`,
      'https://cms.example.com/base/media/ten_moved/x.png',
      '/media/x.png',
      `/files${path}`,
    ]) {
      const { id } = await create({ cover: value(written) }, moved);
      expect((await data(`${type}/entries/${id}`)).fields.cover).toEqual(value(written));
      const filtered = `${type}/entries?filter[cover]=${encodeURIComponent(written)}`;
      expect((await data(filtered)).map((entry: Entry) => entry.id)).toEqual([id]);
    }
  });

  it('are what filters name', async () => {
    const { id } = await create({ cover: value(`${media.url}?w=320`), gallery: [value(media.url)] });
    const { id: other } = await create({ cover: value('https://images.example/media/x.png') });
    const { id: none } = await create({ title: 'T' });
    const found = async (query: string) => {
      const rows: Entry[] = await data(`${type}/entries?sort=id&${query}`);
      return rows.map((entry) => entry.id);
    };
    const encoded = encodeURIComponent(`${url}?w=320`);
    expect(await found(`filter[cover]=${encoded}`)).toEqual([id]);
    expect(await found(`filter[cover][ne]=${encoded}`)).toEqual([other, none]);
    expect(await found(`filter[cover][in]=${encoded},https://images.example/media/x.png`)).toEqual([id, other]);
    expect(await found(`filter[gallery]=${url}`)).toEqual([id]);
    for (const [part, expected] of [
      ['https://', [id, other]],
      ['HTTPS://CMS.', [id]],
      ['https://cms.example.com/base', [id]],
      ['https://cms.example.com/base/me', [id]],
      [url, [id]],
      ['https://images', [other]],
      ['cms.example', []],
    ] as const) {
      expect(await found(`filter[cover][starts_with]=${encodeURIComponent(part)}`)).toEqual(expected);
    }
    for (const [part, expected] of [
      ['example', [id, other]],
      ['cms.example', [id]],
      ['base/media/ten', [id]],
      [media.id, [id]],
      ['w=320', [id]],
      ['e/media', [id, other]],
      ['localhost', []],
    ] as const) {
      expect(await found(`filter[cover][contains]=${encodeURIComponent(part)}`)).toEqual(expected);
    }
    const where = { cover: { starts_with: 'https://cms' }, not: { title: 'x' } };
    expect(await found(`where=${encodeURIComponent(JSON.stringify(where))}`)).toEqual([id]);
  });

  it('follow when the content type changes, in defaults and in what other changes leave alone', async () => {
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'cover', type: 'media', default: value(media.url) },
    ];
    const { body } = await tenant.http.post(`/v1/content/${ID}/types`, { name: 'Default', fields }).expect(201);
    type = `/v1/content/${ID}/types/${body.data.id}`;
    const { id } = await create({ title: 'T' }, moved);
    await moved.put(type, { fields: [{ ...fields[0], name: 'name', renamed_from: 'title' }, fields[1]] }).expect(200);
    expect((await data(`${type}/entries/${id}`)).fields).toEqual({ name: 'T', cover: value(url) });
    await tenant.http.put(type, { fields: [{ name: 'name', type: 'text' }] }).expect(200);
    await tenant.http.put(type, { fields: [{ name: 'name', type: 'text' }, fields[1]] }).expect(200);
    await moved.patch(`${type}/entries/${id}`, { fields: { name: 'N' } }).expect(200);
    expect((await data(`${type}/entries/${id}`)).fields).toEqual({ name: 'N', cover: value(url) });
    await moved.delete(`/v1/media/${ID}/${media.id}`).expect(409);
  });

  it.each([
    ['at once', {}],
    ['in the background', { Prefer: 'respond-async' }],
  ])('follow when fields become media fields, and when they stop being that, %s', async (_when, headers) => {
    const inner = (of: string) => [{ name: 'image', type: of }];
    const fields = (of: string, group: string) => [
      { name: 'title', type: 'text' },
      { name: 'cover', type: of },
      { name: 'gallery', type: of, multiple: true },
      { name: 'seo', type: 'group', fields: inner(of) },
      group === 'json' ? { name: 'data', type: group } : { name: 'data', type: group, fields: inner('media') },
      { name: 'kept', type: 'media' },
    ];
    const written = (of: string) => ({
      title: 'T',
      cover: value(of),
      gallery: [value('https://images.example/x.jpg'), value(`${of}?w=320`)],
      seo: { image: value(of) },
      data: { image: value(of) },
      kept: value(of),
    });
    const { body } = await tenant.http
      .post(`/v1/content/${ID}/types`, { name: 'Retyped', fields: fields('json', 'json') })
      .expect(201);
    type = `/v1/content/${ID}/types/${body.data.id}`;
    const change = async (of: string, group: string) => {
      await moved.put(type, { fields: fields(of, group) }).set(headers);
      await until(async () => {
        const { fields: now } = await data(type);
        return now[1].type === of && !(await isChanging());
      });
    };
    const isChanging = async () =>
      (await database.query(`SELECT 1 FROM content_types WHERE tenant_id = $1 AND change_id IS NOT NULL`, [ID]))
        .length > 0;
    const { id } = await create(written(media.url));
    const { id: none } = await create({ title: 'N' });
    const { etag } = (await moved.get(`${type}/entries/${id}`).expect(200)).headers;
    const shown = async () => (await data(`${type}/entries/${id}`)).fields;
    const inFull = async () =>
      JSON.stringify(await data(`${type}/entries/${id}?view=full`)).split(`"id":"med_`).length - 1;

    await change('media', 'group');
    await moved.get(`${type}/entries/${id}`).set('If-None-Match', `${etag}`).expect(200);
    expect(await shown()).toEqual(written(url));
    expect(await inFull()).toBe(5);
    const uses: { field: string }[] = await data(`/v1/media/${ID}/${media.id}/usage`);
    expect(uses.map(({ field }) => field)).toEqual(['cover', 'data.image', 'gallery', 'kept', 'seo.image']);

    await change('json', 'json');
    const path = new URL(media.url).pathname;
    expect(await shown()).toEqual({ ...written(path), kept: value(url) });
    expect(await inFull()).toBe(1);
    await moved.patch(`${type}/entries/${id}`, { fields: { kept: null } }).expect(200);
    await moved.delete(`/v1/media/${ID}/${media.id}`).expect(200);
    expect((await data(`${type}/entries/${none}`)).fields).toEqual({ title: 'N' });
  });

  it('are the present ones in bulk requests and in repeated answers', async () => {
    const key = { 'Idempotency-Key': randomBytes(8).toString('hex') };
    const first = before!.client(`Bearer ${KEY}`, key);
    const entry = { fields: { cover: value(media.url) } };
    expect((await first.post(`${type}/entries`, entry).expect(201)).body.data.fields.cover).toEqual(value(media.url));
    const repeated = await after!.client(`Bearer ${KEY}`, key).post(`${type}/entries`, entry).expect(201);
    expect(repeated.body.data.fields.cover).toEqual(value(url));
    const operations = [{ op: 'create', content_type: type.split('/').at(-1), fields: entry.fields }];
    await moved.post(`/v1/content/${ID}/bulk`, { operations }).expect(200);
    expect((await data(`${type}/entries?per_page=1`))[0].fields).toEqual({ cover: value(url) });
  });

  it('are served under each spelling of a loopback address', async () => {
    const { port } = new URL(before!.url);
    for (const host of ['localhost', '127.0.0.1']) {
      const response = await fetch(`http://127.0.0.1:${port}${new URL(media.url).pathname}`, {
        headers: { Host: `${host}:${port}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';
import { files } from '../support/files.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

const ZERO = {
  entries: 0,
  submissions: 0,
  media_bytes: 0,
  content_types: 0,
  forms: 0,
  webhooks: 0,
  users: 0,
  deliveries_24h: 0,
};

const NOTHING = { entries: 0, entries_changed: 0, submissions: 0, spam: 0, deliveries: 0, failed_deliveries: 0 };

describe('the usage of a tenant', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(RECEIVER_ENV), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  const read = async ({ id, http }: TestTenant, path = '') =>
    (await http.get(`/v1/usage/${id}${path}`).expect(200)).body.data;

  it('requires a scope that reads any area, for all content', async () => {
    const tenant = app.tenant();
    const path = `/v1/usage/${tenant.id}`;
    await app.client().get(path).expect(401);
    await app.client(`Bearer ${tenant.publishedKey}`).get(path).expect(403);
    await app.tenant().http.get(path).expect(403);
    await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    for (const [scopes, status] of [
      [['read'], 200],
      [['forms:read'], 200],
      [['media:read', 'content:read@post'], 200],
      [['content:read@post'], 403],
      [['write'], 403],
      [['forms:write', 'keys:write'], 403],
    ] as const) {
      const made = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'A key', scopes }).expect(201);
      const http = app.client(`Bearer ${made.body.data.key}`);
      expect([scopes, (await http.get(path)).status, (await http.get(`${path}/history`)).status]).toEqual([
        scopes,
        status,
        status,
      ]);
    }
  });

  it('is zero at first, and follows creations and deletions', async () => {
    const tenant = app.tenant();
    expect(await read(tenant)).toEqual({ ...ZERO, limits: {} });
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const [first] = await createEntries(tenant, type, [{ fields: {} }, { fields: {}, status: 'published' }]);
    const file = await upload(app, tenant, await files.png());
    const form = await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'message', type: 'textarea' }] })
      .expect(201);
    await app
      .client(undefined, { 'X-Forwarded-For': '10.8.0.1' })
      .post(`/v1/forms/${tenant.id}/${form.body.data.id}/submissions`, { fields: { message: 'Hi' } })
      .expect(201);
    const counted = {
      ...ZERO,
      entries: 2,
      submissions: 1,
      media_bytes: file.size,
      content_types: 1,
      forms: 1,
      limits: {},
    };
    expect(await read(tenant)).toEqual(counted);
    await tenant.http.delete(`${type.entries}/${first}`).expect(200);
    await tenant.http.delete(`/v1/media/${tenant.id}/${file.id}`).expect(200);
    expect(await read(tenant)).toEqual({ ...counted, entries: 1, media_bytes: 0 });
    await tenant.http.delete(type.path).expect(200);
    expect(await read(tenant)).toEqual({ ...counted, entries: 0, media_bytes: 0, content_types: 0 });
  });

  it('counts deliveries that ended, and what happened on each day', async () => {
    const tenant = app.tenant();
    const path = `/${tenant.id}`;
    await tenant.http
      .post(`/v1/webhooks/${tenant.id}`, { url: receiver.url(path), events: ['entry.created'] })
      .expect(201);
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createEntries(tenant, type, [{ fields: {} }, { fields: {} }, { fields: {} }]);
    await until(async () => (await read(tenant)).deliveries_24h === 3);
    await app.database.query(
      `INSERT INTO delivery_hours (tenant_id, hour, deliveries, failed) VALUES ($1, now() - interval '25 hours', 5, 2)`,
      [tenant.id],
    );
    await app.database.query(
      `INSERT INTO event_days VALUES ($1, (now() AT TIME ZONE 'UTC')::date - 3, 'form.submitted', 4)`,
      [tenant.id],
    );
    expect(await read(tenant)).toMatchObject({ webhooks: 1, deliveries_24h: 3 });
    const days = (await read(tenant, '/history?days=4')) as Record<string, unknown>[];
    const dates = [3, 2, 1, 0].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
    expect(days.map(({ date }) => date)).toEqual(dates);
    expect(days[0]).toEqual({ date: dates[0], ...NOTHING, submissions: 4 });
    expect(days[3]).toEqual({ date: dates[3], ...NOTHING, entries: 3, entries_changed: 3, deliveries: 3 });
    const sumOf = (name: string) => days.reduce((sum, day) => sum + Number(day[name]), 0);
    expect([sumOf('deliveries'), sumOf('failed_deliveries')]).toEqual([8, 2]);
    expect(await read(tenant, '/history')).toHaveLength(30);
    expect(await read(tenant, '/history?days=365')).toHaveLength(365);
    for (const wrong of ['0', '366', 'x', ''])
      await tenant.http.get(`/v1/usage/${tenant.id}/history?days=${wrong}`).expect(400);
  });

  it('counts each change of an entry once on its day, and no saved draft', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const [first, second] = await createEntries(tenant, type, [{ fields: {} }, { fields: {}, status: 'published' }]);
    await tenant.http.patch(`${type.entries}/${first}`, { fields: { title: 'A' }, status: 'published' }).expect(200);
    await tenant.http.patch(`${type.entries}/${first}`, { status: 'draft' }).expect(200);
    await tenant.http.patch(`${type.entries}/${second}/draft`, { fields: { title: 'B' } }).expect(200);
    await tenant.http.post(`${type.entries}/${second}/draft/publish`).expect(200);
    await tenant.http.delete(`${type.entries}/${first}`).expect(200);
    expect(await read(tenant, '/history?days=1')).toEqual([
      { date: expect.any(String), ...NOTHING, entries: 2, entries_changed: 6 },
    ]);
  });

  it('counts spam on the day on which it arrived, also when it was deleted', async () => {
    const tenant = app.tenant();
    const { body } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, {
        name: 'Contact',
        fields: [{ name: 'message', type: 'textarea' }],
        settings: { spam: { blocked_words: ['casino'] } },
      })
      .expect(201);
    const form = `/v1/forms/${tenant.id}/${body.data.id}`;
    const visitor = app.client(undefined, { 'X-Forwarded-For': '10.8.0.2' });
    for (const message of ['casino', 'a casino', 'my casino', 'Hello'])
      await visitor.post(`${form}/submissions`, { fields: { message } }).expect(201);
    const { body: spam } = await tenant.http.get(`${form}/submissions?verdict=spam`).expect(200);
    const [deleted, released] = spam.data as { id: string }[];
    await tenant.http.delete(`${form}/submissions/${deleted!.id}`).expect(200);
    const [today] = await read(tenant, '/history?days=1');
    expect(today).toEqual({ date: expect.any(String), ...NOTHING, submissions: 1, spam: 3 });
    await tenant.http.post(`${form}/submissions/${released!.id}/release`).expect(200);
    const days = (await read(tenant, '/history?days=2')) as Record<string, unknown>[];
    expect(days.map((day) => [day['submissions'], day['spam']])).toEqual([
      [0, 0],
      [2, 2],
    ]);
  });

  it('counts deliveries that failed for good apart', async () => {
    const tenant = app.tenant();
    const path = `/failing/${tenant.id}`;
    receiver.answer(path, () => 410);
    await tenant.http
      .post(`/v1/webhooks/${tenant.id}`, { url: receiver.url(path), events: ['entry.created'] })
      .expect(201);
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createEntries(tenant, type, [{ fields: {} }]);
    await until(async () => (await read(tenant)).deliveries_24h === 1);
    const [today] = await read(tenant, '/history?days=1');
    expect(today).toMatchObject({ deliveries: 1, failed_deliveries: 1 });
  });
});

describe('the uses of a media file', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('are the entries that show it, newest first, by page and by cursor', async () => {
    const tenant = app.tenant();
    const fields = [
      { name: 'cover', type: 'media' },
      { name: 'gallery', type: 'media', multiple: true },
      { name: 'sections', type: 'blocks', blocks: [{ name: 'figure', fields: [{ name: 'image', type: 'media' }] }] },
    ];
    const posts = await createType(tenant, fields, 'Post');
    const pages = await createType(tenant, [{ name: 'cover', type: 'media' }], 'Page');
    const file = await upload(app, tenant, await files.png());
    const other = await upload(app, tenant, await files.png());
    const shows = (url: string) => ({ url, alt: '' });
    const [first] = await createEntries(tenant, posts, [
      {
        fields: {
          cover: shows(file.url),
          gallery: [shows(file.url), shows(`${file.url}?w=320`), shows(other.url)],
          sections: [{ block: 'figure', image: shows(file.url) }],
        },
        status: 'published',
      },
    ]);
    const [page] = await createEntries(tenant, pages, [{ fields: { cover: shows(`${file.url}?w=64`) } }]);
    await createEntries(tenant, pages, [{ fields: { cover: shows(other.url) } }]);
    const path = `/v1/media/${tenant.id}/${file.id}/usage`;
    const expected = [
      { content_type_id: pages.id, entry_id: page, field: 'cover' },
      ...['cover', 'gallery', 'sections.image'].map((field) => ({ content_type_id: posts.id, entry_id: first, field })),
    ];
    const { body } = await tenant.http.get(path).expect(200);
    expect(body).toEqual({ data: expected, meta: { page: 1, per_page: 25, total: 4 } });
    expect((await tenant.http.get(`${path}?page=2&per_page=3`).expect(200)).body.data).toEqual(expected.slice(3));
    for (const size of [1, 2, 4]) {
      const walked: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body: part } = await tenant.http.get(`${path}?per_page=${size}&cursor=${cursor}`).expect(200);
        walked.push(...part.data);
        cursor = part.meta.next_cursor as string | null;
      }
      expect(walked).toEqual(expected);
    }
    const first1 = await tenant.http.get(`${path}?per_page=1&cursor=`).expect(200);
    await tenant.http
      .get(`/v1/media/${tenant.id}/${other.id}/usage?cursor=${first1.body.meta.next_cursor}`)
      .expect(400);
    await tenant.http.get(`/v1/media/${tenant.id}/${page}/usage`).expect(404);
    await app.tenant().http.get(path).expect(403);
    // A key that cannot read drafts sees published entries, and a narrowed key its content types.
    const shown = async (scopes: string[]) => {
      const made = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'A key', scopes }).expect(201);
      const http = app.client(`Bearer ${made.body.data.key}`);
      const [numbered, walked] = [await http.get(path).expect(200), await http.get(`${path}?cursor=`).expect(200)];
      expect(walked.body.data).toEqual(numbered.body.data);
      expect(numbered.body.meta.total).toBe(numbered.body.data.length);
      return numbered.body.data;
    };
    expect(await shown(['media:read', 'content:read:published'])).toEqual(expected.slice(1));
    expect(await shown(['media:read', 'content:read@page'])).toEqual(expected.slice(0, 1));
  });
});

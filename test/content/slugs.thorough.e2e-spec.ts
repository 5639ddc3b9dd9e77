import { fill, operationsOf, readDocument, send } from '../support/api.js';
import { type Http, startApp, type TestApp } from '../support/app.js';
import { createEntries, createType } from '../support/content.js';

const FIELDS = [{ name: 'title', type: 'text', unique: true }];

describe('slugs in paths', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('lead to a content type wherever its ID does', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Blog post');
    const path = `/v1/content/${tenant.id}/types/blog-post`;
    const entries = `${path}/entries`;
    expect((await tenant.http.get(path).expect(200)).body.data.id).toBe(type.id);
    expect((await tenant.http.put(path, { name: 'Post' }).expect(200)).body.data.slug).toBe('blog-post');
    const { body } = await tenant.http.post(entries, { fields: { title: 'a' } }).expect(201);
    expect(body.data.content_type_id).toBe(type.id);
    const entry = `${entries}/${body.data.id}`;
    const got = await tenant.http.get(entry).expect(200);
    expect(got.body).toEqual((await tenant.http.get(`${type.entries}/${body.data.id}`).expect(200)).body);
    await tenant.http.get(entry).set('If-None-Match', String(got.headers['etag'])).expect(304);
    await tenant.http.patch(entry, { fields: { title: 'b' } }).expect(200);
    await tenant.http.post(entries, { fields: { title: 'b' } }).expect(422);
    expect((await tenant.http.get(`${entries}?filter[title]=b`).expect(200)).body.meta.total).toBe(1);
    await tenant.http.delete(entry).expect(200);
    await tenant.http.get(entry).expect(404);
    await tenant.http.delete(path).expect(200);
    await tenant.http.get(path).expect(404);
    await tenant.http.get(entries).expect(404);
    await tenant.http.post(entries, { fields: {} }).expect(404);
  });

  it('and every operation of the document answers by the slug as by the ID', async () => {
    const operations = operationsOf(await readDocument(app)).filter(({ path }) => path.includes('{content_type_id}'));
    expect(operations.length).toBeGreaterThan(25);
    // Each request has a tenant of its own, because some of them change or delete its content type.
    const answerOf = async (operation: (typeof operations)[number], place: 'id' | 'slug') => {
      const tenant = app.tenant();
      const type = await createType(tenant, FIELDS, 'Blog post');
      const [entry = ''] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      await tenant.http.patch(`${type.entries}/${entry}`, { fields: { title: 'b' } }).expect(200);
      const values = { field: 'title', value: 'b', version: '1', tenant_id: tenant.id, entry_id: entry };
      const path = fill(operation.path, { ...values, content_type_id: place === 'id' ? type.id : 'blog-post' });
      const { status, body } = await send(app, { ...operation, path }, tenant.key);
      return { status, code: (body as { code?: string }).code };
    };
    let successes = 0;
    for (const operation of operations) {
      const [byId, bySlug] = [await answerOf(operation, 'id'), await answerOf(operation, 'slug')];
      expect([operation.method, operation.path, bySlug]).toEqual([operation.method, operation.path, byId]);
      if (bySlug.status < 300) successes++;
    }
    // A refusal of something else, such as a schedule that does not exist, would also be the same for a name that leads nowhere.
    expect(successes).toBeGreaterThan(15);
  });

  it('a cursor of a list by slug continues the list by ID', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Post');
    await createEntries(tenant, type, [{ fields: { title: 'a' } }, { fields: { title: 'b' } }]);
    const first = await tenant.http.get(`/v1/content/${tenant.id}/types/post/entries?cursor=&per_page=1`).expect(200);
    const next = encodeURIComponent(first.body.meta.next_cursor);
    const second = await tenant.http.get(`${type.entries}?cursor=${next}&per_page=1`).expect(200);
    expect(second.body.data[0].fields.title).toBe('a');
  });

  it.each(['nope', 'Blog-Post', 'a_b', 'ct_nope', 'a--b', '%20', 'x'.repeat(101)])('%s is 404', async (name) => {
    const tenant = app.tenant();
    const path = `/v1/content/${tenant.id}/types/${name}`;
    for (const get of [path, `${path}/entries`, `${path}/entries/ent_x`]) await tenant.http.get(get).expect(404);
    await tenant.http.put(path, { name: 'x' }).expect(404);
    await tenant.http.post(`${path}/entries`, { fields: {} }).expect(404);
    await tenant.http.delete(path).expect(404);
  });

  it('do not lead to a type of another tenant', async () => {
    const [one, other] = [app.tenant(), app.tenant()];
    await createType(one, FIELDS, 'Private');
    await other.http.get(`/v1/content/${other.id}/types/private/entries`).expect(404);
  });

  it('another process follows a slug that moves to another type at once', async () => {
    const tenant = app.tenant();
    const TENANTS = JSON.stringify([{ id: tenant.id, name: 'Same', api_keys: [{ key: tenant.key }] }]);
    const other = await startApp({ TENANTS }, { database: app.database });
    try {
      const http = other.client(`Bearer ${tenant.key}`);
      const news = `/v1/content/${tenant.id}/types/news/entries`;
      const types = await Promise.all(['News', 'Archive'].map((name) => createType(tenant, FIELDS, name)));
      const ids: string[] = [];
      for (const type of types) ids.push(...(await createEntries(tenant, type, [{ fields: { title: type.id } }])));
      for (let turn = 0; turn < 4; turn++) {
        const [current, previous] = [turn % 2, 1 - (turn % 2)];
        if (turn > 0) {
          await tenant.http.put(types[previous]!.path, { slug: `archive-${turn}` }).expect(200);
          await tenant.http.put(types[current]!.path, { slug: 'news' }).expect(200);
        }
        const writes = turn % 2 === 0;
        const change = () => http.patch(`${news}/${ids[current]}`, { status: 'draft' }).expect(200);
        // The first request after the move is each time another one.
        if (writes) await change();
        await http.get(`${news}/${ids[previous]}`).expect(404);
        await http.get(`${news}/${ids[current]}`).expect(200);
        const { body } = await http.get(news).expect(200);
        expect(body.data[0].content_type_id).toBe(types[current]!.id);
        if (!writes) await change();
        const created = await http.post(news, { fields: {} }).expect(201);
        expect(created.body.data.content_type_id).toBe(types[current]!.id);
        await http.delete(`${news}/${created.body.data.id}`).expect(200);
        await http.patch(`${news}/${ids[previous]}`, { status: 'draft' }).expect(404);
      }
    } finally {
      await other.close();
    }
  });

  it('the list of submissions takes the ID of the form only, and says so', async () => {
    const tenant = app.tenant();
    const form = { name: 'Contact', fields: [{ name: 'name', type: 'text' }] };
    await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    const { body } = await tenant.http.get(`/v1/forms/${tenant.id}/contact/submissions`).expect(404);
    expect(body.detail).toBe(
      'There is no such form. The ID in this path must be frm_ and 26 letters and digits. This endpoint takes the ID of the form, not its slug. GET /v1/forms/{tenant_id}/{slug} returns the ID.',
    );
  });

  it('that is mistyped gets the nearest one, for keys that may see it', async () => {
    const tenant = app.tenant();
    await createType(tenant, [{ name: 'title', type: 'text' }], 'Articles');
    const secret = await createType(tenant, [{ name: 'title', type: 'text' }], 'Secrets');
    await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: [{ name: 'name', type: 'text' }] })
      .expect(201);
    const types = `/v1/content/${tenant.id}/types`;
    const detail = async (http: Http, path: string) => (await http.get(path).expect(404)).body.detail as string;
    const meant = 'There is no such content type. Did you mean articles?';
    expect(await detail(tenant.http, `${types}/article`)).toBe(meant);
    expect(await detail(tenant.http, `${types}/article/entries`)).toBe(meant);
    expect((await tenant.http.post(`${types}/article/entries`, { fields: {} }).expect(404)).body.detail).toBe(meant);
    expect(await detail(tenant.http, `${types}/nothing-alike`)).toBe('There is no such content type.');
    const operations = [{ op: 'create', content_type: 'article', fields: {} }];
    const bulk = `/v1/content/${tenant.id}/bulk`;
    const inBulk = async (http: Http) => {
      const { body } = await http.post(bulk, { operations, atomic: false }).expect(200);
      return body.data[0].problem.detail as string;
    };
    expect(await inBulk(tenant.http)).toBe(meant);
    expect(await detail(tenant.http, `/v1/forms/${tenant.id}/contakt`)).toBe(
      'There is no such form. Did you mean contact?',
    );

    // It writes everywhere, and sees one content type.
    const scopes = ['content:write', 'content:read@articles'];
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'narrow', scopes }).expect(201);
    const narrowed = app.client(`Bearer ${body.data.key}`);
    await narrowed.patch(`${secret.entries}/ent_1`, {}).expect(404);
    const refused = await narrowed.post(`${types}/secret/entries`, { fields: {} }).expect(404);
    expect(refused.body.detail).toBe('There is no such content type.');
    expect(await inBulk(narrowed)).toBe('There is no such content type.');
    await app.client().get(`${types}/article/entries`).expect(401);
    const submitted = await app.client().post(`/v1/forms/${tenant.id}/contakt/submissions`, { fields: {} }).expect(404);
    expect(submitted.body.detail).toBe('There is no such form.');
  });

  it('in the place of the ID of an entry says how to find the entry', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'slug', type: 'text', unique: true }]);
    const { body } = await tenant.http.get(`${type.entries}/spring-tides`).expect(404);
    expect(body.detail).toContain('/entries/by/slug/{value}');
    expect(body.detail).toContain('filter[slug]={value}');
  });
});

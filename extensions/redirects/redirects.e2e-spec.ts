import { formatId, newUuid } from 'trivet/ids/type-id.js';
import { createEntries, createType } from '../../test/support/content.js';
import { startApp, type TestApp, type TestTenant } from '../../test/support/app.js';

const TENANT = 'ten_redirects';
const KEYS = {
  all: ['*'],
  reader: ['redirects:read'],
  writer: ['redirects:write'],
  content: ['content:read', 'content:write'],
  hooks: ['webhooks:write', 'content:read'],
  hooksOfRedirects: ['webhooks:write', 'redirects:read'],
};

describe('redirects', () => {
  let app: TestApp;
  const path = `/v1/redirects/${TENANT}`;
  const as = (key: keyof typeof KEYS) => app.client(`Bearer ${key}`);
  beforeAll(async () => {
    const api_keys = Object.entries(KEYS).map(([key, scopes]) => ({ name: key, key, scopes }));
    const other = { id: 'ten_other', name: 'Other', api_keys: [{ key: 'other' }] };
    app = await startApp({
      EXTENSIONS: 'redirects',
      TENANTS: JSON.stringify([{ id: TENANT, name: 'Redirects', api_keys }, other]),
    });
  });
  afterAll(() => app.close());

  const create = async (source: string, target = '/new') =>
    (await as('all').post(path, { source, target }).expect(201)).body.data;

  /** The redirects that the list returns for a path, by number and by cursor alike. */
  const found = async (source: string) => {
    const numbered = await as('reader').get(`${path}?filter[source]=${source}`).expect(200);
    expect(numbered.body.meta).toEqual({ page: 1, per_page: 25, total: numbered.body.data.length });
    const { body } = await as('reader').get(`${path}?filter[source]=${source}&cursor=`).expect(200);
    expect(body).toEqual({ data: numbered.body.data, meta: { per_page: 25, next_cursor: null } });
    return numbered.body.data;
  };

  it('require a key with their scope', async () => {
    await app.client().get(path).expect(401);
    await app.client('Bearer other').get(path).expect(403);
    await as('content').get(path).expect(403);
    await as('writer').get(path).expect(403);
    await as('reader').get(path).expect(200);
    await as('reader').post(path, { source: '/a', target: '/b' }).expect(403);
    await as('writer').post(path, { source: '/scoped', target: '/b' }).expect(201);
  });

  it('are created, read, found by their path, changed and deleted', async () => {
    const created = await create('/a', 'https://example.com/a?b=c');
    expect(created).toEqual({
      id: expect.stringMatching(/^rdr_[0-9a-z]{26}$/),
      source: '/a',
      target: 'https://example.com/a?b=c',
      status: 301,
      created_at: expect.stringMatching(/Z$/),
      updated_at: created.created_at,
    });
    const one = `${path}/${created.id}`;
    expect((await as('reader').get(one).expect(200)).body.data).toEqual(created);
    expect(await found('/a')).toEqual([created]);
    const changed = (await as('writer').patch(one, { status: 308 }).expect(200)).body.data;
    expect(changed).toEqual({ ...created, status: 308, updated_at: changed.updated_at });
    await as('writer').delete(one).expect(200, { message: 'The redirect was deleted.' });
    await as('reader').get(one).expect(404);
    expect(await found('/a')).toEqual([]);
  });

  it('are listed newest first, by page and by cursor', async () => {
    const ids = [(await create('/l1')).id, (await create('/l2')).id].reverse();
    const { body } = await as('reader').get(`${path}?per_page=2`).expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.meta.total).toBeGreaterThanOrEqual(2);
    const first = (await as('reader').get(`${path}?cursor=&per_page=1`)).body;
    const second = (await as('reader').get(`${path}?cursor=${first.meta.next_cursor}&per_page=1`)).body;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
  });

  it('are not listed with a malformed filter or a cursor of another list', async () => {
    await as('reader').get(`${path}?filter[source]=old`).expect(400);
    await as('reader').get(`${path}?filter[source]=/old&cursor=nonsense`).expect(400);
    expect((await as('reader').get(`${path}?filter[source]=/old&page=2`).expect(200)).body.data).toEqual([]);
  });

  it('have one target for each path: another is a conflict', async () => {
    await create('/taken');
    const { id } = await create('/free');
    const taken = { code: 'conflict', errors: [{ path: 'source', code: 'taken' }] };
    expect((await as('all').post(path, { source: '/taken', target: '/b' }).expect(409)).body).toMatchObject(taken);
    expect((await as('all').patch(`${path}/${id}`, { source: '/taken' }).expect(409)).body).toMatchObject(taken);
  });

  it.each([
    [{}, ['source', 'target']],
    [{ source: 'old', target: '/b' }, ['source']],
    [{ source: '/old?a=b', target: '/b' }, ['source']],
    [{ source: `/${'x'.repeat(500)}`, target: '/b' }, ['source']],
    [{ source: '/old', target: '//evil.example' }, ['target']],
    [{ source: '/old', target: 'javascript:alert(1)' }, ['target']],
    [{ source: '/old', target: ['/b'], status: 200 }, ['target', 'status']],
  ])('are refused with every error: %j', async (body, paths) => {
    const { errors } = (await as('all').post(path, body).expect(422)).body;
    expect(errors.map((error: { path: string }) => error.path)).toEqual(paths);
  });

  it('of another tenant, or of another kind, do not exist', async () => {
    const { id } = await create('/mine');
    await app.client('Bearer other').get(`/v1/redirects/ten_other/${id}`).expect(404);
    await as('all')
      .get(`${path}/${formatId('rdr', newUuid())}`)
      .expect(404);
    await as('all')
      .get(`${path}/${formatId('ent', newUuid())}`)
      .expect(404);
  });

  it('emit events with their data', async () => {
    const redirect = await create('/events');
    const { body } = await as('all').patch(`${path}/${redirect.id}`, { target: '/newer' }).expect(200);
    await as('all').delete(`${path}/${redirect.id}`).expect(200);
    const data = [];
    for (const type of ['created', 'updated', 'deleted']) {
      const feed = await as('all').get(`/v1/events/${TENANT}?filter[type]=redirect.${type}&per_page=100`).expect(200);
      data.push(feed.body.data.at(-1).data);
    }
    expect(data).toEqual([redirect, body.data, body.data]);
  });

  it('can be subscribed to by a webhook whose key may read them', async () => {
    const webhook = { url: 'https://hooks.example.com/', events: ['redirect.created'] };
    const { body } = await as('hooks').post(`/v1/webhooks/${TENANT}`, webhook).expect(403);
    expect(body.detail).toContain('redirects:read');
    await as('hooksOfRedirects').post(`/v1/webhooks/${TENANT}`, webhook).expect(201);
  });

  it('bring a type of content fields for paths', async () => {
    const tenant: TestTenant = { id: TENANT, key: 'all', http: as('all') };
    const type = await createType(tenant, [{ name: 'url', type: 'path', unique: true }]);
    await createEntries(tenant, type, [{ fields: { url: '/about' } }]);
    const { body } = await tenant.http.get(`${type.entries}?filter[url][starts_with]=/ab`).expect(200);
    expect(body.data).toHaveLength(1);
    const refused = await tenant.http.post(type.entries, { fields: { url: 'about' } }).expect(422);
    expect(refused.body.errors).toMatchObject([{ path: 'fields.url', code: 'format' }]);
  });

  it('are described in the API’s document', async () => {
    const { body } = await app.client().get('/openapi.json').expect(200);
    expect(body.tags.at(-1)).toMatchObject({ name: 'Redirects' });
    expect(body.paths['/v1/redirects/{tenant_id}'].post.tags).toEqual(['Redirects']);
    expect(body.components.schemas.EventType.enum).toContain('redirect.created');
    expect(JSON.stringify(body.components.schemas)).toContain('A path of the website, without a query.');
  });
});

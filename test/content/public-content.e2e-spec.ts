import { randomUUID } from 'node:crypto';
import { formatId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType, titlesOf } from '../support/content.js';

const FIELDS = [{ name: 'title', type: 'text' }];

describe('public content', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ PUBLIC_MAX_AGE: '120', PUBLIC_RATE_LIMIT: '60' });
  });
  afterAll(() => app.close());

  let addresses = 0;
  /** A client without a key, from an address of its own. */
  const visitor = (headers: Record<string, string> = {}) => {
    const n = ++addresses;
    return app.client(undefined, { 'X-Forwarded-For': `10.20.${n >> 8}.${n & 255}`, ...headers });
  };

  const publicType = async (tenant: TestTenant): Promise<TestType> => {
    const type = await createType(tenant, FIELDS);
    await tenant.http.put(type.path, { public: true }).expect(200);
    return type;
  };

  describe('the property `public` of a content type', () => {
    it('is in the responses of create, update and get once it was sent, and not in lists', async () => {
      const tenant = app.tenant();
      const types = `/v1/content/${tenant.id}/types`;
      const created = await tenant.http.post(types, { name: 'Post', fields: FIELDS, public: true }).expect(201);
      expect(created.body.data.public).toBe(true);
      const path = `${types}/${created.body.data.id}`;
      expect((await tenant.http.get(path).expect(200)).body.data.public).toBe(true);
      expect((await tenant.http.put(path, { name: 'Posts' }).expect(200)).body.data.public).toBe(true);
      expect((await tenant.http.put(path, { public: false }).expect(200)).body.data.public).toBe(false);
      expect((await tenant.http.get(path).expect(200)).body.data.public).toBe(false);
      const silent = await createType(tenant, FIELDS, 'Silent');
      expect((await tenant.http.get(silent.path).expect(200)).body.data).not.toHaveProperty('public');
      const list = await tenant.http.get(types).expect(200);
      for (const one of list.body.data) expect(one).not.toHaveProperty('public');
    });

    it.each(['yes', 1, null, []])('%j is 422', async (value) => {
      const tenant = app.tenant();
      const types = `/v1/content/${tenant.id}/types`;
      const created = await tenant.http.post(types, { name: 'Post', fields: FIELDS, public: value }).expect(422);
      expect(created.body.errors).toMatchObject([{ path: 'public' }]);
      const type = await createType(tenant, FIELDS);
      await tenant.http.put(type.path, { public: value }).expect(422);
    });
  });

  describe('without a key', () => {
    it('published entries of a public type are listed, filtered, sorted and got', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const [, b] = await createEntries(tenant, type, [
        { fields: { title: 'a' }, status: 'published' },
        { fields: { title: 'b' }, status: 'published' },
        { fields: { title: 'draft' } },
      ]);
      const list = await visitor().get(`${type.entries}?sort=-title`).expect(200);
      expect(titlesOf(list.body)).toEqual(['b', 'a']);
      expect(list.body.meta).toEqual({ page: 1, per_page: 25, total: 2 });
      const found = await visitor().get(`${type.entries}?filter[title]=b`).expect(200);
      expect(found.body.data).toHaveLength(1);
      expect((await visitor().get(`${type.entries}?search=draft`).expect(200)).body.meta.total).toBe(0);
      const entry = await visitor().get(`${type.entries}/${b}`).expect(200);
      expect(entry.body).toEqual((await tenant.http.get(`${type.entries}/${b}`).expect(200)).body);
    });

    it('a draft does not exist', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const [draft] = await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      await visitor().get(`${type.entries}/${draft}`).expect(404);
      await visitor()
        .get(`${type.entries}/${formatId('ent', randomUUID())}`)
        .expect(404);
    });

    it('everything else is 401: other types, types that do not exist, other tenants, other methods', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const closed = await createType(tenant, FIELDS, 'Closed');
      const [id] = await createEntries(tenant, closed, [{ fields: { title: 'a' }, status: 'published' }]);
      const types = `/v1/content/${tenant.id}/types`;
      const unknown = formatId('ct', randomUUID());
      for (const path of [
        closed.entries,
        `${closed.entries}/${id}`,
        `${types}/${unknown}/entries`,
        `${types}/nothing/entries`,
        `${types}/No_Slug!/entries`,
        `${types}/No_Slug!/entries/nothing`,
        `${closed.entries}/nothing`,
        `${closed.entries}?per_pagee=1`,
        `${closed.entries}?filter[nothing]=1`,
        `/v1/content/ten_nobody/types/No_Slug!/entries`,
        `${types}/nothing/entries/${id}`,
        `/v1/content/ten_nobody/types/${unknown}/entries`,
        `/v1/content/ten_nobody/types/article/entries`,
        type.path,
        types,
        `/v1/media/${tenant.id}`,
      ]) {
        const refused = await visitor().get(path).expect(401);
        expect(refused.headers['www-authenticate']).toBe('Bearer');
        expect(refused.headers['cache-control']).toBe('no-store');
        if (path.includes('/entries')) expect(refused.headers['vary']).toContain('Authorization');
      }
      await visitor().get(`${type.entries}?per_pagee=1`).expect(400);
      await visitor().get(`${type.entries}/nothing`).expect(404);
      await visitor().post(type.entries, { fields: {} }).expect(401);
      await visitor().delete(`${type.entries}/${id}`).expect(401);
    });

    it('a wrong key is 401 and the key of another tenant is 403, as elsewhere', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      await app.client('Bearer nonsense').get(type.entries).expect(401);
      await app.client(`Bearer ${app.tenant().key}`).get(type.entries).expect(403);
    });

    it('a type that is no longer public is 401 at once, and public again when it is', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' }, status: 'published' }]);
      await visitor().get(type.entries).expect(200);
      await tenant.http.put(type.path, { public: false }).expect(200);
      await visitor().get(type.entries).expect(401);
      await visitor().get(`${type.entries}/${id}`).expect(401);
      await tenant.http.put(type.path, { public: true }).expect(200);
      await visitor().get(type.entries).expect(200);
    });

    it('another process notices at once that a type is public, and that it is not', async () => {
      const tenant = app.tenant();
      const type = await createType(tenant, FIELDS);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' }, status: 'published' }]);
      const TENANTS = JSON.stringify([{ id: tenant.id, name: 'Same', api_keys: [{ key: tenant.key }] }]);
      const other = await startApp({ TENANTS }, { database: app.database });
      try {
        for (const isPublic of [true, false, true, false]) {
          await tenant.http.put(type.path, { public: isPublic }).expect(200);
          const status = isPublic ? 200 : 401;
          await other.client().get(type.entries).expect(status);
          await other.client().get(`${type.entries}/${id}`).expect(status);
        }
      } finally {
        await other.close();
      }
    });

    it('refusals count as failed authentication, and public reads do not', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const closed = await createType(tenant, FIELDS, 'Closed');
      const client = visitor();
      for (let i = 0; i < 20; i++) await client.get(closed.entries).expect(401);
      await client.get(closed.entries).expect(429);
      await client.get(type.entries).expect(200);
    });

    it('an address is limited, and others are not', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const client = visitor();
      for (let i = 0; i < 60; i++) await client.get(`${type.entries}?per_page=1`).expect(200);
      const refused = await client.get(type.entries).expect(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.body.code).toBe('rate_limited');
      await visitor().get(type.entries).expect(200);
      await tenant.http.get(type.entries).expect(200);
    });

    it('unknown parameters and fields are told', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      expect((await visitor().get(`${type.entries}?nope=1`).expect(400)).body.code).toBe('unknown_parameter');
      expect((await visitor().get(`${type.entries}?sort=nope`).expect(400)).body.code).toBe('unknown_field');
    });
  });

  describe('caching', () => {
    it('lists and entries may be cached by everybody, but not for requests with a key', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a' }, status: 'published' }]);
      for (const path of [type.entries, `${type.entries}/${id}`, `${type.entries}?cursor=`]) {
        const open = await visitor().get(path).expect(200);
        expect(open.headers['cache-control']).toBe('public, max-age=120, stale-while-revalidate=120');
        expect(open.headers['etag']).toMatch(/^(W\/)?"[^"]+"$/);
        expect(open.headers['vary']).toContain('Authorization, X-Trivet-Console');
        const kept = await visitor({ 'If-None-Match': String(open.headers['etag']) })
          .get(path)
          .expect(304);
        expect(kept.headers['cache-control']).toBe(open.headers['cache-control']);
        expect(kept.headers['etag']).toBe(open.headers['etag']);
        const keyed = await tenant.http.get(path).expect(200);
        expect(keyed.headers['cache-control'] ?? 'private').toContain('private');
      }
    });

    it('the ETag of a list changes with each change that the list shows', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      const [first, second] = await createEntries(tenant, type, [
        { fields: { title: 'a' }, status: 'published' },
        { fields: { title: 'b' } },
      ]);
      const tags = new Set<string>();
      const expectNew = async () => {
        const { headers } = await visitor().get(type.entries).expect(200);
        expect(tags).not.toContain(headers['etag']);
        tags.add(String(headers['etag']));
      };
      await expectNew();
      await tenant.http.patch(`${type.entries}/${first}`, { fields: { title: 'c' } }).expect(200);
      await expectNew();
      await tenant.http.patch(`${type.entries}/${second}`, { status: 'published' }).expect(200);
      await expectNew();
      await tenant.http.put(type.path, { fields: [...FIELDS, { name: 'more', type: 'text' }] }).expect(200);
      await expectNew();
      await tenant.http.delete(`${type.entries}/${first}`).expect(200);
      await expectNew();
      await tenant.http.patch(`${type.entries}/${second}`, { status: 'draft' }).expect(200);
      await expectNew();
    });

    it('a list with a large entry is streamed with the same headers', async () => {
      const tenant = app.tenant();
      const type = await publicType(tenant);
      await createEntries(tenant, type, [{ fields: { title: 'x'.repeat(100_000) }, status: 'published' }]);
      const { headers, body } = await visitor().get(type.entries).expect(200);
      expect(body.data[0].fields.title).toHaveLength(100_000);
      expect(headers['cache-control']).toBe('public, max-age=120, stale-while-revalidate=120');
      await visitor({ 'If-None-Match': String(headers['etag']) })
        .get(type.entries)
        .expect(304);
    });
  });
});

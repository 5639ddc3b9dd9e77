import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { pathOf, upload } from '../support/upload.js';

describe('media', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      TENANTS: JSON.stringify([
        {
          id: 'ten_scopes',
          name: 'Scopes',
          api_keys: [
            { name: 'reader', key: 'reader-key-00000000', scopes: ['media:read'] },
            { name: 'writer', key: 'writer-key-00000000', scopes: ['media:write'] },
            { name: 'content', key: 'content-key-0000000', scopes: ['content:read', 'content:write'] },
          ],
        },
        ...Array.from({ length: 60 }, (_, index) => ({
          id: `ten_m${index}`,
          name: 'M',
          api_keys: [{ name: 'test', key: `media-test-key-${index}` }],
        })),
      ]),
    });
  });
  afterAll(() => app.close());

  let taken = 0;
  const newTenant = (): TestTenant => {
    const key = `media-test-key-${taken}`;
    return { id: `ten_m${taken++}`, key, http: app.client(`Bearer ${key}`) };
  };

  const events = async (tenant: TestTenant): Promise<{ type: string; data: object }[]> => {
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?cursor=`).expect(200);
    return body.data.map(({ type, data }: { type: string; data: object }) => ({ type, data }));
  };

  describe('access', () => {
    const ID = 'med_01k9mzh6xze3n8mqsd5wkxp2zt';
    const requests = [
      ['get', '', 'read'],
      ['post', '', 'write'],
      ['get', `/${ID}`, 'read'],
      ['get', `/${ID}/variant-url`, 'read'],
      ['patch', `/${ID}`, 'write'],
      ['delete', `/${ID}`, 'write'],
    ] as const;

    it.each(requests)('%s %s needs a key', async (method, path) => {
      const response = await app.client()[method](`/v1/media/ten_scopes${path}`).expect(401);
      expect(response.body.code).toBe('unauthorized');
    });

    it.each(requests)('%s %s needs a key of the tenant', async (method, path) => {
      const response = await newTenant().http[method](`/v1/media/ten_scopes${path}`).expect(403);
      expect(response.body.code).toBe('forbidden');
    });

    it.each(requests)('%s %s needs the scope media:%s', async (method, path, right) => {
      const other = right === 'read' ? 'writer' : 'reader';
      const good = right === 'read' ? 'reader' : 'writer';
      const call = (key: string) => app.client(`Bearer ${key}-key-00000000`)[method](`/v1/media/ten_scopes${path}`);
      await call(other).expect(403);
      await app.client('Bearer content-key-0000000')[method](`/v1/media/ten_scopes${path}`).expect(403);
      expect((await call(good)).status).not.toBe(403);
    });
  });

  it('answers an upload with the resource that a get returns', async () => {
    const tenant = newTenant();
    const png = await files.png();
    const created = await tenant.http
      .post(`/v1/media/${tenant.id}`)
      .attach('file', png, 'red.png')
      .field('alt', 'A red one')
      .expect(201);
    const { id, url, created_at } = created.body.data;
    expect(created.body).toEqual({
      data: {
        id: expect.stringMatching(/^med_[0-9a-z]{26}$/),
        url: `${app.publicUrl}/media/${tenant.id}/${id}.png`,
        alt: 'A red one',
        filename: 'red.png',
        mime_type: 'image/png',
        size: png.length,
        width: 40,
        height: 30,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(60_000);
    const got = await tenant.http.get(`/v1/media/${tenant.id}/${id}`).expect(200);
    expect(got.body).toEqual(created.body);
    expect(url).toBe(got.body.data.url);
    expect(await events(tenant)).toEqual([{ type: 'media.uploaded', data: created.body.data }]);
  });

  it('accepts alt before the file too, and defaults it to an empty text', async () => {
    const tenant = newTenant();
    const before = await tenant.http
      .post(`/v1/media/${tenant.id}`)
      .field('alt', 'Before')
      .attach('file', await files.png(), 'a.png')
      .expect(201);
    expect(before.body.data.alt).toBe('Before');
    expect((await upload(app, tenant, await files.png())).alt).toBe('');
  });

  it('answers 404 for media that does not exist and for that of another tenant', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const { id } = await upload(app, other, await files.png());
    for (const wrong of [id, 'med_01k9mzh6xze3n8mqsd5wkxp2zt', 'med_x', id.replace('med', 'ent'), '%00', '..%2f..']) {
      for (const method of ['get', 'delete'] as const) {
        const response = await tenant.http[method](`/v1/media/${tenant.id}/${wrong}`).expect(404);
        expect(response.body.code).toBe('not_found');
      }
      await tenant.http.patch(`/v1/media/${tenant.id}/${wrong}`, { alt: 'x' }).expect(404);
    }
    await app.client().get(`/media/${tenant.id}/${id}.png`).expect(404);
  });

  describe('the list', () => {
    let tenant: TestTenant;
    const ids: string[] = [];
    beforeAll(async () => {
      tenant = newTenant();
      for (const [name, alt] of [
        ['Überblick_2024.png', 'Berge'],
        ['summer-holiday.png', 'At the sea'],
        ['IMG_0001.png', 'A cat on a mat'],
      ] as const) {
        ids.push((await upload(app, tenant, await files.png(), name, alt)).id);
      }
      ids.push((await upload(app, tenant, await files.jpeg(), 'cat.jpg')).id);
      ids.push((await upload(app, tenant, files.pdf(), 'cat.pdf')).id);
    });

    const listed = async (query: string) => {
      const { body } = await tenant.http.get(`/v1/media/${tenant.id}?${query}`).expect(200);
      return { places: body.data.map(({ id }: { id: string }) => ids.indexOf(id)), meta: body.meta };
    };

    it('is newest first, in pages with an exact total', async () => {
      expect(await listed('')).toEqual({ places: [4, 3, 2, 1, 0], meta: { page: 1, per_page: 25, total: 5 } });
      expect(await listed('per_page=2&page=2')).toEqual({ places: [2, 1], meta: { page: 2, per_page: 2, total: 5 } });
      expect(await listed('page=9')).toEqual({ places: [], meta: { page: 9, per_page: 25, total: 5 } });
    });

    it('has the same order by cursor', async () => {
      const first = await listed('cursor=&per_page=3&filter[mime_type]=image/*');
      expect(first).toEqual({ places: [3, 2, 1], meta: { per_page: 3, next_cursor: expect.any(String) } });
      const next = await listed(`cursor=${first.meta.next_cursor}&per_page=3&filter[mime_type]=image/*`);
      expect(next).toEqual({ places: [0], meta: { per_page: 3, next_cursor: null } });
      await tenant.http.get(`/v1/media/${tenant.id}?cursor=${first.meta.next_cursor}`).expect(400);
    });

    it('is filtered by type', async () => {
      expect((await listed('filter[mime_type]=image/png')).places).toEqual([2, 1, 0]);
      expect(await listed('filter[mime_type]=image/*&per_page=1')).toEqual({
        places: [3],
        meta: { page: 1, per_page: 1, total: 4 },
      });
      expect((await listed('filter[mime_type]=IMAGE/JPEG')).meta.total).toBe(1);
      expect((await listed('filter[mime_type]=audio/mpeg')).meta.total).toBe(0);
    });

    it('is filtered by whether a file has an alternative text', async () => {
      expect(await listed('filter[alt][exists]=false')).toEqual({
        places: [4, 3],
        meta: { page: 1, per_page: 25, total: 2 },
      });
      expect((await listed('filter[alt][exists]=true&per_page=1')).meta.total).toBe(3);
      expect((await listed('filter[alt][exists]=false&filter[mime_type]=image/*&search=cat')).places).toEqual([3]);
      const first = await listed('filter[alt][exists]=false&cursor=&per_page=1');
      const next = `cursor=${first.meta.next_cursor}&per_page=1`;
      expect((await listed(`filter[alt][exists]=false&${next}`)).places).toEqual([3]);
      await tenant.http.get(`/v1/media/${tenant.id}?filter[alt][exists]=true&${next}`).expect(400);
    });

    it('is searched by the words of filename and alternative text', async () => {
      expect((await listed('search=cat')).places).toEqual([4, 3, 2]);
      expect(await listed('search=CAT mat')).toEqual({ places: [2], meta: { page: 1, per_page: 25, total: 1 } });
      expect((await listed('search=uberblick')).places).toEqual([0]);
      expect((await listed('search=2024')).places).toEqual([0]);
      expect((await listed('search=holiday')).places).toEqual([1]);
      expect((await listed('search=cat -pdf&filter[mime_type]=image/*')).places).toEqual([3, 2]);
      expect((await listed("search=%25' OR 1=1 --")).places).toEqual([]);
    });

    it.each([
      ['filter[mime_type]=png', 'invalid_parameter'],
      ['filter[mime_type]=image/%25', 'invalid_parameter'],
      ['filter[mime_type]=a/b&filter[mime_type]=a/c', 'invalid_parameter'],
      ['filter[alt][exists]=no', 'invalid_parameter'],
      ['filter[alt]=x', 'unknown_parameter'],
      ['filter[size]=1', 'unknown_parameter'],
      ['sort=alt', 'unknown_parameter'],
      ['per_page=101', 'invalid_parameter'],
      ['cursor=x', 'invalid_parameter'],
      [`search=${'x'.repeat(513)}`, 'invalid_parameter'],
    ])('rejects %s', async (query, code) => {
      const { body } = await tenant.http.get(`/v1/media/${tenant.id}?${query}`).expect(400);
      expect(body.code).toBe(code);
    });
  });

  describe('an update', () => {
    it('changes the alternative text and the search results, and emits nothing', async () => {
      const tenant = newTenant();
      const before = await upload(app, tenant, await files.png(), 'a.png', 'red');
      const path = `/v1/media/${tenant.id}/${before.id}`;
      const updated = await tenant.http.patch(path, { alt: 'blue' }).expect(200);
      expect(updated.body.data).toEqual({ ...before, alt: 'blue' });
      expect((await tenant.http.get(`/v1/media/${tenant.id}?search=blue`)).body.meta.total).toBe(1);
      expect((await tenant.http.get(`/v1/media/${tenant.id}?search=red`)).body.meta.total).toBe(0);
      expect((await tenant.http.patch(path, {}).expect(200)).body.data.alt).toBe('blue');
      expect((await tenant.http.patch(path, { alt: '' }).expect(200)).body.data.alt).toBe('');
      expect((await events(tenant)).map(({ type }) => type)).toEqual(['media.uploaded']);
    });

    it.each([
      [{ alt: null }, 'alt', 'type'],
      [{ alt: 5 }, 'alt', 'type'],
      [{ alt: 'x'.repeat(1001) }, 'alt', 'length'],
      [{ alt: 'a\0b' }, 'alt', 'text'],
      [{ alt: 'a', url: 'https://x.example' }, 'url', 'unknown_property'],
    ])('rejects %j', async (body, path, code) => {
      const tenant = newTenant();
      const { id } = await upload(app, tenant, await files.png());
      const response = await tenant.http.patch(`/v1/media/${tenant.id}/${id}`, body).expect(422);
      expect(response.body.errors).toEqual([{ path, code, message: expect.any(String) }]);
    });

    it('counts characters, not UTF-16 code units', async () => {
      const tenant = newTenant();
      const { id } = await upload(app, tenant, await files.png(), 'x', '🐈'.repeat(1000));
      await tenant.http.patch(`/v1/media/${tenant.id}/${id}`, { alt: '🐈'.repeat(1000) }).expect(200);
    });
  });

  describe('a deletion', () => {
    it('removes the file and emits its last state', async () => {
      const tenant = newTenant();
      const media = await upload(app, tenant, await files.png());
      const path = `/v1/media/${tenant.id}/${media.id}`;
      await tenant.http.patch(path, { alt: 'last' }).expect(200);
      const { body } = await tenant.http.delete(path).expect(200);
      expect(body).toEqual({ message: 'The media file was deleted.' });
      await tenant.http.get(path).expect(404);
      await tenant.http.delete(path).expect(404);
      await tenant.http.delete(`${path}?force=true`).expect(404);
      await app.client().get(pathOf(media.url)).expect(404);
      expect((await tenant.http.get(`/v1/media/${tenant.id}`)).body.meta.total).toBe(0);
      expect((await events(tenant)).at(-1)).toEqual({ type: 'media.deleted', data: { ...media, alt: 'last' } });
    });

    it('succeeds once when requested ten times at once', async () => {
      const tenant = newTenant();
      const { id } = await upload(app, tenant, await files.png());
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async () => (await tenant.http.delete(`/v1/media/${tenant.id}/${id}`)).status),
      );
      expect(statuses.sort()).toEqual([200, ...Array<number>(9).fill(404)]);
      expect((await tenant.http.get(`/v1/media/${tenant.id}`)).body.meta.total).toBe(0);
    });

    it.each(['force=yes', 'force=', 'force=true&force=true'])('rejects %s', async (query) => {
      const tenant = newTenant();
      const { id } = await upload(app, tenant, await files.png());
      await tenant.http.delete(`/v1/media/${tenant.id}/${id}?${query}`).expect(400);
    });
  });

  it('is documented with a file picker', async () => {
    const { body } = await app.client().get('/openapi.json').expect(200);
    const { requestBody } = body.paths['/v1/media/{tenant_id}'].post;
    expect(Object.keys(requestBody.content).sort()).toEqual(['application/json', 'multipart/form-data']);
    expect(requestBody.content['multipart/form-data'].schema.properties.file).toMatchObject({ format: 'binary' });
    expect(body.paths['/media/{tenant_id}/{file}'].get.security).toEqual([{}]);
  });
});

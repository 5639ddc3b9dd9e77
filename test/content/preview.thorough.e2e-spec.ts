import { formatId, newUuid, parseId } from '../../src/ids/type-id.js';
import { ApiKeys } from '../../src/access/api-keys.js';
import { PreviewTokens } from '../../src/content/drafts/preview-token.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDrafts, createEntries, createType, type TestType, titlesOf } from '../support/content.js';
import { expectServerErrors } from '../support/server-errors.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number' },
];

/** JSON of more than 64 KiB, which lists read while they are sent. */
const LARGE = 'x'.repeat(100_000);

describe('previews', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '40' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });

  let addresses = 0;
  /** A client without a key, from an address of its own. */
  const visitor = (headers: Record<string, string> = {}) => {
    const n = ++addresses;
    return app.client(undefined, { 'X-Forwarded-For': `10.30.${n >> 8}.${n & 255}`, ...headers });
  };
  const create = async (fields: object, status = 'published'): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const save = (id: string, fields: object) => tenant.http.patch(`${type.entries}/${id}/draft`, { fields }).expect(200);
  const list = async (query: string, path = type.entries) =>
    (await tenant.http.get(`${path}?${query}`).expect(200)).body;

  describe('of one entry', () => {
    it('show the values of the draft on top, and the live ones without preview', async () => {
      const id = await create({ title: 'Live', price: 1 });
      const path = `${type.entries}/${id}`;
      const live = await tenant.http.get(path).expect(200);
      expect((await tenant.http.get(`${path}?preview=true`).expect(200)).body).toEqual(live.body);
      await save(id, { title: 'New', price: null, body: 'x' });
      const { body, headers } = await tenant.http.get(`${path}?preview=true`).expect(200);
      expect(body.data).toEqual({ ...live.body.data, fields: { title: 'New', body: 'x' } });
      expect(headers['etag']).toBe('"v1-d1"');
      expect(headers['cache-control']).toBe('no-store');
      for (const query of ['', '?preview=false']) {
        expect((await tenant.http.get(path + query).expect(200)).body).toEqual(live.body);
      }
    });

    it('are never 304', async () => {
      const id = await create({ title: 'Live' });
      const path = `${type.entries}/${id}`;
      for (const etag of ['"v1"', '*']) {
        await tenant.http.get(`${path}?preview=true`).set('If-None-Match', etag).expect(200);
        await tenant.http.get(path).set('If-None-Match', etag).expect(304);
      }
    });

    it('are found by the slug of the type, and 404 for an entry that does not exist', async () => {
      const id = await create({ title: 'Live' }, 'draft');
      await save(id, { title: 'New' });
      const bySlug = `${type.entries.replace(type.id, 'article')}/${id}?preview=true`;
      expect((await tenant.http.get(bySlug).expect(200)).body.data.fields.title).toBe('New');
      await tenant.http.get(`${type.entries}/${formatId('ent', newUuid())}?preview=true`).expect(404);
    });

    it('of a large entry show the values of its large draft', async () => {
      const id = await create({ title: 'Live', body: LARGE });
      await save(id, { title: `${LARGE}y` });
      const { body } = await tenant.http.get(`${type.entries}/${id}?preview=true`).expect(200);
      expect(body.data.fields).toEqual({ title: `${LARGE}y`, body: LARGE });
    });

    it('of a large entry that many request at once are complete, or refused with 503', async () => {
      expectServerErrors(503);
      const id = await create({ title: 'Live', body: LARGE.repeat(9) });
      await save(id, { title: LARGE.repeat(9) });
      const { body } = await tenant.http.post(`${type.entries}/${id}/preview-links`, {}).expect(201);
      const path = body.data.url.replace(app.publicUrl, '');
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => visitor().get(path)),
        ...Array.from({ length: 20 }, () => tenant.http.get(`${type.entries}/${id}/draft`)),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1);
      for (const answer of answers.filter(({ status }) => status === 200)) {
        expect([answer.body.data.fields.title.length, answer.body.data.fields.body.length]).toEqual([900_000, 900_000]);
      }
      await tenant.http.get(type.path).expect(200);
    }, 240_000);
  });

  describe('of a list', () => {
    it('show drafts on top; filters, sorting and search look at the live values', async () => {
      const [a, b] = [await create({ title: 'alpha', price: 1 }), await create({ title: 'beta', price: 2 })];
      await save(a, { title: 'zeta', price: 9 });
      expect(titlesOf(await list('preview=true&sort=title'))).toEqual(['zeta', 'beta']);
      expect(titlesOf(await list('preview=true&sort=-price'))).toEqual(['beta', 'zeta']);
      expect(titlesOf(await list('preview=true&filter[title]=alpha'))).toEqual(['zeta']);
      expect(titlesOf(await list('preview=true&search=alpha'))).toEqual(['zeta']);
      expect((await list('preview=true&search=zeta')).meta.total).toBe(0);
      expect(titlesOf(await list('sort=title'))).toEqual(['alpha', 'beta']);
      const { data } = await list('preview=true&search=alpha&highlight=true');
      expect(data[0].highlights).toEqual({ title: ['<mark>alpha</mark>'] });
      await save(b, { title: LARGE });
      const large = await list('preview=true&search=beta&highlight=true');
      expect(large.data).toMatchObject([{ fields: { title: LARGE }, highlights: { title: ['<mark>beta</mark>'] } }]);
    });

    it('continue by a cursor of the list without preview', async () => {
      await createDrafts(tenant, type, { title: 'a' }, { title: 'b' }, { title: 'c' });
      const { meta, data } = await list('cursor=&per_page=2&sort=title');
      await save(data[0].id, { title: 'A' });
      const next = await list(`cursor=${meta.next_cursor}&per_page=2&sort=title&preview=true`);
      expect(titlesOf(next)).toEqual(['c']);
    });

    it('have an ETag that changes with each draft, and are never 304', async () => {
      const id = await create({ title: 'Live' });
      const etagOf = async () => (await tenant.http.get(`${type.entries}?preview=true`).expect(200)).headers['etag'];
      const etags = [await etagOf()];
      await save(id, { title: 'New' });
      etags.push(await etagOf());
      await save(id, { title: 'Newer' });
      etags.push(await etagOf());
      expect(new Set(etags).size).toBe(3);
      await tenant.http.get(`${type.entries}?preview=true`).set('If-None-Match', String(etags[2])).expect(200);
      expect((await tenant.http.get(type.entries).expect(200)).headers['etag']).toBeUndefined();
    });

    it('show large entries and entries with large drafts in their place', async () => {
      const small = await create({ title: 'small', price: 1 });
      const grown = await create({ title: 'grown', price: 2 });
      const large = await create({ title: 'large', body: LARGE, price: 3 });
      const shrunk = await create({ title: 'shrunk', body: LARGE, price: 4 });
      await create({ title: 'plain', body: LARGE, price: 5 });
      await save(small, { title: 'Small' });
      await save(grown, { title: LARGE });
      await save(large, { title: 'Large' });
      await save(shrunk, { body: null });
      const { data } = await list('preview=true&sort=price');
      expect(data.map(({ fields }: { fields: object }) => fields)).toEqual([
        { title: 'Small', price: 1 },
        { title: LARGE, price: 2 },
        { title: 'Large', body: LARGE, price: 3 },
        { title: 'shrunk', price: 4 },
        { title: 'plain', body: LARGE, price: 5 },
      ]);
    });

    it('do not show the values of removed fields', async () => {
      const id = await create({ title: 'Live' });
      await save(id, { price: 2 });
      await tenant.http.put(type.path, { fields: FIELDS.slice(0, 2) }).expect(200);
      expect((await list('preview=true')).data[0].fields).toEqual({ title: 'Live' });
    });
  });

  describe('has_draft', () => {
    it('keeps the entries with or without a draft, also with other conditions', async () => {
      const ids = await createDrafts(tenant, type, ...['a', 'b', 'c', 'd'].map((title) => ({ title, price: 1 })));
      await save(ids[1]!, { title: 'B' });
      await save(ids[2]!, { title: 'C' });
      await save(ids[3]!, { title: 'D' });
      await tenant.http.delete(`${type.entries}/${ids[3]}/draft`).expect(200);
      const titles = async (query: string) => {
        const body = await list(`${query}&sort=title`);
        expect(body.meta.total).toBe(body.data.length);
        return titlesOf(body).join('');
      };
      expect(await titles('has_draft=true')).toBe('bc');
      expect(await titles('has_draft=false')).toBe('ad');
      expect(await titles('has_draft=true&preview=true')).toBe('BC');
      expect(await titles('has_draft=true&filter[title][gt]=b')).toBe('c');
      expect(await titles('has_draft=false&filter[price]=1&search=a')).toBe('a');
      expect(await titles('has_draft=true&where={"or":[{"title":"b"},{"title":"d"}]}')).toBe('b');
      const ranked = await list('has_draft=true&search=b or c');
      expect([ranked.meta.total, titlesOf(ranked).sort().join('')]).toEqual([2, 'bc']);
      expect((await list('has_draft=false&search=b or c')).meta.total).toBe(0);
      for (const sort of ['-created_at', 'price', 'updated_at']) {
        expect(titlesOf(await list(`has_draft=true&sort=${sort}&cursor=`)).sort()).toEqual(['b', 'c']);
        expect(titlesOf(await list(`has_draft=false&sort=${sort}`)).sort()).toEqual(['a', 'd']);
      }
      await tenant.http.post(`${type.entries}/${ids[1]}/draft/publish`).expect(200);
      expect(await titles('has_draft=true')).toBe('c');
    });

    it.each(['has_draft=yes', 'has_draft=', 'preview=1', 'preview=TRUE'])('as %s is 400', async (query) => {
      expect((await tenant.http.get(`${type.entries}?${query}`).expect(400)).body.code).toBe('invalid_parameter');
    });
  });

  describe('the list of drafts', () => {
    const drafts = () => `/v1/content/${tenant.id}/drafts`;

    it('has the drafts of all types, the last changed one first', async () => {
      const other = await createType(tenant, [...FIELDS, { name: 'more', type: 'text' }], 'Other');
      const ids = await createDrafts(tenant, type, { title: 'a' }, { title: 'b' }, { title: 'none' });
      const [third] = await createDrafts(tenant, other, { title: 'c' });
      await save(ids[0]!, { title: 'A' });
      await save(ids[1]!, { title: 'B' });
      await tenant.http.patch(`${other.entries}/${third}/draft`, { fields: { more: LARGE } }).expect(200);
      await save(ids[0]!, { price: 1 });
      const body = await list('', drafts());
      expect(body.meta).toEqual({ page: 1, per_page: 25, total: 3 });
      expect(titlesOf(body)).toEqual(['A', 'c', 'B']);
      for (const draft of body.data) {
        const path = draft.content_type_id === type.id ? type : other;
        const got = await tenant.http.get(`${path.entries}/${draft.id}/draft`).expect(200);
        expect(draft).toEqual(got.body.data);
      }
      expect(titlesOf(await list('page=2&per_page=2', drafts()))).toEqual(['B']);
      const seen: (string | undefined)[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(`cursor=${cursor}&per_page=1`, drafts());
        seen.push(...titlesOf(page));
        cursor = page.meta.next_cursor;
      }
      expect(seen).toEqual(['A', 'c', 'B']);
    });

    it('has no values of removed fields, and no drafts of other tenants or deleted entries', async () => {
      const ids = await createDrafts(tenant, type, { title: 'a' }, { title: 'b' });
      for (const id of ids) await save(id, { price: 3, title: 'x' });
      await tenant.http.put(type.path, { fields: FIELDS.slice(0, 2) }).expect(200);
      await tenant.http.delete(`${type.entries}/${ids[0]}`).expect(200);
      expect((await list('', drafts())).data).toMatchObject([
        { id: ids[1], fields: { title: 'x' }, changed: ['title'] },
      ]);
      expect((await app.tenant().http.get(drafts()).expect(403)).body.code).toBe('forbidden');
      const stranger = app.tenant();
      expect((await stranger.http.get(`/v1/content/${stranger.id}/drafts`).expect(200)).body.data).toEqual([]);
      await tenant.http.delete(type.path).expect(200);
      expect((await list('', drafts())).meta.total).toBe(0);
    });

    it('refuses a cursor of another list', async () => {
      await createDrafts(tenant, type, { title: 'a' }, { title: 'b' });
      const { meta } = await list('cursor=&per_page=1');
      await tenant.http.get(`${drafts()}?cursor=${meta.next_cursor}`).expect(400);
    });
  });

  describe('access', () => {
    it('is 403 for a key that reads published entries only, and 401 without a key', async () => {
      const id = await create({ title: 'Live' });
      await save(id, { title: 'Secret' });
      await tenant.http.put(type.path, { public: true }).expect(200);
      const published = app.client(`Bearer ${tenant.publishedKey}`);
      const paths = ['?preview=true', '?has_draft=true', '?has_draft=false', `/${id}?preview=true`];
      for (const path of paths) {
        expect((await published.get(type.entries + path).expect(403)).body.code).toBe('forbidden');
        const refused = await visitor()
          .get(type.entries + path)
          .expect(401);
        expect(refused.headers['www-authenticate']).toBe('Bearer');
      }
      for (const path of ['', '?preview=false', `/${id}`, `/${id}?preview=false`]) {
        for (const client of [published, visitor()]) {
          expect(JSON.stringify((await client.get(type.entries + path).expect(200)).body)).not.toContain('Secret');
        }
      }
      await published.get(`/v1/content/${tenant.id}/drafts`).expect(403);
      await published.post(`${type.entries}/${id}/preview-links`, {}).expect(403);
      await published.delete(`${type.entries}/${id}/preview-links`).expect(403);
    });
  });

  describe('a preview link', () => {
    let id: string;
    let links: string;
    beforeEach(async () => {
      id = await create({ title: 'Live' }, 'draft');
      links = `${type.entries}/${id}/preview-links`;
    });
    const link = async (body: object = {}): Promise<string> =>
      (await tenant.http.post(links, body).expect(201)).body.data.url.replace(app.publicUrl, '');
    const expectGone = async (path: string) => {
      const { body, headers } = await visitor().get(path).expect(404);
      expect({ ...body, request_id: '' }).toEqual({
        type: '/problems/not_found',
        title: 'Not found',
        status: 404,
        code: 'not_found',
        detail: 'There is no such preview. Preview links expire, and can be ended earlier.',
        request_id: '',
      });
      expect(headers['cache-control']).toBe('no-store');
    };

    it('is followed with the parameters that shared links get, but not with wrong values of its own', async () => {
      const path = await link();
      const { body } = await visitor().get(path).expect(200);
      for (const query of ['fbclid=x', 'utm_source=a&utm_source=b', 'nope=%00&select=title']) {
        expect((await visitor().get(`${path}?${query}`).expect(200)).body.data.id).toBe(body.data.id);
      }
      for (const query of ['select=nope', 'include=nope', 'select=title&select=title']) {
        await visitor().get(`${path}?${query}&fbclid=x`).expect(400);
      }
    });

    it('shows the entry with its draft to everybody, without being stored', async () => {
      await save(id, { title: 'New' });
      const before = Date.now();
      const { body } = await tenant.http.post(links, {}).expect(201);
      expect(Object.keys(body.data).sort()).toEqual(['expires_at', 'url']);
      const expires = new Date(body.data.expires_at).getTime();
      expect(Math.abs(expires - before - 3_600_000)).toBeLessThan(5_000);
      expect(body.data.url).toMatch(new RegExp(`^${app.publicUrl}/v1/preview/[\\w-]{110,170}$`));
      const answer = await visitor().get(body.data.url.replace(app.publicUrl, '')).expect(200);
      const entry = (await tenant.http.get(`${type.entries}/${id}`).expect(200)).body.data;
      expect(answer.body).toEqual({ data: { ...entry, fields: { title: 'New' } } });
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', etag: '"v1-d1"' });
    });

    it('shows the current values each time, without a draft the live ones', async () => {
      const path = await link();
      const title = async () => (await visitor().get(path).expect(200)).body.data.fields.title;
      expect(await title()).toBe('Live');
      await save(id, { title: 'New' });
      expect(await title()).toBe('New');
      await tenant.http.delete(`${type.entries}/${id}/draft`).expect(200);
      expect(await title()).toBe('Live');
      await visitor({ 'If-None-Match': '"v1"' }).get(path).expect(200);
    });

    it('is read by pages of any origin', async () => {
      const path = await link();
      const { headers } = await visitor({ Origin: 'https://site.example' }).get(path).expect(200);
      expect(headers['access-control-allow-origin']).toBe('*');
      await expectGone(`${path}x`);
      const refused = await visitor({ Origin: 'https://site.example' }).get(`${path}x`).expect(404);
      expect(refused.headers['access-control-allow-origin']).toBe('*');
    });

    it('ends with all others of its entry, and with the entry', async () => {
      const [first, second] = [await link(), await link({ expires_in: 604_800 })];
      const [otherId] = await createDrafts(tenant, type, { title: 'Other' });
      const others = `${type.entries}/${otherId}/preview-links`;
      const other = (await tenant.http.post(others, {}).expect(201)).body.data.url.replace(app.publicUrl, '');
      const { body } = await tenant.http.delete(links).expect(200);
      expect(body).toEqual({ message: 'The preview links of the entry were ended.' });
      await expectGone(first);
      await expectGone(second);
      await visitor().get(other).expect(200);
      const third = await link();
      await visitor().get(third).expect(200);
      await save(id, { title: 'New' });
      await visitor().get(third).expect(200);
      await tenant.http.delete(links).expect(200);
      await expectGone(third);
      const draft = await tenant.http.get(`${type.entries}/${id}/draft`).expect(200);
      expect(draft.headers['etag']).toBe('"d1"');
      await tenant.http.delete(`${type.entries}/${otherId}`).expect(200);
      await expectGone(other);
      const last = await link();
      await tenant.http.delete(type.path).expect(200);
      await expectGone(last);
    });

    it('ends with the key that made it, and with the keys that made that one', async () => {
      const keys = `/v1/keys/${tenant.id}`;
      const make = async (http: Http, body: object = {}) => {
        const made = await http.post(keys, { name: 'Editor', scopes: ['*'], ...body }).expect(201);
        const { id: keyId, key } = (made.body as { data: { id: string; key: string } }).data;
        return { keyId, http: app.client(`Bearer ${key}`) };
      };
      const maker = await make(tenant.http);
      const editor = await make(maker.http);
      const linkOf = async (http: Http) =>
        (await http.post(links, {}).expect(201)).body.data.url.replace(app.publicUrl, '') as string;
      const [ofMaker, ofEditor, ofTenant] = [
        await linkOf(maker.http),
        await linkOf(editor.http),
        await linkOf(tenant.http),
      ];
      for (const path of [ofMaker, ofEditor, ofTenant]) await visitor().get(path).expect(200);
      await tenant.http.delete(`${keys}/${maker.keyId}`).expect(200);
      await expectGone(ofMaker);
      await expectGone(ofEditor);
      await visitor().get(ofTenant).expect(200);
    });

    it('lives no longer than the key that made it', async () => {
      const body = { name: 'Editor', scopes: ['content:read', 'content:write'], expires_in: 90 };
      const { key, expires_at } = (await tenant.http.post(`/v1/keys/${tenant.id}`, body).expect(201)).body.data;
      const made = await app.client(`Bearer ${key}`).post(links, { expires_in: 3600 }).expect(201);
      const [end, limit] = [Date.parse(made.body.data.expires_at), Date.parse(expires_at)];
      expect(limit - end).toBeGreaterThanOrEqual(0);
      expect(limit - end).toBeLessThanOrEqual(1_000);
    });

    it('leaves nothing behind when its entry is deleted', async () => {
      await tenant.http.delete(links).expect(200);
      await tenant.http.delete(`${type.entries}/${id}`).expect(200);
      expect(await app.database.query('SELECT 1 FROM entry_drafts WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });

    it('is 404 in the same words when it was tampered with, expired or made for another key or tenant', async () => {
      const path = await link();
      await expectGone(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`);
      await expectGone(path.replace('/v1/preview/', '/v1/preview/A'));
      await expectGone('/v1/preview/nope');
      await expectGone(`/v1/preview/${'x'.repeat(3_000)}`);
      const maker = await app.get(ApiKeys).find(tenant.key);
      const root = maker?.root ?? '';
      const target = {
        tenantId: tenant.id,
        typeId: parseId('ct', type.id) ?? '',
        entryId: parseId('ent', id) ?? '',
        makerId: parseId('key', maker?.caller.actorId ?? '') ?? '',
        links: 0,
        expires: Math.floor(Date.now() / 1000) + 60,
      };
      const tokens = new PreviewTokens(app.config.encryptionKeys);
      await visitor()
        .get(`/v1/preview/${tokens.sign(target, root)}`)
        .expect(200);
      for (const wrong of [
        { ...target, expires: target.expires - 61 },
        { ...target, links: 1 },
        { ...target, tenantId: app.tenant().id },
        { ...target, tenantId: 'ten_gone' },
        { ...target, typeId: newUuid() },
        { ...target, entryId: newUuid() },
        { ...target, makerId: newUuid() },
      ]) {
        await expectGone(`/v1/preview/${tokens.sign(wrong, root)}`);
      }
      await expectGone(`/v1/preview/${tokens.sign(target, 'of a key with the same name')}`);
      await expectGone(`/v1/preview/${new PreviewTokens([Buffer.alloc(32, 9)]).sign(target, root)}`);
    });

    it('is limited like other requests without a key, also if the token is wrong', async () => {
      const path = await link();
      const one = visitor();
      for (let count = 0; count < 20; count++) {
        await one.get(path).expect(200);
        await one.get('/v1/preview/nope').expect(404);
      }
      const { body, headers } = await one.get(path).expect(429);
      expect([body.code, headers['retry-after']]).toEqual(['rate_limited', expect.any(String)]);
      await tenant.http.put(type.path, { public: true }).expect(200);
      await one.get(type.entries).expect(429);
      await visitor().get(path).expect(200);
    });

    it('is valid for 60 seconds to a week', async () => {
      for (const expires_in of [60, 604_800]) await link({ expires_in });
      await tenant.http.post(links).expect(201);
      await tenant.http.post(links, {}).expect(201);
      for (const expires_in of [59, 604_801, 0, -1, 60.5, '60', null, 1e300]) {
        const { body } = await tenant.http.post(links, { expires_in }).expect(422);
        expect(body.errors).toMatchObject([{ path: 'expires_in' }]);
      }
      await tenant.http.post(links, { expires: 60 }).expect(422);
      await tenant.http.post(links.replace(id, formatId('ent', newUuid())), {}).expect(404);
      await tenant.http.delete(links.replace(id, formatId('ent', newUuid()))).expect(404);
      const bySlug = links.replace(type.id, 'article');
      await tenant.http.post(bySlug, {}).expect(201);
    });
  });
});

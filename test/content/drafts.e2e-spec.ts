import { setTimeout as sleep } from 'node:timers/promises';
import { PublishDraft } from '../../src/content/drafts/publish-draft.js';
import { Database } from '../../src/database/database.js';
import type { Executor } from '../../src/database/transaction.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { ofEntries } from '../support/stored-events.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 40 },
  { name: 'slug', type: 'text', unique: true },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number' },
  { name: 'extra', type: 'json' },
];

describe('a draft', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let entry: string;
  let draft: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
    const values = { title: 'Live', slug: 'live', price: 1 };
    const [id] = await createEntries(tenant, type, [{ fields: values, status: 'published' }]);
    entry = `${type.entries}/${id}`;
    draft = `${entry}/draft`;
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const save = async (fields: object) => (await tenant.http.patch(draft, { fields }).expect(200)).body.data;
  const live = async (fields: object) => tenant.http.patch(entry, { fields }).expect(200);
  const publish = (query = '') => tenant.http.post(`${draft}/publish${query}`);
  const read = async (path = entry) => (await tenant.http.get(path).expect(200)).body.data;
  const eventsOf = async () => {
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?cursor=&per_page=100`).expect(200);
    return ofEntries(body.data as { type: string; data: object }[]).slice(2);
  };
  const rowsOf = (id: string) =>
    app.database.query('SELECT number, fields FROM entry_drafts WHERE tenant_id = $1', [id]);

  describe('that is saved', () => {
    it('is made of the values that were sent, on top of the live ones', async () => {
      const { body, headers } = await tenant.http.patch(draft, { fields: { title: 'New', price: null } }).expect(200);
      expect(headers['etag']).toBe('"d1"');
      expect(body.data).toEqual({
        id: entry.split('/').at(-1),
        content_type_id: type.id,
        fields: { title: 'New', slug: 'live' },
        changed: ['title', 'price'],
        base_version: 1,
        created_at: expect.stringMatching(/Z$/),
        updated_at: body.data.created_at,
      });
      const got = await tenant.http.get(draft).expect(200);
      expect(got.body).toEqual(body);
      expect(got.headers['etag']).toBe('"d1"');
    });

    it('leaves the entry, its version and the events as they are', async () => {
      const before = await tenant.http.get(entry).expect(200);
      await save({ title: 'New' });
      const after = await tenant.http.get(entry).expect(200);
      expect([after.body, after.headers['etag']]).toEqual([before.body, before.headers['etag']]);
      expect(await eventsOf()).toEqual([]);
      const search = async (word: string) => (await tenant.http.get(`${type.entries}?search=${word}`)).body.meta.total;
      expect([await search('new'), await search('live')]).toEqual([0, 1]);
    });

    it('collects values, and keeps its base version', async () => {
      const first = await save({ title: 'New' });
      await live({ body: '<p>x</p>' });
      const second = await tenant.http.patch(draft, { fields: { price: 2 } }).expect(200);
      expect(second.headers['etag']).toBe('"d2"');
      expect(second.body.data).toMatchObject({
        fields: { title: 'New', slug: 'live', price: 2, body: '<p>x</p>' },
        changed: ['title', 'price'],
        base_version: 1,
        created_at: first.created_at,
      });
    });

    it('has the values that were sent also when they equal the live ones', async () => {
      expect(await save({ title: 'Live', body: null })).toMatchObject({ changed: ['title', 'body'] });
    });

    it('may get back a value that it removed', async () => {
      await save({ price: null });
      expect(await save({ price: 3 })).toMatchObject({ fields: { price: 3 }, changed: ['price'] });
      expect(await save({ price: null })).toMatchObject({
        fields: { title: 'Live', slug: 'live' },
        changed: ['price'],
      });
    });

    it('without values is 404 if there is none, and otherwise unchanged', async () => {
      for (const body of [{}, { fields: {} }]) {
        expect((await tenant.http.patch(draft, body).expect(404)).body.detail).toBe('There is no such draft.');
      }
      const made = await save({ title: 'New' });
      for (const body of [{}, { fields: {} }]) {
        const { body: same, headers } = await tenant.http.patch(draft, body).expect(200);
        expect([same.data, headers['etag']]).toEqual([made, '"d1"']);
      }
    });

    it('is checked like an update: every wrong value is 422', async () => {
      const other = await createEntries(tenant, type, [{ fields: { title: 'Other', slug: 'taken' } }]);
      expect(other).toHaveLength(1);
      const { body } = await tenant.http
        .patch(draft, { status: 'published', fields: { title: null, slug: 'taken', price: 'dear', nope: 1 } })
        .expect(422);
      expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]).sort()).toEqual([
        ['fields.nope', 'unknown_property'],
        ['fields.price', 'type'],
        ['fields.slug', 'unique'],
        ['fields.title', 'required'],
        ['status', 'unknown_property'],
      ]);
      await tenant.http.patch(draft, { fields: 'x' }).expect(422);
      await tenant.http.patch(draft, { fields: null }).expect(422);
      await tenant.http.get(draft).expect(404);
    });

    it('needs no value of a field that became required', async () => {
      await tenant.http
        .put(type.path, { fields: [...FIELDS, { name: 'must', type: 'text', required: true }] })
        .expect(200);
      expect(await save({ title: 'New' })).toMatchObject({ changed: ['title'] });
      const { body } = await publish().expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields.must', code: 'required' }]);
      await save({ must: 'x' });
      await publish().expect(200);
    });

    it('has existing references and media', async () => {
      const target = { name: 'other', type: 'reference', content_type: type.id };
      await tenant.http.put(type.path, { fields: [...FIELDS, target, { name: 'cover', type: 'media' }] }).expect(200);
      const { body } = await tenant.http
        .patch(draft, { fields: { other: type.id, cover: { id: 'med_x' } } })
        .expect(422);
      expect(body.errors).toHaveLength(2);
      const id = entry.split('/').at(-1);
      expect(await save({ other: id })).toMatchObject({ fields: { other: id } });
    });

    it('has at most 4 MiB of JSON', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e'].slice(0, 4)) {
        await tenant.http
          .put(type.path, { fields: [...(await read(type.path)).fields, { name, type: 'text' }] })
          .expect(200);
        await save({ [name]: 'x'.repeat(1_000_000) });
      }
      const { body } = await tenant.http.patch(draft, { fields: { body: 'x'.repeat(300_000) } }).expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields', code: 'too_long' }]);
      expect((await tenant.http.get(draft).expect(200)).body.data.changed).toEqual(['a', 'b', 'c', 'd']);
      await publish().expect(200);
      expect(Object.keys((await read()).fields)).toHaveLength(7);
    }, 240_000);
  });

  describe('that is published', () => {
    it('becomes live in one commit, and is gone', async () => {
      await tenant.http.patch(entry, { status: 'draft' }).expect(200);
      await save({ title: 'New', price: null });
      const { body, headers } = await publish().expect(200);
      expect(body.data).toEqual({
        id: entry.split('/').at(-1),
        content_type_id: type.id,
        fields: { title: 'New', slug: 'live' },
        status: 'published',
        updated_at: expect.any(String),
      });
      expect(headers['etag']).toBe('"v3"');
      expect(await read()).toMatchObject(body.data);
      await tenant.http.get(draft).expect(404);
      await publish().expect(404);
      const [, , updated, published, ...others] = await eventsOf();
      expect([updated?.type, published?.type].sort()).toEqual(['entry.published', 'entry.updated']);
      expect(updated?.data).toEqual(await read());
      expect(published?.data).toEqual(updated?.data);
      expect(others).toEqual([]);
    });

    it('changes only its own values: others keep what was written meanwhile', async () => {
      await save({ title: 'New' });
      await live({ price: 7, body: '<p>x</p>' });
      const { body } = await publish().expect(200);
      expect(body.data.fields).toEqual({ title: 'New', slug: 'live', price: 7, body: '<p>x</p>' });
    });

    it('continues the number of its ETag in the next draft, also when it was discarded', async () => {
      await save({ title: 'One' });
      await save({ title: 'Two' });
      await publish().expect(200);
      expect((await tenant.http.patch(draft, { fields: { title: 'Three' } }).expect(200)).headers['etag']).toBe('"d3"');
      await tenant.http.delete(draft).expect(200, { message: 'The draft was discarded.' });
      await tenant.http.delete(draft).expect(404);
      expect((await tenant.http.patch(draft, { fields: { title: 'Four' } }).expect(200)).headers['etag']).toBe('"d4"');
      expect((await read(draft)).base_version).toBe(2);
    });

    it('claims its unique values: a value that was taken since is 422', async () => {
      await save({ slug: 'wanted' });
      await createEntries(tenant, type, [{ fields: { title: 'Other', slug: 'wanted' } }]);
      const { body } = await publish('?force=true').expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields.slug', code: 'unique' }]);
      await save({ slug: 'free' });
      await publish().expect(200);
      const taken = await tenant.http.post(type.entries, { fields: { title: 'x', slug: 'free' } }).expect(422);
      expect(taken.body.errors).toMatchObject([{ path: 'fields.slug', code: 'unique' }]);
      await createEntries(tenant, type, [{ fields: { title: 'x', slug: 'live' } }]);
    });

    it('has no values of fields that the type no longer has', async () => {
      await save({ price: 5, title: 'New' });
      await tenant.http.put(type.path, { fields: FIELDS.filter(({ name }) => name !== 'price') }).expect(200);
      expect(await read(draft)).toMatchObject({ fields: { title: 'New', slug: 'live' }, changed: ['title'] });
      const { body } = await publish().expect(200);
      expect(body.data.fields).toEqual({ title: 'New', slug: 'live' });
    });

    it('is 422 if the type has changed so that its values no longer fit', async () => {
      await save({ title: 'new', body: 'x' });
      const fields = FIELDS.map((one) => (one.name === 'title' ? { ...one, pattern: '^[A-Z]' } : one));
      await tenant.http.put(type.path, { fields }).expect(200);
      const { body } = await publish().expect(422);
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['fields.title']);
      await save({ title: 'New' });
      await publish().expect(200);
    });

    it('is 422 if it refers to an entry that was deleted', async () => {
      const target = { name: 'other', type: 'reference', content_type: type.id };
      await tenant.http.put(type.path, { fields: [...FIELDS, target] }).expect(200);
      const [other] = await createEntries(tenant, type, [{ fields: { title: 'Other' } }]);
      await save({ other });
      await tenant.http.delete(`${type.entries}/${other}`).expect(200);
      const { body } = await publish().expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields.other', code: 'reference' }]);
    });

    it('commits with other statements of a transaction, or not at all', async () => {
      await save({ title: 'New' });
      const [typeId = '', entryId = ''] = [parseId('ct', type.id), parseId('ent', entry.split('/').at(-1) ?? '')];
      const publishIn = (work: () => void) => {
        const executor: Executor = {
          query: (tenantId, statement, parameters) =>
            app.get(Database).transaction(tenantId, async (transaction) => {
              const rows = await transaction.query(tenantId, statement, parameters);
              work();
              return rows;
            }),
        };
        const publication = { precondition: undefined, force: false, executor };
        return app
          .get(PublishDraft)
          .publish({ tenantId: tenant.id, scopes: new Set(['*']) }, { id: typeId }, entryId, publication);
      };
      await expect(
        publishIn(() => {
          throw new Error('The rest failed.');
        }),
      ).rejects.toThrow('The rest failed.');
      expect([(await read(draft)).changed, (await read()).fields.title]).toEqual([['title'], 'Live']);
      expect(await eventsOf()).toEqual([]);
      await publishIn(() => undefined);
      expect((await read()).fields.title).toBe('New');
      await tenant.http.get(draft).expect(404);
    });

    it('takes force as true or false only, and no other parameter', async () => {
      await save({ title: 'New' });
      expect((await publish('?force=yes').expect(400)).body.code).toBe('invalid_parameter');
      expect((await publish('?forced=true').expect(400)).body.code).toBe('unknown_parameter');
      await publish('?force=false').expect(200);
    });
  });

  describe('whose fields were changed on the live entry', () => {
    it('is a 409 that names each field, and leaves all as it was', async () => {
      await save({ title: 'New', price: 2, body: 'x' });
      await live({ title: 'Other', price: null });
      const { body } = await publish().expect(409);
      expect(body.code).toBe('conflict');
      expect(body.errors).toEqual([
        { path: 'fields.title', code: 'conflict', message: expect.stringContaining('title') },
        { path: 'fields.price', code: 'conflict', message: expect.stringContaining('price') },
      ]);
      expect((await read()).fields).toEqual({ title: 'Other', slug: 'live' });
      expect((await read(draft)).changed).toEqual(['title', 'body', 'price']);
    });

    it('is published with force', async () => {
      await save({ title: 'New', price: null });
      await live({ title: 'Other', price: 5 });
      await publish().expect(409);
      expect((await publish('?force=true').expect(200)).body.data.fields).toEqual({ title: 'New', slug: 'live' });
    });

    it('is a conflict also if the live value is now that of the draft', async () => {
      await save({ title: 'Same' });
      await live({ title: 'Same' });
      await publish().expect(409);
    });

    it('is a conflict if a value appeared or disappeared', async () => {
      await save({ body: 'x', price: 2 });
      await live({ body: 'y' });
      expect((await publish().expect(409)).body.errors).toMatchObject([{ path: 'fields.body' }]);
      await live({ body: null, price: null });
      expect((await publish().expect(409)).body.errors).toMatchObject([{ path: 'fields.price' }]);
    });

    it('is no conflict if the live value is again what it was', async () => {
      await live({ extra: { a: 1, b: [2] } });
      await save({ title: 'New', extra: 1 });
      await live({ title: 'Other', extra: 0 });
      await live({ title: 'Live', extra: { b: [2], a: 1 } });
      await publish().expect(200);
    });

    it('compares with the live value when each field was first saved', async () => {
      await save({ title: 'New' });
      await live({ price: 5 });
      await save({ price: 6 });
      await live({ title: 'Other' });
      await save({ title: 'Newer' });
      expect((await publish().expect(409)).body.errors).toMatchObject([{ path: 'fields.title' }]);
      await live({ title: 'Live' });
      await publish().expect(200);
    });

    it('starts again after it was discarded', async () => {
      await save({ title: 'New' });
      await live({ title: 'Other' });
      await tenant.http.delete(draft).expect(200);
      await save({ title: 'New' });
      await publish().expect(200);
    });
  });

  describe('with If-Match', () => {
    const send = (method: 'patch' | 'delete' | 'post', ifMatch: string) => {
      const path = method === 'post' ? `${draft}/publish` : draft;
      return tenant.http[method](path, { fields: { title: 'Next' } }).set('If-Match', ifMatch);
    };

    it('is changed, published and discarded only in the version that it names', async () => {
      await save({ title: 'One' });
      await save({ title: 'Two' });
      for (const method of ['patch', 'delete', 'post'] as const) {
        for (const stale of ['"d1"', '"v1"', '"d3", "d4"', 'W/"d2"']) {
          expect((await send(method, stale).expect(412)).body.code).toBe('precondition_failed');
        }
        await send(method, 'd2').expect(400);
      }
      expect((await send('patch', '"d1", "d2"').expect(200)).headers['etag']).toBe('"d3"');
      await tenant.http.patch(draft, {}).set('If-Match', '"d2"').expect(412);
      await send('post', '"d3"').expect(200);
      await send('patch', '*').expect(412);
      await send('patch', '"d3"').expect(412);
      await send('delete', '"d3"').expect(404);
      await send('post', '*').expect(404);
      await save({ title: 'Four' });
      await send('patch', '*').expect(200);
      await send('delete', '"d5"').expect(200);
    });
  });

  describe('of an entry that changes at the same time', () => {
    it('keeps the values of all requests', async () => {
      const names = Array.from({ length: 12 }, (_, n) => `f${n}`);
      const more = names.map((name) => ({ name, type: 'text' }));
      await tenant.http.put(type.path, { fields: [...FIELDS, ...more] }).expect(200);
      await Promise.all(names.map((name) => save({ [name]: name })));
      const { body, headers } = await tenant.http.get(draft).expect(200);
      expect(body.data.changed).toEqual(names);
      expect(headers['etag']).toBe('"d12"');
    });

    it('loses nothing when it is saved, published and the entry is updated, also by another process', async () => {
      const other = await startApp({ TENANTS: tenants() }, { database: app.database });
      const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
      const more = [...names, 'live'].map((name) => ({ name, type: 'text' }));
      await tenant.http.put(type.path, { fields: [...FIELDS, ...more] }).expect(200);
      const urls = [app, other].map((one) => one.client(`Bearer ${tenant.key}`));
      const statuses: number[] = [];
      let updates = 0;
      await Promise.all([
        ...names.map(async (name, index) => {
          await urls[index % 2]!.patch(draft, { fields: { [name]: name } }).expect(200);
        }),
        ...names.map(async (_, index) => {
          const { status } = await urls[index % 2]!.post(`${draft}/publish`);
          statuses.push(status);
        }),
        ...names.slice(0, 10).map(async (name, index) => {
          await urls[index % 2]!.patch(entry, { fields: { live: name } }).expect(200);
          updates++;
        }),
      ]);
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
      await publish();
      const { body, headers } = await tenant.http.get(entry).expect(200);
      expect(names.filter((name) => body.data.fields[name] !== name)).toEqual([]);
      const published = (await eventsOf()).filter((event) => event.type === 'entry.published').length;
      expect(headers['etag']).toBe(`"v${1 + updates + published}"`);
      await other.close();
    }, 240_000);

    it('is gone with the entry, in any order of concurrent requests', async () => {
      const other = await startApp({ TENANTS: tenants() }, { database: app.database });
      for (let round = 0; round < 10; round++) {
        const [id] = await createEntries(tenant, type, [{ fields: { title: 'x' } }]);
        const path = `${type.entries}/${id}`;
        const answers = await Promise.all([
          tenant.http.patch(`${path}/draft`, { fields: { title: 'y' } }),
          sleep(round).then(() => other.client(`Bearer ${tenant.key}`).delete(path)),
          other.client(`Bearer ${tenant.key}`).patch(`${path}/draft`, { fields: { price: 1 } }),
          tenant.http.post(`${path}/draft/publish`),
          other.client(`Bearer ${tenant.key}`).delete(`${path}/preview-links`),
        ]);
        expect(answers[1].status).toBe(200);
        for (const { status } of answers) expect([200, 404]).toContain(status);
        await tenant.http.get(`${path}/draft`).expect(404);
      }
      expect(await rowsOf(tenant.id)).toEqual([]);
      await other.close();
    }, 240_000);
  });

  describe('of an entry that is updated or deleted', () => {
    it('is left alone by an update', async () => {
      const made = await save({ title: 'New' });
      await tenant.http.patch(entry, { fields: { title: 'Other' }, status: 'published' }).expect(200);
      expect(await read(draft)).toEqual(made);
    });

    it('is deleted with the entry and with the type', async () => {
      const [second] = await createEntries(tenant, type, [{ fields: { title: 'Second' } }]);
      await tenant.http.patch(`${type.entries}/${second}/draft`, { fields: { price: 1 } }).expect(200);
      await save({ title: 'New' });
      await tenant.http.delete(entry).expect(200);
      for (const path of [draft, `${draft}/publish`]) {
        const { body } = await (path === draft ? tenant.http.get(path) : tenant.http.post(path)).expect(404);
        expect(body.detail).toBe('There is no such entry.');
      }
      expect(await rowsOf(tenant.id)).toHaveLength(1);
      await tenant.http.delete(type.path).expect(200);
      expect(await rowsOf(tenant.id)).toEqual([]);
      const last = (await eventsOf()).at(-1);
      expect(last).toMatchObject({ type: 'entry.deleted', data: { fields: { title: 'Second' } } });
    });
  });

  describe('for other callers', () => {
    it('is 401 without a key, 403 with a key for published entries or for reading only', async () => {
      await save({ title: 'New' });
      await tenant.http.put(type.path, { public: true }).expect(200);
      const calls = (key?: string) => {
        const http = app.client(key && `Bearer ${key}`, { 'X-Forwarded-For': '10.31.0.1' });
        return [http.get(draft), http.patch(draft, { fields: {} }), http.delete(draft), http.post(`${draft}/publish`)];
      };
      for (const call of calls()) await call.expect(401);
      for (const call of calls(tenant.publishedKey)) await call.expect(403);
      for (const call of calls(app.tenant().key)) await call.expect(403);
      expect((await read(draft)).changed).toEqual(['title']);
    });

    it('is found by the slug of the type', async () => {
      await tenant.http.patch(draft.replace(type.id, 'article'), { fields: { title: 'New' } }).expect(200);
      expect((await read(draft.replace(type.id, 'article'))).content_type_id).toBe(type.id);
      await tenant.http.post(`${draft.replace(type.id, 'article')}/publish`).expect(200);
    });
  });

  /** The configuration of another process with the tenants of this one. */
  const tenants = () =>
    JSON.stringify([{ id: tenant.id, name: 'Same', api_keys: [{ name: 'test', key: tenant.key }] }]);
});

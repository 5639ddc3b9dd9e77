import { parseId } from '../../src/ids/type-id.js';
import { EventRetention } from '../../src/events/event-retention.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDrafts, createType, type TestType } from '../support/content.js';
import { expectConsistentContent } from '../support/consistency.js';
import { ofEntries, storedEntryEvents } from '../support/stored-events.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'sku', type: 'text', unique: true },
  { name: 'tags', type: 'text', multiple: true },
];

describe('history', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp({ VERSIONS_KEPT: '5', EVENT_RETENTION: '10d' });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const create = async (fields: object): Promise<string> => {
    const [id] = await createDrafts(tenant, type, fields);
    return `${type.entries}/${id}`;
  };
  const patch = (path: string, fields: object, status?: string) =>
    tenant.http.patch(path, { fields, status }).expect(200);
  const get = async (path: string) => (await tenant.http.get(path).expect(200)).body;
  const versions = async (path: string) => (await get(`${path}/versions`)).data;

  describe('the list', () => {
    it('has a version for each change, newest first, with what made it, what it changed and whose key did', async () => {
      const path = await create({ title: 'a', tags: ['x'] });
      await patch(path, { title: 'b', tags: ['x'] });
      await patch(path, { body: '<p>c</p>' }, 'published');
      await patch(path, { tags: null }, 'published');
      await patch(path, {}, 'draft');
      const { data, meta } = await get(`${path}/versions`);
      const by = expect.any(String);
      const at = expect.stringMatching(/^\d{4}-.*Z$/);
      expect(data).toEqual([
        { version: 5, action: 'unpublished', status: 'draft', changed: [], by, at },
        { version: 4, action: 'published', status: 'published', changed: ['tags'], by, at },
        { version: 3, action: 'published', status: 'published', changed: ['body'], by, at },
        { version: 2, action: 'updated', status: 'draft', changed: ['title'], by, at },
        { version: 1, action: 'created', status: 'draft', changed: ['title', 'tags'], by, at },
      ]);
      expect(meta).toEqual({ page: 1, per_page: 25, total: 5 });
      const entry = await get(path);
      expect(data[0].at).toBe(entry.data.updated_at);
      expect(data[4].at).toBe(entry.data.created_at);
    });

    it('names the key', async () => {
      const path = await create({ title: 'a' });
      expect((await versions(path))[0].by).toBe('test');
    });

    it('has the same order by page and by cursor', async () => {
      const path = await create({ title: 'a' });
      for (const title of ['b', 'c', 'd']) await patch(path, { title });
      const pages = [await get(`${path}/versions?per_page=3`), await get(`${path}/versions?per_page=3&page=2`)];
      expect(pages.map(({ data }) => data.map((one: { version: number }) => one.version))).toEqual([[4, 3, 2], [1]]);
      const first = await get(`${path}/versions?per_page=3&cursor=`);
      const second = await get(`${path}/versions?per_page=3&cursor=${first.meta.next_cursor}`);
      expect([...first.data, ...second.data]).toEqual([...pages[0].data, ...pages[1].data]);
      expect(second.meta.next_cursor).toBeNull();
      await tenant.http.get(`${path}/versions?cursor=x`).expect(400);
      await tenant.http.get(`${path}/versions?sort=at`).expect(400);
    });

    it('answers 404 for an entry that does not exist, is deleted, or belongs to another type or tenant', async () => {
      const path = await create({ title: 'a' });
      const other = await createType(tenant, FIELDS, 'Other');
      const id = path.split('/').at(-1);
      await tenant.http.get(`${other.entries}/${id}/versions`).expect(404);
      await tenant.http.get(`${other.entries}/${id}/versions/1`).expect(404);
      await tenant.http.delete(path).expect(200);
      for (const below of ['', '/1', '/1/diff']) await tenant.http.get(`${path}/versions${below}`).expect(404);
      await tenant.http.post(`${path}/versions/1/restore`).expect(404);
    });
  });

  describe('a version', () => {
    it('has the values as they were', async () => {
      const path = await create({ title: 'a', tags: ['x', 'y'] });
      await patch(path, { title: null, body: '<p>b</p>' });
      const { data } = await get(`${path}/versions/1`);
      expect(data).toMatchObject({ version: 1, action: 'created', fields: { title: 'a', tags: ['x', 'y'] } });
      expect((await get(`${path}/versions/2`)).data.fields).toEqual({ body: '<p>b</p>', tags: ['x', 'y'] });
    });

    it.each(['3', '0', '-1', '1.5', 'v1', '99999999999', '%00'])('is 404 for %s', async (version) => {
      const path = await create({ title: 'a' });
      await tenant.http.get(`${path}/versions/${version}`).expect(404);
    });

    it('is read through the fields of today, and gets no version from a change of the type', async () => {
      const path = await create({ title: 'a', sku: 's', body: '<p>b</p>' });
      await patch(path, { title: 'b', sku: null });
      await tenant.http
        .put(type.path, {
          fields: [
            { name: 'title', type: 'text' },
            { name: 'sku', type: 'number' },
          ],
        })
        .expect(200);
      expect((await versions(path)).map((one: { version: number }) => one.version)).toEqual([2, 1]);
      expect((await get(`${path}/versions/1`)).data.fields).toEqual({ title: 'a' });
      await patch(path, { sku: 7 });
      expect((await get(`${path}/versions/4/diff`)).data).toEqual([{ field: 'sku', after: 7 }]);
      await patch(path, { sku: null });
      await tenant.http.put(type.path, { fields: FIELDS }).expect(200);
      expect((await get(`${path}/versions/1`)).data.fields).toEqual({ title: 'a', sku: 's', body: '<p>b</p>' });
    });
  });

  describe('the difference', () => {
    it('is that from the version before, or from another one', async () => {
      const path = await create({ title: 'a', tags: ['x'] });
      await patch(path, { title: 'b' });
      await patch(path, { title: 'c', tags: null, body: '<p>x</p>' });
      expect((await get(`${path}/versions/1/diff`)).data).toEqual([
        { field: 'title', after: 'a' },
        { field: 'tags', after: ['x'] },
      ]);
      expect((await get(`${path}/versions/2/diff`)).data).toEqual([{ field: 'title', before: 'a', after: 'b' }]);
      expect((await get(`${path}/versions/3/diff?from=1`)).data).toEqual([
        { field: 'title', before: 'a', after: 'c' },
        { field: 'body', after: '<p>x</p>' },
        { field: 'tags', before: ['x'] },
      ]);
      expect((await get(`${path}/versions/1/diff?from=3`)).data).toContainEqual({
        field: 'title',
        before: 'c',
        after: 'a',
      });
      expect((await get(`${path}/versions/2/diff?from=2`)).data).toEqual([]);
      await tenant.http.get(`${path}/versions/2/diff?from=9`).expect(404);
      await tenant.http.get(`${path}/versions/2/diff?from=x`).expect(400);
    });
  });

  describe('restoring', () => {
    const restore = (path: string, version: number, headers = {}) =>
      tenant.http.post(`${path}/versions/${version}/restore`).set(headers);

    it('makes the values as they were, as a new version that keeps the status', async () => {
      const path = await create({ title: 'a', sku: '1' });
      await patch(path, { title: 'b', sku: null, tags: ['x'] }, 'published');
      const answer = await restore(path, 1).expect(200);
      expect(answer.headers['etag']).toBe('"v3"');
      expect(answer.body.data).toMatchObject({ fields: { title: 'a', sku: '1' }, status: 'published' });
      expect(answer.body.data).not.toHaveProperty('created_at');
      expect((await get(path)).data.fields).toEqual({ title: 'a', sku: '1' });
      expect((await versions(path))[0]).toMatchObject({
        version: 3,
        action: 'restored',
        changed: ['title', 'sku', 'tags'],
      });
      const types = (await storedEntryEvents(app, tenant.id)).map((event) => event.type);
      expect(types).toEqual(['entry.created', 'entry.updated', 'entry.published', 'entry.updated']);
    });

    it('changes nothing if nothing differs', async () => {
      const path = await create({ title: 'a' });
      await patch(path, { title: 'b' });
      await patch(path, { title: 'a' });
      const answer = await restore(path, 1).expect(200);
      expect(answer.headers['etag']).toBe('"v3"');
      expect(await versions(path)).toHaveLength(3);
      expect(await storedEntryEvents(app, tenant.id)).toHaveLength(3);
    });

    it('honours If-Match', async () => {
      const path = await create({ title: 'a' });
      await patch(path, { title: 'b' });
      await restore(path, 1, { 'If-Match': '"v1"' }).expect(412);
      await restore(path, 1, { 'If-Match': 'v2' }).expect(400);
      await restore(path, 1, { 'If-Match': '"v2"' }).expect(200);
    });

    it('reports values that do not fit or are taken, and leaves out those of fields that are gone', async () => {
      const path = await create({ title: 'long title', sku: '1', body: '<p>b</p>' });
      await patch(path, { title: 'b', sku: '2', body: null });
      const other = await create({ sku: '1' });
      const taken = await restore(path, 1).expect(422);
      expect(taken.body.errors).toEqual([expect.objectContaining({ path: 'fields.sku', code: 'unique' })]);
      for (const one of [path, other]) await patch(one, { sku: null });
      await tenant.http
        .put(type.path, {
          fields: [
            { name: 'title', type: 'text', max: 5 },
            { name: 'sku', type: 'date' },
          ],
        })
        .expect(200);
      const wrong = await restore(path, 1).expect(422);
      expect(wrong.body.errors.map((error: { path: string }) => error.path)).toEqual(['fields.title', 'fields.sku']);
      await tenant.http.put(type.path, { fields: [{ name: 'title', type: 'text' }] }).expect(200);
      expect((await restore(path, 1).expect(200)).body.data.fields).toEqual({ title: 'long title' });
    });

    it('makes a draft of what differs from the live values, with to=draft', async () => {
      const path = await create({ title: 'a', sku: '1' });
      await patch(path, { title: 'b', sku: null, tags: ['x'] }, 'published');
      await tenant.http.patch(`${path}/draft`, { fields: { body: '<p>mine</p>' } }).expect(200);
      const toDraft = (version: number) => tenant.http.post(`${path}/versions/${version}/restore?to=draft`);
      await toDraft(1).set('If-Match', '"d9"').expect(412);
      await toDraft(1).set('If-None-Match', '*').expect(412);
      await toDraft(1).set('If-None-Match', '"d1"').expect(400);
      const { body, headers } = await toDraft(1).set('If-Match', '"d1"').expect(200);
      expect(headers['etag']).toBe('"d2"');
      expect(body.data).toMatchObject({ base_version: 2, fields: { title: 'a', sku: '1' } });
      expect([...body.data.changed].sort()).toEqual(['sku', 'tags', 'title']);
      expect((await get(`${path}/draft`)).data).toEqual(body.data);
      expect((await get(path)).data.fields).toEqual({ title: 'b', tags: ['x'] });
      expect((await toDraft(2).expect(200)).body.data).toMatchObject({
        changed: [],
        fields: { title: 'b', tags: ['x'] },
      });
      await tenant.http.post(`${path}/versions/1/restore?to=nowhere`).expect(400);
      await tenant.http.delete(`${path}/draft`).expect(200);
      await toDraft(1).set('If-None-Match', '*').expect(200);
      await tenant.http.post(`${path}/draft/publish`).expect(200);
      expect((await get(path)).data.fields).toEqual({ title: 'a', sku: '1' });
      expect((await versions(path))[0]).toMatchObject({ version: 3, action: 'published' });
    });

    it('answers 404 for a version that is not there', async () => {
      const path = await create({ title: 'a' });
      await restore(path, 2).expect(404);
    });
  });

  describe('what is kept', () => {
    const stored = async (path: string) => {
      const id = parseId('ent', path.split('/').at(-1) ?? '');
      const rows = await app.database.query<{ number: number }>(
        'SELECT number FROM versions WHERE tenant_id = $1 AND resource_id = $2 ORDER BY 1',
        [tenant.id, id],
      );
      return rows.map(({ number }) => number);
    };
    /** Makes all events so far older than the retention, and runs it. */
    const prune = async () => {
      // Reading the feed relays what is pending.
      await tenant.http.get(`/v1/events/${tenant.id}`).expect(200);
      await app.database.query(
        `WITH old AS (
            UPDATE events SET id = overlay(id::text PLACING '01900000' FROM 1 FOR 8)::uuid WHERE tenant_id = $1 RETURNING id
          )
          SELECT count(*) FROM old`,
        [tenant.id],
      );
      for (const [table, column] of [
        ['versions', 'event_id'],
        ['event_positions', 'event_id'],
        ['pending_events', 'event_id'],
      ]) {
        await app.database.query(
          `UPDATE ${table} SET ${column} = overlay(${column}::text PLACING '01900000' FROM 1 FOR 8)::uuid WHERE tenant_id = $1`,
          [tenant.id],
        );
      }
      await app.get(EventRetention).prune();
    };

    it('is the last versions, while events keep their data', async () => {
      const path = await create({ title: '1' });
      for (let number = 2; number <= 8; number++) await patch(path, { title: String(number) });
      expect((await versions(path)).map((one: { version: number }) => one.version)).toEqual([8, 7, 6, 5, 4]);
      expect((await get(`${path}/versions`)).meta.total).toBe(5);
      await tenant.http.get(`${path}/versions/3`).expect(404);
      await tenant.http.post(`${path}/versions/3/restore`).expect(404);
      await tenant.http.get(`${path}/versions/4/diff`).expect(404);
      const { data } = await get(`/v1/events/${tenant.id}`);
      expect(ofEntries<{ type: string; data: { fields: object } }>(data).map((event) => event.data.fields)).toEqual(
        Array.from({ length: 8 }, (_, index) => ({ title: String(index + 1) })),
      );
    });

    it('is pruned with the events: what neither the history nor an event needs', async () => {
      const path = await create({ title: '1' });
      const other = await create({ title: 'other' });
      for (let number = 2; number <= 8; number++) await patch(path, { title: String(number) });
      await prune();
      expect(await storedEntryEvents(app, tenant.id)).toEqual([]);
      expect(await stored(path)).toEqual([4, 5, 6, 7, 8]);
      expect(await stored(other)).toEqual([1]);
      await patch(path, { title: '9' });
      expect((await versions(path)).map((one: { version: number }) => one.version)).toEqual([9, 8, 7, 6, 5]);
      await prune();
      expect(await stored(path)).toEqual([5, 6, 7, 8, 9]);
    });

    it('goes with the entry, when the event of its deletion goes', async () => {
      const path = await create({ title: '1' });
      await patch(path, { title: '2' });
      const last = await get(path);
      await tenant.http.delete(path).expect(200);
      const { data } = await get(`/v1/events/${tenant.id}`);
      expect(data.at(-1)).toMatchObject({ type: 'entry.deleted', data: last.data });
      expect(await stored(path)).toEqual([1, 2]);
      await prune();
      expect(await stored(path)).toEqual([]);
    });

    it('has the state that a change of the type made, if the entry is deleted after it', async () => {
      const paths = [await create({ title: '1', sku: 'a' }), await create({ title: '2', sku: 'b' })];
      await tenant.http.put(type.path, { fields: [{ name: 'title', type: 'text' }] }).expect(200);
      const last = await get(paths[0] ?? '');
      await tenant.http.delete(paths[0] ?? '').expect(200);
      await tenant.http.delete(type.path).expect(200);
      const { data } = await get(`/v1/events/${tenant.id}`);
      const deleted = data.filter((event: { type: string }) => event.type === 'entry.deleted');
      expect(deleted[0].data).toEqual(last.data);
      expect(deleted.map((event: { data: { fields: object } }) => event.data.fields)).toEqual([
        { title: '1' },
        { title: '2' },
      ]);
      const [created] = ofEntries<{ type: string; data: { fields: object } }>(data);
      expect(created?.data.fields).toEqual({ title: '1', sku: 'a' });
      await prune();
      for (const path of paths) expect(await stored(path)).toEqual([]);
    });
  });

  it('is closed to keys that can read published entries only', async () => {
    const path = await create({ title: 'a' });
    const published = app.client(`Bearer ${tenant.publishedKey}`);
    for (const below of ['', '/1', '/1/diff']) {
      const { body } = await published.get(`${path}/versions${below}`).expect(403);
      expect(body.detail).toContain('content:read');
    }
    await published.post(`${path}/versions/1/restore`).expect(403);
  });

  it('writes a version for each of many concurrent changes', async () => {
    const path = await create({ title: 'a' });
    await Promise.all(Array.from({ length: 4 }, (_, index) => patch(path, { title: `t${index}` })));
    const list = await versions(path);
    expect(list.map((one: { version: number }) => one.version)).toEqual([5, 4, 3, 2, 1]);
    const events = await storedEntryEvents(app, tenant.id);
    for (const { version, changed } of list.slice(0, 4)) {
      expect(changed).toEqual(['title']);
      const { fields } = (await get(`${path}/versions/${version}`)).data;
      expect(events.filter(({ data }) => JSON.parse(data).fields.title === fields.title)).toHaveLength(1);
    }
  });
});

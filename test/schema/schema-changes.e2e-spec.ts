import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createDrafts, createEntries, createType, type TestType } from '../support/content.js';

const TITLE = { name: 'title', type: 'text' };

describe('a change of a content type', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const put = (type: TestType, fields: object[]) => tenant.http.put(type.path, { fields });
  const plan = async (type: TestType, fields: object[]) =>
    (await tenant.http.put(`${type.path}?dry_run=true`, { fields }).expect(200)).body.data;
  const fieldsOf = async (type: TestType, id: string | undefined) =>
    (await tenant.http.get(`${type.entries}/${id}`).expect(200)).body.data.fields;
  const total = async (type: TestType, query: string) =>
    (await tenant.http.get(`${type.entries}?${query}`).expect(200)).body.meta.total;

  describe('has an ETag', () => {
    it('that makes a repeated get a 304', async () => {
      const type = await createType(tenant, [TITLE]);
      const { etag = '' } = (await tenant.http.get(type.path).expect(200)).headers;
      for (const known of [etag, `W/${etag}`, '*']) {
        const answer = await tenant.http.get(type.path).set('If-None-Match', known).expect(304);
        expect(answer.headers.etag).toBe(etag);
        expect(answer.text).toBe('');
      }
      await tenant.http.put(type.path, { name: 'New' }).expect(200);
      await tenant.http.get(type.path).set('If-None-Match', etag).expect(200);
    });

    it('that changes with every committed change', async () => {
      const created = await tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'A', fields: [TITLE] });
      const path = `/v1/content/${tenant.id}/types/${created.body.data.id}`;
      expect(created.headers.etag).toBe('"v1"');
      expect((await tenant.http.get(path)).headers.etag).toBe('"v1"');
      const renamed = await tenant.http.put(path, { name: 'B' }).expect(200);
      expect(renamed.headers.etag).toBe('"v2"');
      await tenant.http.put(path, { name: 'C' }).set({ 'If-Match': '"v1"' }).expect(412);
      await tenant.http.put(path, { name: 'C' }).set({ 'If-Match': 'v2' }).expect(400);
      await tenant.http.put(`${path}?dry_run=true`, { name: 'C' }).set({ 'If-Match': '"v1"' }).expect(412);
      await tenant.http
        .put(path, { fields: [TITLE] })
        .set({ 'If-Match': '"v2"' })
        .expect(200);
      expect((await tenant.http.get(path)).headers.etag).toBe('"v3"');
      await tenant.http.delete(path).set({ 'If-Match': '"v2"' }).expect(412);
      await tenant.http.delete(path).set({ 'If-Match': '"v3"' }).expect(200);
    });

    it('that lets one of two changes from the same revision succeed', async () => {
      const type = await createType(tenant, [TITLE]);
      const changes = await Promise.all(
        ['a', 'b', 'c'].map((name) => tenant.http.put(type.path, { name }).set({ 'If-Match': '"v1"' })),
      );
      expect(changes.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    });
  });

  describe('renames a field', () => {
    it('with its values, index rows, words and unique values', async () => {
      const type = await createType(tenant, [
        { ...TITLE, unique: true },
        { name: 'tags', type: 'text', multiple: true },
      ]);
      const [id] = await createEntries(tenant, type, [
        { fields: { title: 'Tides', tags: ['a', 'b'] }, status: 'published' },
        { fields: { tags: ['c'] } },
      ]);
      const renamed = [
        { name: 'headline', type: 'text', unique: true, renamed_from: 'title' },
        { name: 'labels', type: 'text', multiple: true, renamed_from: 'tags' },
      ];
      const { body } = await put(type, renamed).expect(200);
      expect(body.data.fields).toEqual(renamed.map(({ renamed_from: _from, ...field }) => field));
      expect(await fieldsOf(type, id)).toEqual({ headline: 'Tides', labels: ['a', 'b'] });
      expect(await total(type, 'filter[headline]=Tides&sort=headline')).toBe(1);
      expect(await total(type, 'filter[labels]=b')).toBe(1);
      expect(await total(type, 'search=tides')).toBe(1);
      await tenant.http.get(`${type.entries}?sort=title`).expect(400);
      await tenant.http.post(type.entries, { fields: { headline: 'Tides' } }).expect(422);
    });

    it('also when two swap their names, or three move on', async () => {
      const type = await createType(tenant, [
        TITLE,
        { name: 'b', type: 'text', unique: true },
        { name: 'n', type: 'integer' },
      ]);
      const [id, other] = await createEntries(tenant, type, [
        { fields: { title: 'x', b: 'y', n: 1 } },
        { fields: { title: 'same', b: 'same' } },
      ]);
      await put(type, [
        { name: 'title', type: 'text', unique: true, renamed_from: 'b' },
        { name: 'b', type: 'text', renamed_from: 'title' },
        { name: 'n', type: 'integer' },
      ]).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: 'y', b: 'x', n: 1 });
      expect(await fieldsOf(type, other)).toEqual({ title: 'same', b: 'same' });
      await put(type, [
        { name: 'b', type: 'text', unique: true, renamed_from: 'title' },
        { name: 'n', type: 'text', renamed_from: 'b' },
        { name: 'm', type: 'integer', renamed_from: 'n' },
      ]).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ b: 'y', n: 'x', m: 1 });
    });

    it('and converts its values at once, as two steps', async () => {
      const type = await createType(tenant, [{ name: 'n', type: 'integer', unique: true }]);
      const [id] = await createEntries(tenant, type, [{ fields: { n: 5 } }, { fields: {} }]);
      const fields = [{ name: 'code', type: 'text', unique: true, renamed_from: 'n' }];
      expect(await plan(type, fields)).toEqual({
        from_version: 1,
        steps: [
          { op: 'rename', field: 'code', class: 'safe', entries: 1, failing: 0, samples: [] },
          { op: 'retype', field: 'code', class: 'safe', entries: 1, failing: 0, samples: [] },
        ],
      });
      await put(type, fields).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ code: '5' });
      await tenant.http.post(type.entries, { fields: { code: '5' } }).expect(422);
    });

    it('with the hidden values of removed fields', async () => {
      const type = await createType(tenant, [TITLE, { name: 'old', type: 'text' }]);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a', old: 'kept' } }]);
      await put(type, [TITLE]).expect(200);
      await put(type, [TITLE, { name: 'old', type: 'integer' }]).expect(200);
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { old: 1 } }).expect(200);
      await put(type, [TITLE, { name: 'now', type: 'integer', renamed_from: 'old' }]).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: 'a', now: 1 });
      await put(type, [TITLE, { name: 'now', type: 'text' }]).expect(200);
      await put(type, [TITLE]).expect(200);
      await put(type, [TITLE, { name: 'again', type: 'integer', renamed_from: 'now' }]).expect(200);
      expect(Object.keys(await fieldsOf(type, id))).toEqual(['title']);
    });

    it('only if the name was that of a field, and is no longer in the list', async () => {
      const type = await createType(tenant, [TITLE, { name: 'b', type: 'text' }]);
      const from = (renamed_from: unknown, name = 'new') => ({ name, type: 'text', renamed_from });
      for (const [fields, path, code] of [
        [[TITLE, from('nope')], 'fields.1.renamed_from', 'unknown_field'],
        [[TITLE, from('title')], 'fields.1.renamed_from', 'not_applicable'],
        [[from('title', 'title')], 'fields.0.renamed_from', 'not_applicable'],
        [[from('title', 'x'), from('title', 'y')], 'fields.1.renamed_from', 'duplicate'],
        [[from(5)], 'fields.0.renamed_from', 'type'],
        [[from(null)], 'fields.0.renamed_from', 'type'],
      ] as const) {
        const { body } = await put(type, [...fields]).expect(422);
        expect(body.errors).toEqual([expect.objectContaining({ path, code })]);
      }
      await tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'X', fields: [from('title')] }).expect(422);
    });

    it('of a reference to the same content types', async () => {
      const author = await createType(tenant, [TITLE], 'Author');
      const [jane] = await createEntries(tenant, author, [{ fields: { title: 'Jane' } }]);
      const post = await createType(tenant, [{ name: 'by', type: 'reference', content_type: 'author' }], 'Post');
      const [id] = await createEntries(tenant, post, [{ fields: { by: jane } }]);
      await tenant.http.put(author.path, { slug: 'writer' }).expect(200);
      await put(post, [{ name: 'writer', type: 'reference', content_type: 'author', renamed_from: 'by' }]).expect(200);
      expect(await fieldsOf(post, id)).toEqual({ writer: jane });
      const { body } = await tenant.http.get(`${author.entries}/${jane}/referrers`).expect(200);
      expect(body.data).toEqual([{ content_type_id: post.id, entry_id: id, field: 'writer' }]);
    });

    it('while a cursor of before no longer fits, and says so', async () => {
      const type = await createType(tenant, [TITLE]);
      await createDrafts(tenant, type, { title: 'a' }, { title: 'b' });
      const first = await tenant.http.get(`${type.entries}?cursor=&per_page=1&sort=title`).expect(200);
      await put(type, [{ name: 'headline', type: 'text', renamed_from: 'title' }]).expect(200);
      const cursor = first.body.meta.next_cursor;
      await tenant.http.get(`${type.entries}?cursor=${cursor}&per_page=1&sort=headline`).expect(400);
    });
  });

  describe('converts values', () => {
    it.each([
      ['integer', 5, 'number', 5],
      ['integer', 5, 'text', '5'],
      ['number', 2.5, 'text', '2.5'],
      ['boolean', true, 'text', 'true'],
      ['date', '2026-01-31', 'text', '2026-01-31'],
      ['datetime', '2026-01-31T09:30:00+01:00', 'text', '2026-01-31T09:30:00+01:00'],
      ['email', 'ada@example.com', 'text', 'ada@example.com'],
      ['url', 'https://example.com/', 'text', 'https://example.com/'],
      ['text', 'a < b & c', 'rich_text', 'a &lt; b &amp; c'],
      ['text', 'ada@example.com', 'email', 'ada@example.com'],
      ['text', 'https://example.com/', 'url', 'https://example.com/'],
      ['text', '42', 'integer', 42],
      ['text', '-2.5', 'number', -2.5],
      ['text', '2026-01-31', 'date', '2026-01-31'],
      ['text', '2026-01-31T09:30Z', 'datetime', '2026-01-31T09:30Z'],
      ['text', 'false', 'boolean', false],
    ])('of %s %j to %s', async (before, value, after, converted) => {
      const type = await createType(tenant, [{ name: 'a', type: before }]);
      const [id] = await createEntries(tenant, type, [{ fields: { a: value } }, { fields: {} }]);
      await put(type, [{ name: 'a', type: after }]).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ a: converted });
      expect(await total(type, `sort=a&filter[a]=${encodeURIComponent(String(converted))}`)).toBe(1);
    });

    it('of a text to one of the options of a select, and refuses others', async () => {
      const type = await createType(tenant, [{ name: 'a', type: 'text' }]);
      const [id, other] = await createEntries(tenant, type, [{ fields: { a: 'red' } }, { fields: { a: 'blue' } }]);
      const fields = [{ name: 'a', type: 'select', options: ['red'] }];
      expect((await plan(type, fields)).steps).toEqual([
        {
          op: 'retype',
          field: 'a',
          class: 'needs_data',
          entries: 2,
          failing: 1,
          samples: [{ entry_id: other, message: expect.any(String) }],
        },
      ]);
      await put(type, fields).expect(409);
      await tenant.http.delete(`${type.entries}/${other}`).expect(200);
      await put(type, fields).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ a: 'red' });
    });

    it('between one value and a list', async () => {
      const type = await createType(tenant, [{ ...TITLE, unique: true }]);
      const [id, empty] = await createEntries(tenant, type, [{ fields: { title: 'a' } }, { fields: {} }]);
      const list = { ...TITLE, unique: true, multiple: true };
      await put(type, [list]).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: ['a'] });
      await tenant.http.patch(`${type.entries}/${empty}`, { fields: { title: [] } }).expect(200);
      const [two] = await createDrafts(tenant, type, { title: ['b', 'c'] });
      await put(type, [TITLE]).expect(409);
      await tenant.http.patch(`${type.entries}/${two}`, { fields: { title: ['b'] } }).expect(200);
      await put(type, [{ ...TITLE, unique: true }]).expect(200);
      expect(await Promise.all([id, empty, two].map((one) => fieldsOf(type, one)))).toEqual([
        { title: 'a' },
        {},
        { title: 'b' },
      ]);
    });

    it('never changes an entry when one does not convert', async () => {
      const type = await createType(tenant, [TITLE]);
      const [one, two] = await createDrafts(tenant, type, { title: '1' }, { title: '007' });
      await put(type, [{ name: 'title', type: 'integer' }]).expect(409);
      expect(await fieldsOf(type, one)).toEqual({ title: '1' });
      expect(await fieldsOf(type, two)).toEqual({ title: '007' });
    });
  });

  describe('moves the values of drafts', () => {
    it('to new names and types, without conflicts that were none before', async () => {
      const type = await createType(tenant, [TITLE, { name: 'n', type: 'integer' }]);
      const [id] = await createDrafts(tenant, type, { title: 'live', n: 1 });
      const draft = `${type.entries}/${id}/draft`;
      const saved = await tenant.http.patch(draft, { fields: { title: 'new', n: 2 } }).expect(200);
      await put(type, [
        { name: 'headline', type: 'text', renamed_from: 'title' },
        { name: 'n', type: 'text' },
      ]).expect(200);
      const { body, headers } = await tenant.http.get(draft).expect(200);
      expect(body.data).toMatchObject({ fields: { headline: 'new', n: '2' }, changed: ['headline', 'n'] });
      expect(headers.etag).not.toBe(saved.headers.etag);
      const published = await tenant.http.post(`${draft}/publish`).expect(200);
      expect(published.body.data.fields).toEqual({ headline: 'new', n: '2' });
    });

    it('and keeps the conflicts that there are', async () => {
      const type = await createType(tenant, [TITLE]);
      const [id] = await createDrafts(tenant, type, { title: 'live' });
      const draft = `${type.entries}/${id}/draft`;
      await tenant.http.patch(draft, { fields: { title: 'new' } }).expect(200);
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { title: 'other' } }).expect(200);
      await put(type, [{ name: 'headline', type: 'text', renamed_from: 'title' }]).expect(200);
      const { body } = await tenant.http.post(`${draft}/publish`).expect(409);
      expect(body.errors[0].path).toBe('fields.headline');
    });
  });

  describe('lets old versions be read', () => {
    it('under the names and types of today, and restores them', async () => {
      const type = await createType(tenant, [TITLE, { name: 'n', type: 'text' }]);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'first', n: '1' } }]);
      const entry = `${type.entries}/${id}`;
      await tenant.http.patch(entry, { fields: { n: 'not a number' } }).expect(200);
      await tenant.http.patch(entry, { fields: { n: '2', title: null } }).expect(200);
      await put(type, [
        { name: 'headline', type: 'text', renamed_from: 'title' },
        { name: 'count', type: 'integer', renamed_from: 'n' },
      ]).expect(200);
      await tenant.http.patch(entry, { fields: { headline: 'now' } }).expect(200);
      const version = async (number: number) =>
        (await tenant.http.get(`${entry}/versions/${number}`).expect(200)).body.data;
      expect((await version(1)).fields).toEqual({ headline: 'first', count: 1 });
      expect(await version(2)).toMatchObject({ fields: { headline: 'first' }, changed: ['count'] });
      expect((await version(3)).fields).toEqual({ count: 2 });
      const { body } = await tenant.http.get(`${entry}/versions`).expect(200);
      expect(body.data.map(({ changed }: { changed: string[] }) => changed)).toEqual([
        ['headline'],
        ['count', 'headline'],
        ['count'],
        ['headline', 'count'],
      ]);
      await tenant.http.post(`${entry}/versions/2/restore`).expect(422);
      const diff = await tenant.http.get(`${entry}/versions/3/diff?from=1`).expect(200);
      expect(diff.body.data).toEqual([
        { field: 'headline', before: 'first' },
        { field: 'count', before: 1, after: 2 },
      ]);
      const restored = await tenant.http.post(`${entry}/versions/1/restore`).expect(200);
      expect(restored.body.data.fields).toEqual({ headline: 'first', count: 1 });
    });

    it('when names were swapped twice', async () => {
      const two = (one: object, other: object) => [
        { name: 'a', type: 'text', ...one },
        { name: 'b', type: 'text', ...other },
      ];
      const type = await createType(tenant, two({}, {}));
      const [id] = await createDrafts(tenant, type, { a: 'A', b: 'B' });
      const read = async (version: number) =>
        (await tenant.http.get(`${type.entries}/${id}/versions/${version}`).expect(200)).body.data.fields;
      const swap = () => put(type, two({ renamed_from: 'b' }, { renamed_from: 'a' })).expect(200);
      await swap();
      expect(await read(1)).toEqual({ a: 'B', b: 'A' });
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { a: 'C' } }).expect(200);
      await swap();
      expect(await read(1)).toEqual({ a: 'A', b: 'B' });
      expect(await read(3)).toEqual({ a: 'A', b: 'C' });
    });
  });

  describe('with dry_run=true', () => {
    it('lists every step, and changes nothing', async () => {
      const type = await createType(tenant, [
        { ...TITLE, label: 'T' },
        { name: 'n', type: 'number' },
        { name: 'gone', type: 'text' },
        { name: 'unused', type: 'text' },
        { name: 'kind', type: 'text', max: 10 },
      ]);
      const ids = await createDrafts(
        tenant,
        type,
        { title: 'same', n: 5, gone: 'x', kind: 'a' },
        { title: 'same', n: 50, kind: 'b' },
        { title: 'other' },
      );
      const fields = [
        { ...TITLE, unique: true, label: 'Title' },
        { name: 'n', type: 'number', max: 10, min: 0 },
        { name: 'kind', type: 'text', max: 20, required: true },
        { name: 'more', type: 'json' },
      ];
      const planned = await plan(type, fields);
      const message = expect.any(String);
      expect(planned.steps).toEqual([
        {
          op: 'tighten',
          field: 'title',
          class: 'needs_data',
          entries: 3,
          failing: 2,
          samples: expect.arrayContaining(ids.slice(0, 2).map((entry_id) => ({ entry_id, message }))),
        },
        { op: 'describe', field: 'title', class: 'safe', entries: 3, failing: 0, samples: [] },
        {
          op: 'tighten',
          field: 'n',
          class: 'needs_data',
          entries: 2,
          failing: 1,
          samples: [{ entry_id: ids[1], message: 'n must be at most 10.' }],
        },
        { op: 'tighten', field: 'kind', class: 'safe', entries: 2, failing: 0, samples: [] },
        { op: 'relax', field: 'kind', class: 'safe', entries: 2, failing: 0, samples: [] },
        { op: 'add', field: 'more', class: 'safe', entries: 0, failing: 0, samples: [] },
        { op: 'remove', field: 'gone', class: 'lossy', entries: 1, failing: 0, samples: [] },
        { op: 'remove', field: 'unused', class: 'safe', entries: 0, failing: 0, samples: [] },
      ]);
      const after = await tenant.http.get(type.path).expect(200);
      expect(after.headers.etag).toBe('"v1"');
      expect(after.body.data.fields).toHaveLength(5);
      await put(type, fields).expect(409);
    });

    it('refuses what the change itself refuses', async () => {
      const type = await createType(tenant, [TITLE]);
      await createType(tenant, [TITLE], 'Other');
      const dry = (body: object) => tenant.http.put(`${type.path}?dry_run=true`, body);
      await dry({ fields: [] }).expect(422);
      await dry({ slug: 'other' }).expect(409);
      await dry({ name: 'New' }).expect(200);
      await tenant.http.put(`${type.path}?dry_run=maybe`, {}).expect(400);
      expect((await tenant.http.get(type.path)).body.data.name).toBe('Article');
    });

    it('counts the entries with a value also if the change does not touch values', async () => {
      const inner = (score: object) => ({
        name: 'seo',
        type: 'group',
        fields: [TITLE, { name: 'score', type: 'integer', ...score }],
      });
      const type = await createType(tenant, [TITLE, { name: 'n', type: 'integer', max: 5 }, inner({})]);
      await createDrafts(tenant, type, { n: 1, seo: { score: 2 } }, { n: 1, seo: { title: 'a' } }, { title: 'b' });
      const { steps } = await plan(type, [
        { ...TITLE, required: true },
        { name: 'n', type: 'integer', help: 'A number' },
        inner({ required: true }),
      ]);
      expect(steps.map(({ op, field, entries }: Record<string, unknown>) => [op, field, entries])).toEqual([
        ['tighten', 'title', 1],
        ['relax', 'n', 2],
        ['describe', 'n', 2],
        ['tighten', 'seo.score', 1],
      ]);
    });

    it('shows values of a removed field that move to another name as a rename', async () => {
      const type = await createType(tenant, [TITLE, { name: 'n', type: 'integer' }]);
      await createDrafts(tenant, type, { n: 5 }, { n: 50 });
      await put(type, [TITLE]).expect(200);
      const { steps } = await plan(type, [TITLE, { name: 'count', type: 'integer', max: 10, renamed_from: 'n' }]);
      expect(steps).toEqual([
        expect.objectContaining({ op: 'rename', field: 'count', class: 'needs_data', entries: 2, failing: 1 }),
      ]);
    });

    it('counts the values that come back', async () => {
      const type = await createType(tenant, [TITLE, { name: 'n', type: 'integer' }]);
      await createDrafts(tenant, type, { n: 5 }, { n: 50 });
      await put(type, [TITLE]).expect(200);
      const { steps } = await plan(type, [TITLE, { name: 'n', type: 'integer', max: 10 }]);
      expect(steps).toEqual([expect.objectContaining({ op: 'add', class: 'needs_data', entries: 2, failing: 1 })]);
    });
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const text = (name: string, rest: object = {}) => ({ name, type: 'text', ...rest });
const group = (name: string, fields: object[], rest: object = {}) => ({ name, type: 'group', fields, ...rest });

describe('changes of definitions inside groups and blocks', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });

  const put = (type: TestType, fields: object[], status = 200) => tenant.http.put(type.path, { fields }).expect(status);
  const create = async (type: TestType, fields: object, status = 'draft') =>
    (await createEntries(tenant, type, [{ fields, status }]))[0] as string;
  const fieldsOf = async (type: TestType, id: string) =>
    (await tenant.http.get(`${type.entries}/${id}`).expect(200)).body.data.fields as Record<string, unknown>;
  const count = async (type: TestType, query: string) =>
    (await tenant.http.get(`${type.entries}?${query}`).expect(200)).body.meta.total as number;

  it('hide the values of removed ones, which come back with their index and words', async () => {
    const whole = [group('seo', [text('title'), text('note'), group('social', [text('handle')])])];
    const less = [group('seo', [text('title')])];
    const type = await createType(tenant, whole);
    const seo = { title: 'A', note: 'Hidden', social: { handle: 'ada' } };
    const id = await create(type, { seo });
    const other = await create(type, { seo: { title: 'B' } });
    const etag = async (entry: string) =>
      (await tenant.http.get(`${type.entries}/${entry}`).expect(200)).headers['etag'];
    const before = await etag(other);

    await put(type, less);
    expect(await fieldsOf(type, id)).toEqual({ seo: { title: 'A' } });
    expect(await etag(other)).toBe(before);
    expect(await count(type, 'search=hidden')).toBe(0);
    expect(await count(type, 'search=ada')).toBe(0);
    await tenant.http.get(`${type.entries}?filter[seo.note]=Hidden`).expect(400);
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { seo: { title: 'A2', note: 'x' } } }).expect(422);
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { seo: { title: 'A2' } } }).expect(200);

    await put(type, whole);
    expect(await fieldsOf(type, id)).toEqual({ seo: { ...seo, title: 'A2' } });
    expect(await count(type, 'search=hidden')).toBe(1);
    expect(await count(type, 'filter[seo.note]=Hidden')).toBe(1);
    expect(await count(type, 'filter[seo.social.handle]=ada')).toBe(1);
  });

  it('hide the items of removed blocks in place, until the list is replaced', async () => {
    const kinds = (...names: string[]) => [
      {
        name: 'sections',
        type: 'blocks',
        blocks: names.map((name) => ({ name, fields: [text('title'), text('of')] })),
      },
    ];
    const type = await createType(tenant, kinds('quote', 'image'));
    const sections = [
      { block: 'image', title: 'one' },
      { block: 'quote', title: 'two' },
      { block: 'image', title: 'three', of: 'x' },
    ];
    const kept = await create(type, { sections });
    const replaced = await create(type, { sections });
    await put(type, kinds('quote'));
    expect(await fieldsOf(type, kept)).toEqual({ sections: [sections[1]] });
    expect(await count(type, 'search=three')).toBe(0);
    await tenant.http.patch(`${type.entries}/${kept}`, { fields: { sections: [{ block: 'image' }] } }).expect(422);
    const now = [{ block: 'quote', title: 'new' }];
    await tenant.http.patch(`${type.entries}/${replaced}`, { fields: { sections: now } }).expect(200);
    await put(type, kinds('image', 'quote'));
    expect(await fieldsOf(type, kept)).toEqual({ sections });
    expect(await fieldsOf(type, replaced)).toEqual({ sections: now });
    expect(await count(type, 'search=three')).toBe(1);
  });

  it('survive the removal and the return of the group itself', async () => {
    const whole = [text('title'), group('parts', [text('a'), text('b')], { multiple: true })];
    const type = await createType(tenant, whole);
    const parts = [{ a: 'A', b: 'B' }, { b: 'C' }];
    const id = await create(type, { parts });
    await put(type, [text('title'), group('parts', [text('a')], { multiple: true })]);
    expect(await fieldsOf(type, id)).toEqual({ parts: [{ a: 'A' }, {}] });
    await put(type, [text('title')]);
    expect(await fieldsOf(type, id)).toEqual({});
    await put(type, [text('title'), group('parts', [text('b')], { multiple: true })]);
    expect(await fieldsOf(type, id)).toEqual({ parts: [{ b: 'B' }, { b: 'C' }] });
    await put(type, whole);
    expect(await fieldsOf(type, id)).toEqual({ parts });
  });

  it.each([
    ['a shorter maximum', text('title', { max: 2 })],
    ['another type', { name: 'title', type: 'integer' }],
    ['a group', group('title', [text('x')])],
  ])('are refused if stored values are in the way: %s', async (_, title) => {
    const [list, items] = ['list', 'items'].map(
      (name) => (inner: object) =>
        name === 'list'
          ? [group('list', [inner], { multiple: true })]
          : [{ name: 'items', type: 'blocks', blocks: [{ name: 'b', fields: [inner] }] }],
    ) as [(inner: object) => object[], (inner: object) => object[]];
    for (const [shape, value] of [
      [list, { list: [{}, { title: 'long' }] }],
      [items, { items: [{ block: 'b', title: 'long' }] }],
    ] as const) {
      const type = await createType(tenant, shape(text('title')), `T ${Object.keys(value)[0]}`);
      const id = await create(type, value);
      const { body } = await put(type, shape(title), 409);
      expect(body.detail).toContain('1 entry has values');
      expect(await fieldsOf(type, id)).toEqual(value);
    }
  });

  it('may require what stored values lack, until the entry is published or the value is sent', async () => {
    const fields = (required: boolean, max = 10) => [
      text('title'),
      group('seo', [text('title', { required }), text('note', { max })]),
    ];
    const type = await createType(tenant, fields(false));
    const id = await create(type, { seo: { note: 'x' } });
    await put(type, fields(true, 5));
    const path = `${type.entries}/${id}`;
    await tenant.http.patch(path, { fields: { title: 'T' } }).expect(200);
    const { body } = await tenant.http.patch(path, { status: 'published' }).expect(422);
    expect(body.errors.map(({ path: at }: { path: string }) => at)).toEqual(['fields.seo.title']);
    await tenant.http.patch(path, { fields: { seo: { title: 'S' } }, status: 'published' }).expect(200);
  });

  it('that add definitions and blocks change no entry', async () => {
    const type = await createType(tenant, [group('seo', [text('title')])]);
    const id = await create(type, { seo: { title: 'A' } });
    await put(type, [group('seo', [text('note'), text('title', { label: 'L' }), group('more', [text('x')])])]);
    const { headers } = await tenant.http.get(`${type.entries}/${id}`).expect(200);
    expect(headers['etag']).toBe('"v1"');
  });

  it('check references that lead to another content type', async () => {
    const [a, b] = [await createType(tenant, [text('x')], 'A'), await createType(tenant, [text('x')], 'B')];
    const to = (content_type: string) => [
      { name: 's', type: 'blocks', blocks: [{ name: 'k', fields: [{ name: 'of', type: 'reference', content_type }] }] },
    ];
    const type = await createType(tenant, to('a'), 'Post');
    const target = await create(a, {});
    const id = await create(type, { s: [{ block: 'k', of: target }] });
    await put(type, to('b'), 409);
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { s: [] } }).expect(200);
    await put(type, to('b'));
    const other = await create(b, {});
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { s: [{ block: 'k', of: target }] } }).expect(422);
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { s: [{ block: 'k', of: other }] } }).expect(200);
  });

  it('change what versions and drafts show', async () => {
    const fields = (...names: string[]) => [
      text('title'),
      group(
        'list',
        names.map((name) => text(name)),
        { multiple: true },
      ),
    ];
    const type = await createType(tenant, fields('a', 'b'));
    const id = await create(type, { list: [{ a: '1', b: '2' }] });
    const path = `${type.entries}/${id}`;
    await tenant.http.patch(path, { fields: { list: [{ a: '3' }] } }).expect(200);
    await tenant.http.patch(`${path}/draft`, { fields: { list: [{ a: '5', b: '6' }] } }).expect(200);
    const { body: diff } = await tenant.http.get(`${path}/versions/2/diff`).expect(200);
    expect(diff.data).toEqual([{ field: 'list', before: [{ a: '1', b: '2' }], after: [{ a: '3' }] }]);

    await put(type, fields('a'));
    const { body: version } = await tenant.http.get(`${path}/versions/1`).expect(200);
    expect(version.data.fields).toEqual({ list: [{ a: '1' }] });
    const { body: draft } = await tenant.http.get(`${path}/draft`).expect(200);
    expect(draft.data).toMatchObject({ fields: { list: [{ a: '5' }] }, changed: ['list'] });
    const { body: restored } = await tenant.http.post(`${path}/versions/1/restore`, {}).expect(200);
    expect(restored.data.fields).toEqual({ list: [{ a: '1' }] });
    await tenant.http.post(`${path}/versions/1/restore`, {}).expect(200);
    const { body: conflict } = await tenant.http.post(`${path}/draft/publish`, {}).expect(409);
    expect(conflict.errors[0].path).toBe('fields.list');
    const { body: published } = await tenant.http.post(`${path}/draft/publish?force=true`, {}).expect(200);
    expect(published.data.fields).toEqual({ list: [{ a: '5' }] });
  });

  it('of a group that becomes json and back keep its values and their index', async () => {
    const [asGroup, asJson] = [[group('seo', [text('title')])], [{ name: 'seo', type: 'json' }]];
    const type = await createType(tenant, asGroup);
    const id = await create(type, { seo: { title: 'Tide' } });
    await put(type, asJson);
    expect(await fieldsOf(type, id)).toEqual({ seo: { title: 'Tide' } });
    expect(await count(type, 'search=tide')).toBe(0);
    const other = await create(type, { seo: { title: null } });
    await put(type, asGroup);
    expect(await count(type, 'search=tide')).toBe(1);
    expect(await count(type, 'filter[seo.title]=Tide')).toBe(1);
    expect(await count(type, 'filter[seo.title][exists]=false')).toBe(1);
    await tenant.http.patch(`${type.entries}/${other}`, { fields: { seo: { title: 'Ebb' } } }).expect(200);
    await put(type, asJson);
    await tenant.http.patch(`${type.entries}/${other}`, { fields: { seo: [1] } }).expect(200);
    await put(type, asGroup, 409);
  });

  it('leave out only what does not fit of an old version', async () => {
    const fields = (type: string) => [group('seo', [text('title'), { name: 'rank', type }])];
    const type = await createType(tenant, fields('text'));
    const id = await create(type, { seo: { title: 'A', rank: 'first' } });
    const path = `${type.entries}/${id}`;
    await tenant.http.patch(path, { fields: { seo: { title: 'B' } } }).expect(200);
    await put(type, fields('integer'));
    const { body } = await tenant.http.get(`${path}/versions/1`).expect(200);
    expect(body.data.fields).toEqual({ seo: { title: 'A' } });
    const { body: refused } = await tenant.http.post(`${path}/versions/1/restore`, {}).expect(422);
    expect(refused.errors[0].path).toBe('fields.seo.rank');
  });

  describe('rename', () => {
    const plan = async (type: TestType, fields: object[]) =>
      (await tenant.http.put(`${type.path}?dry_run=true`, { fields }).expect(200)).body.data.steps as object[];
    const blocks = (name: string, inner: object[], rest: object = {}) => ({
      name,
      type: 'blocks',
      blocks: [{ name: 'hero', fields: inner }],
      ...rest,
    });

    it('a group with everything inside: rows of the index, references, hidden values', async () => {
      const author = await createType(tenant, [text('name')], 'Author');
      const ada = await create(author, { name: 'Ada' });
      const by = { name: 'by', type: 'reference', content_type: author.id };
      const type = await createType(tenant, [text('title'), group('seo', [text('title'), text('note'), by])]);
      const id = await create(type, { title: 'T', seo: { title: 'A', note: 'Hidden', by: ada } });
      await put(type, [text('title'), group('seo', [text('title'), by])]);
      await put(type, [text('title'), group('meta', [text('title'), by], { renamed_from: 'seo' })]);
      expect(await fieldsOf(type, id)).toEqual({ title: 'T', meta: { title: 'A', by: ada } });
      expect(await count(type, 'filter[meta.title]=A&sort=meta.title')).toBe(1);
      const path = `${author.entries}/${ada}/referrers`;
      expect((await tenant.http.get(path).expect(200)).body.data).toMatchObject([{ field: 'meta.by' }]);
      await put(type, [text('title'), group('meta', [text('title'), text('note'), by])]);
      expect(await fieldsOf(type, id)).toEqual({ title: 'T', meta: { title: 'A', note: 'Hidden', by: ada } });
      await expectConsistentContent(app.database, tenant.id);
    });

    it('fields inside, also of hidden ones, two at once, in lists, drafts and old versions', async () => {
      const inside = [text('a'), text('b'), text('c')];
      const type = await createType(tenant, [
        group('one', inside),
        group('list', inside, { multiple: true }),
        blocks('items', inside),
      ]);
      const values = { a: 'A', b: 'B', c: 'C' };
      const id = await create(type, { one: values, list: [values, { b: 'B' }], items: [{ block: 'hero', ...values }] });
      await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: { one: { a: 'Draft' } } }).expect(200);
      const less = [text('a'), text('b')];
      await put(type, [group('one', less), group('list', less, { multiple: true }), blocks('items', less)]);
      // Swaps a and b, and gives the hidden c another name.
      const renamed = [
        text('b', { renamed_from: 'a' }),
        text('a', { renamed_from: 'b' }),
        text('d', { renamed_from: 'c' }),
      ];
      const next = [
        group('first', renamed, { renamed_from: 'one' }),
        group('list', renamed, { multiple: true }),
        blocks('items', renamed),
      ];
      expect(await plan(type, next)).toMatchObject([
        { op: 'rename', field: 'first', class: 'safe', entries: 1 },
        { op: 'rename', field: 'first.b', class: 'safe', entries: 1 },
        { op: 'rename', field: 'first.a' },
        { op: 'rename', field: 'first.d' },
        { op: 'rename', field: 'list.b' },
        { op: 'rename', field: 'list.a' },
        { op: 'rename', field: 'list.d' },
        { op: 'rename', field: 'items.hero.b', entries: 1 },
        { op: 'rename', field: 'items.hero.a' },
        { op: 'rename', field: 'items.hero.d', entries: 1 },
      ]);
      const { body } = await put(type, next);
      expect(JSON.stringify(body)).not.toContain('renamed_from');
      const after = { b: 'A', a: 'B', d: 'C' };
      expect(await fieldsOf(type, id)).toEqual({
        first: after,
        list: [after, { a: 'B' }],
        items: [{ block: 'hero', ...after }],
      });
      expect(await count(type, 'filter[first.d]=C')).toBe(1);
      const draft = await tenant.http.get(`${type.entries}/${id}/draft`).expect(200);
      expect(draft.body.data.fields.first).toEqual({ b: 'Draft' });
      const version = await tenant.http.get(`${type.entries}/${id}/versions/1`).expect(200);
      expect(version.body.data.fields).toEqual({
        first: after,
        list: [after, { a: 'B' }],
        items: [{ block: 'hero', ...after }],
      });
      await expectConsistentContent(app.database, tenant.id);
    });

    it('a field to the name of a removed one, whose values are hidden', async () => {
      const type = await createType(tenant, [group('list', [text('a'), text('b')], { multiple: true })]);
      const id = await create(type, { list: [{ a: 'A', b: 'B' }, { b: 'B' }] });
      const next = [group('list', [text('b', { renamed_from: 'a' })], { multiple: true })];
      expect(await plan(type, next)).toMatchObject([
        { op: 'rename', field: 'list.b', class: 'safe', entries: 1 },
        { op: 'remove', field: 'list.b', class: 'lossy', entries: 1 },
      ]);
      await put(type, next);
      expect(await fieldsOf(type, id)).toEqual({ list: [{ b: 'A' }, {}] });
    });

    it('only of a field that is there, and tells where the error is', async () => {
      const type = await createType(tenant, [blocks('items', [text('a'), text('b')])]);
      const wrong = [blocks('items', [text('c', { renamed_from: 'x' }), text('b'), text('d', { renamed_from: 'b' })])];
      const { body } = await put(type, wrong, 422);
      expect(body.errors).toMatchObject([
        { path: 'fields.0.blocks.0.fields.0.renamed_from', code: 'unknown_field' },
        { path: 'fields.0.blocks.0.fields.2.renamed_from', code: 'not_applicable' },
      ]);
    });
  });

  it('convert values inside, and the plan names the fields in which values are in the way', async () => {
    const type = await createType(tenant, [
      group('parts', [text('n'), text('tag')], { multiple: true }),
      group('seo', [text('t')]),
    ]);
    const id = await create(type, { parts: [{ n: '12', tag: 'x' }, { tag: 'y' }], seo: { t: 'a < b' } });
    const bad = await create(type, { parts: [{ n: 'twelve' }] });
    const number = (name: string) => ({ name, type: 'integer' });
    const next = [
      group('parts', [number('n'), text('tag', { multiple: true })], { multiple: true }),
      group('seo', [{ name: 't', type: 'rich_text' }]),
    ];
    const steps = (await tenant.http.put(`${type.path}?dry_run=true`, { fields: next }).expect(200)).body.data.steps;
    expect(steps).toMatchObject([
      { op: 'retype', field: 'parts.n', class: 'needs_data', entries: 2, failing: 1, samples: [{ entry_id: bad }] },
      { op: 'retype', field: 'parts.tag', class: 'safe', entries: 1 },
      { op: 'retype', field: 'seo.t', class: 'safe', entries: 1 },
    ]);
    await put(type, next, 409);
    await tenant.http.delete(`${type.entries}/${bad}`).expect(200);
    await put(type, next);
    expect(await fieldsOf(type, id)).toEqual({
      parts: [{ n: 12, tag: ['x'] }, { tag: ['y'] }],
      seo: { t: 'a &lt; b' },
    });
    await expectConsistentContent(app.database, tenant.id);
  });
});

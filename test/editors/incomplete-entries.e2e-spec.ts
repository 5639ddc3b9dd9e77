import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 10 },
  { name: 'slug', type: 'text', required: true, unique: true },
  { name: 'body', type: 'text' },
  {
    name: 'seo',
    type: 'group',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'text', type: 'text' },
    ],
  },
  { name: 'tags', type: 'text', multiple: true, required: true },
];
const MISSING = ['fields.title', 'fields.slug', 'fields.tags'];

describe('an entry that is created with incomplete=true', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  const create = (fields: object, more: object = {}) =>
    tenant.http.post(`${type.entries}?incomplete=true`, { fields, ...more });
  const begun = async (fields: object = {}) => `${type.entries}/${(await create(fields).expect(201)).body.data.id}`;
  const read = async (path: string) => (await tenant.http.get(path).expect(200)).body.data;
  const pathsOf = ({ body }: { body: { errors: { path: string; code: string }[] } }) =>
    body.errors.map(({ path, code }) => (code === 'required' ? path : `${path} ${code}`));

  it('may lack required values, also in groups', async () => {
    const { body, headers } = await create({ body: 'Text', seo: { text: 'x' }, tags: [] }).expect(201);
    expect(headers['etag']).toBe('"v1"');
    expect(body.data).toMatchObject({ status: 'draft', fields: { body: 'Text', seo: { text: 'x' } } });
    await begun({});
  });

  it('needs them without the parameter', async () => {
    expect(pathsOf(await tenant.http.post(type.entries, { fields: {} }).expect(422))).toEqual(MISSING);
    const { body } = await tenant.http.post(`${type.entries}?incomplete=false`, { fields: {} }).expect(422);
    expect(body.errors).toHaveLength(3);
    await tenant.http.post(`${type.entries}?incomplete=1`, { fields: {} }).expect(400);
  });

  it('is checked in every other way', async () => {
    await create({ slug: 'taken' }).expect(201);
    const wrong = { title: 'much too long', slug: 'taken', seo: { nope: 1 }, tags: 'x', other: 1 };
    expect(pathsOf(await create(wrong).expect(422)).sort()).toEqual([
      'fields.other unknown_property',
      'fields.seo.nope unknown_property',
      'fields.slug unique',
      'fields.tags type',
      'fields.title too_long',
    ]);
    await create('x' as unknown as object).expect(422);
    await tenant.http.post(`${type.entries}?incomplete=true`, {}).expect(422);
  });

  it('is a draft: with the status published, the answer is 400', async () => {
    const { body } = await create({ title: 'A', slug: 'a', tags: ['a'] }, { status: 'published' }).expect(400);
    expect(body).toMatchObject({
      code: 'invalid_parameter',
      detail: 'incomplete=true is only for an entry with the status draft.',
    });
    await create({}, { status: 'draft' }).expect(201);
  });

  it('is updated, and gets drafts applied, without the values that are still missing', async () => {
    const entry = await begun();
    await tenant.http.patch(entry, { fields: { body: 'One' } }).expect(200);
    await tenant.http.patch(entry, { fields: { body: 'Two' }, status: 'draft' }).expect(200);
    await tenant.http.patch(`${entry}/draft`, { fields: { title: 'A' } }).expect(200);
    await tenant.http.post(`${entry}/draft/apply`).expect(200);
    expect((await read(entry)).fields).toEqual({ title: 'A', body: 'Two' });
    await tenant.http.patch(entry, { fields: { title: null } }).expect(422);
  });

  it('cannot be published in any way until they are there', async () => {
    const entry = await begun();
    const id = entry.split('/').at(-1);
    expect(pathsOf(await tenant.http.patch(entry, { status: 'published' }).expect(422))).toEqual(MISSING);
    await tenant.http.patch(`${entry}/draft`, { fields: { title: 'A' } }).expect(200);
    expect(pathsOf(await tenant.http.post(`${entry}/draft/publish`).expect(422))).toEqual(MISSING.slice(1));
    const update = { op: 'update', content_type: type.id, entry_id: id, status: 'published' };
    const bulk = await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations: [update] }).expect(422);
    expect(pathsOf(bulk)).toEqual(MISSING.map((path) => `operations.0.${path}`));
    await tenant.http.patch(`${entry}/draft`, { fields: { slug: 'a', tags: ['a'] } }).expect(200);
    await tenant.http.post(`${entry}/draft/publish`).expect(200);
    expect((await read(entry)).status).toBe('published');
  });

  it('is not published by a schedule, which fails', async () => {
    const entry = await begun();
    const publish_at = new Date(Date.now() + 1_000).toISOString();
    await tenant.http.put(`${entry}/schedule`, { publish_at }).expect(200);
    const state = async () => (await read(`${entry}/schedule`)).state;
    await until(async () => (await state()) === 'failed');
    expect((await read(`${entry}/schedule`)).problem).toMatchObject({ status: 422 });
    expect((await read(entry)).status).toBe('draft');
  }, 60_000);

  it('needs what is inside a group only when it is published', async () => {
    const entry = await begun({ title: 'A', slug: 'a', tags: ['a'], seo: { text: 'x' } });
    await tenant.http.patch(entry, { fields: { body: 'One' } }).expect(200);
    expect(pathsOf(await tenant.http.patch(entry, { status: 'published' }).expect(422))).toEqual(['fields.seo.title']);
    await tenant.http.patch(entry, { fields: { seo: { title: 'T' } }, status: 'published' }).expect(200);
  });

  it('is listed, sorted, filtered, searched, exported and read', async () => {
    const entry = await begun({ body: 'Findable' });
    const [complete] = await createEntries(tenant, type, [{ fields: { title: 'A', slug: 'a', tags: ['a'] } }]);
    const id = entry.split('/').at(-1);
    const idsOf = async (query: string) =>
      (await tenant.http.get(`${type.entries}?${query}`).expect(200)).body.data.map((one: { id: string }) => one.id);
    expect(await idsOf('sort=title')).toEqual([complete, id]);
    expect(await idsOf('filter[title][exists]=false')).toEqual([id]);
    expect(await idsOf('search=findable')).toEqual([id]);
    const { text } = await tenant.http.get(`${type.entries}/export?format=ndjson&filter[id]=${id}`).expect(200);
    expect(JSON.parse(text)).toMatchObject({ id, fields: { body: 'Findable' }, status: 'draft' });
    expect(await read(entry)).toMatchObject({ id, fields: { body: 'Findable' } });
  });

  it('is restored to a version with fewer values only as far as an update could', async () => {
    const entry = await begun({ body: 'One' });
    await tenant.http.patch(entry, { fields: { body: 'Two' } }).expect(200);
    await tenant.http.post(`${entry}/versions/1/restore`).expect(200);
    expect((await read(entry)).fields).toEqual({ body: 'One' });
    await tenant.http.patch(entry, { fields: { title: 'A' } }).expect(200);
    expect(pathsOf(await tenant.http.post(`${entry}/versions/1/restore`).expect(422))).toEqual(['fields.title']);
  });

  it('lets its type be changed: fields become required, optional and other types', async () => {
    const entry = await begun({ body: 'One' });
    const changed = FIELDS.map((field) => ({ ...field, required: field.name !== 'title' }));
    const { body } = await tenant.http.put(`${type.path}?dry_run=true`, { fields: changed }).expect(200);
    expect(body.data.steps.filter(({ class: kind }: { class: string }) => kind !== 'safe')).toEqual([]);
    await tenant.http.put(type.path, { fields: changed }).expect(200);
    expect(pathsOf(await tenant.http.patch(entry, { status: 'published' }).expect(422))).toEqual([
      'fields.slug',
      'fields.seo',
      'fields.tags',
    ]);
    const one = changed.map((field) => (field.name === 'tags' ? { ...field, multiple: false } : field));
    await tenant.http.put(type.path, { fields: one }).expect(200);
    expect((await read(entry)).fields).toEqual({ body: 'One' });
  });
});

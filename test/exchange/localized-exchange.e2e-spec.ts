import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';

const FIELDS = [
  { name: 'slug', type: 'text', unique: true },
  { name: 'title', type: 'text', localized: true },
  { name: 'tags', type: 'text', localized: true, multiple: true },
];

describe('many entries in several locales', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    const locales = [{ code: 'en' }, { code: 'de' }];
    await tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
    type = await createType(tenant, FIELDS);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const bulk = (operations: object[], more: object = {}) =>
    tenant.http.post(`/v1/content/${tenant.id}/bulk`, {
      operations: operations.map((one) => ({ content_type: type.id, ...one })),
      ...more,
    });
  const all = async () => {
    const { body } = await tenant.http.get(`${type.entries}?locale=*&sort=slug`).expect(200);
    return (body.data as { fields: object }[]).map(({ fields }) => fields);
  };
  const add = async () => {
    const fields = { slug: 'a', title: { en: 'Tides', de: 'Gezeiten' }, tags: { en: ['sea', 'moon'], de: ['Meer'] } };
    await bulk([
      { op: 'create', fields, locale: '*' },
      { op: 'create', fields: { slug: 'b', title: 'Ebbe' }, locale: 'de' },
    ]).expect(200);
    return [fields, { slug: 'b', title: { de: 'Ebbe' } }];
  };

  it('are written by bulk operations, each in its locale', async () => {
    expect(await all()).toEqual([]);
    const made = await add();
    expect(await all()).toEqual(made);
    await bulk([
      { op: 'upsert', key: { slug: 'b' }, fields: { title: 'Ebb' } },
      { op: 'upsert', key: { slug: 'a' }, fields: { title: 'Tiden' }, locale: 'de' },
    ]).expect(200);
    expect(await all()).toMatchObject([{ title: { en: 'Tides', de: 'Tiden' } }, { title: { en: 'Ebb', de: 'Ebbe' } }]);
    const { body } = await bulk(
      [
        { op: 'create', fields: { title: 'x' }, locale: 'it' },
        { op: 'create', fields: { title: { de: 5 } }, locale: '*' },
        { op: 'create', fields: { title: 'x' }, locale: 5 },
      ],
      { atomic: false },
    ).expect(200);
    const paths = body.data.map(({ problem }: { problem: { errors: { path: string }[] } }) =>
      problem.errors.map(({ path }) => path),
    );
    expect(paths).toEqual([['locale'], ['fields.title.de'], ['locale']]);
  });

  it.each(['csv', 'ndjson'])('are exported with all locales as %s, and imported back', async (format) => {
    const made = await add();
    const exported = await tenant.http.get(`${type.entries}/export?format=${format}&locale=*&sort=slug`).buffer(true);
    expect(exported.headers['trivet-locale']).toBeUndefined();
    const text = exported.text ?? String(exported.body);
    if (format === 'csv') expect(text.split('\n')[0]?.trim()).toBe('slug,title,title@de,tags,tags@de,status');
    const other = await createType(tenant, FIELDS, 'Other');
    const contentType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    await tenant.http.post(`${other.entries}/import`).set('Content-Type', contentType).send(text).expect(200);
    const { body } = await tenant.http.get(`${other.entries}?locale=*&sort=slug`).expect(200);
    expect(body.data.map(({ fields }: { fields: object }) => fields)).toEqual(made);
  });

  it('are exported in one locale, which an import must be told', async () => {
    await add();
    const exported = await tenant.http.get(`${type.entries}/export?locale=de&sort=slug`).buffer(true);
    expect(exported.headers['trivet-locale']).toBe('de');
    const text = exported.text ?? String(exported.body);
    const fields = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { fields: object }).fields);
    expect(fields).toMatchObject([{ title: 'Gezeiten' }, { title: 'Ebbe' }]);
    const other = await createType(tenant, FIELDS, 'Other');
    const post = (lines: string) =>
      tenant.http.post(`${other.entries}/import?locale=de`).set('Content-Type', 'application/x-ndjson').send(lines);
    await post('{"fields":{"slug":"a","title":"Gezeiten"}}\n').expect(200);
    const { body } = await tenant.http.get(`${other.entries}?locale=*`).expect(200);
    expect(body.data).toMatchObject([{ fields: { slug: 'a', title: { de: 'Gezeiten' } } }]);
  });

  it.each(['it', '👩‍👧'])('are not exported in a locale that the tenant does not have: %s', async (locale) => {
    const path = `${type.entries}/export?locale=${encodeURIComponent(locale)}`;
    const { body } = await tenant.http.get(path).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'locale' }] });
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';

const LOCALES = {
  default: 'en',
  locales: [{ code: 'en' }, { code: 'de' }, { code: 'de-CH', fallback: 'de' }, { code: 'fr', fallback: null }],
};

const FIELDS = [
  { name: 'title', type: 'text', localized: true },
  { name: 'rank', type: 'number', localized: true },
  { name: 'tags', type: 'text', localized: true, multiple: true },
  { name: 'seo', type: 'group', localized: true, fields: [{ name: 'name', type: 'text' }] },
  { name: 'price', type: 'number' },
];

describe('lists in a locale', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    type = await createType(tenant, FIELDS);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const add = async (fields: object) => {
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields }).expect(201);
    return body.data.id as string;
  };
  const list = async (query: string) => {
    const { body } = await tenant.http.get(`${type.entries}?${query}`).expect(200);
    return body.data as { id: string; fields: { title?: string } }[];
  };
  const titles = async (query: string) => (await list(query)).map(({ fields }) => fields.title);

  it('filter and sort by what is shown', async () => {
    await add({ title: { en: 'Zebra', de: 'Affe' }, rank: { en: 1, de: 3 } });
    await add({ title: { en: 'Monkey' }, rank: { en: 2 } });
    await add({ title: { en: 'Ant', de: 'Zikade', fr: 'Fourmi' }, rank: { en: 3, de: 1, fr: 9 } });
    expect(await titles('sort=title')).toEqual(['Ant', 'Monkey', 'Zebra']);
    expect(await titles('sort=title&locale=de')).toEqual(['Affe', 'Monkey', 'Zikade']);
    expect(await titles('sort=rank&locale=de')).toEqual(['Zikade', 'Monkey', 'Affe']);
    expect(await titles('sort=-title&locale=de-CH')).toEqual(['Zikade', 'Monkey', 'Affe']);
    expect(await titles('sort=title&locale=fr')).toEqual(['Fourmi', undefined, undefined]);
    expect(await titles('sort=title&locale=de&fallback=none')).toEqual(['Affe', 'Zikade', undefined]);
    expect(await titles('filter[title]=Monkey&locale=de')).toEqual(['Monkey']);
    expect(await titles('filter[title]=Zebra&locale=de')).toEqual([]);
    expect(await titles('filter[title]=Affe&locale=de-CH')).toEqual(['Affe']);
    expect(await titles('filter[title]=Monkey&locale=de&fallback=none')).toEqual([]);
    expect(await titles('filter[title][exists]=true&locale=fr')).toEqual(['Fourmi']);
    expect(await titles('filter[rank][gte]=2&locale=de&sort=rank')).toEqual(['Monkey', 'Affe']);
    expect(await titles('filter[title]=Monkey&locale=*')).toEqual([{ en: 'Monkey' }]);
    const where = encodeURIComponent(JSON.stringify({ title: { contains: 'ff' } }));
    expect(await titles(`where=${where}&locale=de`)).toEqual(['Affe']);
  });

  it('look into groups, lists and texts whose keys leave something out', async () => {
    const long = `${'ä'.repeat(300)}Ende`;
    await add({
      title: { en: 'A' },
      seo: { en: { name: 'one' }, de: { name: 'eins' } },
      tags: { en: ['x'], de: ['y'] },
    });
    await add({ title: { en: 'B', de: long }, seo: { en: { name: 'two' } }, tags: { en: ['x', 'y'] } });
    expect(await titles('filter[seo.name]=eins&locale=de')).toEqual(['A']);
    expect(await titles('filter[seo.name]=two&locale=de')).toEqual([long]);
    expect(await titles('filter[tags]=y&locale=de&sort=created_at')).toEqual(['A', long]);
    expect(await titles('filter[title][contains]=ende&locale=de')).toEqual([long]);
    expect(await titles('filter[title][contains]=ende&locale=de-CH')).toEqual([long]);
  });

  it('follow changes of a value, also of one that others fall back to', async () => {
    const id = await add({ title: { en: 'Tides' } });
    expect(await titles('filter[title]=Tides&locale=de-CH')).toEqual(['Tides']);
    await tenant.http.patch(`${type.entries}/${id}?locale=de`, { fields: { title: 'Gezeiten' } }).expect(200);
    expect(await titles('filter[title]=Gezeiten&locale=de-CH')).toEqual(['Gezeiten']);
    expect(await titles('filter[title]=Tides&locale=de-CH')).toEqual([]);
    await tenant.http.patch(`${type.entries}/${id}?locale=de`, { fields: { title: null } }).expect(200);
    expect(await titles('filter[title]=Tides&locale=de')).toEqual(['Tides']);
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { title: 'Ebb' } }).expect(200);
    expect(await titles('filter[title]=Ebb&locale=de')).toEqual(['Ebb']);
    await tenant.http.delete(`${type.entries}/${id}`).expect(200);
  });

  it('follow changes of the locales and of what is localized', async () => {
    await add({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    const set = (fallback: string | null, ...more: object[]) => {
      const locales = [{ code: 'en' }, { code: 'de' }, { code: 'de-CH', fallback }, { code: 'fr' }, ...more];
      return tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
    };
    await set('fr');
    expect(await titles('filter[title]=Marées&locale=de-CH')).toEqual(['Marées']);
    await set(null, { code: 'it' });
    expect(await titles('filter[title][exists]=true&locale=de-CH')).toEqual([]);
    expect(await titles('filter[title]=Tides&locale=it')).toEqual(['Tides']);
    const plain = FIELDS.map((field) => ({ ...field, localized: false }));
    await tenant.http.put(type.path, { fields: plain }).expect(200);
    expect(await titles('filter[title]=Tides&locale=de')).toEqual(['Tides']);
    await expectConsistentContent(app.database, tenant.id);
    await tenant.http.put(type.path, { fields: FIELDS }).expect(200);
    expect(await titles('filter[title]=Gezeiten&locale=de')).toEqual(['Gezeiten']);
    const renamed = FIELDS.map((field) =>
      field.name === 'title' ? { ...field, name: 'name', renamed_from: 'title' } : field,
    );
    await tenant.http.put(type.path, { fields: renamed }).expect(200);
    expect(await list('filter[name]=Gezeiten&locale=de')).toHaveLength(1);
  });

  it('keep what is translated', async () => {
    const both = await add({ title: { en: 'A', de: 'B', fr: 'C' } });
    const german = await add({ title: { en: 'D', de: 'E' } });
    const plain = await add({ title: { en: 'F' } });
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('translated=de')).toEqual([german, both]);
    expect(await ids('translated=de,fr')).toEqual([both]);
    expect(await ids('translated=en')).toEqual([plain, german, both]);
    await tenant.http.get(`${type.entries}?translated=it`).expect(400);
    await tenant.http.get(`${type.entries}/${german}?translated=de`).expect(200);
    await tenant.http.get(`${type.entries}/${german}?translated=fr`).expect(404);
    await tenant.http.get(`${type.entries}/${german}?translated=it`).expect(400);
  });

  it('keep what lacks a locale, or is behind the default one, for those who may read drafts', async () => {
    const german = await add({ title: { en: 'A', de: 'B' } });
    const plain = await add({ title: { en: 'C' } });
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('missing=de')).toEqual([plain]);
    expect(await ids('missing=de,fr')).toEqual([plain]);
    expect(await ids('missing=fr')).toEqual([plain, german]);
    expect(await ids('missing=en')).toEqual([]);
    expect(await ids('behind=de')).toEqual([]);
    await tenant.http.patch(`${type.entries}/${german}`, { fields: { title: 'Changed' } }).expect(200);
    expect(await ids('behind=de')).toEqual([german]);
    expect(await ids('behind=en')).toEqual([]);
    await tenant.http.get(`${type.entries}?missing=it`).expect(400);
    await tenant.http.get(`${type.entries}?behind=it`).expect(400);
    const { body } = await tenant.http
      .post(`/v1/keys/${tenant.id}`, { name: 'Reader', scopes: ['content:read:published'] })
      .expect(201);
    const reader = app.client(`Bearer ${body.data.key}`);
    await reader.get(`${type.entries}?missing=de`).expect(403);
    await reader.get(`${type.entries}?behind=de`).expect(403);
  });

  it('look through references in the same locale, and include what is shown', async () => {
    const author = await createType(tenant, [{ name: 'name', type: 'text', localized: true }], 'Author');
    const post = await createType(
      tenant,
      [{ name: 'author', type: 'reference', content_type: 'author', localized: true }],
      'Post',
    );
    const make = async (name: object) =>
      (await tenant.http.post(`${author.entries}?locale=*`, { fields: { name } }).expect(201)).body.data.id as string;
    const [ada, grace] = [await make({ en: 'Ada', de: 'Ada D' }), await make({ en: 'Grace' })];
    const { body } = await tenant.http
      .post(`${post.entries}?locale=*`, { fields: { author: { en: ada, de: grace } } })
      .expect(201);
    const found = async (query: string) => (await tenant.http.get(`${post.entries}?${query}`).expect(200)).body;
    expect((await found('filter[author.name]=Grace&locale=de')).data).toHaveLength(1);
    expect((await found('filter[author.name]=Ada D&locale=de')).data).toHaveLength(0);
    expect((await found('filter[author.name]=Ada D&locale=en')).data).toHaveLength(0);
    expect((await found('filter[author.name]=Ada')).data).toHaveLength(1);
    const { included } = await found('include=author');
    expect(Object.values(included as object)).toMatchObject([{ id: ada, fields: { name: 'Ada' } }]);
    const swiss = await found('include=author&locale=fr');
    expect(swiss.included).toEqual({});
    const all = await found('include=author&locale=*');
    expect(Object.keys(all.included as object).sort()).toEqual([ada, grace].sort());
    expect(all.included[ada]).toMatchObject({ fields: { name: { en: 'Ada', de: 'Ada D' } }, locale: '*' });
    const referrers = await tenant.http.get(`${author.entries}/${grace}/referrers`).expect(200);
    expect(referrers.body.data).toMatchObject([{ entry_id: body.data.id, field: 'author', locale: 'de' }]);
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const LOCALES = {
  default: 'en',
  locales: [{ code: 'en' }, { code: 'de' }, { code: 'de-CH', fallback: 'de' }, { code: 'fr', fallback: null }],
};
const FIELDS = [
  { name: 'title', type: 'text', localized: true },
  { name: 'body', type: 'rich_text', localized: true },
  { name: 'sku', type: 'text' },
];

interface Found {
  id: string;
  fields: Record<string, unknown>;
  highlights?: Record<string, string[]>;
}

describe('search in a locale', () => {
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

  const add = async (fields: object, status = 'published', of = type) => {
    const { body } = await tenant.http.post(`${of.entries}?locale=*`, { fields, status }).expect(201);
    return body.data.id as string;
  };
  const list = async (search: string, query = '', of = type) => {
    const path = `${of.entries}?search=${encodeURIComponent(search)}${query && `&${query}`}`;
    const { body } = await tenant.http.get(path).expect(200);
    return body as { data: Found[]; meta: { total: number; corrected?: string } };
  };
  /** The SKUs of the entries that a search finds, in the order of the list. */
  const skus = async (search: string, query = '') => {
    const { data, meta } = await list(search, query);
    expect(meta.total).toBe(data.length);
    return data.map(({ fields }) => fields['sku']).join();
  };
  const rows = () =>
    app.database.query<{ document: string; views: string[]; written: string }>(
      'SELECT document, views, xmin::text AS written FROM entry_locale_words WHERE tenant_id = $1 ORDER BY document',
      [tenant.id],
    );
  const setLocales = (locales: object[]) =>
    tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);

  it('looks at what is shown in it', async () => {
    await add({ sku: 'a', title: { en: 'Tides', de: 'Gezeiten' }, body: { en: '<p>The moon pulls</p>' } });
    await add({ sku: 'b', title: { en: 'Moonlight', fr: 'Clair de lune' } });
    expect(await skus('tides')).toBe('a');
    expect(await skus('gezeiten')).toBe('');
    expect(await skus('gezeiten', 'locale=de')).toBe('a');
    expect(await skus('tides', 'locale=de')).toBe('');
    expect(await skus('gezeiten moon', 'locale=de')).toBe('a');
    expect(await skus('gezeiten moon', 'locale=de&fallback=none')).toBe('');
    expect(await skus('moonlight', 'locale=de')).toBe('b');
    expect(await skus('moonlight', 'locale=de&fallback=none')).toBe('');
    expect(await skus('gezeiten', 'locale=de-CH')).toBe('a');
    expect(await skus('gezeiten', 'locale=de-CH&fallback=none')).toBe('');
    expect(await skus('lune', 'locale=fr')).toBe('b');
    expect(await skus('tides', 'locale=fr')).toBe('');
    expect(await skus('-lune', 'locale=fr')).toBe('a');
    expect(await skus('-gezeiten', 'locale=de&fallback=none')).toBe('b');
    expect(await skus('sku-', 'locale=fr')).toBe('');
    expect(await skus('a', 'locale=fr&fallback=none')).toBe('a');
    expect(await skus('gezeiten', 'locale=*')).toBe('');
    expect(await skus('tides', 'locale=*')).toBe('a');
    expect(await skus('tides', 'locale=en')).toBe('a');
    expect(await skus('gezeiten', 'locale=de&sort=title')).toBe('a');
    expect(await skus('gezeiten', 'locale=de&filter[title]=Gezeiten')).toBe('a');
    await tenant.http.get(`${type.entries}?search=x&locale=it`).expect(400);
  });

  it('finds words by the stems of the language that each value is in', async () => {
    await add({ sku: 'Häuser', title: { en: 'Closures', de: 'Alte Häuser', fr: 'Mangées' } });
    await add({ sku: 'plain', title: { en: 'Closures of roads' } });
    expect(await skus('haus', 'locale=de')).toBe('Häuser');
    expect(await skus('haeusern', 'locale=de-CH')).toBe('Häuser');
    expect(await skus('closure', 'locale=de')).toBe('plain');
    expect(await skus('mangé', 'locale=fr')).toBe('Häuser');
    expect(await skus('closure', 'locale=en')).toBe('Häuser,plain');
    // The type has no language, and values that are not localized have its stems.
    expect(await skus('closure')).toBe('');
    await tenant.http.put(type.path, { language: 'de' }).expect(200);
    expect(await skus('haus')).toBe('Häuser');
    expect(await skus('haus', 'locale=fr')).toBe('Häuser');
    await tenant.http.put(type.path, { language: 'en' }).expect(200);
    expect(await skus('haus')).toBe('');
    expect(await skus('closure')).toBe('Häuser,plain');
    expect(await skus('haus', 'locale=de')).toBe('Häuser');
  });

  it('ranks titles first, also those of fallbacks', async () => {
    await add({ sku: 'body', title: { de: 'Anderes' }, body: { de: '<p>Mond Mond Mond</p>' } });
    await add({ sku: 'long', title: { de: 'Der Mond und die Sonne' } });
    await add({ sku: 'title', title: { de: 'Mond' } });
    await add({ sku: 'fallback', title: { en: 'Mond' }, body: { de: '<p>Etwas</p>' } });
    expect(await skus('mond', 'locale=de')).toBe('fallback,title,long,body');
    expect(await skus('mond', 'locale=de&fallback=none')).toBe('title,long,body');
    expect(await skus('mond sonne', 'locale=de')).toBe('long');
    expect(await skus('"der mond"', 'locale=de')).toBe('long');
    expect(await skus('mond or etwas', 'locale=de')).toBe('fallback,title,long,body');
  });

  it('shows where the values match that it shows', async () => {
    await add({ title: { en: 'Houses', de: 'Häuser' }, body: { en: '<p>Old houses</p>' }, sku: 'Haus' });
    const highlights = async (search: string, query: string) =>
      (await list(search, `highlight=true&${query}`)).data.map((one) => one.highlights);
    expect(await highlights('haus', 'locale=de')).toEqual([
      { title: ['<mark>Häuser</mark>'], sku: ['<mark>Haus</mark>'] },
    ]);
    expect(await highlights('haus house', 'locale=de')).toEqual([
      { title: ['<mark>Häuser</mark>'], body: ['Old <mark>houses</mark>'], sku: ['<mark>Haus</mark>'] },
    ]);
    expect(await highlights('houses', 'locale=*')).toEqual([
      { title: ['<mark>Houses</mark>'], body: ['Old <mark>houses</mark>'] },
    ]);
    expect(await highlights('haus', 'locale=de&fallback=none')).toEqual([
      { title: ['<mark>Häuser</mark>'], sku: ['<mark>Haus</mark>'] },
    ]);
  });

  it('corrects words, and finds their beginnings', async () => {
    await add({ sku: 'a', title: { en: 'Tides', de: 'Gezeiten' } });
    expect((await list('gezaiten', 'fuzzy=true&locale=de')).meta.corrected).toBe('gezeiten');
    expect((await list('gezaiten', 'fuzzy=true')).meta.corrected).toBeUndefined();
    expect((await list('tidse', 'fuzzy=true')).meta.corrected).toBe('tides');
    expect((await list('tidse', 'fuzzy=true&locale=de')).meta.corrected).toBeUndefined();
    expect(await skus('gezei*', 'locale=de-CH')).toBe('a');
    expect(await skus('tid*', 'locale=de')).toBe('');
  });

  it('follows writes of each locale, and writes the words only of those that show another text', async () => {
    const id = await add({ sku: 'a', title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    const write = (locale: string, fields: object) =>
      tenant.http.patch(`${type.entries}/${id}?locale=${locale}`, { fields }).expect(200);
    const before = await rows();
    await write('de', { title: 'Ebbe' });
    const after = await rows();
    const changed = after.filter((row) => !before.some((one) => one.written === row.written));
    expect(changed.flatMap(({ views }) => views)).toEqual(['de', 'de+', 'de-CH+']);
    expect(await skus('ebbe', 'locale=de-CH')).toBe('a');
    expect(await skus('gezeiten', 'locale=de')).toBe('');
    await write('de-CH', { title: 'Ebbe und Flut' });
    expect(await skus('flut', 'locale=de-CH')).toBe('a');
    expect(await skus('flut', 'locale=de')).toBe('');
    await write('de-CH', { title: null });
    expect(await skus('flut', 'locale=de-CH')).toBe('');
    expect(await skus('ebbe', 'locale=de-CH')).toBe('a');
    const unchanged = await rows();
    await write('en', { title: 'Water' });
    expect(await skus('water', 'locale=de')).toBe('');
    const english = (await rows()).filter((row) => !unchanged.some((one) => one.written === row.written));
    expect(english.flatMap(({ views }) => views)).toEqual(['en']);
    await write('de', { title: null });
    expect(await skus('water', 'locale=de-CH')).toBe('a');
    await write('fr', { sku: 'b' });
    expect(await skus('b', 'locale=fr&fallback=none')).toBe('b');
    await tenant.http.delete(`${type.entries}/${id}`).expect(200);
    expect(await rows()).toEqual([]);
  });

  it('has no words of a locale that is taken off, also with preview=true', async () => {
    const id = await add({ sku: 'a', title: { en: 'Tides', de: 'Gezeiten' } });
    const setLive = (live: boolean) => tenant.http.put(`${type.entries}/${id}/locales/de`, { live }).expect(200);
    await setLive(false);
    expect(await skus('gezeiten', 'locale=de')).toBe('');
    expect(await skus('tides', 'locale=de-CH')).toBe('a');
    expect(await skus('a', 'locale=de&fallback=none')).toBe('a');
    expect(await skus('gezeiten', 'locale=de&preview=true')).toBe('');
    const { data } = await list('tides', 'locale=de&preview=true');
    expect(data[0]?.fields).toMatchObject({ title: 'Gezeiten' });
    await setLive(true);
    expect(await skus('gezeiten', 'locale=de-CH')).toBe('a');
  });

  it('follows drafts that are published, restored versions, bulk operations and imports', async () => {
    const id = await add({ sku: 'a', title: { en: 'Tides' } });
    await tenant.http
      .patch(`${type.entries}/${id}/draft?locale=*`, { fields: { title: { de: 'Gezeiten', fr: 'Marées' } } })
      .expect(200);
    expect(await skus('gezeiten', 'locale=de')).toBe('');
    await tenant.http.post(`${type.entries}/${id}/draft/publish?locale=de`, {}).expect(200);
    expect(await skus('gezeiten', 'locale=de')).toBe('a');
    expect(await skus('marées', 'locale=fr')).toBe('');
    await tenant.http.post(`${type.entries}/${id}/versions/1/restore`, {}).expect(200);
    expect(await skus('gezeiten', 'locale=de')).toBe('');
    const operations = [
      { op: 'update', content_type: 'article', entry_id: id, locale: 'de', fields: { title: 'Ebbe' } },
      { op: 'create', content_type: 'article', locale: '*', fields: { sku: 'b', title: { en: 'Low', fr: 'Reflux' } } },
    ];
    const bulk = `/v1/content/${tenant.id}/bulk`;
    await tenant.http.post(bulk, { operations }).expect(200);
    expect(await skus('ebbe', 'locale=de-CH')).toBe('a');
    expect(await skus('reflux', 'locale=fr')).toBe('b');
    await tenant.http.post(bulk, { operations: [{ op: 'delete', content_type: 'article', entry_id: id }] }).expect(200);
    expect(await skus('ebbe', 'locale=de')).toBe('');
    const exported = await tenant.http.get(`${type.entries}/export?search=reflux&locale=fr`).expect(200);
    expect(exported.text.trim().split('\n')).toHaveLength(1);
    expect(exported.text).toContain('Reflux');
  });

  it('follows changes of the locales, of the language, and of what is localized', async () => {
    await add({ sku: 'a', title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    await setLocales([
      { code: 'en' },
      { code: 'de' },
      { code: 'de-CH', fallback: 'fr' },
      { code: 'it' },
      { code: 'fr' },
    ]);
    expect(await skus('marées', 'locale=de-CH')).toBe('a');
    expect(await skus('gezeiten', 'locale=de-CH')).toBe('');
    expect(await skus('tides', 'locale=it')).toBe('a');
    await setLocales([{ code: 'en' }, { code: 'fr', fallback: null }]);
    await expectConsistentContent(app.database, tenant.id);
    expect(await skus('marées', 'locale=fr')).toBe('a');
    await setLocales(LOCALES.locales);
    expect(await skus('gezeiten', 'locale=de-CH')).toBe('a');
    const plain = FIELDS.map((field) => ({ ...field, localized: false }));
    await tenant.http.put(type.path, { fields: plain }).expect(200);
    expect(await rows()).toEqual([]);
    expect(await skus('tides', 'locale=de')).toBe('a');
    await tenant.http.put(type.path, { fields: FIELDS }).expect(200);
    expect(await skus('gezeiten', 'locale=de')).toBe('a');
  });

  it('follows a change in the background, while entries are written', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 20; number++) {
      ids.push(await add({ sku: `n${number}`, title: { en: `Tide ${number}`, de: `Tag ${number}` } }));
    }
    const fields = FIELDS.map((field) => (field.name === 'sku' ? { ...field, localized: true } : field));
    const { headers } = await tenant.http
      .put(type.path, { fields, language: 'de' })
      .set({ Prefer: 'respond-async' })
      .expect(202);
    const state = async () => (await tenant.http.get(headers['location'] ?? '').expect(200)).body.data.state as string;
    for (let round = 0; round < 50 && (await state()) === 'running'; round++) {
      const path = `${type.entries}/${ids[round % ids.length]}`;
      const title = round % 3 === 0 ? null : `Nacht ${round}`;
      await tenant.http.patch(`${path}?locale=de`, { fields: { title } }).expect(200);
    }
    await until(async () => (await state()) === 'done');
    await tenant.http.patch(`${type.entries}/${ids[19]}?locale=de`, { fields: { title: 'Dämmerung' } }).expect(200);
    expect(await skus('dammerungen', 'locale=de')).toBe('n19');
    expect(await skus('n19', 'locale=fr')).toBe('');
  });

  it('finds entries of all content types, with what is shown of them', async () => {
    const plain = await createType(tenant, [{ name: 'name', type: 'text' }], 'Plain');
    const [first, second] = [
      await add({ title: { en: 'Tides', de: 'Gezeiten am Meer' } }),
      await add({ name: 'Gezeiten' }, 'published', plain),
    ];
    const find = async (query: string) => {
      const { body } = await tenant.http.get(`/v1/content/${tenant.id}/search?${query}`).expect(200);
      return (body.data as { id: string; title: string; highlights: object }[]).map(({ id, title, highlights }) => ({
        id,
        title,
        highlights,
      }));
    };
    expect(await find('search=gezei&locale=de')).toEqual([
      { id: second, title: 'Gezeiten', highlights: { name: ['<mark>Gezeiten</mark>'] } },
      { id: first, title: 'Gezeiten am Meer', highlights: { title: ['<mark>Gezeiten</mark> am Meer'] } },
    ]);
    expect(await find('search=gezei')).toMatchObject([{ id: second }]);
    expect(await find('search=tides&locale=*')).toMatchObject([{ id: first, title: 'Tides' }]);
    expect(await find('search=tides&locale=fr')).toEqual([]);
    expect(await find('search=meeren&locale=de-CH')).toMatchObject([{ id: first }]);
    expect(await find('search=gezei&locale=de-CH&fallback=none')).toMatchObject([{ id: second }]);
    await tenant.http.get(`/v1/content/${tenant.id}/search?search=x&locale=it`).expect(400);
  });

  it('looks at the titles that are shown of entries referred to', async () => {
    const author = await createType(tenant, [{ name: 'name', type: 'text', localized: true }], 'Author');
    const tag = await createType(tenant, [{ name: 'name', type: 'text' }], 'Tag');
    const fields = [
      { name: 'title', type: 'text', localized: true },
      { name: 'author', type: 'reference', content_type: 'author', localized: true },
      { name: 'tag', type: 'reference', content_type: 'tag' },
    ];
    const post = await createType(tenant, fields, 'Post');
    const ada = await add({ name: { en: 'Ada', de: 'Adelheid' } }, 'published', author);
    const grace = await add({ name: { en: 'Grace' } }, 'published', author);
    const red = await add({ name: 'rot' }, 'published', tag);
    const id = await add(
      { title: { en: 'Tides', de: 'Gezeiten' }, author: { en: ada, de: grace, fr: ada }, tag: red },
      'published',
      post,
    );
    const found = async (search: string, query: string) =>
      (await list(search, `referenced=true&${query}`, post)).data.map((one) => one.id);
    expect(await found('ada tides', '')).toEqual([id]);
    expect(await found('grace', '')).toEqual([]);
    expect(await found('grace gezeiten rot', 'locale=de')).toEqual([id]);
    expect(await found('ada', 'locale=de')).toEqual([]);
    expect(await found('ada', 'locale=fr')).toEqual([]);
    expect(await found('adelheid', 'locale=de')).toEqual([]);
    const long = Array.from({ length: 17_000 }, (_, index) => `w${index % 500}`).join(' ');
    const name = { en: 'Grace', de: `${long} ganz am Ende` };
    await tenant.http.patch(`${author.entries}/${grace}?locale=*`, { fields: { name } }).expect(200);
    expect(await found('"ganz am ende"', 'locale=de')).toEqual([id]);
    expect(await found('"am ganz ende"', 'locale=de')).toEqual([]);
    expect(await found('"ganz am ende"', 'locale=fr')).toEqual([]);
  });

  it('keeps no words in locales for types without localized fields', async () => {
    const plain = await createType(tenant, [{ name: 'title', type: 'text' }], 'Plain');
    await tenant.http.post(plain.entries, { fields: { title: 'Tides' } }).expect(201);
    expect(await rows()).toEqual([]);
    const { data } = await list('tides', 'locale=de', plain);
    expect(data).toHaveLength(1);
  });

  it('finds phrases in texts of any length', async () => {
    const filler = Array.from({ length: 20_000 }, (_, index) => `w${index % 500}`).join(' ');
    await add({ sku: 'a', title: { en: 'Tides' }, body: { en: '<p>x</p>', de: `<p>${filler} ganz am Ende</p>` } });
    expect(await skus('"ganz am ende"', 'locale=de')).toBe('a');
    expect(await skus('"am ganz ende"', 'locale=de')).toBe('');
    expect(await skus('"w1 w2"', 'locale=de-CH')).toBe('a');
    expect(await skus('"ganz am ende"', '')).toBe('');
  });
});

import { SEARCH_LANGUAGES } from '../../src/search/stemmer.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'kind', type: 'text' },
];

interface Page {
  data: { id: string; fields: { title?: string } }[];
  meta: { total: number };
}

describe('the language of a content type', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });

  const typesPath = () => `/v1/content/${tenant.id}/types`;
  const typeOf = async (language: string | undefined, fields: object[] = FIELDS): Promise<TestType> => {
    const { body } = await tenant.http.post(typesPath(), { name: 'Article', fields, language }).expect(201);
    const path = `${typesPath()}/${body.data.id}`;
    return { id: body.data.id, path, entries: `${path}/entries` };
  };
  const add = (type: TestType, ...fields: object[]) =>
    createEntries(
      tenant,
      type,
      fields.map((values) => ({ fields: values })),
    );
  const search = async (type: TestType, text: string, more = '', http = tenant.http): Promise<Page> => {
    const { body } = await http.get(`${type.entries}?search=${encodeURIComponent(text)}${more}`).expect(200);
    return body as Page;
  };
  const ranked = async (type: TestType, text: string): Promise<string> =>
    (await search(type, text)).data.map(({ fields }) => fields.title).join('|');
  /** The titles in the order in which they were created. */
  const found = async (type: TestType, text: string, http = tenant.http): Promise<string> => {
    const { data, meta } = await search(type, text, '&sort=created_at&per_page=100', http);
    expect(meta.total).toBe(data.length);
    return data.map(({ fields }) => fields.title).join('|');
  };

  describe('as a property', () => {
    it('is in the responses of create, update and get while the type has one, and not in lists', async () => {
      const created = await tenant.http.post(typesPath(), { name: 'Post', fields: FIELDS, language: 'en' }).expect(201);
      expect(created.body.data.language).toBe('en');
      const path = `${typesPath()}/${created.body.data.id}`;
      expect((await tenant.http.get(path).expect(200)).body.data.language).toBe('en');
      expect((await tenant.http.put(path, { name: 'Posts' }).expect(200)).body.data.language).toBe('en');
      expect((await tenant.http.put(path, { language: 'de' }).expect(200)).body.data.language).toBe('de');
      expect((await tenant.http.get(path).expect(200)).body.data.language).toBe('de');
      expect((await tenant.http.put(path, { language: null }).expect(200)).body.data).not.toHaveProperty('language');
      expect((await tenant.http.get(path).expect(200)).body.data).not.toHaveProperty('language');
      await tenant.http.put(path, { language: 'fr' }).expect(200);
      const silent = await createType(tenant, FIELDS, 'Silent');
      expect((await tenant.http.get(silent.path).expect(200)).body.data).not.toHaveProperty('language');
      const list = await tenant.http.get(typesPath()).expect(200);
      for (const one of list.body.data) expect(one).not.toHaveProperty('language');
    });

    it.each(SEARCH_LANGUAGES)('can be %s', async (language) => {
      const type = await typeOf(language);
      await add(type, { title: 'one' });
      expect(await found(type, 'one')).toBe('one');
    });

    it.each(['EN', 'xx', '', 'english', 1, true, [], ['en'], {}])('%j is 422', async (language) => {
      const { body } = await tenant.http.post(typesPath(), { name: 'Post', fields: FIELDS, language }).expect(422);
      expect(body.errors).toMatchObject([{ path: 'language' }]);
      const type = await typeOf('en');
      const update = await tenant.http.put(type.path, { language }).expect(422);
      expect(update.body.errors).toMatchObject([{ path: 'language' }]);
      expect((await tenant.http.get(type.path).expect(200)).body.data.language).toBe('en');
    });

    it('null is 422 at creation', async () => {
      await tenant.http.post(typesPath(), { name: 'Post', fields: FIELDS, language: null }).expect(422);
    });
  });

  it('lets searches find words by their stems', async () => {
    const type = await typeOf('en');
    await add(
      type,
      { title: 'Closures' },
      { title: 'Anonymous functions', body: '<p>each is a <b>clos</b>ure</p>' },
      { title: 'Running' },
      { title: 'A run' },
    );
    expect(await found(type, 'closure')).toBe('Closures|Anonymous functions');
    expect(await found(type, 'CLOSURES')).toBe('Closures|Anonymous functions');
    expect(await found(type, 'runs')).toBe('Running|A run');
    expect(await found(type, 'running function')).toBe('');
    expect(await found(type, 'closures function')).toBe('Anonymous functions');
    expect(await found(type, 'runs or functions')).toBe('Anonymous functions|Running|A run');
    const other = await createType(tenant, FIELDS, 'Without');
    await add(other, { title: 'Closures' });
    expect(await found(other, 'closure')).toBe('');
  });

  it('excludes words by their stems', async () => {
    const type = await typeOf('en');
    await add(type, { title: 'a closure' }, { title: 'a few closures' }, { title: 'a function' });
    expect(await found(type, 'a -closures')).toBe('a function');
    expect(await found(type, '-closure')).toBe('a function');
    expect(await ranked(type, 'a -closures')).toBe('a function');
    expect(await found(type, 'a -"closures"')).toBe('a closure|a function');
    expect(await ranked(type, 'a -"closures"')).toBe('a function|a closure');
  });

  it('does not affect phrases, hyphenated words and beginnings', async () => {
    const type = await typeOf('en');
    await add(type, { title: 'hot closures' }, { title: 'hot closure' }, { title: 'hot-closures here' });
    expect(await found(type, '"hot closures"')).toBe('hot closures|hot-closures here');
    expect(await found(type, 'hot-closure')).toBe('hot closure');
    expect(await found(type, '"closure"')).toBe('hot closure');
    expect(await ranked(type, '"closure"')).toBe('hot closure');
    expect(await found(type, '"closing"')).toBe('');
    expect(await found(type, 'closin*')).toBe('');
    expect(await found(type, 'closures*')).toBe('hot closures|hot-closures here');
  });

  it('ranks a word in the title before its stem in the title, and that before the word elsewhere', async () => {
    const type = await typeOf('en');
    await add(
      type,
      { title: 'elsewhere', body: `<h2>closures</h2><p>${'closures '.repeat(50)}</p>` },
      { title: 'one closure' },
      { title: 'what there is to know about closures and about other things' },
      { title: 'heading', body: '<h2>A closure</h2>' },
      { title: 'text', body: '<p>A closure</p>' },
    );
    expect((await search(type, 'closures')).data.map(({ fields }) => fields.title?.split(' ')[0])).toEqual([
      'what',
      'one',
      'elsewhere',
      'heading',
      'text',
    ]);
  });

  it('finds words with accents and umlauts as they are written, and as they are spelled without', async () => {
    const german = await typeOf('de');
    await add(german, { title: 'Häuser' }, { title: 'Das Haus' }, { title: 'HAEUSERN' }, { title: 'Straßen' });
    for (const word of ['Haus', 'häuser', 'Haeuser', 'hausern']) {
      expect(await found(german, word)).toBe('Häuser|Das Haus|HAEUSERN');
    }
    expect(await found(german, 'strasse')).toBe('Straßen');
    const french = await typeOf('fr');
    await add(french, { title: 'mangé' }, { title: 'Mange\u0301es' }, { title: 'l’École' });
    expect(await found(french, 'mangés')).toBe('mangé|Mange\u0301es');
    expect(await found(french, 'ecoles')).toBe('l’École');
  });

  it('finds stems in texts of which a vector records only a part', async () => {
    const type = await typeOf('en');
    const word = (number: number) =>
      `q${[...number.toString(20)].map((digit) => 'bcdfghjklmnpqrstvwxz'[parseInt(digit, 20)]).join('')}`;
    const words = Array.from({ length: 60_000 }, (_, index) => `${word(index)}ings`).join(' ');
    await add(type, { title: 'long', body: `${words} closures` }, { title: 'often', body: 'closures '.repeat(300) });
    expect(await found(type, 'closure')).toBe('long|often');
    expect(await found(type, `${word(59_999)}ing`)).toBe('long');
    expect(await found(type, 'closure often -"closures closures"')).toBe('');
    expect(await found(type, 'often -closure')).toBe('');
    expect(await found(type, `-${word(59_998)}ing`)).toBe('often');
    expect(await found(type, '"closure"')).toBe('');
    await expectConsistentContent(app.database, tenant.id);
  });

  it('set later, changed and removed changes what searches of old entries find', async () => {
    const type = await createType(tenant, FIELDS);
    const titles = ['Studies', 'Häuser', 'nothing'];
    const ids = await add(type, ...titles.map((title) => ({ title })));
    const before = await tenant.http.get(`${type.entries}/${ids[0]}`).expect(200);
    const searches = async () => [await found(type, 'study'), await found(type, 'haus')].join();
    expect(await searches()).toBe(',');
    await tenant.http.put(type.path, { language: 'en' }).expect(200);
    expect(await searches()).toBe('Studies,');
    await expectConsistentContent(app.database, tenant.id);
    await tenant.http.put(type.path, { language: 'de' }).expect(200);
    expect(await searches()).toBe(',Häuser');
    await expectConsistentContent(app.database, tenant.id);
    await tenant.http.put(type.path, { name: 'Renamed', language: 'de' }).expect(200);
    expect(await searches()).toBe(',Häuser');
    await tenant.http.put(type.path, { language: null }).expect(200);
    expect(await searches()).toBe(',');
    await expectConsistentContent(app.database, tenant.id);
    // The entries themselves do not change.
    const after = await tenant.http.get(`${type.entries}/${ids[0]}`).expect(200);
    expect(after.body).toEqual(before.body);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('stays when fields change, and both can change at once', async () => {
    const type = await typeOf('en');
    const ids = await add(type, { title: 'Closures', body: 'running', kind: 'functions' });
    await tenant.http.put(type.path, { fields: FIELDS.slice(0, 2) }).expect(200);
    expect(await found(type, 'function')).toBe('');
    expect(await found(type, 'run closure')).toBe('Closures');
    await expectConsistentContent(app.database, tenant.id);
    await tenant.http.put(type.path, { fields: [FIELDS[1], FIELDS[0]], language: 'de' }).expect(200);
    expect(await found(type, 'running')).toBe('Closures');
    expect(await found(type, 'run')).toBe('');
    await expectConsistentContent(app.database, tenant.id);
    await tenant.http.put(type.path, { fields: FIELDS, language: 'en' }).expect(200);
    expect(await found(type, 'function run closure')).toBe('Closures');
    await tenant.http.patch(`${type.entries}/${ids[0]}`, { fields: { kind: 'Studies' } }).expect(200);
    expect(await found(type, 'study run')).toBe('Closures');
    await expectConsistentContent(app.database, tenant.id);
  });

  it('stays as it was if the new fields do not fit', async () => {
    const type = await typeOf('en');
    await add(type, { title: 'Closures' });
    const fields = [{ name: 'title', type: 'text', max: 3 }];
    await tenant.http.put(type.path, { fields, language: 'de' }).expect(409);
    expect((await tenant.http.get(type.path).expect(200)).body.data.language).toBe('en');
    expect(await found(type, 'closure')).toBe('Closures');
  });

  it('changed by another process applies to the next search and the next entry', async () => {
    const type = await createType(tenant, FIELDS);
    const tenants = [{ id: tenant.id, name: 'Tenant', api_keys: [{ name: 'test', key: tenant.key }] }];
    const other = await startApp({ TENANTS: JSON.stringify(tenants) }, { database: app.database });
    try {
      const http = other.client(`Bearer ${tenant.key}`);
      await add(type, { title: 'Closures' });
      expect(await found(type, 'closure', http)).toBe('');
      await tenant.http.put(type.path, { language: 'en' }).expect(200);
      expect(await found(type, 'closure', http)).toBe('Closures');
      await tenant.http.put(type.path, { language: 'de' }).expect(200);
      await http.post(type.entries, { fields: { title: 'Häuser' } }).expect(201);
      expect(await found(type, 'haus')).toBe('Häuser');
      await tenant.http.put(type.path, { language: null }).expect(200);
      expect(await found(type, 'haus', http)).toBe('');
    } finally {
      await other.close();
    }
  });

  it('changed while entries are written applies to all of them', async () => {
    const type = await createType(tenant, FIELDS);
    const languages = ['en', 'de', null, 'en'];
    let isChanging = true;
    const writing = Array.from({ length: 4 }, async () => {
      let count = 0;
      for (; isChanging; count++) await add(type, { title: 'Closures' });
      return count;
    });
    for (const language of languages) await tenant.http.put(type.path, { language }).expect(200);
    isChanging = false;
    const counts = await Promise.all(writing);
    const { meta } = await search(type, 'closure');
    expect(meta.total).toBe(counts.reduce((sum, count) => sum + count, 0));
    await expectConsistentContent(app.database, tenant.id);
  });
});

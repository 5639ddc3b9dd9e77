import { Database } from '../../src/database/database.js';
import { editDistance } from '../../src/search/edit-distance.js';
import { foldWords } from '../../src/search/fold-words.js';
import { isDictionaryWord, maxDistance } from '../../src/search/near-words.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { integersFrom } from '../support/integers.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'kind', type: 'select', options: ['news', 'blog'] },
  { name: 'price', type: 'number' },
];

interface Page {
  data: { id: string; fields: { title?: string }; highlights?: Record<string, string[]> }[];
  meta: { total?: number; next_cursor?: string | null; corrected?: string };
}

describe('fuzzy=true', () => {
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

  const add = (...fields: object[]) =>
    createEntries(
      tenant,
      type,
      fields.map((values) => ({ fields: values, status: 'published' })),
    );
  const pathOf = (search: string, more = '') =>
    `${type.entries}?search=${encodeURIComponent(search)}&fuzzy=true${more}`;
  const list = async (search: string, more = '', http = tenant.http): Promise<Page> =>
    (await http.get(pathOf(search, more)).expect(200)).body as Page;
  const corrected = async (search: string, more = ''): Promise<string | undefined> =>
    (await list(search, more)).meta.corrected;
  const titles = ({ data }: Page) => data.map(({ fields }) => fields.title).join('|');

  it('needs a search, and is true or false', async () => {
    for (const query of ['fuzzy=true', 'fuzzy=true&sort=title', 'fuzzy=', 'fuzzy=1', 'fuzzy=TRUE&search=a']) {
      const { body } = await tenant.http.get(`${type.entries}?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'fuzzy' }] });
    }
    await tenant.http.get(`${type.entries}?fuzzy=true&fuzzy=true&search=a`).expect(400);
    await tenant.http.get(`${type.entries}?fuzzy=false`).expect(200);
    expect((await list('')).meta).toEqual({ page: 1, per_page: 25, total: 0 });
  });

  it.each([
    ['a letter too few', 'watr'],
    ['a letter too many', 'watter'],
    ['another letter', 'waler'],
    ['two swapped letters', 'watre'],
    ['another first letter', 'eater'],
    ['swapped first letters', 'awter'],
    ['other case and accents', 'WÂTRE'],
  ])('corrects a word with %s', async (_kind, search) => {
    await add({ title: 'Hot water' });
    const page = await list(search);
    expect(titles(page)).toBe('Hot water');
    expect(page.meta).toEqual({ page: 1, per_page: 25, total: 1, corrected: 'water' });
  });

  it('corrects two edits from eight characters on, and one below', async () => {
    await add({ title: 'weather strawberries butterfly' });
    expect(await corrected('watherr')).toBeUndefined();
    expect(await corrected('wether')).toBe('weather');
    expect(await corrected('weatther')).toBe('weather');
    expect(await corrected('weeatther')).toBe('weather');
    expect(await corrected('wweeatther')).toBeUndefined();
    expect(await corrected('tsrawberreis')).toBe('strawberries');
    expect(await corrected('strbwerries')).toBe('strawberries');
    expect(await corrected('xtrawberriez')).toBe('strawberries');
    expect(await corrected('strwbbeerrieez')).toBeUndefined();
    expect(await corrected('utterfl')).toBeUndefined();
    expect(await corrected('buterfyl')).toBe('butterfly');
  });

  it('changes nothing if the search finds something, or if no correction does', async () => {
    await add({ title: 'Hot water' }, { title: 'Hot wader' });
    for (const search of [
      'water',
      'hot',
      'xylophone',
      '!!!',
      'hot xylophone',
      'watr xylophone',
      '-hot',
      'w',
      '   ',
      '😀',
    ]) {
      const path = `${type.entries}?search=${encodeURIComponent(search)}`;
      const plain = await tenant.http.get(path).expect(200);
      expect((await tenant.http.get(`${path}&fuzzy=true`).expect(200)).text).toBe(plain.text);
      expect((await tenant.http.get(`${path}&fuzzy=false`).expect(200)).text).toBe(plain.text);
    }
    expect((await tenant.http.get(`${type.entries}?search=watr`).expect(200)).body).toEqual({
      data: [],
      meta: { page: 1, per_page: 25, total: 0 },
    });
  });

  it('corrects up to five words', async () => {
    await add({ title: 'one small step for mankind today' });
    expect(await corrected('oen smal stpe fro mankindd')).toBe('one small step for mankind');
    expect(await corrected('oen smal stpe fro mankindd tody')).toBeUndefined();
    expect(await corrected('oen-smal-stpe fro mankind today')).toBeUndefined();
    expect(await corrected('oen smal stpe for -c -d')).toBeUndefined();
  });

  it('replaces the words where they stand, and nothing else', async () => {
    await add({ title: 'Müller: Hot spring water', body: '<p>state of the art C++</p>' });
    expect(await corrected(' Sprnig,  "HOT  spring" -cold ')).toBe(' spring,  "HOT  spring" -cold ');
    expect(await corrected('"hot sprimg"')).toBe('"hot spring"');
    expect(await corrected('"water sprimg"')).toBeUndefined();
    expect(await corrected('stat-fo-the-art C++')).toBe('state-of-the-art C++');
    expect(await corrected('watre or sprng wtaer')).toBe('water or spring water');
    expect(await corrected('xylophone or sprng')).toBe('xylophone or spring');
    expect(await corrected('watre -watre')).toBe('water -watre');
    expect(await corrected('watre -water')).toBeUndefined();
    expect(await corrected('watre -wtaer')).toBe('water -wtaer');
    expect(await corrected('watre watre')).toBe('water water');
    expect(await corrected('watre spri*')).toBe('water spri*');
    expect(await corrected('sprinf*')).toBeUndefined();
    expect(await corrected('Ｗａｔｒｅ½')).toBeUndefined();
    expect(await corrected('sｐrınğg')).toBe('spring');
  });

  it('corrects other spellings', async () => {
    await add({ title: 'Müller Straße' }, { title: 'Juergen' });
    expect(await corrected('Muelller')).toBe('mueller');
    expect(await corrected('Mülle')).toBe('mueller');
    expect(await corrected('Mulle')).toBe('muller');
    expect(await corrected('Jürgn')).toBe('juergen');
    expect(await corrected('Strase')).toBe('strasse');
    expect(await corrected('Мюллер')).toBeUndefined();
  });

  it('does not make an operator of a word', async () => {
    await add({ title: 'either or' });
    expect(await corrected('either orr')).toBeUndefined();
    expect(await corrected('"either orr"')).toBe('"either or"');
    expect(await corrected('orr')).toBe('or');
  });

  it('corrects words that find something only by themselves', async () => {
    await add({ title: 'word form' }, { title: 'away from home' });
    expect(await corrected('form home')).toBe('from home');
    expect(await corrected('word home')).toBeUndefined();
  });

  it('prefers fewer edits, then words of more entries, then the alphabet', async () => {
    await add({ title: 'stationery' }, { title: 'carts' }, { title: 'carbs' }, { title: 'cards' }, { title: 'cards' });
    expect(await corrected('carxs')).toBe('cards');
    await add({ title: 'carts' });
    expect(await corrected('carxs')).toBe('cards');
    await add({ title: 'carts' });
    expect(await corrected('carxs')).toBe('carts');
    await add({ title: 'stationary' }, { title: 'stationary' });
    expect(await corrected('stationerx')).toBe('stationery');
  });

  it('corrects within the conditions of the list', async () => {
    await add({ title: 'tide', kind: 'news', price: 1 }, { title: 'tile', kind: 'blog', price: 2 });
    await add({ title: 'tile', kind: 'blog', price: 3 });
    expect(await corrected('tixe')).toBe('tile');
    expect(await corrected('tixe', '&filter[kind]=news')).toBe('tide');
    expect(await corrected('tide', '&filter[kind]=blog')).toBe('tile');
    expect(await corrected('tixe', `&where=${encodeURIComponent('{"price":{"gt":5}}')}`)).toBeUndefined();
    expect(await corrected('tixe', '&filter[status]=draft')).toBeUndefined();
    const page = await list('tixe', '&sort=price&filter[price][gt]=1');
    expect(page.data.map(({ fields }) => fields)).toMatchObject([{ price: 2 }, { price: 3 }]);
    await tenant.http.get(pathOf('tixe', '&filter[nope]=1')).expect(400);
  });

  it('reveals no words of drafts', async () => {
    await createEntries(tenant, type, [{ fields: { title: 'secret' } }, { fields: { title: 'secret' } }]);
    await tenant.http.put(type.path, { public: true }).expect(200);
    for (const http of [app.client(`Bearer ${tenant.publishedKey}`), app.client()]) {
      expect((await list('secrt', '', http)).meta).toEqual({ page: 1, per_page: 25, total: 0 });
    }
    expect(await corrected('secrt')).toBe('secret');
    await add({ title: 'secrete' });
    const page = await list('secret', '', app.client());
    expect([titles(page), page.meta.corrected]).toEqual(['secrete', 'secrete']);
    expect((await list('secret')).meta.corrected).toBeUndefined();
  });

  describe('with a word that only entries have which the reader may not see', () => {
    /** More entries with each word than are tested for the conditions. */
    const addMany = async (words: string, status: 'draft' | 'published', more: object = {}) => {
      const fields = { title: words, ...more };
      const operations = Array.from({ length: 120 }, () => ({ op: 'create', content_type: type.id, fields, status }));
      await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
    };
    const nothing = { page: 1, per_page: 25, total: 0 };

    it.each([
      ['an alternative that finds something', 'secrt or helo'],
      ['a phrase of an alternative', 'helo or other-secrt'],
      ['quotation marks', '"helo" or "secrt"'],
      ['both words of an alternative', 'helo or secrt seecret'],
      ['a stem that finds something', 'closedx'],
      ['a stem beside a seen word', 'helo closedx'],
    ])('reveals no word of many drafts with %s', async (_kind, search) => {
      await tenant.http.put(type.path, { public: true, language: 'en' }).expect(200);
      await addMany('secret other closed', 'draft');
      await add({ title: 'hello closing' });
      for (const http of [app.client(`Bearer ${tenant.publishedKey}`), app.client()]) {
        expect((await list(search, '', http)).meta.corrected ?? '').not.toMatch(/secret|closed\b/);
      }
      expect(await corrected(search)).toMatch(/secret|closed\b/);
    });

    it('is corrected to no word outside of the conditions of the list', async () => {
      await addMany('tide', 'published', { kind: 'news' });
      await add({ title: 'hello', kind: 'blog' });
      for (const more of ['&filter[kind]=blog', `&where=${encodeURIComponent('{"kind":"blog"}')}`]) {
        expect((await list('tixe or helo', more)).meta).toEqual(nothing);
      }
      expect(await corrected('tixe or helo')).toBe('tide or hello');
    });

    it('is corrected to it if one entry among many may be seen', async () => {
      await addMany('secret', 'draft');
      await add({ title: 'secret' }, { title: 'hello' });
      for (const search of ['secrt', 'secrt or helo']) {
        const { meta } = await list(search, '', app.client(`Bearer ${tenant.publishedKey}`));
        expect(meta.corrected).toBe(search.replace('secrt', 'secret').replace('helo', 'hello'));
      }
    });
  });

  it('works with the stems of a language', async () => {
    await tenant.http.put(type.path, { language: 'en' }).expect(200);
    await add({ title: 'Closures' });
    expect(await corrected('closure')).toBeUndefined();
    const page = await list('closuers', '&highlight=true');
    expect(page.meta.corrected).toBe('closures');
    expect(page.data[0]?.highlights).toEqual({ title: ['<mark>Closures</mark>'] });
  });

  it('highlights the corrected words', async () => {
    await add({ title: 'Hot water', body: '<p>Wtaer is water</p>' });
    const { data, meta } = await list('hott watre', '&highlight=true');
    expect(meta.corrected).toBe('hot water');
    expect(data[0]?.highlights).toEqual({
      title: ['<mark>Hot</mark> <mark>water</mark>'],
      body: ['Wtaer is <mark>water</mark>'],
    });
  });

  it('corrects the same on every page', async () => {
    await add(...Array.from({ length: 5 }, (_, index) => ({ title: 'water', price: index })));
    for (const sort of ['', '&sort=price']) {
      const seen: string[] = [];
      for (let page = 1; page <= 3; page++) {
        const { data, meta } = await list('watr', `${sort}&per_page=2&page=${page}`);
        expect(meta).toEqual({ page, per_page: 2, total: 5, corrected: 'water' });
        seen.push(...data.map(({ id }) => id));
      }
      expect(new Set(seen).size).toBe(5);
      expect((await list('watr', `${sort}&page=9`)).meta).toEqual({
        page: 9,
        per_page: 25,
        total: 5,
        corrected: 'water',
      });

      const walked: string[] = [];
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
        const { data, meta }: Page = await list('watr', `${sort}&per_page=2&cursor=${cursor}`);
        expect(meta.corrected).toBe('water');
        walked.push(...data.map(({ id }) => id));
        cursor = meta.next_cursor;
      }
      expect(walked).toEqual(seen);
    }
  });

  it('continues the corrected search with a cursor, also when the search finds something meanwhile', async () => {
    await add({ title: 'water' }, { title: 'water' });
    const first = await list('watr', '&per_page=1&cursor=');
    await add({ title: 'watr' });
    const second = await list('watr', `&per_page=1&cursor=${first.meta.next_cursor}`);
    expect(second.meta).toEqual({ per_page: 1, next_cursor: null, corrected: 'water' });
    expect(titles(second)).toBe('water');
    expect((await list('watr', '&cursor=')).meta).toEqual({ per_page: 25, next_cursor: null });
    expect((await list('watr')).meta).toEqual({ page: 1, per_page: 25, total: 1 });
  });

  it('accepts a cursor only for the same list', async () => {
    await add({ title: 'water' }, { title: 'water' }, { title: 'wadr' });
    const { next_cursor: next } = (await list('watr', '&per_page=1&cursor=')).meta;
    const [cursor = '', correction = ''] = (next ?? '').split('.');
    const other = Buffer.from('wadr').toString('base64url');
    const wrong = [
      cursor,
      `${cursor}.${other}`,
      `.${correction}`,
      `${next}.`,
      `${next}.${correction}`,
      `${cursor}.`,
      `${next}=`,
      '.',
      `${cursor}.AA`,
    ];
    for (const one of wrong) {
      const { body } = await tenant.http.get(pathOf('watr', `&per_page=1&cursor=${one}`)).expect(400);
      expect(body.errors[0].path).toBe('cursor');
    }
    await tenant.http.get(pathOf('wadr', `&cursor=${next}`)).expect(400);
    await tenant.http.get(pathOf('watr', `&cursor=${next}&sort=title`)).expect(400);
    await tenant.http.get(`${type.entries}?search=watr&cursor=${next}`).expect(400);
    await tenant.http.get(pathOf('watr', `&cursor=${next}`)).expect(200);
  });

  it('knows the words of new, changed and restored values, and forgets those that no entry has', async () => {
    const [id] = await add({ title: 'water' });
    expect(await corrected('watr')).toBe('water');
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { title: 'coffee' } }).expect(200);
    expect(await corrected('watr')).toBeUndefined();
    expect(await corrected('cofee')).toBe('coffee');
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { title: 'water' } }).expect(200);
    expect(await corrected('watr')).toBe('water');
    await expectConsistentContent(app.database, tenant.id);
    await tenant.http.delete(`${type.entries}/${id}`).expect(200);
    expect(await corrected('watr')).toBeUndefined();

    await add({ title: 'x', body: '<p>harbour</p>' });
    const without = FIELDS.filter(({ name }) => name !== 'body');
    await tenant.http.put(type.path, { fields: without }).expect(200);
    expect(await corrected('harbor')).toBeUndefined();
    // As if the word had been written before there was a dictionary.
    await app.database.query('DELETE FROM search_words WHERE tenant_id = $1', [tenant.id]);
    await tenant.http.put(type.path, { fields: FIELDS }).expect(200);
    expect(await corrected('harbor')).toBe('harbour');
    await expectConsistentContent(app.database, tenant.id);

    await tenant.http.delete(type.path).expect(200);
    expect(await app.database.query('SELECT FROM search_words WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it('knows only the words of the content type', async () => {
    const other = await createType(tenant, FIELDS);
    await createEntries(tenant, other, [{ fields: { title: 'water' } }]);
    await createEntries(app.tenant(), type, []).catch(() => undefined);
    await add({ title: 'coffee' });
    expect(await corrected('watr')).toBeUndefined();
  });

  it('costs a write of known words nothing', async () => {
    const query = jest.spyOn(app.get(Database), 'query');
    const sent = () =>
      query.mock.calls.flatMap(([, { name }, parameters]) =>
        name === 'entries.create' ? [(parameters as { newWords: string[] }).newWords] : [],
      );
    await add({ title: 'Hot water' }, { title: 'hot hot water' }, { title: 'Hot tea' });
    expect(sent()).toEqual([['hot', 'water'], [], ['tea']]);
    query.mockRestore();
  });

  it('does not lock up writers of the same new words', async () => {
    const next = integersFrom(20_260_102);
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`);
    const titlesOfAll = Array.from({ length: 40 }, () => Array.from({ length: 60 }, () => words[next(300)]).join(' '));
    await Promise.all(titlesOfAll.map((title) => add({ title })));
    await expectConsistentContent(app.database, tenant.id);
  });

  it('learns the first 10,000 different words of an entry, and finds others nevertheless', async () => {
    const body = `<p>${Array.from({ length: 60_000 }, (_, index) => `w${index.toString(36)}x`).join(' ')}</p>`;
    await add({ title: 'many', body });
    const [row] = await app.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM search_words WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(row?.count).toBe(10_000);
    expect((await list(`w${(59_999).toString(36)}x`)).meta.total).toBe(1);
    expect((await list('wzzzzx')).meta).toEqual({ page: 1, per_page: 25, total: 0 });
    await add({ title: 'few', body: '<p>water</p>' });
    expect(await corrected('watr')).toBe('water');
  });

  it('finds the words that brute force finds', async () => {
    const next = integersFrom(20_260_103);
    const letters = [...'abcdeé𝔘'];
    const word = (length: number) => Array.from({ length }, () => letters[next(letters.length)]).join('');
    const dictionary = [...new Set(Array.from({ length: 4_000 }, () => foldWords(word(2 + next(9)))))];
    const edited = (text: string) => {
      const characters = [...text];
      const at = next(characters.length);
      const letter = letters[next(letters.length)] ?? '';
      if (next(3) === 0) characters.splice(at, 0, letter);
      else if (next(2) === 0) characters.splice(at, 1, letter);
      else characters.splice(at, 2, characters[at + 1] ?? '', characters[at] ?? '');
      return foldWords(characters.join(''));
    };
    for (let from = 0; from < dictionary.length; from += 1_000) {
      await add({ title: 'words', body: `<p>${dictionary.slice(from, from + 1_000).join(' ')}</p>` });
    }
    let found = 0;
    for (let count = 0; count < 100; count++) {
      const search = edited(edited(dictionary[next(dictionary.length)] ?? ''));
      if (dictionary.includes(search) || !isDictionaryWord(search)) continue;
      const near = dictionary.filter((one) => editDistance(search, one, 2) <= maxDistance(search));
      const correction = await corrected(search);
      expect({ search, isFound: correction !== undefined }).toEqual({ search, isFound: near.length > 0 });
      const least = Math.min(...near.map((one) => editDistance(search, one, 2)));
      if (correction !== undefined) expect(editDistance(search, correction, 2)).toBe(least);
      if (correction !== undefined) found++;
    }
    expect(found).toBeGreaterThan(30);
  });
});

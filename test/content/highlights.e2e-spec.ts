import { heavyWork } from '../../src/admission/heavy-work.js';
import { LARGE_BYTES } from '../../src/lists/large-json.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'kind', type: 'select', options: ['Blue whale', 'other'] },
  { name: 'email', type: 'email' },
  { name: 'url', type: 'url' },
  { name: 'price', type: 'number' },
  { name: 'cover', type: 'media' },
  { name: 'extra', type: 'json' },
];

type Highlights = Record<string, string[]>;
interface Page {
  data: { id: string; fields: { title?: string }; highlights?: Highlights }[];
  meta: { total?: number; next_cursor?: string | null };
}

describe('highlights', () => {
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
    `${type.entries}?search=${encodeURIComponent(search)}&highlight=true${more}`;
  const list = async (search: string, more = ''): Promise<Page> =>
    (await tenant.http.get(pathOf(search, more)).expect(200)).body as Page;
  const highlights = async (search: string, more = ''): Promise<(Highlights | undefined)[]> =>
    (await list(search, more)).data.map((entry) => entry.highlights);

  it('need a search, and are true or false', async () => {
    for (const query of [
      'highlight=true',
      'highlight=true&sort=title',
      'highlight=',
      'highlight=1',
      'highlight=TRUE&search=a',
    ]) {
      const { body } = await tenant.http.get(`${type.entries}?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'highlight' }] });
    }
    await tenant.http.get(`${type.entries}?highlight=true&highlight=true&search=a`).expect(400);
  });

  it('are missing without the parameter, with false, and in the response for one entry', async () => {
    const [id] = await add({ title: 'Tide' });
    const plain = await tenant.http.get(`${type.entries}?search=tide`).expect(200);
    const without = await tenant.http.get(`${type.entries}?search=tide&highlight=false`).expect(200);
    expect(without.text).toBe(plain.text);
    expect(plain.text).not.toContain('highlights');
    await tenant.http.get(`${type.entries}?highlight=false`).expect(200);
    const one = await tenant.http.get(`${type.entries}/${id}`).expect(200);
    expect(one.body.data).not.toHaveProperty('highlights');
  });

  it('name the fields that match, and only those', async () => {
    await add({
      title: 'Spring tide & "neap" <tide>',
      body: '<h2>Tides</h2>\n<p>The <b>ti</b>de&amp;moon</p><script>tide</script>',
      tags: ['sea', 'high tide', 'tide'],
      kind: 'Blue whale',
      email: 'tide@example.com',
      url: 'https://example.com/tide',
      price: 7,
      cover: { url: 'https://example.com/tide.png', alt: 'The tide' },
      extra: { tide: 'tide' },
    });
    expect(await highlights('tide')).toEqual([
      {
        title: ['Spring <mark>tide</mark> &amp; &quot;neap&quot; &lt;<mark>tide</mark>&gt;'],
        body: ['Tides The <mark>tide</mark>&amp;moon'],
        tags: ['high <mark>tide</mark>', '<mark>tide</mark>'],
        email: ['<mark>tide</mark>@example.com'],
        url: ['https://example.com/<mark>tide</mark>'],
        cover: ['The <mark>tide</mark>'],
      },
    ]);
    expect(await highlights('whale tide -sun')).toMatchObject([{ kind: ['Blue <mark>whale</mark>'] }]);
    expect(await highlights('7')).toEqual([{ price: ['<mark>7</mark>'] }]);
  });

  it('show the target of a link and the alternative text of an image only if they match', async () => {
    const body = '<p>See <a href="https://moon.example/phases">this</a> <img src="x" alt="A full moon"> page</p>';
    await add({ body });
    expect(await highlights('this')).toEqual([{ body: ['See <mark>this</mark> page'] }]);
    expect(await highlights('moon')).toEqual([
      { body: ['https://<mark>moon</mark>.example/phases', 'A full <mark>moon</mark>'] },
    ]);
  });

  it('are empty for an entry that only exclusions found, and for a blank search', async () => {
    await add({ title: 'Tide' });
    expect(await highlights('-moon')).toEqual([{}]);
    expect(await highlights('tide or -moon')).toEqual([{ title: ['<mark>Tide</mark>'] }]);
    expect(await highlights('')).toEqual([{}]);
    expect(await highlights(' ', '&sort=title')).toEqual([{}]);
  });

  it('mark what search finds: other spellings, names with signs, beginnings, phrases, emoji', async () => {
    await add({ title: 'Größe, Groesse; C++ and C; spring tides, tides; 日本語 ❤️' });
    const marks = async (search: string) =>
      ((await highlights(search))[0]?.['title']?.[0] ?? '').match(/(?<=<mark>).*?(?=<\/mark>)/g) ?? [];
    expect(await marks('groesse')).toEqual(['Größe', 'Groesse']);
    expect(await marks('c++')).toEqual(['C++']);
    expect(await marks('c')).toEqual(['C', 'C']);
    expect(await marks('tid*')).toEqual(['tides', 'tides']);
    expect(await marks('"spring tides"')).toEqual(['spring tides']);
    expect(await marks('本語 ❤')).toEqual(['本語', '❤️']);
  });

  it('mark every word that a search finds by its stem', async () => {
    const marks = async (search: string) =>
      (await highlights(search)).map((one) => JSON.stringify(one).match(/(?<=<mark>).*?(?=<\/mark>)/g));
    await tenant.http.put(type.path, { language: 'en' }).expect(200);
    await add({ title: 'Closures', body: '<p>A <b>clo</b>sure, an enclosure</p>', tags: ['closure closed'] });
    expect(await marks('closure')).toEqual([['Closures', 'closure', 'closure']]);
    expect(await marks('closure -moon')).toEqual([['Closures', 'closure', 'closure']]);
    expect(await marks('"closure"')).toEqual([['closure', 'closure']]);
    expect(await marks('closur*')).toEqual([['Closures', 'closure', 'closure']]);
    expect(await marks('-moon')).toEqual([null]);
    await tenant.http.put(type.path, { language: 'fr' }).expect(200);
    await add({ title: 'Une pomme mangée' });
    expect(await marks('manger')).toEqual([['mangée']]);
    await tenant.http.put(type.path, { language: null }).expect(200);
    expect(await marks('closure')).toEqual([['closure', 'closure']]);
  });

  it('have at most three fragments a field, each of about 160 characters', async () => {
    const gap = 'lorem ipsum dolor sit amet '.repeat(20);
    await add({
      body: `<p>${['one', 'two', 'three', 'four'].map((name) => `tide ${name}`).join(`</p><p>${gap}`)} moon</p>`,
    });
    const [found] = await highlights('tide moon');
    const fragments = found?.['body'] ?? [];
    expect(fragments.map((one) => one.match(/one|two|three|four/)?.[0])).toEqual(['one', 'two', 'four']);
    for (const fragment of fragments) expect(fragment.replace(/<\/?mark>/g, '').length).toBeLessThan(170);
    expect(fragments[0]).toMatch(/^<mark>tide<\/mark> one lorem .* …$/);
    expect(fragments[1]).toMatch(/^… .* <mark>tide<\/mark> two .* …$/);
    expect(fragments[2]).toMatch(/^… .* <mark>tide<\/mark> four <mark>moon<\/mark>$/);
  });

  it('work with sort, filter and cursor, and a cursor is valid with and without them', async () => {
    await add({ title: 'tide a', price: 1 }, { title: 'tide b', price: 2 }, { title: 'tide c', price: 3 });
    const sorted = await list('tide', '&sort=-price&filter[price][gte]=2');
    expect(sorted.data.map((entry) => entry.highlights)).toEqual([
      { title: ['<mark>tide</mark> c'] },
      { title: ['<mark>tide</mark> b'] },
    ]);
    for (const more of ['', '&sort=price']) {
      const first = await list('tide', `${more}&cursor=&per_page=2`);
      expect(first.data).toHaveLength(2);
      const next = `&cursor=${first.meta.next_cursor}&per_page=2${more}`;
      const second = await list('tide', next);
      expect(second.data.map((entry) => Object.keys(entry.highlights ?? {}))).toEqual([['title']]);
      const { body } = await tenant.http.get(`${type.entries}?search=tide${next}`).expect(200);
      expect((body as Page).data.map(({ id }) => id)).toEqual(second.data.map(({ id }) => id));
    }
  });

  it('of large entries are the same as of small ones, in the order of the list', async () => {
    const filler = 'lorem ipsum '.repeat(LARGE_BYTES / 12);
    const texts = [
      'tide one',
      `${filler} tide two`,
      'tide three',
      `tide four ${filler}`,
      `${filler.repeat(4)} "tide" five`,
    ];
    await add(...texts.map((text, price) => ({ title: text, body: `<p>${text}</p>`, price })));
    const { text } = await tenant.http.get(pathOf('tide', '&sort=price')).expect(200);
    const { data } = JSON.parse(text) as Page;
    const [one, two, three, four, five] = data.map((entry) => entry.highlights);
    expect(one).toEqual({ title: ['<mark>tide</mark> one'], body: ['<mark>tide</mark> one'] });
    expect(two?.['title']?.[0]).toMatch(/^… .*ipsum {2}<mark>tide<\/mark> two$/);
    expect(two?.['body']?.[0]).toMatch(/^… .*ipsum <mark>tide<\/mark> two$/);
    expect(three).toEqual({ title: ['<mark>tide</mark> three'], body: ['<mark>tide</mark> three'] });
    expect(four?.['body']?.[0]).toMatch(/^<mark>tide<\/mark> four lorem .* …$/);
    expect(five?.['body']?.[0]).toMatch(/^… .* &quot;<mark>tide<\/mark>&quot; five$/);
    // Besides the highlights, the response is the same.
    const { body } = await tenant.http.get(`${type.entries}?search=tide&sort=price`).expect(200);
    for (const entry of data) delete entry.highlights;
    expect(data).toEqual((body as Page).data);
  });

  it('of many or large entries take turns', async () => {
    await add({ title: `${'a'.repeat(20_000)} tide` }, { title: `${'tide '.repeat(20_000)}` });
    const run = jest.spyOn(heavyWork, 'run');
    try {
      expect(await highlights('tide')).toHaveLength(2);
      expect(run.mock.calls.map(([key]) => key)).toEqual([tenant.id, tenant.id]);
    } finally {
      run.mockRestore();
    }
  });

  it('of an entry have at most 64 KiB', async () => {
    const fields = Array.from({ length: 90 }, (_, index) => ({ name: `f${index}`, type: 'text' }));
    type = await createType(tenant, fields, 'Wide');
    await add(Object.fromEntries(fields.map(({ name }) => [name, 'a"'.repeat(240)])));
    const [found] = await highlights('a');
    const { length } = JSON.stringify(found);
    expect(length).toBeLessThanOrEqual(65_536);
    expect(length).toBeGreaterThan(60_000);
    expect(found).toHaveProperty('f0');
  });

  it('show keys that read only published entries, and visitors, only these', async () => {
    await tenant.http.put(type.path, { public: true }).expect(200);
    await add({ title: 'tide one' });
    await createEntries(tenant, type, [{ fields: { title: 'tide two' } }]);
    const expected = [{ title: ['<mark>tide</mark> one'] }];
    for (const client of [app.client(`Bearer ${tenant.publishedKey}`), app.client()]) {
      const { body } = await client.get(pathOf('tide')).expect(200);
      expect((body as Page).data.map((entry) => entry.highlights)).toEqual(expected);
    }
  });

  it('of public lists have ETags of their own', async () => {
    await tenant.http.put(type.path, { public: true }).expect(200);
    await add({ title: 'tide moon' });
    const visitor = app.client();
    const etagOf = async (query: string) =>
      (await visitor.get(`${type.entries}?${query}`).expect(200)).headers['etag'] as string;
    const queries = ['search=tide', 'search=tide&highlight=true', 'search=moon&highlight=true'];
    const etags = await Promise.all(queries.map(etagOf));
    expect(new Set(etags).size).toBe(3);
    expect(await etagOf('search=tide&highlight=false')).toBe(etags[0]);
    for (const [index, query] of queries.entries()) {
      const known = app.client(undefined, { 'If-None-Match': etags[index] ?? '' });
      await known.get(`${type.entries}?${query}`).expect(304);
    }
  });
});

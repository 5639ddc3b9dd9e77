import fc from 'fast-check';
import { createDrafts, createEntries, createType, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';

const FIELDS = (target: string) => [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number' },
  { name: 'stock', type: 'integer' },
  { name: 'active', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'moment', type: 'datetime' },
  { name: 'mail', type: 'email' },
  { name: 'link', type: 'url' },
  { name: 'kind', type: 'select', options: ['a|b', '=c', '\\'] },
  { name: 'kinds', type: 'select', options: ['a|b', '=c', '\\'], multiple: true },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'sizes', type: 'number', multiple: true },
  { name: 'cover', type: 'media' },
  { name: 'covers', type: 'media', multiple: true },
  { name: 'extra', type: 'json' },
  { name: 'author', type: 'reference', content_type: target },
  { name: 'authors', type: 'reference', content_type: target, multiple: true },
  {
    name: 'seo',
    type: 'group',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'notes', type: 'text', multiple: true },
    ],
  },
  {
    name: 'sections',
    type: 'blocks',
    blocks: [
      {
        name: 'quote',
        fields: [
          { name: 'text', type: 'text' },
          { name: 'by', type: 'reference', content_type: target },
        ],
      },
      { name: 'line', fields: [] },
    ],
  },
];

describe('an export', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({});
  });
  afterAll(() => app.close());

  async function read(tenant: TestTenant, type: TestType, query = '', key = tenant.key) {
    const response = await fetch(`${app.url}${type.entries}/export?${query}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  }

  async function load(tenant: TestTenant, type: TestType, format: string, body: string) {
    const contentType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': contentType };
    const response = await fetch(`${app.url}${type.entries}/import`, { method: 'POST', headers, body });
    const lines = (await response.text()).trim().split('\n');
    return JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
  }

  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: string; fields: Record<string, unknown>; status: string });

  it('needs a key that may read content, and shows published entries only to a key for those', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createEntries(tenant, type, [{ fields: { title: 'a' } }, { fields: { title: 'b' }, status: 'published' }]);
    expect((await read(tenant, type, '', 'nope')).status).toBe(401);
    expect((await read(tenant, type, '', app.tenant().key)).status).toBe(403);
    const { text } = await read(tenant, type, '', tenant.publishedKey);
    expect(linesOf(text).map(({ fields }) => fields['title'])).toEqual(['b']);
  });

  it('has the entries of the same list, in its order, with its fields', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'price', type: 'number' },
    ]);
    const count = 230;
    const lines = Array.from({ length: count }, (_, index) => ({
      fields: { title: `Title ${index}`, price: index % 7 },
    }));
    await load(tenant, type, 'ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    for (const query of ['', 'sort=-price,title', 'filter[price][gte]=3&sort=price', 'search=title', 'select=title']) {
      const pages = [];
      for (let page = 1; page <= 3; page++) {
        pages.push(
          ...(await tenant.http.get(`${type.entries}?per_page=100&page=${page}&${query}`).expect(200)).body.data,
        );
      }
      const { text, type: contentType } = await read(tenant, type, query);
      expect(contentType).toBe('application/x-ndjson; charset=utf-8');
      expect(linesOf(text)).toEqual(pages.map(({ content_type_id: _type, ...entry }) => entry));
    }
  });

  it('has large entries too', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const titles = ['small', 'x'.repeat(200_000), 'last'];
    await createDrafts(tenant, type, ...titles.map((title) => ({ title })));
    const { text } = await read(tenant, type, 'sort=id');
    expect(linesOf(text).map(({ fields }) => fields['title'])).toEqual(titles);
    expect((await read(tenant, type, 'sort=id&format=csv')).text).toBe(
      `title,status\r\n${titles.map((title) => `${title},draft\r\n`).join('')}`,
    );
  });

  it('is refused like the list', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    for (const query of ['sort=nope', 'filter[nope]=1', 'format=xml', 'select=nope', 'page=1', 'where={']) {
      expect((await read(tenant, type, query)).status).toBe(400);
    }
    expect((await read(tenant, { ...type, entries: `${type.path}x/entries` })).status).toBe(404);
    expect((await read(tenant, type, 'format=csv')).text).toBe('title,status\r\n');
    expect((await read(tenant, type)).text).toBe('');
  });

  it('protects spreadsheets from formulas', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'price', type: 'number' },
    ]);
    await createDrafts(tenant, type, { title: '=HYPERLINK("x")', price: -1 });
    expect((await read(tenant, type, 'format=csv')).text).toBe(
      'title,price,status\r\n"\'=HYPERLINK(""x"")",-1,draft\r\n',
    );
  });

  it('begins with a byte order mark if CSV shall have one, which an import skips', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createDrafts(tenant, type, { title: 'ü' });
    const { text } = await read(tenant, type, 'format=csv&bom=true');
    // Reading the response as text takes the mark off.
    const response = await fetch(`${app.url}${type.entries}/export?format=csv&bom=true`, {
      headers: { Authorization: `Bearer ${tenant.key}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('hex', 0, 3)).toBe('efbbbf');
    expect(text).toBe('title,status\r\nü,draft\r\n');
    expect(await load(tenant, type, 'csv', bytes.toString())).toMatchObject({ created: 1, failed: 0 });
    expect((await read(tenant, type, 'bom=true')).text).toMatch(/^{"id"/);
    expect((await read(tenant, type, 'bom=yes')).status).toBe(400);
  });

  it('has no references to entries that are gone, except required ones, so that it can be imported', async () => {
    const tenant = app.tenant();
    const target = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const reference = { type: 'reference', content_type: target.id };
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'author', ...reference },
      { name: 'authors', ...reference, multiple: true },
      {
        name: 'seo',
        type: 'group',
        fields: [
          { name: 'by', ...reference },
          { name: 'n', type: 'number' },
        ],
      },
      { name: 'sections', type: 'blocks', blocks: [{ name: 'quote', fields: [{ name: 'by', ...reference }] }] },
    ];
    const type = await createType(tenant, fields, 'Post');
    const [gone, kept] = await createDrafts(tenant, target, { name: 'a' }, { name: 'b' });
    const values = (one: unknown, others: unknown[]) => ({
      author: one,
      authors: others,
      seo: { by: one, n: 1 },
      sections: [{ block: 'quote', by: one }],
    });
    await createDrafts(
      tenant,
      type,
      { title: 'one', ...values(gone, [gone, kept]) },
      { title: 'two', ...values(kept, [kept]) },
      { title: 'three', authors: [gone] },
    );
    await tenant.http.delete(`${target.entries}/${gone}`).expect(200);
    const found = linesOf((await read(tenant, type, 'sort=id')).text).map((line) => line.fields);
    expect(found).toEqual([
      { title: 'one', authors: [kept], seo: { n: 1 }, sections: [{ block: 'quote' }] },
      { title: 'two', ...values(kept, [kept]) },
      { title: 'three' },
    ]);
    expect(linesOf((await read(tenant, type, 'sort=id&select=author,title')).text)[0]?.fields).toEqual({
      title: 'one',
    });
    for (const format of ['ndjson', 'csv']) {
      const copy = await createType(tenant, fields, format);
      const exported = (await read(tenant, type, `format=${format}`)).text;
      expect(await load(tenant, copy, format, exported)).toMatchObject({ created: 3, failed: 0 });
    }
    // The entry itself still has it.
    expect((await tenant.http.get(`${type.entries}?filter[title]=one`)).body.data[0].fields.author).toBe(gone);
  });

  it('keeps a required reference to an entry that is gone, which an import names', async () => {
    const tenant = app.tenant();
    const target = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const fields = [{ name: 'author', type: 'reference', content_type: target.id, required: true }];
    const type = await createType(tenant, fields, 'Post');
    const [gone] = await createDrafts(tenant, target, { name: 'a' });
    await createDrafts(tenant, type, { author: gone });
    await tenant.http.delete(`${target.entries}/${gone}`).expect(200);
    const exported = (await read(tenant, type)).text;
    expect(linesOf(exported)[0]?.fields).toEqual({ author: gone });
    expect(await load(tenant, type, 'ndjson', exported)).toMatchObject({ created: 0, failed: 1 });
  });

  it('is imported again with the same values, whatever they are', async () => {
    const tenant = app.tenant();
    const target = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const authors = await createDrafts(tenant, target, { name: 'a' }, { name: 'b' });
    const type = await createType(tenant, FIELDS(target.id), 'From');
    const text = fc.string({
      unit: fc.constantFrom(...`a|\\='"-+@,;\t\r\n ü🐚<＝＋－＠\u200b`),
      minLength: 1,
      maxLength: 6,
    });
    const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const list = <Value>(value: fc.Arbitrary<Value>) => optional(fc.array(value, { minLength: 1, maxLength: 3 }));
    const media = fc.record({ url: fc.constant('https://a.example/=x|y.png'), alt: text });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
    const kind = fc.constantFrom('a|b', '=c', '\\');
    const entry = fc.record({
      title: optional(text),
      body: optional(text),
      price: optional(number),
      stock: optional(fc.integer()),
      active: optional(fc.boolean()),
      day: optional(fc.constant('2026-01-31')),
      moment: optional(fc.constantFrom('2026-01-31T09:30:00+01:00', '2026-01-31T09:30:00Z')),
      mail: optional(fc.constant('-a+b@example.com')),
      link: optional(fc.constant('https://a.example/?a=b,c')),
      kind: optional(kind),
      kinds: list(kind),
      tags: list(text),
      sizes: list(number),
      cover: optional(media),
      covers: list(media),
      extra: optional(
        fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null && !JSON.stringify(value).includes('-0')),
      ),
      author: optional(fc.constantFrom(...authors)),
      authors: list(fc.constantFrom(...authors)),
      seo: optional(fc.record({ title: text, notes: fc.array(text, { minLength: 1, maxLength: 2 }) })),
      sections: list(
        fc.oneof(
          fc.record({ block: fc.constant('quote'), text, by: fc.constantFrom(...authors) }),
          fc.constant({ block: 'line' }),
        ),
      ),
    });
    const line = fc.record({ fields: entry, status: fc.constantFrom('draft', 'published') });
    const samples = fc.sample(line, 150).map((one) => JSON.stringify(one));
    expect(await load(tenant, type, 'ndjson', samples.join('\n'))).toMatchObject({ created: 150, failed: 0 });
    const original = linesOf((await read(tenant, type, 'sort=id')).text);
    expect(original.map(({ fields, status }) => ({ fields, status }))).toEqual(samples.map((one) => JSON.parse(one)));
    for (const format of ['ndjson', 'csv']) {
      const copy = await createType(tenant, FIELDS(target.id), format);
      const exported = (await read(tenant, type, `sort=id&format=${format}`)).text;
      expect(await load(tenant, copy, format, exported)).toMatchObject({ created: 150, failed: 0 });
      const copies = linesOf((await read(tenant, copy, 'sort=id')).text);
      expect(copies.map(({ fields, status }) => ({ fields, status }))).toEqual(
        original.map(({ fields, status }) => ({ fields, status })),
      );
    }
  });
});

import fc from 'fast-check';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { readEntryList, resolveConditions } from '../../src/content/lists/entry-list-request.js';
import { readSort, resolveSort } from '../../src/content/lists/entry-sort.js';
import { entryTable } from '../../src/content/lists/entry-table.js';
import { EntryNames } from '../../src/content/lists/entry-names.js';
import { Database } from '../../src/database/database.js';
import { Schema } from '../../src/fields/schema.js';
import type { Query } from '../../src/http/query.js';
import { parseId } from '../../src/ids/type-id.js';
import { isDriving } from '../../src/lists/conditions/driving-conditions.js';
import { encodeCursor } from '../../src/lists/cursor.js';
import type { AccessPath, ListQuery, Segment } from '../../src/lists/engine/list-query.js';
import { ListStatement } from '../../src/lists/engine/list-statement.js';
import { searchMatch } from '../../src/search/search-match.js';
import { readSearch } from '../../src/search/search-query.js';
import { partitionOf } from '../../src/search/words.js';
import { FileUrls } from '../../src/tenants/file-urls.js';
import { createDrafts, createEntries, createType, LISTED_FIELDS, titlesOf, type TestType } from '../support/content.js';
import { propertyRuns } from '../support/property-runs.js';

interface Page {
  data: { id: string }[];
  meta: { next_cursor: string | null };
}

describe('lists of entries', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, LISTED_FIELDS);
  });

  const list = (query: string) => tenant.http.get(`${type.entries}?${query}`);
  const titles = async (query: string): Promise<unknown[]> => {
    const { body } = await list(query).expect(200);
    return titlesOf(body);
  };
  const add = (...values: object[]) => createDrafts(tenant, type, ...values);

  it('reject requests without a key, for another tenant and for an unknown type', async () => {
    await app.client().get(type.entries).expect(401);
    await app.tenant().http.get(type.entries).expect(403);
    await tenant.http.get(type.entries.replace(/ct_./, 'ct_7')).expect(404);
  });

  it('of an empty type are an empty page', async () => {
    const { body } = await list('').expect(200);
    expect(body).toEqual({ data: [], meta: { page: 1, per_page: 25, total: 0 } });
  });

  it('show the newest first, in pages that do not overlap', async () => {
    const ids = await add(...Array.from({ length: 7 }, (_, index) => ({ title: `t${index}` })));
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { body } = await list(`page=${page}&per_page=3`).expect(200);
      expect(body.meta).toEqual({ page, per_page: 3, total: 7 });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
    }
    expect(seen).toEqual([...ids].reverse());
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'per_page=0',
    'per_page=101',
    'per_page=1e2',
    'page=1&page=2',
  ])('answer 400 to %s', async (query) => {
    const { body } = await list(query).expect(400);
    expect(body.code).toBe('invalid_parameter');
  });

  it.each([
    ['foo=1', 'unknown_parameter'],
    ['filter[nope]=1', 'unknown_field'],
    ['filter[__proto__]=1', 'unknown_field'],
    ['filter[title][like]=1', 'invalid_parameter'],
    ['filter[title][]=1', 'invalid_parameter'],
    ['filter[title]=1&filter[title]=2', 'invalid_parameter'],
    ['filter[title][eq][x]=1', 'invalid_parameter'],
    ['filter=1', 'unknown_parameter'],
    ['filter[price]=abc', 'invalid_parameter'],
    ['filter[price]=', 'invalid_parameter'],
    ['filter[price]=Infinity', 'invalid_parameter'],
    ['filter[stock]=1.5', 'invalid_parameter'],
    ['filter[active]=yes', 'invalid_parameter'],
    ['filter[day]=2026-02-30', 'invalid_parameter'],
    ['filter[moment]=2026-02-30', 'invalid_parameter'],
    ['filter[moment]=2026-02-01T09:30', 'invalid_parameter'],
    ['filter[moment]=2026-02-01T09:30 1:00', 'invalid_parameter'],
    ['filter[moment]=2026-02-01 09:30', 'invalid_parameter'],
    ['filter[kind]=[object Object]', 'invalid_parameter'],
    ['filter[kind][ne]=d', 'invalid_parameter'],
    ['filter[kind][in]=a,d', 'invalid_parameter'],
    ['filter[cover]=[object Object]', 'invalid_parameter'],
    ['filter[extra]=1', 'invalid_parameter'],
    ['filter[price][contains]=1', 'invalid_parameter'],
    ['filter[status]=gone', 'invalid_parameter'],
    ['filter[id]=nope', 'invalid_parameter'],
    ['filter[created_at]=yesterday', 'invalid_parameter'],
    ['filter[title][exists]=maybe', 'invalid_parameter'],
    ['filter[title]=%00', 'invalid_parameter'],
    ['search=%00', 'invalid_parameter'],
    ['sort=nope', 'unknown_field'],
    ['sort=cover', 'invalid_parameter'],
    ['sort=extra', 'invalid_parameter'],
    ['sort=', 'unknown_field'],
    ['sort=title,price,stock,day', 'invalid_parameter'],
    ['sort=title,-title', 'invalid_parameter'],
    ['cursor=abc', 'invalid_parameter'],
    ['cursor=&page=1', 'invalid_parameter'],
  ])('answer 400 to %s with %s', async (query, code) => {
    const { body } = await list(query).expect(400);
    expect(body.code).toBe(code);
  });

  it('sort text alphabetically, and put entries without the value last in both directions', async () => {
    await add(
      { title: 'Zebra' },
      { title: 'éclair' },
      { price: 1 },
      { title: 'Eclipse' },
      { title: 'apple' },
      { title: 'Banana' },
    );
    expect(await titles('sort=title')).toEqual(['apple', 'Banana', 'éclair', 'Eclipse', 'Zebra', undefined]);
    expect(await titles('sort=-title')).toEqual(['Zebra', 'Eclipse', 'éclair', 'Banana', 'apple', undefined]);
  });

  it('sort numbers, dates and lists by value', async () => {
    await add(
      { title: 'a', price: -5, moment: '2026-01-01T12:00:00+02:00', tags: ['m', 'z'] },
      { title: 'b', price: 10, moment: '2026-01-01T09:00:00Z', tags: ['k'] },
      { title: 'c', price: 9.5, moment: '2026-01-01T10:00:00.5Z', tags: ['l', 'a'] },
    );
    expect(await titles('sort=price')).toEqual(['a', 'c', 'b']);
    expect(await titles('sort=moment')).toEqual(['b', 'a', 'c']);
    expect(await titles('sort=tags')).toEqual(['c', 'b', 'a']);
  });

  it('order texts that differ only in case and accents by the next sort field, then by ID', async () => {
    const names = ['APPLE', 'Apple', 'aPPle', 'apple', 'ápple', 'Ápple', 'apple'];
    const ids = await add(...names.map((title, index) => ({ title, price: (index * 3) % 7, tags: [title, 'zoo'] })));
    const found = async (query: string) => {
      const { body } = await list(query).expect(200);
      return body.data.map(({ id }: { id: string }) => ids.indexOf(id));
    };
    const inOrder = [...names.keys()];
    const byPrice = inOrder.sort((a, b) => ((a * 3) % 7) - ((b * 3) % 7));
    expect(await found('sort=title')).toEqual([...names.keys()]);
    expect(await found('sort=-title')).toEqual([...names.keys()].reverse());
    expect(await found('sort=tags')).toEqual([...names.keys()]);
    expect(await found('sort=title,price')).toEqual(byPrice);
    expect(await found('sort=-title,-price')).toEqual([...byPrice].reverse());
    expect(await found('filter[title]=apple&sort=id')).toEqual([3, 6]);
    expect(await found('filter[title][in]=apple,Ápple&sort=id')).toEqual([3, 5, 6]);
    expect(await found('filter[tags][in]=apple,Apple,zoo&sort=id')).toEqual([...names.keys()]);
    expect(await found('filter[title][ne]=apple&sort=id')).toEqual([0, 1, 2, 4, 5]);
    expect(await found('filter[title][gt]=apple')).toEqual([]);
    expect(await found('filter[title][gte]=ápple&filter[title][lte]=APPLE&sort=title')).toEqual([...names.keys()]);
    const paged = await Promise.all([1, 2, 3].map((page) => found(`sort=title&per_page=3&page=${page}`)));
    expect(paged.flat()).toEqual([...names.keys()]);
  });

  it('filter by every operator', async () => {
    await add(
      { title: 'Alpha', price: 1, active: true, day: '2026-01-01', kind: 'a', tags: ['x', 'y'] },
      { title: 'alpha', price: 2, active: false, day: '2026-01-02', kind: 'b', tags: ['y'] },
      { title: '100%_sure', price: 3, cover: { url: 'https://cdn.example/a.jpg', alt: '' } },
      { title: 'Écru' },
    );
    const found = async (query: string) => (await titles(`${query}&sort=id`)).join();
    expect(await found('filter[title]=Alpha')).toBe('Alpha');
    expect(await found('filter[title][eq]=alpha')).toBe('alpha');
    expect(await found('filter[title][ne]=alpha')).toBe('Alpha,100%_sure,Écru');
    expect(await found('filter[price][ne]=1')).toBe('alpha,100%_sure,Écru');
    expect(await found('filter[price][in]=1,3')).toBe('Alpha,100%_sure');
    expect(await found('filter[price][gt]=1')).toBe('alpha,100%_sure');
    expect(await found('filter[price][gte]=2&filter[price][lt]=3')).toBe('alpha');
    expect(await found('filter[price][lte]=1.0')).toBe('Alpha');
    expect(await found('filter[active]=true')).toBe('Alpha');
    expect(await found('filter[day][gt]=2026-01-01')).toBe('alpha');
    expect(await found('filter[kind][in]=a,b')).toBe('Alpha,alpha');
    expect(await found('filter[tags]=y')).toBe('Alpha,alpha');
    expect(await found('filter[tags][ne]=x')).toBe('alpha,100%_sure,Écru');
    expect(await found('filter[tags][contains]=X')).toBe('Alpha');
    expect(await found('filter[price][exists]=false')).toBe('Écru');
    expect(await found('filter[price][exists]=true')).toBe('Alpha,alpha,100%_sure');
    expect(await found('filter[title][contains]=LPH')).toBe('Alpha,alpha');
    expect(await found('filter[title][contains]=%25_')).toBe('100%_sure');
    expect(await found('filter[title][contains]=0_')).toBe('');
    expect(await found('filter[title][starts_with]=é')).toBe('Écru');
    expect(await found('filter[title][starts_with]=e')).toBe('');
    expect(await found('filter[title][starts_with]=ALP')).toBe('Alpha,alpha');
    expect(await found('filter[title][gte]=b')).toBe('Écru');
    expect(await found('filter[cover]=https://cdn.example/a.jpg')).toBe('100%_sure');
    expect(await found('filter[cover][contains]=CDN')).toBe('100%_sure');
    expect(await found('filter[cover][exists]=true')).toBe('100%_sure');
  });

  it('find parts of texts of any script and length, without regard to case and accents', async () => {
    const long = `${'Überlänge '.repeat(60)}Ende`;
    const texts = [
      ...[
        'apple',
        'Apple pie',
        'ÄPFEL',
        'äpfel',
        'Crème brûlée',
        'creme',
        'straße',
        'STRASSE',
        '100%_sure',
        ' a\tb ',
        '\u0001A',
      ],
      ...[
        'ΟΔΟΣ',
        'οδός',
        'Привет, мир',
        'Ёлка',
        '日本語',
        'か\u3099き',
        'がき',
        '각',
        '\u1100\u1161',
        'ﬁne',
        '\u212aelvin',
        'İzmir',
      ],
      ...[
        '',
        ' ',
        '😀 smile',
        'e\u0301',
        '\u0301'.repeat(600) + 'abc',
        long,
        long.toLowerCase(),
        `${'x'.repeat(300)}Needle`,
      ],
    ];
    const parts = [
      ...[
        'apple',
        'APPLE',
        'p',
        'äpf',
        'Äpfel',
        'creme',
        'crème',
        'ß',
        'ss',
        '%',
        '_',
        '\t',
        '\u0001',
        'a',
        '',
        'A',
        'b ',
      ],
      ...[
        'οδ',
        'Σ',
        'ς',
        'привет',
        'ё',
        'е',
        '本',
        'か',
        'が',
        '\u3099',
        '\u1100',
        '가',
        'fi',
        'k',
        'i',
        'İ',
        '😀',
        '\u0301',
      ],
      ...['abc', 'ende', 'länge Ü', 'needle', 'xN', 'zzz', 'x'.repeat(100)],
    ];
    await add(...texts.map((text) => ({ title: text, tags: [text, 'other'] })));
    for (const part of parts) {
      const lowered = part.toLowerCase();
      for (const [operator, holds] of [
        ['contains', (text: string) => text.includes(lowered)],
        ['starts_with', (text: string) => text.startsWith(lowered)],
      ] as const) {
        const expected = texts.filter((text) => holds(text.toLowerCase())).sort();
        const filter = `filter[title][${operator}]=${encodeURIComponent(part)}`;
        for (const query of [
          filter,
          `${filter}&sort=title`,
          `${filter}&sort=-updated_at`,
          `${filter}&filter[tags]=other`,
        ]) {
          const { body } = await list(`${query}&per_page=100`).expect(200);
          const found = titlesOf(body).sort();
          expect({ part, query, found }).toEqual({ part, query, found: expected });
          expect(body.meta.total).toBe(expected.length);
        }
        const tags = await titles(`filter[tags][${operator}]=${encodeURIComponent(part)}&per_page=100`);
        const everywhere = holds('other') ? [...texts].sort() : expected;
        expect({ part, operator, found: tags.sort() }).toEqual({ part, operator, found: everywhere });
      }
    }
  });

  it('filter and sort by system fields', async () => {
    const ids = await createEntries(tenant, type, [
      { fields: { title: 'a' }, status: 'published' },
      { fields: { title: 'b' } },
      { fields: { title: 'c' }, status: 'published' },
    ]);
    expect(await titles('filter[status]=published&sort=created_at')).toEqual(['a', 'c']);
    expect((await list('filter[status]=published')).body.meta.total).toBe(2);
    expect((await list('filter[status][ne]=published')).body.meta.total).toBe(1);
    expect(await titles(`filter[id]=${ids[1]}`)).toEqual(['b']);
    expect(await titles(`filter[id][in]=${ids[1]},${ids[2]}&sort=id`)).toEqual(['b', 'c']);
    // 100 IDs are as many as a page has, and longer than one value may be.
    const others = Array.from({ length: 98 }, () => 'ent_00000000000000000000000000');
    expect(await titles(`filter[id][in]=${[...others, ids[1], ids[2]].join()}&sort=id`)).toEqual(['b', 'c']);
    expect(await titles('filter[created_at][gt]=2020-01-01&sort=-status,title')).toEqual(['a', 'c', 'b']);
    expect(await titles('filter[updated_at][lt]=2020-01-01T00:00:00Z')).toEqual([]);
    const { body } = await tenant.http.get(`${type.entries}/${ids[0]}`);
    expect(await titles(`filter[created_at]=${body.data.created_at}`)).toContain('a');
    await tenant.http.patch(`${type.entries}/${ids[0]}`, { fields: { price: 1 } }).expect(200);
    expect(await titles('sort=-updated_at')).toEqual(['a', 'c', 'b']);
  });

  it('search words, phrases, exclusions and alternatives in every text field, without regard to tags, case and accents', async () => {
    await add(
      { title: 'Coffee for beginners', body: '<p>Fresh <b>beans</b> &amp; hot water</p>' },
      { title: 'Tea', body: '<p class="coffeehouse">Leaves and <i>hot</i> water</p>' },
      { title: 'Café crème', tags: ['milk', 'coffee'], kind: 'a' },
    );
    const found = async (search: string) => (await titles(`search=${encodeURIComponent(search)}&sort=id`)).join('|');
    expect(await found('COFFEE')).toBe('Coffee for beginners|Café crème');
    expect(await found('coffee beans')).toBe('Coffee for beginners');
    expect(await found('coffee -beans')).toBe('Café crème');
    expect(await found('"hot water"')).toBe('Coffee for beginners|Tea');
    expect(await found('"water hot"')).toBe('');
    expect(await found('beans or leaves')).toBe('Coffee for beginners|Tea');
    expect(await found('cafe CREME')).toBe('Café crème');
    expect(await found('coffeehouse')).toBe('');
    expect(await found("x' | !y & ( :* <-> \\")).toBe('');
    expect((await list('search=coffee')).body.meta.total).toBe(2);
    expect(await titles('search=')).toHaveLength(3);
    expect(await titles('search=!!!')).toHaveLength(0);
    await add({ title: '日本語の本' });
    expect(await found('日本')).toBe('日本語の本');
    expect(await titles('search=coffee&filter[kind]=a')).toEqual(['Café crème']);
  });

  it('find a phrase only where its words are adjacent', async () => {
    await add(
      { title: 'alpha end', body: '<p>start beta</p>', tags: ['red wine', 'blue sky'] },
      { title: 'far', body: `${'the cat '.repeat(300)}the needle ${'lorem ipsum '.repeat(30_000)}needleend here` },
    );
    const found = async (search: string) => (await titles(`search=${encodeURIComponent(search)}`)).join('|');
    expect(await found('"end start"')).toBe('');
    expect(await found('"wine blue"')).toBe('');
    expect(await found('"red wine"')).toBe('alpha end');
    expect(await found('"the needle"')).toBe('far');
    expect(await found('"needleend here"')).toBe('far');
    expect(await found('needleend')).toBe('far');
  });

  it('put the best match first', async () => {
    await add(
      { title: 'a', body: 'coffee with much else that is not about it' },
      { title: 'coffee coffee', body: 'coffee' },
    );
    expect(await titles('search=coffee')).toEqual(['coffee coffee', 'a']);
  });

  it('have the same order by cursor as by page', async () => {
    await add(
      ...Array.from({ length: 23 }, (_, index) => ({
        title: `t${index % 4}`,
        ...(index % 3 ? { price: index % 5 } : {}),
        ...(index % 2 ? { stock: index % 3 } : {}),
      })),
    );
    for (const query of [
      '',
      'sort=title',
      'sort=-price',
      'sort=price,-stock',
      'sort=-stock,title,-price',
      'sort=status,-price',
      'filter[title]=t1&sort=price',
      'sort=-updated_at',
      'sort=created_at,price',
      'search=t1',
      'filter[price][gte]=2&sort=-title',
    ]) {
      const whole = (await list(`${query}&per_page=100`).expect(200)).body.data.map(({ id }: { id: string }) => id);
      const walked: string[] = [];
      let cursor: string | null = '';
      for (let steps = 0; cursor !== null && steps < 20; steps++) {
        const { body }: { body: Page } = await list(`${query}&per_page=4&cursor=${cursor}`).expect(200);
        expect(Object.keys(body.meta)).toEqual(['per_page', 'next_cursor']);
        walked.push(...body.data.map(({ id }) => id));
        cursor = body.meta.next_cursor;
      }
      expect({ query, ids: walked }).toEqual({ query, ids: whole });
      const paged: string[] = [];
      for (let page = 1; page <= 6; page++) {
        const { body } = await list(`${query}&per_page=4&page=${page}`).expect(200);
        expect(body.meta.total).toBe(whole.length);
        paged.push(...body.data.map(({ id }: { id: string }) => id));
      }
      expect({ query, ids: paged }).toEqual({ query, ids: whole });
    }
  });

  it('find the same entries by every access path', async () => {
    await add(
      ...Array.from({ length: 40 }, (_, index) => ({
        title: `t${index % 7}`,
        ...(index % 3 ? { price: index % 5 } : {}),
        ...(index % 4 ? { kind: 'abc'[index % 3] } : {}),
        tags: [`x${index % 2}`, `y${index % 5}`],
      })),
    );
    const schema = Schema.compile(LISTED_FIELDS, 'content');
    const names = new EntryNames({ schema, targets: {} }, app.get(FileUrls));
    const database = app.get(Database);
    const idsBy = async (query: Query, path: AccessPath, segment: Segment): Promise<string[]> => {
      const page = statementOf(query).page(path, segment, { limit: 100 }, true);
      const rows = await database.queryComposed<{ id: string | null }>(tenant.id, page);
      return rows.flatMap(({ id }) => id ?? []);
    };
    const read = (query: Query): ListQuery => {
      const search = readSearch((query['search'] ?? '') as string);
      return {
        conditions: resolveConditions(readEntryList(query), names),
        search: search && searchMatch(partitionOf(typeId), search),
        sort: resolveSort(readSort(query), schema),
      };
    };
    const typeId = parseId('ct', type.id) ?? '';
    const statementOf = (query: Query) =>
      new ListStatement(entryTable({ id: typeId, version: 1 }, 'plain'), read(query));
    for (const query of [
      { 'filter[price][gte]': '1', 'filter[price][lt]': '4' },
      { 'filter[price][gte]': '1', sort: 'price' },
      { 'filter[kind]': 'b', sort: '-price' },
      { 'filter[kind]': 'b', 'filter[title][ne]': 't1', sort: 'kind,-title' },
      { 'filter[tags][in]': 'x1,y2', sort: '-tags,price' },
      { 'filter[tags][gte]': 'y', 'filter[kind][exists]': 'true' },
      { 'filter[kind][exists]': 'true', sort: 'price,-kind' },
      { 'filter[title][starts_with]': 'T', 'filter[kind]': 'a', sort: '-updated_at' },
      { search: 't1 or t2', sort: '-price' },
      { search: 't3', 'filter[price][exists]': 'true', sort: 'created_at' },
      { 'filter[status]': 'draft', 'filter[price]': '2', sort: 'status,title' },
      { where: '{"or": [{"price": {"gte": 3}}, {"title": "t1"}]}' },
      { where: '{"or": [{"price": {"gte": 3}}, {"tags": "y1"}]}', sort: 'price' },
      { where: '{"or": [{"kind": "a", "price": {"ne": 1}}, {"title": {"contains": "6"}}]}', sort: '-title' },
      { where: '{"or": [{"tags": {"contains": "1"}}, {"tags": {"contains": "y2"}}]}', 'filter[kind]': 'b' },
      { where: '{"or": [{"status": "draft", "kind": "c"}, {"not": {"price": {"ne": 2}}}]}', sort: '-updated_at' },
      { where: '{"not": {"or": [{"title": {"contains": "1"}}, {"title": {"contains": "2"}}]}}', 'filter[kind]': 'b' },
      { where: '{"not": {"kind": "a"}}', sort: 'title' },
      { where: '{"not": {"or": [{"kind": "a", "title": "t1"}, {"price": {"gte": 3}}]}}' },
      { where: '{"not": {"or": [{"tags": {"contains": "y1"}}, {"status": "published"}]}}', sort: '-price' },
      { where: '{"or": [{"title": {"in": ["t1", "t2"]}}, {"title": "t3"}]}', search: 't1 or t3 or t4' },
    ] as Query[]) {
      const { conditions, search, sort } = read(query);
      const ordered = await idsBy(query, 'ordered', 'with value');
      if (sort[0]?.by === 'field') ordered.push(...(await idsBy(query, 'ordered', 'without value')));
      expect(ordered.length).toBeGreaterThan(0);
      const paths: AccessPath[] = conditions.filter(isDriving).map((driver) => ({ sorted: driver }));
      if (search) paths.push({ sorted: 'search' });
      for (const path of paths)
        expect({ query, ids: await idsBy(query, path, 'with value') }).toEqual({ query, ids: ordered });
      const { body } = await list(
        new URLSearchParams(query as Record<string, string>).toString() + '&per_page=100',
      ).expect(200);
      expect(body.data.map(({ id }: { id: string }) => parseId('ent', id))).toEqual(ordered);
      for (const path of [...paths, 'ordered' as const]) {
        const totals = statementOf(query).totals(path);
        const [row] = await database.queryComposed<{ total: number }>(tenant.id, totals);
        expect(row?.total).toBe(ordered.length);
      }
    }
  });

  it('reject a cursor of another list', async () => {
    await add({ title: 'a' }, { title: 'b' }, { title: 'c' });
    const { body } = await list('cursor=&per_page=1').expect(200);
    await list(`cursor=${body.meta.next_cursor}&sort=title`).expect(400);
    await list(`cursor=${body.meta.next_cursor}x`).expect(400);
    // A forged cursor in the right format.
    const name = JSON.stringify([parseId('ct', type.id)]);
    const types = `/v1/content/${tenant.id}/types`;
    for (const keys of [['x'], [null], ['a', 'b'], ['99999']]) {
      await list(`cursor=${encodeCursor(keys, name)}`).expect(400);
      if (keys[0]) await tenant.http.get(`${types}?cursor=${encodeCursor(keys, 'content types')}`).expect(400);
    }
  });

  it('agree with a model for any sort and filter', async () => {
    const values = fc.record(
      {
        title: fc.constantFrom('apple', 'Banana', 'cherry', 'a', 'A', 'ápple', 'zoo'),
        price: fc.constantFrom(-3, 0, 1.5, 2, 100),
        active: fc.boolean(),
        kind: fc.constantFrom('a', 'b', 'c'),
      },
      { requiredKeys: [] },
    );
    const samples = fc.sample(values, { numRuns: 40, seed: 7 });
    const ids = await add(...samples);
    type Values = { title?: string; price?: number; active?: boolean; kind?: string };
    const records = samples.map((fields: Values, index) => ({ id: ids[index] ?? '', ...fields }));
    const model = fc.record({
      field: fc.constantFrom('price', 'kind', 'active'),
      descending: fc.boolean(),
      minimum: fc.option(fc.constantFrom(-3, 0, 1.5, 2, 101), { nil: undefined }),
      kind: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      not: fc.option(fc.constantFrom('c'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(model, async ({ field, descending, minimum, kind, not }) => {
        const query = [
          `sort=${descending ? '-' : ''}${field}&per_page=100`,
          ...(minimum === undefined ? [] : [`filter[price][gte]=${minimum}`]),
          ...(kind === undefined ? [] : [`filter[kind]=${kind}`]),
          ...(not === undefined ? [] : [`filter[kind][ne]=${not}`]),
        ].join('&');
        const sign = descending ? -1 : 1;
        const expected = records
          .filter((one) => minimum === undefined || (one.price !== undefined && one.price >= minimum))
          .filter((one) => (kind === undefined || one.kind === kind) && (not === undefined || one.kind !== not))
          .sort((one, other) => {
            const a = one[field as keyof Values];
            const b = other[field as keyof Values];
            if (a !== b && (a === undefined || b === undefined)) return a === undefined ? 1 : -1;
            if (a !== undefined && b !== undefined && a !== b) return (a < b ? -1 : 1) * sign;
            return (one.id < other.id ? -1 : 1) * sign;
          })
          .map(({ id }) => id);
        const { body } = await list(query).expect(200);
        expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected);
        expect(body.meta.total).toBe(expected.length);
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});

describe('a key that reads only published entries', () => {
  it('gets and lists no draft with any parameters, and writes nothing', async () => {
    const app = await startApp({
      TENANTS: JSON.stringify([
        {
          id: 'ten_site',
          name: 'Site',
          api_keys: [
            { name: 'editor', key: 'editor-key' },
            { name: 'site', key: 'site-key', scopes: ['content:read:published'] },
          ],
        },
      ]),
    });
    const editor: TestTenant = { id: 'ten_site', key: 'editor-key', http: app.client('Bearer editor-key') };
    const site = app.client('Bearer site-key');
    const type = await createType(editor, LISTED_FIELDS);
    const [draft, published] = await createEntries(editor, type, [
      { fields: { title: 'secret plan' } },
      { fields: { title: 'news' }, status: 'published' },
    ]);
    await site.get(`${type.entries}/${published}`).expect(200);
    await site.get(`${type.entries}/${draft}`).expect(404);
    await site.get(type.path).expect(200);
    for (const query of [
      '',
      'sort=title',
      'filter[title]=secret plan',
      'search=secret',
      'filter[status]=draft',
      'where={"status":"draft"}',
      'where={"or":[{"status":"draft"},{"title":{"contains":"secret"}},{"not":{"status":"published"}}]}',
      'where={"not":{"status":"published"}}&cursor=',
      'cursor=',
    ]) {
      const { body } = await site.get(`${type.entries}?${query}`).expect(200);
      expect(JSON.stringify(body)).not.toContain('secret plan');
      if (body.meta.total !== undefined) expect(body.meta.total).toBe(body.data.length);
    }
    await site.post(type.entries, { fields: {} }).expect(403);
    await site.get('/v1/forms/ten_site').expect(403);
    await app.close();
  });
});

import fc from 'fast-check';
import { PUBLISHED } from '../../src/content/lists/entry-columns.js';
import { readEntryList, resolveConditions } from '../../src/content/lists/entry-list-request.js';
import { readSort, resolveSort } from '../../src/content/lists/entry-sort.js';
import { entryTable } from '../../src/content/lists/entry-table.js';
import { EntryNames } from '../../src/content/lists/entry-names.js';
import { Schemas } from '../../src/content/schemas.js';
import { Database } from '../../src/database/database.js';
import type { Query } from '../../src/http/query.js';
import { formatId, newUuid, parseId } from '../../src/ids/type-id.js';
import { isDriving } from '../../src/lists/conditions/driving-conditions.js';
import type { AccessPath, Segment } from '../../src/lists/engine/list-query.js';
import { ListStatement } from '../../src/lists/engine/list-statement.js';
import { digitsOf, publicIdOf, uuidOf } from '../../src/content/public-id.sql.js';
import { FileUrls } from '../../src/tenants/file-urls.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, titlesOf, type TestType } from '../support/content.js';
import { propertyRuns } from '../support/property-runs.js';

describe('filters through a reference', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let authors: TestType;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '1000' });
  });
  afterAll(() => app.close());

  const AUTHOR = [
    { name: 'name', type: 'text' },
    { name: 'age', type: 'integer' },
    { name: 'tags', type: 'text', multiple: true },
    { name: 'notes', type: 'json' },
  ];
  const POST = [
    { name: 'title', type: 'text' },
    { name: 'author', type: 'reference', content_type: 'author' },
    { name: 'readers', type: 'reference', content_types: ['author', 'company'], multiple: true },
  ];

  beforeEach(async () => {
    tenant = app.tenant();
    authors = await createType(tenant, AUTHOR, 'Author');
    await createType(
      tenant,
      [
        { name: 'name', type: 'text' },
        { name: 'age', type: 'text' },
      ],
      'Company',
    );
    posts = await createType(tenant, POST, 'Post');
  });

  const company = () => ({ entries: `/v1/content/${tenant.id}/types/company/entries`, id: '', path: '' });
  const create = async (type: TestType, fields: object, status = 'published'): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const titles = async (query: string, http = tenant.http): Promise<string> => {
    const { body } = await http.get(`${posts.entries}?sort=id&${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return titlesOf(body).join();
  };
  const where = (conditions: object, http?: Http) =>
    titles(`where=${encodeURIComponent(JSON.stringify(conditions))}`, http);
  const problem = async (query: string, http = tenant.http) =>
    (await http.get(`${posts.entries}?${query}`).expect(400)).body;
  const published = (): Http => app.client(`Bearer ${tenant.publishedKey}`);

  /** Posts a (Ada), b (Bo), c (a deleted author), d (no author), e (a draft, Cy), with readers. */
  const examples = async () => {
    const ada = await create(authors, { name: 'Ada', age: 36, tags: ['x', 'y'] });
    const bo = await create(authors, { name: 'Bo', age: 5 });
    const gone = await create(authors, { name: 'Gone', age: 36 });
    const cy = await create(authors, { name: 'Cy', age: 50 }, 'draft');
    const firm = await create(company(), { name: 'Ada', age: 'old' });
    await create(posts, { title: 'a', author: ada, readers: [ada, bo] });
    await create(posts, { title: 'b', author: bo, readers: [firm] });
    await create(posts, { title: 'c', author: gone, readers: [gone, cy] });
    await create(posts, { title: 'd' });
    await create(posts, { title: 'e', author: cy, readers: [cy] });
    await tenant.http.delete(`${authors.entries}/${gone}`).expect(200);
    return { ada, bo, gone, cy, firm };
  };

  it('have every operator of the field referred to', async () => {
    const { ada } = await examples();
    expect(await titles('filter[author.name]=Ada')).toBe('a');
    expect(await titles('filter[author.name][ne]=Ada')).toBe('b,c,d,e');
    expect(await titles('filter[author.name][in]=Ada,Cy')).toBe('a,e');
    expect(await titles('filter[author.name][contains]=A')).toBe('a');
    expect(await titles('filter[author.name][contains]=')).toBe('a,b,e');
    expect(await titles('filter[author.name][starts_with]=b')).toBe('b');
    expect(await titles('filter[author.age][gte]=36')).toBe('a,e');
    expect(await titles('filter[author.age][gt]=5&filter[author.age][lt]=50')).toBe('a');
    expect(await titles('filter[author.tags]=y')).toBe('a');
    expect(await titles('filter[author.tags][ne]=y')).toBe('b,c,d,e');
    expect(await titles('filter[author.tags][exists]=true')).toBe('a');
    expect(await titles('filter[author.tags][exists]=false')).toBe('b,c,d,e');
    expect(await titles(`filter[author.id]=${ada}`)).toBe('a');
    expect(await titles(`filter[author.id][ne]=${ada}`)).toBe('b,c,d,e');
    expect(await titles('filter[author.id][exists]=true')).toBe('a,b,e');
    expect(await titles('filter[author.id][exists]=false')).toBe('c,d');
    expect(await titles('filter[author.status]=draft')).toBe('e');
    expect(await titles('filter[author.status][ne]=draft')).toBe('a,b,c,d');
    expect(await titles('filter[author.created_at][gte]=2020-01-01')).toBe('a,b,e');
    expect(await titles('filter[author.created_at][lt]=2020-01-01')).toBe('');
  });

  it('match a list if one of its references does', async () => {
    await examples();
    expect(await titles('filter[readers.name]=Bo')).toBe('a');
    expect(await titles('filter[readers.name][ne]=Bo')).toBe('b,c,d,e');
    expect(await titles('filter[readers.name]=Ada&filter[readers.name][starts_with]=B')).toBe('a');
    expect(await titles('filter[readers.id][exists]=true')).toBe('a,b,c,e');
    expect(await where({ 'readers.age': { gt: 5, lt: 36 } })).toBe('a');
  });

  it('look at each of several content types that has the name and to which the condition applies', async () => {
    const { firm } = await examples();
    expect(await titles('filter[readers.name]=Ada')).toBe('a,b');
    expect(await titles('filter[readers.age]=old')).toBe('b');
    expect(await where({ 'readers.age': 'old' })).toBe('b');
    expect(await where({ 'readers.age': 36 })).toBe('a');
    expect(await titles('filter[readers.tags][exists]=true')).toBe('a');
    expect(await titles('filter[readers.tags][exists]=false')).toBe('b,c,d,e');
    expect(await titles(`filter[readers.id]=${firm}`)).toBe('b');
  });

  it('are combined by where, with exact negations', async () => {
    await examples();
    expect(await where({ 'author.name': 'Ada' })).toBe('a');
    expect(await where({ 'author.name': null })).toBe('c,d');
    expect(await where({ 'author.name': { ne: null } })).toBe('a,b,e');
    expect(await where({ not: { 'author.name': 'Ada' } })).toBe('b,c,d,e');
    expect(await where({ not: { 'author.name': { ne: 'Ada' } } })).toBe('a');
    expect(await where({ or: [{ 'author.name': 'Ada' }, { title: 'd' }, { 'author.age': { gt: 40 } }] })).toBe('a,d,e');
    expect(await where({ not: { or: [{ 'author.name': 'Ada' }, { 'author.name': 'Bo' }] } })).toBe('c,d,e');
    expect(await where({ 'author.age': 36, not: { 'author.tags': 'x' } })).toBe('');
    expect(await where({ 'author.name': { in: [] } })).toBe('');
    expect(await where({ not: { 'author.name': { in: [] } } })).toBe('a,b,c,d,e');
  });

  it('show a key for published entries nothing of drafts', async () => {
    await examples();
    const http = published();
    expect(await titles('filter[author.name]=Cy', http)).toBe('');
    expect(await titles('filter[author.name][ne]=Cy', http)).toBe('a,b,c,d,e');
    expect(await titles('filter[author.age][gte]=36', http)).toBe('a');
    expect(await titles('filter[author.id][exists]=true', http)).toBe('a,b');
    expect(await titles('filter[author.id][exists]=false', http)).toBe('c,d,e');
    expect(await titles('filter[author.status]=draft', http)).toBe('');
    expect(await titles('filter[author.status][ne]=published', http)).toBe('c,d,e');
    expect(await where({ not: { 'author.age': { gt: 40 } } }, http)).toBe('a,b,c,d,e');
    expect(await where({ not: { not: { 'readers.name': 'Cy' } } }, http)).toBe('');
  });

  it('tell a reader without a key nothing of content types that are not public', async () => {
    await examples();
    const visitor = app.client();
    await tenant.http.put(posts.path, { public: true }).expect(200);
    const unknown = async (query: string) => (await problem(query, visitor)).detail;
    expect(await unknown('filter[author.name]=Ada')).toBe('There is no field author.name.');
    expect(await unknown('filter[author.nope]=Ada')).toBe('There is no field author.nope.');
    await tenant.http.put(authors.path, { public: true }).expect(200);
    expect(await titles('filter[author.name]=Ada', visitor)).toBe('a');
    expect(await titles('filter[author.name]=Cy', visitor)).toBe('');
    // A reader of a company is still not visible.
    expect(await titles('filter[readers.name]=Ada', visitor)).toBe('a');
    expect(await titles('filter[readers.name][ne]=Ada', visitor)).toBe('b,c,d,e');
  });

  it.each([
    ['filter[author.nope]=1', 'unknown_field', 'The possible names are author.name, author.age,'],
    ['filter[author.nam]=1', 'unknown_field', 'Did you mean author.name?'],
    ['filter[author.author.name]=1', 'unknown_field', 'There is no field author.author.name.'],
    ['filter[title.name]=1', 'unknown_field', 'There is no field title.name.'],
    ['filter[author.]=1', 'unknown_field', 'There is no field author..'],
    ['filter[.name]=1', 'unknown_field', 'There is no field .name.'],
    ['filter[author.notes]=1', 'invalid_parameter', 'Entries cannot be filtered by notes because its type is json.'],
    [
      'filter[author.age]=x',
      'invalid_parameter',
      'filter[author.age] must be an integer from -9007199254740991 to 9007199254740991.',
    ],
    ['filter[author.age][contains]=x', 'invalid_parameter', 'contains applies only to text.'],
    ['filter[author.id][contains]=x', 'invalid_parameter', 'contains does not apply to id.'],
    ['filter[author.name][exists]=x', 'invalid_parameter', 'filter[author.name][exists] must be true or false.'],
    ['where={"author.age":"5"}', 'invalid_parameter', 'where.author.age must be a number.'],
    ['where={"author.nope":{}}', 'unknown_field', 'There is no field author.nope.'],
    ['where={"author.notes":{}}', 'invalid_parameter', 'Entries cannot be filtered by notes'],
    ['sort=author.name', 'unknown_field', 'There is no field author.name.'],
  ])('are refused if they cannot be read: %s', async (query, code, message) => {
    const { body } = await tenant.http.get(`${posts.entries}?${query}`).expect(400);
    expect(body.code).toBe(code);
    expect(body.detail).toContain(message);
  });

  it('notice a change of the content type referred to', async () => {
    await examples();
    // The service keeps schemas in memory. Another process does not tell it of a change, so the database is changed without it.
    const behindItsBack = (fields: object[]) =>
      app.database.query(
        `UPDATE content_types SET fields = $2, version = version + 1 WHERE tenant_id = $1 AND slug = 'author'`,
        [tenant.id, JSON.stringify(fields)],
      );
    expect(await titles('filter[author.name]=Ada')).toBe('a');
    await behindItsBack([...AUTHOR, { name: 'mood', type: 'text' }]);
    expect(await titles('filter[author.mood][exists]=false')).toBe('a,b,c,d,e');
    await behindItsBack(AUTHOR.slice(1));
    await problem('filter[author.name]=Ada');
    await behindItsBack(AUTHOR);
    expect(await titles('filter[author.name]=Ada')).toBe('a');
    const company = `/v1/content/${tenant.id}/types/company`;
    await tenant.http.delete(company).expect(200);
    expect(await titles('filter[readers.name]=Ada')).toBe('a');
    await tenant.http.delete(authors.path).expect(200);
    await problem('filter[author.name]=Ada');
  });

  it('belong to their cursor', async () => {
    const { ada } = await examples();
    for (let n = 0; n < 6; n++) await create(posts, { title: `p${n}`, author: ada });
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `${posts.entries}?filter[author.name]=Ada&sort=-title&per_page=3&cursor=${cursor}`;
      const { body }: { body: { data: { fields: { title: string } }[]; meta: { next_cursor: string | null } } } =
        await tenant.http.get(path).expect(200);
      seen.push(...titlesOf(body));
      cursor = body.meta.next_cursor;
      if (cursor) await problem(`filter[author.name]=Bo&sort=-title&per_page=3&cursor=${cursor}`);
    }
    expect(seen).toEqual(['p5', 'p4', 'p3', 'p2', 'p1', 'p0', 'a']);
  });

  it('have exact totals although an entry referred to changes', async () => {
    const { ada, bo } = await examples();
    await tenant.http.patch(`${authors.entries}/${bo}`, { fields: { name: 'Ada' } }).expect(200);
    expect(await titles('filter[author.name]=Ada')).toBe('a,b');
    await tenant.http.patch(`${authors.entries}/${ada}`, { fields: { name: null } }).expect(200);
    expect(await titles('filter[author.name]=Ada')).toBe('b');
  });

  it('combine with a search and its corrections', async () => {
    await examples();
    await create(posts, { title: 'zebra' });
    expect(await titles('search=a&filter[author.name]=Ada')).toBe('a');
    expect(await titles('search=zebr&fuzzy=true&filter[author.name]=Ada')).toBe('');
    const { body } = await tenant.http.get(`${posts.entries}?search=zebr&fuzzy=true&filter[author.name][ne]=Ada`);
    expect(body.meta).toMatchObject({ total: 1, corrected: 'zebra' });
    expect((await tenant.http.get(`${posts.entries}?search=a&filter[author.name]=Ada`)).body.meta.total).toBe(1);
  });

  /** Returns a function that reads a list by every strategy, and compares the entries and the totals. */
  const strategies = async () => {
    const [schemas, database] = [app.get(Schemas), app.get(Database)];
    const type = await schemas.fresh(tenant.id, { slug: 'post' });
    const others = [
      await schemas.fresh(tenant.id, { slug: 'author' }),
      await schemas.fresh(tenant.id, { slug: 'company' }),
    ];
    const referred = new Map(others.map((one) => [one.id, one]));
    return async (query: Query, isPublished: boolean, expected: readonly string[]) => {
      const visible = isPublished ? [PUBLISHED] : [];
      const names = new EntryNames(type, app.get(FileUrls), referred, visible);
      const conditions = resolveConditions(readEntryList(query), names, visible);
      const sort = resolveSort(readSort(query), type.schema);
      const statement = () => new ListStatement(entryTable(type, 'plain'), { conditions, sort });
      const rows = async (path: AccessPath, segment: Segment) => {
        const page = statement().page(path, segment, { limit: 100 }, true);
        const found = await database.queryComposed<{ id: string | null }>(tenant.id, page);
        return found.flatMap(({ id }) => id ?? []);
      };
      const sorted = conditions.filter(isDriving).map((driver): AccessPath => ({ sorted: driver }));
      for (const path of [...sorted, 'ordered' as const]) {
        const found = await rows(path, 'with value');
        if (path === 'ordered' && sort[0]?.by === 'field') found.push(...(await rows(path, 'without value')));
        const ids = found.map((id) => formatId('ent', id));
        expect({ query, path, ids: ids.sort() }).toEqual({ query, path, ids: [...expected].sort() });
        const [row] = await database.queryComposed<{ total: number }>(tenant.id, statement().totals(path));
        expect(row?.total).toBe(expected.length);
      }
    };
  };

  it('find the same entries if a great many are referred to', async () => {
    const { ada } = await examples();
    const [typeId, total] = [parseId('ct', authors.id), 6_000];
    // No post refers to these.
    await app.database.query(
      `WITH added AS (
        INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
        SELECT $1, $2, gen_random_uuid(), '{"name":"Ada"}', 14, 'published', 1, now(), now() FROM generate_series(1, $3)
        RETURNING id
      )
      INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
      SELECT $1, $2, 'name', v.sort_key, v.discriminator, added.id FROM added, entry_values v
      WHERE v.tenant_id = $1 AND v.content_type_id = $2 AND v.field = 'name' AND v.entry_id = $4`,
      [tenant.id, typeId, total, parseId('ent', ada)],
    );
    expect((await tenant.http.get(`${authors.entries}?filter[name]=Ada&per_page=1`)).body.meta.total).toBe(total + 1);
    expect(await titles('filter[author.name]=Ada')).toBe('a');
    expect(await titles('filter[author.name][ne]=Ada')).toBe('b,c,d,e');
    expect(await titles('filter[readers.name]=Ada')).toBe('a,b');
    expect(await titles('filter[readers.name]=Ada&search=b')).toBe('b');
    expect(await where({ or: [{ 'author.name': 'Ada' }, { 'author.name': 'Bo' }] })).toBe('a,b');
    expect(await where({ or: [{ 'author.name': 'Ada' }, { 'readers.age': 36 }] })).toBe('a');
    expect(await where({ not: { or: [{ 'author.name': 'Ada' }, { title: 'd' }] } })).toBe('b,c,e');
  });

  it('convert IDs in SQL as the service does', async () => {
    const uuids = Array.from({ length: 200 }, () => newUuid());
    uuids.push('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    const rows = await app.database.query<{ id: string; uuid: string }>(
      `SELECT ${publicIdOf('b.bytes')} AS id, ${uuidOf('d.digits')} AS uuid
        FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS n (uuid, id, place)
        CROSS JOIN LATERAL (SELECT uuid_send(n.uuid) AS bytes) b CROSS JOIN LATERAL (SELECT ${digitsOf('n.id')} AS digits) d
        ORDER BY n.place`,
      [uuids, uuids.map((uuid) => formatId('ent', uuid))],
    );
    expect(rows).toEqual(uuids.map((uuid) => ({ id: formatId('ent', uuid), uuid })));
  });

  it('reads some UUID from any text that is as long as a public ID', async () => {
    const texts = ['z', 'U', '"', 'é', '😀'].map((character) => `ent_${character.repeat(26)}`);
    const rows = await app.database.query<{ uuid: string }>(
      `SELECT ${uuidOf('d.digits')} AS uuid FROM unnest($1::text[]) AS n (id)
        CROSS JOIN LATERAL (SELECT ${digitsOf('n.id')} AS digits) d`,
      [texts],
    );
    expect(rows.map(({ uuid }) => uuid)).toEqual(texts.map(() => expect.stringMatching(/^[0-9a-f-]{36}$/)));
  });

  it('agree with a model for any conditions, key and strategy', async () => {
    const random = seeded(20_261_123);
    const pick = <One>(from: readonly One[]): One => from[random(from.length)]!;
    const model: Modelled[] = [];
    const add = async (kind: Modelled['kind'], type: TestType, fields: Values) => {
      const status = random(4) === 0 ? 'draft' : 'published';
      const id = await create(type, fields, status);
      model.push({ kind, id, status, fields });
      return id;
    };
    const some = <Value>(value: Value): Value | undefined => (random(4) === 0 ? undefined : value);
    for (let n = 0; n < 14; n++) {
      await add('author', authors, {
        name: some(pick(NAMES)),
        age: some(pick(AGES)),
        tags: some([pick(NAMES), pick(NAMES)].filter((one, index, all) => all.indexOf(one) === index)),
      });
    }
    for (let n = 0; n < 6; n++) await add('company', company(), { name: some(pick(NAMES)), age: some('36') });
    const ids = (kind: string) => model.filter((one) => one.kind === kind).map(({ id }) => id);
    const all = [...ids('author'), ...ids('company')];
    for (let n = 0; n < 40; n++) {
      await add('post', posts, {
        title: some(pick(NAMES)),
        author: some(pick(ids('author'))),
        readers: some(Array.from({ length: 1 + random(3) }, () => pick(all))),
      });
    }
    for (const id of [ids('author')[2]!, ids('author')[9]!, ids('company')[1]!]) {
      const of = model.find((one) => one.id === id)!;
      await tenant.http.delete(`${(of.kind === 'author' ? authors : company()).entries}/${id}`).expect(200);
      model.splice(model.indexOf(of), 1);
    }
    const listed = model.filter(({ kind }) => kind === 'post');
    const sameByEveryStrategy = await strategies();
    const query = fc.record({
      where: tree,
      isPublished: fc.boolean(),
      filter: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
      sort: fc.constantFrom('id', '-created_at', 'title', '-author', 'status,-title', '-updated_at'),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ where: conditions, isPublished, filter, sort }) => {
        const visible = model.filter(({ status }) => !isPublished || status === 'published');
        const expected = listed
          .filter((one) => visible.includes(one) && holds(conditions, one, visible))
          .filter((one) => filter === undefined || passes('author.name', 'eq', filter, one, visible))
          .map(({ id }) => id);
        const http = isPublished ? published() : tenant.http;
        const more = `${filter ? `&filter[author.name]=${filter}` : ''}&sort=${sort}`;
        const path = `${posts.entries}?where=${encodeURIComponent(JSON.stringify(conditions))}${more}`;
        const { body } = await http.get(`${path}&per_page=100`).expect(200);
        const found = body.data.map(({ id }: { id: string }) => id) as string[];
        expect([...found].sort()).toEqual([...expected].sort());
        expect(body.meta.total).toBe(expected.length);
        const second = await http.get(`${path}&per_page=5&page=2`).expect(200);
        expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual(found.slice(5, 10));
        const walked = await http.get(`${path}&per_page=100&cursor=`).expect(200);
        expect(walked.body.data.map(({ id }: { id: string }) => id)).toEqual(found);
        const filters: Query = filter ? { 'filter[author.name]': filter } : {};
        await sameByEveryStrategy({ where: JSON.stringify(conditions), sort, ...filters }, isPublished, expected);
      }),
      { numRuns: propertyRuns(24), seed: 7 },
    );
  }, 240_000);
});

interface Values {
  name?: string;
  age?: number | string;
  tags?: string[];
  title?: string;
  author?: string;
  readers?: string[];
}

interface Modelled {
  kind: 'author' | 'company' | 'post';
  id: string;
  status: string;
  fields: Values;
}

const NAMES = ['Ada', 'Bo', 'Cy', 'ada b'];
const AGES = [5, 36, 50];

type Operand = string | number | boolean | null | (string | number)[];
interface Tree {
  [name: string]: Operand | Record<string, Operand> | Tree | Tree[];
}

const OPERANDS: Record<string, fc.Arbitrary<string | number>> = {
  'author.name': fc.constantFrom(...NAMES),
  'author.age': fc.constantFrom(...AGES),
  'author.tags': fc.constantFrom(...NAMES),
  'author.status': fc.constantFrom('draft', 'published'),
  'readers.name': fc.constantFrom(...NAMES),
  'readers.age': fc.oneof(fc.constantFrom(...AGES), fc.constant('36')),
  'readers.tags': fc.constantFrom(...NAMES),
  title: fc.constantFrom(...NAMES),
};

const member = fc.constantFrom(...Object.keys(OPERANDS)).chain((name) => {
  const value = OPERANDS[name] ?? fc.constant('');
  const operators: Record<string, fc.Arbitrary<Operand>> = {
    eq: fc.oneof(value, fc.constant(null)),
    ne: fc.oneof(value, fc.constant(null)),
    exists: fc.boolean(),
    ...(name === 'readers.age' ? {} : { in: fc.array(value, { maxLength: 3 }) }),
    ...(name === 'author.age' ? { gt: value, lte: value } : {}),
    ...(name.endsWith('.name') || name.endsWith('.tags') ? { contains: fc.constantFrom('a', 'B', '') } : {}),
  };
  const one = fc.constantFrom(...Object.keys(operators)).chain((operator) => {
    return (operators[operator] ?? fc.constant(null)).map((operand) => [operator, operand] as const);
  });
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((tests) => [name, Object.fromEntries(tests)] as const);
});

const leaf: fc.Arbitrary<Tree> = fc.array(member, { maxLength: 2 }).map((members) => Object.fromEntries(members));

function level(below: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  const parts = fc.array(below, { maxLength: 3 });
  return fc.oneof(
    leaf,
    fc.tuple(parts, leaf).map(([and, more]): Tree => ({ and, ...more })),
    fc.tuple(parts, leaf).map(([or, more]): Tree => ({ or, ...more })),
    fc.tuple(below, leaf).map(([not, more]): Tree => ({ not, ...more })),
  );
}

const tree = level(level(leaf)).filter(
  (one) => (JSON.stringify(one).match(/"(eq|ne|in|gt|lte|exists|contains)":/g) ?? []).length < 20,
);

/** Evaluates `where` in the simplest way. `visible` are the entries that the caller can read. */
function holds(where: Tree, one: Modelled, visible: readonly Modelled[]): boolean {
  return Object.entries(where).every(([name, value]) => {
    if (name === 'and') return (value as Tree[]).every((part) => holds(part, one, visible));
    if (name === 'or') return (value as Tree[]).some((part) => holds(part, one, visible));
    if (name === 'not') return !holds(value as Tree, one, visible);
    return Object.entries(value as Record<string, Operand>).every(([operator, operand]) =>
      passes(name, operator, operand, one, visible),
    );
  });
}

function passes(
  name: string,
  operator: string,
  operand: Operand,
  one: Modelled,
  visible: readonly Modelled[],
): boolean {
  if (operator === 'ne') return !passes(name, 'eq', operand, one, visible);
  if (operator === 'exists' && operand === false) return !passes(name, 'exists', true, one, visible);
  if (operand === null) return !passes(name, 'exists', true, one, visible);
  const [reference, inner] = name.split('.');
  if (inner === undefined) return matches(one, name, operator, operand);
  const ids = [one.fields[reference as 'author' | 'readers'] ?? []].flat();
  return visible.some((other) => ids.includes(other.id) && matches(other, inner, operator, operand));
}

function matches({ kind, status, fields }: Modelled, name: string, operator: string, operand: Operand): boolean {
  const held = name === 'status' ? status : fields[name as keyof Values];
  const values = held === undefined ? [] : [held].flat();
  // The age of a company is a text, so a number does not apply to it.
  if (name === 'age' && operator === 'eq' && (kind === 'company') !== (typeof operand === 'string')) return false;
  return values.some((value) => {
    if (operator === 'exists') return true;
    if (operator === 'in') return (operand as unknown[]).includes(value);
    if (operator === 'contains') return String(value).toLowerCase().includes(String(operand).toLowerCase());
    if (operator === 'gt') return Number(value) > Number(operand);
    return operator === 'lte' ? Number(value) <= Number(operand) : value === operand;
  });
}

/** A random number below `limit`, from a linear congruential generator. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % limit;
  };
}

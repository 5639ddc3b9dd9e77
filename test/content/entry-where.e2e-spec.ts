import fc from 'fast-check';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDrafts, createEntries, createType, LISTED_FIELDS, titlesOf, type TestType } from '../support/content.js';
import { propertyRuns } from '../support/property-runs.js';

/** One field has the name of an operator, which is reserved today. */
const FIELDS = [...LISTED_FIELDS, { name: 'and', type: 'text' }];

/** `levels` times the operator `not` around a condition. */
function nested(levels: number, condition: object = { title: { contains: 'a' } }): object {
  return levels === 0 ? condition : { not: nested(levels - 1, condition) };
}

describe('where', () => {
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
    await app.database.query(
      'UPDATE content_types SET fields = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
      [tenant.id, parseId('ct', type.id), JSON.stringify(FIELDS)],
    );
  });

  const list = (where: unknown, more = '') => {
    const text = typeof where === 'string' ? where : JSON.stringify(where);
    return tenant.http.get(`${type.entries}?where=${encodeURIComponent(text)}${more}`);
  };
  const titles = async (where: unknown, more = '&sort=id'): Promise<string> => {
    const { body } = await list(where, more).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return titlesOf(body).join();
  };
  const add = (...values: object[]) => createDrafts(tenant, type, ...values);

  it('has every operator of filter, with the same meaning', async () => {
    await add(
      { title: 'Alpha', price: 1, active: true, day: '2026-01-01', kind: 'a', tags: ['x', 'y'] },
      { title: 'alpha', price: 2, active: false, day: '2026-01-02', kind: 'b', tags: ['y'] },
      { title: '100%_sure', price: 3, cover: { url: 'https://cdn.example/a.jpg', alt: '' } },
      { title: 'Écru', moment: '2026-01-01T00:00:00+01:00' },
    );
    expect(await titles({})).toBe('Alpha,alpha,100%_sure,Écru');
    expect(await titles({ title: 'Alpha' })).toBe('Alpha');
    expect(await titles({ title: { eq: 'alpha' } })).toBe('alpha');
    expect(await titles({ title: { ne: 'alpha' } })).toBe('Alpha,100%_sure,Écru');
    expect(await titles({ price: 2 })).toBe('alpha');
    expect(await titles({ price: { ne: 1 } })).toBe('alpha,100%_sure,Écru');
    expect(await titles({ price: { in: [1, 3] } })).toBe('Alpha,100%_sure');
    expect(await titles({ price: { in: [] } })).toBe('');
    expect(await titles({ price: { gte: 2, lt: 3 } })).toBe('alpha');
    expect(await titles({ price: { gt: 1.5 }, title: { contains: 'A' } })).toBe('alpha');
    expect(await titles({ price: {} })).toBe('Alpha,alpha,100%_sure,Écru');
    expect(await titles({ active: true })).toBe('Alpha');
    expect(await titles({ day: { gt: '2026-01-01' } })).toBe('alpha');
    expect(await titles({ moment: { lt: '2026-01-01' } })).toBe('Écru');
    expect(await titles({ kind: { in: ['a', 'b'] } })).toBe('Alpha,alpha');
    expect(await titles({ tags: 'y' })).toBe('Alpha,alpha');
    expect(await titles({ tags: { ne: 'x' } })).toBe('alpha,100%_sure,Écru');
    expect(await titles({ price: { exists: false } })).toBe('Écru');
    expect(await titles({ price: null })).toBe('Écru');
    expect(await titles({ price: { ne: null } })).toBe('Alpha,alpha,100%_sure');
    expect(await titles({ title: { starts_with: 'ALP' } })).toBe('Alpha,alpha');
    expect(await titles({ title: { contains: '%_' } })).toBe('100%_sure');
    expect(await titles({ cover: { contains: 'CDN' } })).toBe('100%_sure');
    expect(await titles({ title: 'A\u200bB, "quoted" \\ 😀' })).toBe('');
  });

  it('combines conditions with and, or and not', async () => {
    await add(
      { title: 'a', price: 1, kind: 'a' },
      { title: 'b', price: 2, kind: 'b' },
      { title: 'c', price: 3 },
      { title: 'd', kind: 'a' },
    );
    expect(await titles({ and: [{ price: { gte: 2 } }, { price: { lt: 3 } }] })).toBe('b');
    expect(await titles({ or: [{ price: 1 }, { title: 'c' }] })).toBe('a,c');
    expect(await titles({ or: [{ price: 1 }, { title: 'c' }], kind: 'a' })).toBe('a');
    expect(await titles({ not: { kind: 'a' } })).toBe('b,c');
    expect(await titles({ not: { kind: 'a', price: 1 } })).toBe('b,c,d');
    expect(await titles({ not: { or: [{ kind: 'a' }, { kind: 'b' }] } })).toBe('c');
    expect(await titles({ not: { not: { kind: 'b' } } })).toBe('b');
    expect(await titles({ not: { price: { gt: 1 } } })).toBe('a,d');
    expect(await titles({ and: [] })).toBe('a,b,c,d');
    expect(await titles({ or: [] })).toBe('');
    expect(await titles({ or: [{}, { title: 'a' }] })).toBe('a,b,c,d');
    expect(await titles({ not: {} })).toBe('');
    expect(await titles({ or: [{ title: 'a' }, { title: 'd' }] }, '&filter[price][exists]=true')).toBe('a');
    expect(await titles({ or: [{ title: 'a' }, { title: 'd' }] }, '&search=d')).toBe('d');
  });

  it('tests system fields', async () => {
    const ids = await createEntries(tenant, type, [
      { fields: { title: 'a' }, status: 'published' },
      { fields: { title: 'b' } },
      { fields: { title: 'c' }, status: 'published' },
    ]);
    expect(await titles({ status: 'published' })).toBe('a,c');
    expect(await titles({ not: { status: 'published' } })).toBe('b');
    expect(await titles({ not: { or: [{ status: 'draft' }, { title: 'c' }] } })).toBe('a');
    expect(await titles({ or: [{ id: ids[1] }, { title: 'c' }] })).toBe('b,c');
    expect(await titles({ or: [{ id: { in: [ids[0], ids[2]] } }, { status: 'draft' }] })).toBe('a,b,c');
    expect(await titles({ not: { id: { in: [ids[0], ids[2]] } } })).toBe('b');
    expect(await titles({ not: { created_at: { gt: '2020-01-01' } } })).toBe('');
    expect(await titles({ created_at: { ne: null }, updated_at: { gte: '2020-01-01T00:00:00+0200' } })).toBe('a,b,c');
    expect(await titles({ status: null })).toBe('');
  });

  it('reads an offset whose plus sign was decoded to a space', async () => {
    await add({ title: 'a', moment: '2026-01-31T09:30:00+01:00' });
    const get = async (query: string): Promise<number> =>
      (await tenant.http.get(`${type.entries}?${query}`).expect(200)).body.meta.total as number;
    expect(await get('filter[moment]=2026-01-31T09:30:00+01:00')).toBe(1);
    expect(await get('filter[moment][in]=2026-01-31T10:30+0200,2026-01-31')).toBe(1);
    expect(await get('filter[moment][gte]=2026-01-31')).toBe(1);
    expect(await get('filter[moment][gte]=2026-02-01')).toBe(0);
    expect(await get('filter[created_at][gte]=2026-01-31T10:30:00.123+02:00')).toBe(1);
    expect(await get('where={"moment":"2026-01-31T10:30:00+02:00"}')).toBe(1);
    expect(await get('where={"created_at":{"lt":"2026-01-31T10:30+0200"}}')).toBe(0);
  });

  it.each([
    ['', 'where', 'it ends too early at position 1.'],
    ['{"title": "x"', 'where', 'it ends too early at position 14.'],
    ['{"😀": x}', 'where', 'it has an unexpected "x" at position 7.'],
    ['{"title": "a", "title": "b"}', 'where', 'it repeats "title" at position 16.'],
    ['[]', 'where', 'where must be a JSON object.'],
    ['null', 'where', 'where must be a JSON object.'],
    ['[object Object]', 'where', 'it has an unexpected "o" at position 2.'],
    [{ and: {} }, 'where.and', 'where.and must be a list of objects.'],
    [{ or: [1] }, 'where.or.0', 'where.or.0 must be an object.'],
    [{ not: [] }, 'where.not', 'where.not must be an object.'],
    [{ and: 'text' }, 'where.and', 'where.and must be a list of objects.'],
    [{ title: { like: 'x' } }, 'where.title.like', 'where.title.like is not an operator.'],
    [{ title: { and: [] } }, 'where.title.and', 'where.title.and is not an operator.'],
    [{ title: ['a'] }, 'where.title', 'where.title must not be a list: use in, or contains.'],
    [{ title: 5 }, 'where.title', 'where.title must be a string.'],
    [{ title: { contains: 5 } }, 'where.title.contains', 'where.title.contains must be a string.'],
    [{ title: { lt: null } }, 'where.title.lt', 'where.title.lt must be a string.'],
    [{ title: { eq: {} } }, 'where.title.eq', 'where.title.eq must be a string.'],
    [{ title: 'a\0' }, 'where.title', 'where.title contains a NUL character.'],
    ['{"title": "\\ud800"}', 'where.title', 'where.title contains a lone surrogate.'],
    [{ price: '5' }, 'where.price', 'where.price must be a number.'],
    ['{"price": 1e999}', 'where', 'it has a number that is out of range or has too many digits at position 11'],
    [{ stock: 1.5 }, 'where.stock', 'where.stock must be an integer from -9007199254740991 to 9007199254740991.'],
    [{ active: 'true' }, 'where.active', 'where.active must be a boolean.'],
    [{ price: { exists: 'true' } }, 'where.price.exists', 'where.price.exists must be a boolean.'],
    [{ price: { in: 5 } }, 'where.price.in', 'where.price.in must be a list.'],
    [{ price: { in: [5, null] } }, 'where.price.in.1', 'where.price.in.1 must be a number.'],
    [{ stock: { in: Array.from({ length: 101 }, (_, n) => n) } }, 'where.stock.in', 'At most 100 values are allowed.'],
    [{ price: { contains: '5' } }, 'where.price.contains', 'contains applies only to text.'],
    [{ kind: 'd' }, 'where.kind', 'where.kind must be one of the options of kind.'],
    [{ extra: 1 }, 'where.extra', 'Entries cannot be filtered by extra because its type is json.'],
    [{ status: 'gone' }, 'where.status', 'where.status must be draft or published.'],
    [{ status: true }, 'where.status', 'where.status must be a string.'],
    [{ or: [{ title: 'a' }, { price: { gte: 'x' } }] }, 'where.or.1.price.gte', 'must be a number.'],
    [nested(6), 'where.not.not.not.not.not.not', 'is more than 5 levels of and, or and not deep.'],
    [{ and: Array.from({ length: 21 }, () => ({ title: 'a' })) }, 'where', 'must have at most 20 conditions.'],
  ])('is refused: %j', async (where, path, message) => {
    const { body } = await list(where).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path, code: 'invalid_parameter' }] });
    expect(body.detail).toContain(message);
    expect(body.detail.length).toBeLessThan(400);
  });

  it('is refused if it is nested too deeply or a value is too long', async () => {
    const deep = await list('{"not":'.repeat(300)).expect(400);
    expect(deep.body.detail).toBe('where cannot be read as JSON: it is nested too deeply at position 449.');
    const long = await list({ or: [{ title: { contains: 'x'.repeat(2_049) } }] }).expect(400);
    expect(long.body.detail).toBe('where.or.0.title.contains is too long.');
  });

  it.each([
    [{ nope: 1 }, 'where.nope'],
    [{ or: [{}, { nope: {} }] }, 'where.or.1.nope'],
    ['{"__proto__": "x"}', 'where.__proto__'],
    [{ constructor: 'x' }, 'where.constructor'],
    [{ fields: { title: 'x' } }, 'where.fields.title'],
  ])('with an unknown name is refused: %j', async (where, path) => {
    const { body } = await list(where).expect(400);
    expect(body.errors).toMatchObject([{ path }]);
  });

  it('may have 5 levels, and 20 conditions together with filter', async () => {
    await add({ title: 'a', price: 1 }, { title: 'b' });
    expect(await titles(nested(5))).toBe('b');
    const many = { or: Array.from({ length: 20 }, (_, index) => ({ title: { contains: `x${index}` } })) };
    expect(await titles(many)).toBe('');
    expect(await titles({ not: many })).toBe('a,b');
    const half = { or: many.or.slice(0, 10) };
    const filters = ['title', 'price', 'stock', 'day', 'moment'].flatMap((name) =>
      ['lt', 'gt'].map((operator) => [name, operator]),
    );
    const values: Record<string, string> = { title: 'z', day: '2026-01-01', moment: '2026-01-01' };
    const query = filters.map(([name = '', operator]) => `&filter[${name}][${operator}]=${values[name] ?? 0}`);
    await list(half, query.join('')).expect(200);
    const { body } = await list(half, `${query.join('')}&filter[active]=true`).expect(400);
    expect(body.detail).toBe('where and filter must have at most 20 conditions together.');
  });

  it('has operators whose names new fields cannot have', async () => {
    const [types, field] = [`/v1/content/${tenant.id}/types`, { name: 'not', type: 'text' }];
    const { body } = await tenant.http.post(types, { name: 'New', fields: [FIELDS[0], field] }).expect(422);
    expect(body.errors).toEqual([
      { path: 'fields.1.name', code: 'reserved', message: 'name must not be not, which is reserved.' },
    ]);
    await tenant.http.put(type.path, { fields: [...FIELDS, field] }).expect(422);
    await tenant.http.put(type.path, { fields: FIELDS.map((one) => ({ ...one, label: 'x' })) }).expect(200);
    await tenant.http.get(`${type.entries}?filter[and]=x&sort=and`).expect(200);
  });

  it('belongs to its cursor', async () => {
    await add(...Array.from({ length: 9 }, (_, index) => ({ title: `t${index}`, price: index % 3 })));
    const where = { or: [{ price: 0 }, { price: { gt: 1 } }] };
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: { body: { data: { fields: { title: string } }[]; meta: { next_cursor: string | null } } } =
        await list(where, `&sort=-title&per_page=2&cursor=${cursor}`).expect(200);
      seen.push(...titlesOf(body));
      cursor = body.meta.next_cursor;
      if (cursor) await list({ price: 0 }, `&sort=-title&per_page=2&cursor=${cursor}`).expect(400);
    }
    expect(seen).toEqual(['t8', 't6', 't5', 't3', 't2', 't0']);
  });

  it('agrees with a model for any conditions, filter, search, sort and strategy', async () => {
    const samples = fc.sample(entry, { numRuns: 60, seed: 11 });
    const ids = await createEntries(tenant, type, samples);
    const entries = samples.map((sample, index): Modelled => ({ ...sample, id: ids[index] ?? '' }));
    const query = fc.record({
      where: tree,
      filter: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      search: fc.option(fc.constantFrom('apple', 'zoo'), { nil: undefined }),
      sort: fc.constantFrom('id', '-created_at', 'price', '-title,id', 'tags', '-updated_at', 'status,-price'),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ where, filter, search, sort }) => {
        const expected = entries
          .filter((one) => holds(where, one))
          .filter(({ fields }) => filter === undefined || fields.kind === filter)
          .filter(
            ({ fields }) =>
              search === undefined ||
              folded(fields.title ?? '')
                .split(' ')
                .includes(search),
          )
          .map(({ id }) => id);
        const more = `${filter ? `&filter[kind]=${filter}` : ''}${search ? `&search=${search}` : ''}&sort=${sort}`;
        const { body } = await list(where, `${more}&per_page=100`).expect(200);
        const found = body.data.map(({ id }: { id: string }) => id) as string[];
        expect([...found].sort()).toEqual([...expected].sort());
        expect(body.meta.total).toBe(expected.length);
        const walked = await list(where, `${more}&per_page=100&cursor=`).expect(200);
        expect(walked.body.data.map(({ id }: { id: string }) => id)).toEqual(found);
        const second = await list(where, `${more}&per_page=7&page=2`).expect(200);
        expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual(found.slice(7, 14));
      }),
      { numRuns: propertyRuns(50) },
    );
  }, 360_000);
});

interface Values {
  title?: string;
  price?: number;
  active?: boolean;
  moment?: string;
  kind?: string;
  tags?: string[];
}

interface Modelled {
  id: string;
  status: string;
  fields: Values;
}

const TITLES = ['apple', 'Apple', 'ápple pie', 'Banana', 'zoo', 'Zoo apple', '', 'a'];
const MOMENTS = ['2026-01-31T09:30:00Z', '2026-01-31T10:30+0100', '2026-01-31', '2026-02-01T00:00:00.5Z'];
const TAGS = ['x', 'X', 'xy', 'yé', 'z'];
const PRICES = [-3, 0, 1.5, 2, 100];

const entry = fc.record({
  status: fc.constantFrom('draft', 'published'),
  fields: fc.record(
    {
      title: fc.constantFrom(...TITLES),
      price: fc.constantFrom(...PRICES),
      active: fc.boolean(),
      moment: fc.constantFrom(...MOMENTS),
      kind: fc.constantFrom('a', 'b', 'c'),
      tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
});

type Operand = string | number | boolean | null | (string | number | boolean)[];
type Tests = Operand | Record<string, Operand>;
type Tree = { [name: string]: Tests | Tree | Tree[] };

const VALUES: Record<string, fc.Arbitrary<string | number | boolean>> = {
  title: fc.constantFrom(...TITLES, 'none'),
  price: fc.constantFrom(...PRICES, 1),
  active: fc.boolean(),
  moment: fc.constantFrom(...MOMENTS, '2026-02-01'),
  kind: fc.constantFrom('a', 'b', 'c'),
  tags: fc.constantFrom(...TAGS),
  status: fc.constantFrom('draft', 'published'),
};
const TEXTUAL = ['title', 'kind', 'tags'];

/** The conditions on one field: `[name, tests]`. */
const member = fc.constantFrom(...Object.keys(VALUES)).chain((name): fc.Arbitrary<[string, Tests]> => {
  const value = VALUES[name] ?? fc.constant('');
  const list = fc.array(value, { maxLength: 3 });
  const operators: Record<string, fc.Arbitrary<Operand>> = {
    eq: fc.oneof(value, fc.constant(null)),
    ne: fc.oneof(value, fc.constant(null)),
    in: list,
    exists: fc.boolean(),
    ...Object.fromEntries(['lt', 'lte', 'gt', 'gte'].map((operator) => [operator, value])),
  };
  if (TEXTUAL.includes(name)) {
    operators['contains'] = fc.constantFrom('a', 'PP', 'á', 'y', '');
    operators['starts_with'] = fc.constantFrom('a', 'Z', 'y', '');
  }
  const one = fc.constantFrom(...Object.keys(operators)).chain((operator) => {
    return (operators[operator] ?? fc.constant(null)).map((operand) => [operator, operand] as const);
  });
  const tests = fc.array(one, { maxLength: 2 }).map((pairs): Tests => Object.fromEntries(pairs));
  return fc.oneof(value, fc.constant(null), tests, tests).map((one) => [name, one]);
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

/** One condition fewer than the limit, because there may be a filter too. */
const tree = level(level(level(leaf))).filter((one) => countConditions(one) <= 19);

function countConditions(one: Tree): number {
  return Object.entries(one).reduce((sum, [name, value]) => {
    if (name === 'and' || name === 'or')
      return sum + (value as Tree[]).reduce((all, part) => all + countConditions(part), 0);
    if (name === 'not') return sum + countConditions(value as Tree);
    return sum + (isTests(value as Tests) ? Object.keys(value as object).length : 1);
  }, 0);
}

function isTests(tests: Tests): tests is Record<string, Operand> {
  return typeof tests === 'object' && tests !== null && !Array.isArray(tests);
}

/** Evaluates `where` in the simplest way. */
function holds(where: Tree, one: Modelled): boolean {
  return Object.entries(where).every(([name, value]) => {
    if (name === 'and') return (value as Tree[]).every((part) => holds(part, one));
    if (name === 'or') return (value as Tree[]).some((part) => holds(part, one));
    if (name === 'not') return !holds(value as Tree, one);
    const tests = isTests(value as Tests) ? (value as Record<string, Operand>) : { eq: value as Operand };
    return Object.entries(tests).every(([operator, operand]) => passes(name, operator, operand, one));
  });
}

function passes(name: string, operator: string, operand: Operand, one: Modelled): boolean {
  const held = name === 'status' ? one.status : one.fields[name as keyof Values];
  const values = held === undefined ? [] : [held].flat();
  const exact = (value: unknown) => (name === 'moment' ? instant(value as string) : value);
  switch (operator) {
    case 'exists':
      return values.length > 0 === operand;
    case 'eq':
      return operand === null ? values.length === 0 : values.some((value) => exact(value) === exact(operand));
    case 'ne':
      return !passes(name, 'eq', operand, one);
    case 'in':
      return (operand as Operand[]).some((element) => passes(name, 'eq', element, one));
    case 'contains':
      return values.some((value) => String(value).toLowerCase().includes(String(operand).toLowerCase()));
    case 'starts_with':
      return values.some((value) => String(value).toLowerCase().startsWith(String(operand).toLowerCase()));
    default:
      return values.some((value) => {
        const order = compare(ordered(name, value), ordered(name, operand));
        if (operator.startsWith('l')) return operator === 'lt' ? order < 0 : order <= 0;
        return operator === 'gt' ? order > 0 : order >= 0;
      });
  }
}

function ordered(name: string, value: unknown): string | number {
  if (name === 'moment') return instant(value as string);
  return typeof value === 'string' ? folded(value) : Number(value);
}

function instant(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

import pg from 'pg';
import { formatId, newUuid, parseId } from '../../src/ids/type-id.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

/** More than 64 KiB, which responses read while they are sent. */
const LARGE = 'x'.repeat(100_000);

interface Entry {
  id: string;
  content_type_id: string;
  fields: Record<string, unknown>;
  status: string;
}

interface Body {
  data: Entry | Entry[];
  included: Record<string, Entry>;
}

describe('include', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let companies: TestType;
  let authors: TestType;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '1000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    companies = await createType(tenant, [{ name: 'name', type: 'text' }], 'Company');
    authors = await createType(
      tenant,
      [
        { name: 'name', type: 'text' },
        { name: 'company', type: 'reference', content_type: 'company' },
      ],
      'Author',
    );
    posts = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'text' },
        { name: 'author', type: 'reference', content_type: 'author' },
        { name: 'about', type: 'reference', content_types: ['author', 'company'], multiple: true },
      ],
      'Post',
    );
  });

  const create = async (type: TestType, fields: object, status = 'published'): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const get = async (path: string, http = tenant.http): Promise<Body> => (await http.get(path).expect(200)).body;
  const idsOf = async (path: string, http = tenant.http) => Object.keys((await get(path, http)).included).sort();
  const problemOf = async (path: string, http = tenant.http) => (await http.get(path).expect(400)).body;
  const published = (): Http => app.client(`Bearer ${tenant.publishedKey}`);
  const visitor = (): Http => app.client();

  it('adds the entries that the paths lead to, as Get Entry shows them', async () => {
    const company = await create(companies, { name: 'Engines' });
    const ada = await create(authors, { name: 'Ada', company });
    const post = await create(posts, { title: 'One', author: ada, about: [ada, company] });
    const shown = {
      [ada]: (await get(`${authors.entries}/${ada}`)).data,
      [company]: (await get(`${companies.entries}/${company}`)).data,
    };
    const path = `${posts.entries}/${post}`;
    const { data } = await get(path);
    expect(await get(`${path}?include=author`)).toEqual({ data, included: { [ada]: shown[ada] } });
    expect(await get(`${path}?include=author,author.company`)).toEqual({ data, included: shown });
    expect(await get(`${path}?include=about`)).toEqual({ data, included: shown });
    expect((await get(`${posts.entries}?include=author.company`)).included).toEqual(shown);
    expect((await get(`${posts.entries}?include=`)).included).toEqual({});
    expect((await get(`${posts.entries}?filter[title]=none&include=author`)).included).toEqual({});
  });

  it('leaves out the entries of the page, but follows their references', async () => {
    const nodes = await createType(tenant, [{ name: 'n', type: 'integer' }], 'Node');
    const fields = [
      { name: 'n', type: 'integer' },
      { name: 'next', type: 'reference', content_type: nodes.id },
    ];
    await tenant.http.put(nodes.path, { fields }).expect(200);
    const third = await create(nodes, { n: 3 });
    const second = await create(nodes, { n: 2, next: third });
    const first = await create(nodes, { n: 1, next: second });
    await tenant.http.patch(`${nodes.entries}/${third}`, { fields: { next: first } }).expect(200);
    expect(await idsOf(`${nodes.entries}?include=next.next`)).toEqual([]);
    expect(await idsOf(`${nodes.entries}?filter[n][lte]=2&include=next.next`)).toEqual([third]);
    expect(await idsOf(`${nodes.entries}/${first}?include=next`)).toEqual([second]);
    expect(await idsOf(`${nodes.entries}/${first}?include=next.next.next`)).toEqual([second, third].sort());
  });

  it('includes what a reference implementation does, over random graphs', async () => {
    const random = seeded(20_261_122);
    const names = ['red', 'green', 'blue'];
    const types: TestType[] = [];
    for (const name of names) types.push(await createType(tenant, [{ name: 'n', type: 'integer' }], name));
    const fields = [
      { name: 'n', type: 'integer' },
      { name: 'one', type: 'reference', content_type: 'red' },
      { name: 'many', type: 'reference', content_types: names, multiple: true },
    ];
    await tenant.http.put(types[0]!.path, { fields }).expect(200);
    await tenant.http.put(types[1]!.path, { fields: fields.slice(0, 2) }).expect(200);
    await tenant.http
      .put(types[2]!.path, { fields: [fields[0], { ...fields[2], content_types: ['red', 'green'] }] })
      .expect(200);
    const ids: string[][] = [[], [], []];
    for (let n = 0; n < 45; n++)
      ids[n % 3]!.push(await create(types[n % 3]!, { n }, random(4) === 0 ? 'draft' : 'published'));
    const pick = (from: string[]) => from[random(from.length)]!;
    for (const [index, list] of ids.entries()) {
      for (const id of list) {
        const values: Record<string, unknown> = {};
        if (index < 2 && random(3) > 0) values['one'] = pick(ids[0]!);
        const among = index === 0 ? ids.flat() : [...ids[0]!, ...ids[1]!];
        if (index !== 1 && random(3) > 0) values['many'] = Array.from({ length: 1 + random(4) }, () => pick(among));
        await tenant.http.patch(`${types[index]!.entries}/${id}`, { fields: values }).expect(200);
      }
    }
    for (const id of [ids[0]![3]!, ids[1]![4]!]) {
      await tenant.http.delete(`${types[ids.findIndex((list) => list.includes(id))]!.entries}/${id}`).expect(200);
    }
    const all = new Map<string, Entry>();
    for (const type of types) {
      for (const entry of (await get(`${type.entries}?per_page=100`)).data as Entry[]) all.set(entry.id, entry);
    }
    const paths = ['one', 'many', 'one.one', 'many.one', 'many.many', 'one.many.one', 'many.many.many'];
    for (let round = 0; round < 40; round++) {
      const type = types[random(3)]!;
      const first = type === types[1] ? 'one' : type === types[2] ? 'many' : undefined;
      const usable = paths.filter((path) => first === undefined || path.split('.')[0] === first);
      const include = Array.from({ length: 1 + random(3) }, () => pick(usable));
      const publishedOnly = random(2) === 0;
      const query = `per_page=${1 + random(4)}&page=${1 + random(4)}&include=${include.join(',')}`;
      const body = await get(`${type.entries}?${query}`, publishedOnly ? published() : tenant.http);
      const visible = (id: string) => all.has(id) && (!publishedOnly || all.get(id)?.status === 'published');
      expect([query, body.included]).toEqual([query, expectedOf(body.data as Entry[], include, all, visible)]);
    }
  }, 240_000);

  describe('access', () => {
    it('shows a key for published entries no drafts, and nothing behind them', async () => {
      const company = await create(companies, { name: 'Engines' });
      const hidden = await create(authors, { name: 'Hidden', company }, 'draft');
      const shown = await create(authors, { name: 'Shown' });
      const post = await create(posts, { author: hidden, about: [shown, hidden] });
      const query = `include=author.company,about`;
      for (const path of [`${posts.entries}?${query}`, `${posts.entries}/${post}?${query}`]) {
        expect(await idsOf(path, published())).toEqual([shown]);
        expect(await idsOf(path)).toEqual([company, hidden, shown].sort());
      }
    });

    it('shows a reader without a key published entries of public types only', async () => {
      const company = await create(companies, { name: 'Engines' });
      const ada = await create(authors, { name: 'Ada', company });
      const draft = await create(authors, { name: 'Draft' }, 'draft');
      const post = await create(posts, { author: ada, about: [draft, ada, company] });
      await tenant.http.put(posts.path, { public: true }).expect(200);
      const path = `${posts.entries}/${post}`;
      const refused = await problemOf(`${path}?include=author.company`, visitor());
      expect([refused.code, JSON.stringify(refused).includes('name')]).toEqual(['unknown_field', false]);
      for (const one of [path, posts.entries])
        expect(await idsOf(`${one}?include=author,about`, visitor())).toEqual([]);
      await tenant.http.put(authors.path, { public: true }).expect(200);
      for (const one of [path, posts.entries]) {
        expect(await idsOf(`${one}?include=author.company,about`, visitor())).toEqual([ada]);
      }
      await tenant.http.put(authors.path, { public: false }).expect(200);
      expect(await idsOf(`${path}?include=about`, visitor())).toEqual([]);
    });

    it('never leads to another tenant', async () => {
      const author = await create(authors, { name: 'Ada' });
      await create(posts, { author });
      const stranger = app.tenant();
      await stranger.http.get(`${posts.entries}?include=author`).expect(403);
    });
  });

  describe('ETags', () => {
    it('change with the included entries, and never lead to 304', async () => {
      const ada = await create(authors, { name: 'Ada' });
      const post = await create(posts, { author: ada });
      for (const type of [posts, authors]) await tenant.http.put(type.path, { public: true }).expect(200);
      for (const path of [posts.entries, `${posts.entries}/${post}`]) {
        const before = await visitor().get(`${path}?include=author`).expect(200);
        expect(before.headers['cache-control']).toContain('public');
        await tenant.http.patch(`${authors.entries}/${ada}`, { fields: { name: path } }).expect(200);
        for (const etag of [before.headers['etag']!, '*']) {
          const after = await visitor().get(`${path}?include=author`).set('If-None-Match', etag).expect(200);
          expect(after.headers['etag']).not.toBe(before.headers['etag']);
          expect(after.body.included[ada].fields.name).toBe(path);
        }
        const own = await tenant.http.get(`${path}?include=author`).set('If-None-Match', '*').expect(200);
        expect(own.headers['cache-control']).toBe('no-store');
        expect(own.headers['etag']).toBeDefined();
        await visitor().get(path).set('If-None-Match', '*').expect(304);
      }
      const { headers } = await tenant.http.get(`${posts.entries}/${post}?include=author`).expect(200);
      await tenant.http.patch(`${posts.entries}/${post}`, {}).set('If-Match', headers['etag']!).expect(200);
    });
  });

  describe('previews', () => {
    const save = (type: TestType, id: string, fields: object) =>
      tenant.http.patch(`${type.entries}/${id}/draft`, { fields }).expect(200);

    it('follow the references of drafts, and show included entries with their drafts', async () => {
      const [engines, looms] = [
        await create(companies, { name: 'Engines' }),
        await create(companies, { name: 'Looms' }),
      ];
      const ada = await create(authors, { name: 'Ada', company: engines });
      const bob = await create(authors, { name: 'Bob' }, 'draft');
      const post = await create(posts, { title: 'One', author: bob, about: [engines] });
      await save(posts, post, { author: ada, about: null });
      await save(authors, ada, { company: looms, name: 'Countess' });
      await save(companies, looms, { name: LARGE });
      const query = 'include=author.company,about';
      for (const path of [posts.entries, `${posts.entries}/${post}`]) {
        expect(await idsOf(`${path}?${query}`)).toEqual([engines, bob].sort());
        const { included } = await get(`${path}?${query}&preview=true`);
        expect(Object.keys(included).sort()).toEqual([ada, looms].sort());
        expect(included[ada]?.fields).toEqual({ name: 'Countess', company: looms });
        expect(included[looms]?.fields).toEqual({ name: LARGE });
      }
      const { body } = await tenant.http.post(`${posts.entries}/${post}/preview-links`, {}).expect(201);
      const link = body.data.url.replace(app.publicUrl, '');
      const { data, included } = await get(`${link}?include=author.company,about&select=title`, visitor());
      expect((data as Entry).fields).toEqual({ title: 'One' });
      expect(Object.keys(included).sort()).toEqual([ada, engines].sort());
      expect(included[ada]?.fields).toEqual({ name: 'Ada', company: engines });
      await tenant.http.patch(`${authors.entries}/${ada}`, { status: 'draft' }).expect(200);
      expect(await idsOf(`${link}?include=author.company`, visitor())).toEqual([]);
      expect((await problemOf(`${link}?include=nope`, visitor())).code).toBe('unknown_field');
      await visitor()
        .get(`${link.slice(0, -2)}?include=nope`)
        .expect(404);
    });

    it('are 403 and 401 as without include', async () => {
      await tenant.http.put(posts.path, { public: true }).expect(200);
      await published().get(`${posts.entries}?include=author&preview=true`).expect(403);
      await visitor().get(`${posts.entries}?include=author&preview=true`).expect(401);
    });

    it('ignore values of a draft that are no references', async () => {
      const types = await createType(tenant, [{ name: 'author', type: 'json' }], 'Loose');
      const loose = await create(types, {});
      await save(types, loose, { author: ['x', 1, null, { a: 1 }, 'ent_'] });
      await tenant.http.put(types.path, { fields: [{ name: 'other', type: 'json' }] }).expect(200);
      const fields = [{ name: 'author', type: 'reference', content_type: 'author', multiple: true }];
      await tenant.http.put(types.path, { fields }).expect(200);
      expect(await idsOf(`${types.entries}?include=author&preview=true`)).toEqual([]);
    });
  });

  it('includes large entries, which are read while the response is sent', async () => {
    const large = await create(authors, { name: LARGE });
    const many: string[] = [];
    for (let n = 0; n < 40; n++) many.push(await create(companies, { name: `${n} ${'y'.repeat(60_000)}` }));
    const post = await create(posts, { body: LARGE, author: large, about: [large, ...many] });
    for (const path of [posts.entries, `${posts.entries}/${post}`]) {
      const { included } = await get(`${path}?include=author,about`);
      expect(Object.keys(included).sort()).toEqual([large, ...many].sort());
      expect(included[large]?.fields['name']).toBe(LARGE);
      expect(
        Object.values(included).every(({ id, fields }) => id === large || String(fields['name']).length > 60_000),
      ).toBe(true);
    }
    const { included } = await get(`${posts.entries}?include=about&select=title,about.company`);
    expect(included[large]?.fields).toEqual({});
  });

  describe('limits', () => {
    it.each([
      ['include=nope', 'unknown_field', 'nope'],
      ['include=title', 'unknown_field', 'title'],
      ['include=author.name', 'unknown_field', 'author.name'],
      ['include=author..company', 'unknown_field', 'author.'],
      ['include=author,', 'unknown_field', ''],
      ['include=author.company.name', 'unknown_field', 'author.company.name'],
      ['include=a.b.c.d', 'invalid_parameter', '3 levels'],
      [`include=${Array.from({ length: 11 }, () => 'author').join(',')}`, 'invalid_parameter', '10 paths'],
      ['include=author&include=about', 'invalid_parameter', 'once'],
    ])('%s is 400', async (query, code, message) => {
      const post = await create(posts, {});
      for (const path of [posts.entries, `${posts.entries}/${post}`]) {
        const problem = await problemOf(`${path}?${query}`);
        expect([problem.code, problem.errors[0].path]).toEqual([code, 'include']);
        expect(problem.detail).toContain(message);
      }
    });

    it('more than 1,000 entries are 400, and 1,000 are not', async () => {
      const ids = await fill(tenant, companies, 1_001);
      const post = await create(posts, { about: ids.slice(0, 1_000) });
      expect(await idsOf(`${posts.entries}/${post}?include=about`)).toHaveLength(1_000);
      await create(posts, { about: ids.slice(1) });
      const problem = await problemOf(`${posts.entries}?include=about`);
      expect([problem.code, problem.detail]).toEqual([
        'invalid_parameter',
        expect.stringContaining('more than 1000 entries'),
      ]);
    });

    it('more than 16 MiB are 400', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 18; n++) ids.push(await create(companies, { name: 'z'.repeat(1_000_000) }));
      const post = await create(posts, { about: ids });
      expect((await problemOf(`${posts.entries}/${post}?include=about`)).detail).toContain('16 MiB');
      await tenant.http.patch(`${posts.entries}/${post}`, { fields: { about: ids.slice(0, 16) } }).expect(200);
      expect(await idsOf(`${posts.entries}/${post}?include=about`)).toHaveLength(16);
    }, 240_000);

    it('pages full of references end early', async () => {
      const ids = await fill(tenant, companies, 1_000);
      const fields = Array.from({ length: 10 }, (_, n) => ({
        name: `r${n}`,
        type: 'reference',
        content_type: 'company',
        multiple: true,
      }));
      const dense = await createType(tenant, fields, 'Dense');
      const values = Object.fromEntries(fields.map(({ name }) => [name, ids]));
      const one = await create(dense, values);
      const copies = `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
        SELECT v.tenant_id, v.content_type_id, v.field, v.sort_key, v.discriminator, n.id
        FROM entry_values v CROSS JOIN (SELECT id FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id <> $3) n
        WHERE v.tenant_id = $1 AND v.content_type_id = $2 AND v.entry_id = $3`;
      await fill(tenant, dense, 9);
      await app.database.query(copies, [tenant.id, parseId('ct', dense.id), parseId('ent', one)]);
      await app.database.query('ANALYZE entry_values');
      const started = performance.now();
      const include = fields.map(({ name }) => name).join(',');
      const problem = await problemOf(`${dense.entries}?per_page=100&include=${include}`);
      expect([problem.code, problem.detail]).toEqual(['invalid_parameter', expect.stringContaining('references')]);
      expect(performance.now() - started).toBeLessThan(15_000);
    }, 240_000);
  });

  it('follows a change of the content types', async () => {
    const ada = await create(authors, { name: 'Ada' });
    const post = await create(posts, { author: ada });
    const path = `${posts.entries}/${post}`;
    expect(await idsOf(`${path}?include=author`)).toEqual([ada]);
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'author', type: 'reference', content_types: ['author', 'company'] },
      { name: 'writer', type: 'reference', content_type: 'author' },
    ];
    await tenant.http.put(posts.path, { fields }).expect(200);
    await tenant.http.patch(path, { fields: { writer: ada, author: null } }).expect(200);
    expect(await idsOf(`${path}?include=author`)).toEqual([]);
    expect(await idsOf(`${path}?include=writer`)).toEqual([ada]);
    await tenant.http.delete(authors.path).expect(200);
    for (const one of [path, posts.entries]) expect(await idsOf(`${one}?include=writer`)).toEqual([]);
  });

  it('follows a change that another process made', async () => {
    const ada = await create(authors, { name: 'Ada' });
    const post = await create(posts, { author: ada });
    const path = `${posts.entries}/${post}`;
    expect(await idsOf(`${path}?include=author`)).toEqual([ada]);
    // This process is not notified, as it would not be of another process.
    const remove = (slug: string, name: string) =>
      app.database.query(
        `UPDATE content_types SET version = version + 1, fields = (SELECT json_agg(f) FROM json_array_elements(fields) f WHERE f ->> 'name' <> $3)
          WHERE tenant_id = $1 AND slug = $2`,
        [tenant.id, slug, name],
      );
    await remove('author', 'company');
    for (const one of [path, posts.entries]) {
      expect((await problemOf(`${one}?include=author.company`)).code).toBe('unknown_field');
    }
    await remove('post', 'author');
    expect((await problemOf(`${path}?include=author`)).code).toBe('unknown_field');
    await remove('post', 'title');
    expect((await problemOf(`${path}?select=title`)).code).toBe('unknown_field');
    expect(await idsOf(`${path}?include=about`)).toEqual([]);
  });

  it('takes one statement for each level, however many entries, and no statement without include', async () => {
    const boss = await create(companies, { name: 'Engines' });
    const path = posts.entries;
    const add = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const author = await create(authors, { name: `A${n}`, company: boss });
        await create(posts, { author, about: [author, boss] });
      }
    };
    const statementsOf = async (one: string) => {
      await tenant.http.get(one).expect(200);
      return recorded(() => tenant.http.get(one).expect(200));
    };
    await add(1);
    const counts: number[][] = [];
    for (const more of [0, 9]) {
      await add(more);
      const plain = await statementsOf(path);
      const row: number[] = [plain.length];
      for (const query of [
        'include=',
        'include=author',
        'include=author,about',
        'include=author.company,about.company',
      ]) {
        row.push((await statementsOf(`${path}?${query}`)).length);
      }
      for (const query of ['select=title', 'include=author.company&select=author.name']) {
        row.push((await statementsOf(`${path}?${query}`)).length);
      }
      counts.push(row);
    }
    expect(counts).toEqual([
      [1, 1, 2, 2, 3, 1, 3],
      [1, 1, 2, 2, 3, 1, 3],
    ]);
    const [first] = (await get(path)).data as Entry[];
    expect((await statementsOf(`${path}/${first?.id}`)).length).toBe(1);
    expect((await statementsOf(`${path}/${first?.id}?include=author.company`)).length).toBe(3);
    const preview = (await statementsOf(`${path}?preview=true`)).length;
    expect((await statementsOf(`${path}?preview=true&include=author.company`)).length).toBe(preview + 2);
  });

  it('leaves out a reference to an entry that never existed or was deleted', async () => {
    const ada = await create(authors, { name: 'Ada' });
    const post = await create(posts, { author: ada });
    await tenant.http.delete(`${authors.entries}/${ada}`).expect(200);
    expect(await idsOf(`${posts.entries}/${post}?include=author`)).toEqual([]);
    await tenant.http.get(`${posts.entries}/${formatId('ent', newUuid())}?include=author`).expect(404);
  });

  it('does not change what cursors continue', async () => {
    for (let n = 0; n < 3; n++) await create(posts, { title: `${n}`, author: await create(authors, { name: `${n}` }) });
    const first = await tenant.http.get(`${posts.entries}?cursor=&per_page=2&include=author`).expect(200);
    const { body } = await tenant.http
      .get(`${posts.entries}?cursor=${first.body.meta.next_cursor}&per_page=2&select=title`)
      .expect(200);
    expect(body.data).toHaveLength(1);
  });

  /** Adds published entries without values; returns their IDs. */
  const fill = async (owner: TestTenant, type: TestType, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => newUuid());
    await app.database.query(
      `INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
        SELECT $1, $2, id, '{}', 2, 'published', 1, now(), now() FROM unnest($3::uuid[]) AS id`,
      [owner.id, parseId('ct', type.id), ids],
    );
    return ids.map((id) => formatId('ent', id));
  };
});

/** Returns a function of numbers below `limit`, the same for the same seed. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % limit;
  };
}

/** What `include` adds to a page, by following every path from every entry. */
function expectedOf(
  page: Entry[],
  paths: string[],
  all: Map<string, Entry>,
  isVisible: (id: string) => boolean,
): Record<string, Entry> {
  const included: Record<string, Entry> = {};
  const follow = (entry: Entry, [name, ...rest]: string[]) => {
    if (name === undefined) return;
    for (const id of [entry.fields[name] ?? []].flat() as string[]) {
      const target = all.get(id);
      if (!target || !isVisible(id)) continue;
      if (!page.some((one) => one.id === id)) included[id] = target;
      follow(target, rest);
    }
  };
  for (const path of paths) for (const entry of page) follow(entry, path.split('.'));
  return included;
}

/** Returns the texts of the statements on tables that run during `work`. */
async function recorded(work: () => PromiseLike<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { prototype } = pg.Client;
  const original = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown;
  prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args as [string | { text?: string; values?: unknown[] } | undefined];
    const text = typeof first === 'object' ? first.text : first;
    if (text !== undefined && /\b(entries|entry_values|content_types)\b/.test(text) && !/pending_events/.test(text))
      texts.push(text);
    return original.apply(this, args);
  } as typeof prototype.query;
  try {
    await work();
  } finally {
    prototype.query = original as typeof prototype.query;
  }
  return texts;
}

import { FIND_ENTRIES } from '../../src/content/finding/found-entries.sql.js';
import { partitionOf } from '../../src/search/words.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'rich_text' },
];

interface Found {
  id: string;
  content_type_id: string;
  title: string | null;
  status: string;
  highlights: Record<string, string[]>;
}

interface Plan {
  'Node Type': string;
  'Actual Rows'?: number;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('a search over all content types', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let posts: TestType;
  let pages: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    posts = await createType(tenant, FIELDS, 'Post');
    pages = await createType(tenant, FIELDS, 'Page');
  });

  const path = (query: string) => `/v1/content/${tenant.id}/search?${query}`;
  const find = async (query: string, http = tenant.http): Promise<Found[]> =>
    (await http.get(path(query)).expect(200)).body.data;
  const titles = async (query: string, http = tenant.http) => (await find(query, http)).map(({ title }) => title);
  const add = (type: TestType, title: string, body = '', status = 'published') =>
    createEntries(tenant, type, [{ fields: { title, ...(body && { body }) }, status }]);
  const keyWith = async (scopes: string[]) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'k', scopes }).expect(201);
    return app.client(`Bearer ${body.data.key}`);
  };

  it('finds entries of every type, with their type, title and highlights', async () => {
    const [post] = await add(posts, 'Spring tides', '<p>About the moon</p>');
    const [page] = await add(pages, 'The moon', '', 'draft');
    expect(await find('search=moon')).toEqual([
      {
        id: page,
        content_type_id: pages.id,
        status: 'draft',
        title: 'The moon',
        highlights: { title: ['The <mark>moon</mark>'] },
        updated_at: expect.stringMatching(/Z$/),
      },
      {
        id: post,
        content_type_id: posts.id,
        status: 'published',
        title: 'Spring tides',
        highlights: { body: ['About the <mark>moon</mark>'] },
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('has titles before texts, whole titles and short titles first, and then the newest', async () => {
    await add(posts, 'Other', '<p>tide</p>');
    await add(pages, 'A long title with a tide in it');
    await add(posts, 'High tide');
    await add(pages, 'Low tide');
    await add(posts, 'Tide');
    expect(await titles('search=tide')).toEqual([
      'Tide',
      'Low tide',
      'High tide',
      'A long title with a tide in it',
      'Other',
    ]);
    expect(await titles('search=high tide')).toEqual(['High tide']);
    expect(await titles('search=tide&per_page=2')).toEqual(['Tide', 'Low tide']);
  });

  it('reads the last word also as a beginning, and the others as words', async () => {
    await add(posts, 'Closures explained');
    await add(pages, 'Clocks');
    expect((await titles('search=clo')).sort()).toEqual(['Clocks', 'Closures explained']);
    expect(await titles('search=closures expl')).toEqual(['Closures explained']);
    expect(await titles('search=clos explained')).toEqual([]);
    expect(await titles('search=c')).toEqual([]);
    expect(await titles('search="closures exp')).toEqual([]);
    expect(await titles('search=-explained clo')).toEqual(['Clocks']);
    expect(await titles('search=ÇLOCK')).toEqual(['Clocks']);
  });

  it('finds words by their stems where a type has a language', async () => {
    await tenant.http.put(posts.path, { language: 'en' }).expect(200);
    await add(posts, 'A closure');
    await add(pages, 'One closure');
    expect(await titles('search=closures')).toEqual(['A closure']);
  });

  it('keeps to the named types, and refuses unknown ones', async () => {
    await add(posts, 'Tide of posts');
    await add(pages, 'Tide of pages');
    expect(await titles('search=tide&types=page')).toEqual(['Tide of pages']);
    expect(await titles(`search=tide&types=page,${posts.id}`)).toHaveLength(2);
    for (const types of [
      'nope',
      'page,nope',
      '',
      'page,',
      posts.id.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
    ]) {
      await tenant.http.get(path(`search=tide&types=${types}`)).expect(400);
    }
    for (const query of ['', 'types=page', 'search=a&per_page=0', 'search=a&per_page=51', 'search=a&page=1']) {
      await tenant.http.get(path(query)).expect(400);
    }
    await tenant.http.get(path(`search=${'x'.repeat(2_000)}`)).expect(400);
  });

  it.each(['', '%20', '!!!', '%00', '-', '"', 'or', '-tide', "x'y", '\\', ':*', '&|!'])(
    'survives %j',
    async (search) => {
      await add(posts, 'Tide');
      const { status } = await tenant.http.get(path(`search=${encodeURIComponent(decodeURIComponent(search))}`));
      expect([200, 400]).toContain(status);
    },
  );

  it('shows only what the key may read', async () => {
    await add(posts, 'Live tide');
    await add(posts, 'Draft tide', '', 'draft');
    await add(pages, 'Page tide');
    expect((await titles('search=tide', await keyWith(['content:read:published']))).sort()).toEqual([
      'Live tide',
      'Page tide',
    ]);
    const narrowed = await keyWith(['content:read@page']);
    expect(await titles('search=tide', narrowed)).toEqual(['Page tide']);
    await narrowed.get(path('search=tide&types=post')).expect(400);
    await app.client().get(path('search=tide')).expect(401);
    await app.tenant().http.get(path('search=tide')).expect(403);
    await (await keyWith(['content:write'])).get(path('search=tide')).expect(403);
  });

  it('finds published entries behind hundreds of drafts that match as well', async () => {
    const drafts = Array.from({ length: 600 }, (_, n) => JSON.stringify({ fields: { title: `Draft tide ${n}` } }));
    await tenant.http
      .post(`${posts.entries}/import`)
      .set('Content-Type', 'application/x-ndjson')
      .send(drafts.join('\n'))
      .expect(200);
    await add(posts, 'Live tide');
    expect(await titles('search=tide', await keyWith(['content:read:published']))).toEqual(['Live tide']);
  });

  it('follows changes and deletions', async () => {
    const [id] = await add(posts, 'Old tide');
    await tenant.http.patch(`${posts.entries}/${id}`, { fields: { title: 'New tide' } }).expect(200);
    expect(await titles('search=old')).toEqual([]);
    expect(await titles('search=new')).toEqual(['New tide']);
    const renamed = [{ name: 'headline', type: 'text', renamed_from: 'title' }, FIELDS[1]];
    await tenant.http.put(posts.path, { fields: renamed }).expect(200);
    expect((await find('search=new'))[0]).toMatchObject({
      title: 'New tide',
      highlights: { headline: ['<mark>New</mark> tide'] },
    });
    await tenant.http.delete(`${posts.entries}/${id}`).expect(200);
    expect(await titles('search=tide')).toEqual([]);
  });

  it('looks only into the index of words, at a limited number of matches, with 100,000 entries', async () => {
    const typeId = parseId('ct', posts.id) ?? '';
    const word = `'${partitionOf(typeId)}`;
    await app.database.query(
      `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words)
        SELECT $1, $2::uuid, ('0190' || lpad(to_hex(n), 12, '0') || '7000800000000000')::uuid,
          ($3 || ''' ' || $3 || 'tide'':1A ' || $3 || '=Btide'' ' || $3 || 'word' || n % 1000 || ''':2')::tsvector
        FROM generate_series(1, 100000) n`,
      [tenant.id, typeId, word],
    );
    await app.database.query('VACUUM ANALYZE entry_words');
    const steps = {
      types: [typeId],
      queries: [`${word}=Btid':*`],
      ranks: [2],
      withDrafts: true,
      perStep: 10,
      limit: 40,
    };
    const [row] = await app.database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${FIND_ENTRIES.text}`,
      FIND_ENTRIES.bind(tenant.id, steps),
    );
    const nodes = (row?.['QUERY PLAN'] ?? []).flatMap((one) => nodesOf(one.Plan));
    expect(nodes[0]?.['Actual Rows']).toBe(10);
    expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toContain('entry_words_search');
    const fetched = nodes.filter((node) => node['Relation Name'] === 'entry_words');
    expect(fetched.map((node) => [node['Node Type'], node['Actual Rows']])).toEqual([['Bitmap Heap Scan', 500]]);
    await app.database.query('DELETE FROM entry_words WHERE tenant_id = $1', [tenant.id]);
  }, 120_000);
});

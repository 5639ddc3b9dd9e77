import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, titlesOf, type TestType } from '../support/content.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** More than 64 KiB, which lists read while they are sent. */
const LARGE = 'x'.repeat(100_000);

interface Entry {
  id: string;
  created_at: string;
  updated_at: string;
  published_at: string | null;
  fields: { title?: string };
}

describe('the full view of entries', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let authors: TestType;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '1000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    authors = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    posts = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'slug', type: 'text', unique: true },
        { name: 'author', type: 'reference', content_type: 'author' },
      ],
      'Post',
    );
  });

  const create = async (fields: object, status = 'published', type = posts): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const full = async (path: string): Promise<Entry> =>
    (await tenant.http.get(`${path}${path.includes('?') ? '&' : '?'}view=full`).expect(200)).body.data;

  const FULL = {
    id: expect.stringMatching(/^ent_/),
    content_type_id: expect.stringMatching(/^ct_/),
    fields: expect.any(Object),
    status: 'published',
    created_at: expect.stringMatching(TIME),
    updated_at: expect.stringMatching(TIME),
    published_at: expect.stringMatching(TIME),
  };

  it('has the same properties in every response with entries', async () => {
    const author = await create({ name: 'Ada' }, 'published', authors);
    const created = await tenant.http.post(`${posts.entries}?view=full`, {
      fields: { title: 'A' },
      status: 'published',
    });
    expect(created.body.data).toEqual(FULL);
    const path = `${posts.entries}/${created.body.data.id}`;
    const patched = await tenant.http.patch(`${path}?view=full`, { fields: { author } }).expect(200);
    expect(patched.body.data).toEqual(FULL);
    const { body } = await tenant.http.get(`${path}?view=full&include=author`).expect(200);
    expect(body.data).toEqual(FULL);
    expect(body.included[author]).toEqual(FULL);
    expect(await full(`${path}?preview=true&include=author`)).toEqual(FULL);
    expect(await full(posts.entries)).toEqual([FULL]);
    expect(await full(`${posts.entries}?preview=true&search=a&highlight=true`)).toEqual([
      { ...FULL, highlights: { title: ['<mark>A</mark>'] } },
    ]);
    await tenant.http.patch(`${path}/draft`, { fields: { title: 'B' } }).expect(200);
    const link = (await tenant.http.post(`${path}/preview-links`, {}).expect(201)).body.data.url as string;
    const followed = await app
      .client()
      .get(`${new URL(link).pathname}?view=full&include=author`)
      .expect(200);
    expect(followed.body.data).toEqual(FULL);
    expect(followed.body.included[author]).toEqual(FULL);
    expect((await tenant.http.post(`${path}/draft/publish?view=full`).expect(200)).body.data).toEqual(FULL);
    expect((await tenant.http.post(`${path}/versions/1/restore?view=full`).expect(200)).body.data).toEqual(FULL);
    const { text } = await tenant.http.get(`${posts.entries}/export?view=full`).expect(200);
    expect(JSON.parse(text)).toEqual(FULL);
    const { created_at, updated_at, published_at } = FULL;
    const times = { created_at, updated_at, published_at };
    const bulk = await tenant.http
      .post(`/v1/content/${tenant.id}/bulk?view=full`, {
        operations: [
          { op: 'create', content_type: 'post', fields: { slug: 'b' }, status: 'published' },
          { op: 'upsert', content_type: 'post', key: { slug: 'b' } },
          { op: 'update', content_type: 'post', entry_id: created.body.data.id, status: 'draft' },
          { op: 'delete', content_type: 'post', entry_id: created.body.data.id },
        ],
      })
      .expect(200);
    expect(bulk.body.data).toEqual([
      expect.objectContaining({ result: 'created', ...times }),
      expect.objectContaining({ result: 'unchanged', ...times }),
      expect.objectContaining({ result: 'updated', ...times, published_at: null }),
      { op: 'delete', entry_id: created.body.data.id, result: 'deleted' },
    ]);
  });

  it('shows large entries, which are read while a list is sent', async () => {
    const author = await create({ name: LARGE }, 'published', authors);
    await create({ title: LARGE, author });
    expect(await full(posts.entries)).toEqual([FULL]);
    expect(await full(`${posts.entries}?preview=true`)).toEqual([FULL]);
    const { body } = await tenant.http.get(`${posts.entries}?view=full&include=author`).expect(200);
    expect(body.included[author]).toEqual(FULL);
  });

  it('is asked for with a header too, and nothing else', async () => {
    const path = `${posts.entries}/${await create({ title: 'A' })}`;
    const response = await tenant.http.get(path).set('Trivet-Shape', 'full').expect(200);
    expect(response.body.data).toEqual(FULL);
    const header = await tenant.http.get(path).set('Trivet-Shape', 'whole').expect(400);
    expect(header.body.errors[0]).toMatchObject({ path: 'Trivet-Shape', code: 'invalid_parameter' });
    const query = await tenant.http.get(`${path}?view=whole`).expect(400);
    expect(query.body.errors[0]).toMatchObject({ path: 'view', code: 'invalid_parameter' });
    await tenant.http.get(`${path}/draft?view=full`).expect(400);
  });

  it('is no shape that a cache gives to others', async () => {
    await tenant.http.put(posts.path, { public: true }).expect(200);
    const path = `${posts.entries}/${await create({ title: 'A' })}`;
    const plain = await app.client().get(path).expect(200);
    expect(plain.headers['vary']).toContain('Trivet-Shape');
    expect(plain.body.data.published_at).toBeUndefined();
    const etag = plain.headers['etag'] as string;
    await app.client().get(path).set('If-None-Match', etag).expect(304);
    const other = await app.client().get(path).set('If-None-Match', etag).set('Trivet-Shape', 'full').expect(200);
    expect(other.body.data).toEqual(FULL);
    const keyed = await tenant.http.get(path).set('If-None-Match', etag).set('Trivet-Shape', 'full').expect(200);
    expect(keyed.headers).toMatchObject({ 'cache-control': 'no-store', etag });
    expect((await app.client().get(posts.entries).set('Trivet-Shape', 'full').expect(200)).body.data).toEqual([FULL]);
  });

  it('leaves the documented responses as they are', async () => {
    const created = await tenant.http.post(posts.entries, { fields: {}, status: 'published' }).expect(201);
    const names = ['content_type_id', 'created_at', 'fields', 'id', 'status'];
    expect(Object.keys(created.body.data).sort()).toEqual(names);
    const path = `${posts.entries}/${created.body.data.id}`;
    const both = [...names, 'updated_at'].sort();
    expect(Object.keys((await tenant.http.get(path).expect(200)).body.data).sort()).toEqual(both);
    const patched = await tenant.http.patch(path, { status: 'published' }).expect(200);
    expect(Object.keys(patched.body.data).sort()).toEqual(both.filter((name) => name !== 'created_at'));
    const { text } = await tenant.http.get(`${posts.entries}/export`).expect(200);
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(both.filter((name) => name !== 'content_type_id'));
  });

  it('says when an entry last became published', async () => {
    const path = `${posts.entries}/${await create({ title: 'A' }, 'draft')}`;
    expect((await full(path)).published_at).toBeNull();
    const published = (await tenant.http.patch(`${path}?view=full`, { status: 'published' }).expect(200)).body.data;
    expect(published.published_at).toBe(published.updated_at);
    await tenant.http.patch(path, { fields: { title: 'B' } }).expect(200);
    await tenant.http.patch(path, { status: 'published' }).expect(200);
    expect((await full(path)).published_at).toBe(published.published_at);
    const draft = (await tenant.http.patch(`${path}?view=full`, { status: 'draft' }).expect(200)).body.data;
    expect(draft.published_at).toBeNull();
    const again = (await tenant.http.patch(`${path}?view=full`, { status: 'published' }).expect(200)).body.data;
    expect(again.published_at).toBe(again.updated_at);
    expect(again.published_at > published.published_at).toBe(true);
    const operations = [
      { op: 'update', content_type: 'post', entry_id: again.id, fields: { title: 'C' } },
      { op: 'update', content_type: 'post', entry_id: again.id, status: 'published' },
    ];
    await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
    expect((await full(path)).published_at).toBe(again.published_at);
  });

  it('reads what it exported', async () => {
    await create({ slug: 'a' });
    const { text } = await tenant.http.get(`${posts.entries}/export?view=full`).expect(200);
    const { text: answer } = await tenant.http
      .post(`${posts.entries}/import?key=slug`)
      .set('Content-Type', 'application/x-ndjson')
      .send(text)
      .expect(200);
    expect(answer).toContain('"unchanged":1,"failed":0');
  });
});

describe('published_at in lists of entries', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let posts: TestType;
  let times: (string | null)[];

  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    posts = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const ids = await createEntries(tenant, posts, [
      { fields: { title: 'early' }, status: 'draft' },
      { fields: { title: 'draft' } },
      { fields: { title: 'other draft' } },
      { fields: { title: 'late' }, status: 'published' },
    ]);
    await tenant.http.patch(`${posts.entries}/${ids[0]}`, { status: 'published' }).expect(200);
    const { body } = await tenant.http.get(`${posts.entries}?view=full&sort=created_at`).expect(200);
    times = body.data.map(({ published_at }: Entry) => published_at);
  });
  afterAll(() => app.close());

  const titles = async (query: string): Promise<unknown> =>
    titlesOf((await tenant.http.get(`${posts.entries}?${query}`).expect(200)).body);
  const where = (conditions: object) => `sort=created_at&where=${encodeURIComponent(JSON.stringify(conditions))}`;

  it('sorts, with drafts last', async () => {
    expect(await titles('sort=-published_at,id')).toEqual(['early', 'late', 'draft', 'other draft']);
    expect(await titles('sort=published_at,-id')).toEqual(['late', 'early', 'other draft', 'draft']);
  });

  it('is walked with cursors', async () => {
    for (const sort of ['published_at', '-published_at', 'title,published_at', 'status,-published_at']) {
      const walked: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await tenant.http.get(`${posts.entries}?sort=${sort}&per_page=1&cursor=${cursor}`).expect(200);
        walked.push(...titlesOf(page.body));
        cursor = page.body.meta.next_cursor as string | null;
      }
      expect(walked).toEqual(await titles(`sort=${sort}`));
    }
  });

  it('filters, and what is negated includes drafts', async () => {
    const [early, , , late] = times;
    expect(await titles(`sort=created_at&filter[published_at][gte]=${early}`)).toEqual(['early']);
    expect(await titles(`sort=created_at&filter[published_at][lt]=${early}`)).toEqual(['late']);
    expect(await titles(`sort=created_at&filter[published_at]=${late}`)).toEqual(['late']);
    expect(await titles(`sort=created_at&filter[published_at][in]=${late},${early}`)).toEqual(['early', 'late']);
    expect(await titles(`sort=created_at&filter[published_at][ne]=${late}`)).toEqual(['early', 'draft', 'other draft']);
    expect(await titles('sort=created_at&filter[published_at][exists]=true')).toEqual(['early', 'late']);
    expect(await titles('sort=created_at&filter[published_at][exists]=false')).toEqual(['draft', 'other draft']);
    expect(await titles(where({ published_at: null }))).toEqual(['draft', 'other draft']);
    expect(await titles(where({ not: { published_at: { gte: early } } }))).toEqual(['draft', 'other draft', 'late']);
    expect(await titles(where({ not: { published_at: { in: [early] } } }))).toEqual(['draft', 'other draft', 'late']);
    expect(await titles(where({ or: [{ published_at: early }, { title: 'draft' }] }))).toEqual(['early', 'draft']);
    expect(await titles(where({ not: { not: { published_at: early } } }))).toEqual(['early']);
    const { body } = await tenant.http.get(`${posts.entries}?filter[published_at][ne]=${late}&per_page=1`).expect(200);
    expect(body.meta.total).toBe(3);
    await tenant.http.get(`${posts.entries}?filter[published_at]=soon`).expect(400);
    await tenant.http.get(`${posts.entries}?filter[published_at][contains]=2`).expect(400);
  });

  it('filters through a reference', async () => {
    const { id } = (await tenant.http.get(`${posts.entries}?filter[title]=late`).expect(200)).body.data[0];
    const draft = (await tenant.http.get(`${posts.entries}?filter[title]=draft`).expect(200)).body.data[0].id;
    const links = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'to', type: 'reference', content_type: posts.id },
      ],
      'Link',
    );
    await createEntries(tenant, links, [
      { fields: { title: 'to late', to: id } },
      { fields: { title: 'to draft', to: draft } },
    ]);
    const list = async (query: string) =>
      titlesOf((await tenant.http.get(`${links.entries}?sort=created_at&${query}`).expect(200)).body);
    expect(await list('filter[to.published_at][gte]=2020-01-01')).toEqual(['to late']);
    expect(await list('filter[to.published_at][ne]=2020-01-01')).toEqual(['to late', 'to draft']);
    expect(await list('filter[to.published_at][exists]=true')).toEqual(['to late']);
  });

  it('is the field of that name in a content type that has one', async () => {
    const own = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'published_at', type: 'date' },
      ],
      'Own',
    );
    await createEntries(tenant, own, [
      { fields: { title: 'second', published_at: '2020-02-01' }, status: 'published' },
      { fields: { title: 'first', published_at: '2020-01-01' } },
    ]);
    const list = async (query: string) => (await tenant.http.get(`${own.entries}?${query}`).expect(200)).body;
    expect(titlesOf(await list('sort=published_at'))).toEqual(['first', 'second']);
    expect(titlesOf(await list('filter[published_at]=2020-01-01'))).toEqual(['first']);
    const { data } = await list('filter[published_at]=2020-02-01&view=full');
    expect(data).toMatchObject([{ fields: { published_at: '2020-02-01' }, published_at: expect.stringMatching(TIME) }]);
  });
});

describe('an entry by a unique value', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '1000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    posts = await createType(tenant, [
      { name: 'title', type: 'text' },
      { name: 'slug', type: 'text', unique: true },
      { name: 'number', type: 'integer', unique: true },
      { name: 'next', type: 'reference', content_type: 'article' },
      { name: 'versions', type: 'text', unique: true },
    ]);
  });

  it('is the same as by its ID', async () => {
    const slug = 'Größe/ 100 %?#';
    const [next] = await createEntries(tenant, posts, [{ fields: { title: 'Next' } }]);
    const fields = { title: 'A', slug, number: 7, next, versions: '1' };
    const [id] = await createEntries(tenant, posts, [{ fields, status: 'published' }]);
    const path = `${posts.entries}/${id}`;
    const by = `${posts.entries}/by/slug/${encodeURIComponent(slug)}`;
    for (const query of ['', '?view=full', '?include=next', '?select=title', '?preview=true']) {
      const [one, other] = [
        await tenant.http.get(path + query).expect(200),
        await tenant.http.get(by + query).expect(200),
      ];
      expect(other.body).toEqual(one.body);
      expect(other.headers['etag']).toBe(one.headers['etag']);
      expect(other.headers['cache-control']).toBe(one.headers['cache-control']);
    }
    await tenant.http.get(by).set('If-None-Match', '"v1"').expect(304);
    expect((await tenant.http.get(`${posts.entries}/by/number/7`).expect(200)).body.data.id).toBe(id);
    expect((await tenant.http.get(`${posts.entries}/by/versions/1`).expect(200)).body.data.id).toBe(id);
    await tenant.http.get(`${by}?sort=title`).expect(400);
  });

  it('is 404 for a value that no entry has, and 400 for a field that is not unique', async () => {
    await createEntries(tenant, posts, [{ fields: { slug: 'a', number: 7 } }]);
    for (const value of ['slug/b', 'slug/A', 'number/8', 'number/seven', 'slug/a%00', `slug/${'x'.repeat(5_000)}`]) {
      await tenant.http.get(`${posts.entries}/by/${value}`).expect(404);
    }
    for (const name of ['title', 'nothing', 'constructor', 'id', 'slug%00']) {
      const { body } = await tenant.http.get(`${posts.entries}/by/${name}/a`).expect(400);
      expect(body.code).toBe('unknown_field');
    }
    const { body } = await tenant.http.get(`${posts.entries}/by/slag/a`).expect(400);
    expect(body.detail).toContain('Did you mean slug?');
  });

  it('is found by the fields of today', async () => {
    const [id] = await createEntries(tenant, posts, [{ fields: { slug: 'a' } }]);
    await tenant.http.get(`${posts.entries}/by/slug/a`).expect(200);
    await tenant.http
      .put(posts.path, { fields: [{ name: 'handle', type: 'text', unique: true, renamed_from: 'slug' }] })
      .expect(200);
    expect((await tenant.http.get(`${posts.entries}/by/handle/a`).expect(200)).body.data.id).toBe(id);
    await tenant.http.get(`${posts.entries}/by/slug/a`).expect(400);
  });

  it('shows published entries only to readers of these, who cannot tell a draft from nothing', async () => {
    await createEntries(tenant, posts, [
      { fields: { slug: 'draft' } },
      { fields: { slug: 'published' }, status: 'published' },
    ]);
    const reader = app.client(`Bearer ${tenant.publishedKey}`);
    const anybody = app.client();
    await anybody.get(`${posts.entries}/by/slug/published`).expect(401);
    await tenant.http.put(posts.path, { public: true }).expect(200);
    for (const client of [reader, anybody]) {
      await client.get(`${posts.entries}/by/slug/published`).expect(200);
      const answers = [];
      for (const value of ['draft', 'nothing']) {
        const { body, headers } = await client.get(`${posts.entries}/by/slug/${value}`).expect(404);
        answers.push({ ...body, request_id: '', cache: headers['cache-control'] });
      }
      expect(answers[0]).toEqual(answers[1]);
    }
  });
});

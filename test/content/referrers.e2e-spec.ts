import { formatId, newUuid } from '../../src/ids/type-id.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

interface Referrer {
  content_type_id: string;
  entry_id: string;
  field: string;
}

describe('referrers', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let authors: TestType;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    authors = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    posts = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'author', type: 'reference', content_type: 'author' },
        { name: 'editors', type: 'reference', content_types: ['author'], multiple: true },
      ],
      'Post',
    );
  });

  const create = async (type: TestType, fields: object, status = 'published'): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const list = async (type: TestType, id: string, query = '', http: Http = tenant.http) =>
    (await http.get(`${type.entries}/${id}/referrers?${query}`).expect(200)).body as {
      data: Referrer[];
      meta: Record<string, unknown>;
    };
  const published = () => app.client(`Bearer ${tenant.publishedKey}`);
  const short = ({ data }: { data: Referrer[] }) => data.map(({ entry_id: id, field }) => [id, field]);

  it('are the entries of all types that refer to an entry, newest first, once for each field', async () => {
    const [ada, bob] = [await create(authors, { name: 'Ada' }), await create(authors, { name: 'Bob' })];
    const first = await create(posts, { author: ada, editors: [bob, ada, ada] });
    const notes = await createType(
      tenant,
      [{ name: 'on', type: 'reference', content_types: ['post', 'author'] }],
      'Note',
    );
    const note = await create(notes, { on: ada });
    const second = await create(posts, { title: ada, editors: [ada] }, 'draft');
    const body = await list(authors, ada);
    expect(body).toEqual({
      data: [
        { content_type_id: posts.id, entry_id: second, field: 'editors' },
        { content_type_id: notes.id, entry_id: note, field: 'on' },
        { content_type_id: posts.id, entry_id: first, field: 'author' },
        { content_type_id: posts.id, entry_id: first, field: 'editors' },
      ],
      meta: { page: 1, per_page: 25, total: 4 },
    });
    expect(short(await list(authors, bob))).toEqual([[first, 'editors']]);
    expect((await list(posts, first)).data).toEqual([]);
    const bySlug = { ...authors, entries: authors.entries.replace(authors.id, 'author') };
    expect((await list(bySlug, ada)).data).toEqual(body.data);
  });

  it('are listed by page and by cursor in the same order', async () => {
    const ada = await create(authors, { name: 'Ada' });
    for (let n = 0; n < 7; n++) await create(posts, n % 2 ? { author: ada } : { author: ada, editors: [ada] });
    const { data, meta } = await list(authors, ada, 'per_page=100');
    expect([data.length, meta['total']]).toEqual([11, 11]);
    for (const size of [1, 2, 3, 11]) {
      const walked: Referrer[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await list(authors, ada, `per_page=${size}&cursor=${cursor}`);
        walked.push(...page.data);
        cursor = page.meta['next_cursor'] as string | null;
      }
      expect(walked).toEqual(data);
      const pages: Referrer[] = [];
      for (let page = 1; page <= Math.ceil(11 / size); page++) {
        pages.push(...(await list(authors, ada, `per_page=${size}&page=${page}`)).data);
      }
      expect(pages).toEqual(data);
    }
    expect((await list(authors, ada, 'page=99')).data).toEqual([]);
    expect((await list(authors, ada, 'page=9007199254740991')).data).toEqual([]);
  });

  it('follow updates, deletions and changes of the content types', async () => {
    const ada = await create(authors, { name: 'Ada' });
    const [a, b, c] = [
      await create(posts, { author: ada }),
      await create(posts, { author: ada }),
      await create(posts, {}),
    ];
    await tenant.http.patch(`${posts.entries}/${a}`, { fields: { author: null } }).expect(200);
    await tenant.http.delete(`${posts.entries}/${b}`).expect(200);
    await tenant.http.patch(`${posts.entries}/${c}`, { fields: { editors: [ada] } }).expect(200);
    await tenant.http.patch(`${posts.entries}/${a}/draft`, { fields: { author: ada } }).expect(200);
    expect(short(await list(authors, ada))).toEqual([[c, 'editors']]);
    await tenant.http.put(posts.path, { fields: [{ name: 'title', type: 'text' }] }).expect(200);
    expect((await list(authors, ada)).data).toEqual([]);
  });

  it('that are drafts are hidden from a key for published entries', async () => {
    const ada = await create(authors, { name: 'Ada' });
    const hidden = await create(authors, { name: 'Hidden' }, 'draft');
    const shown = await create(posts, { author: ada, editors: [hidden] });
    await create(posts, { author: ada }, 'draft');
    const body = await list(authors, ada, '', published());
    expect([short(body), body.meta['total']]).toEqual([[[shown, 'author']], 1]);
    expect((await list(authors, ada, 'cursor=', published())).data).toHaveLength(1);
    await published().get(`${authors.entries}/${hidden}/referrers`).expect(404);
  });

  it('need a key of the tenant, and an entry that exists', async () => {
    const ada = await create(authors, { name: 'Ada' });
    await tenant.http.put(authors.path, { public: true }).expect(200);
    await app.client().get(`${authors.entries}/${ada}/referrers`).expect(401);
    await app.tenant().http.get(`${authors.entries}/${ada}/referrers`).expect(403);
    await tenant.http.get(`${authors.entries}/${formatId('ent', newUuid())}/referrers`).expect(404);
    await tenant.http.get(`${posts.entries}/${ada}/referrers`).expect(404);
    for (const query of ['cursor=x', 'sort=field', 'per_page=101']) {
      await tenant.http.get(`${authors.entries}/${ada}/referrers?${query}`).expect(400);
    }
    const bob = await create(authors, { name: 'Bob' });
    for (let n = 0; n < 2; n++) await create(posts, { author: bob });
    const { meta } = await list(authors, bob, 'cursor=&per_page=1');
    await tenant.http.get(`${authors.entries}/${ada}/referrers?cursor=${String(meta['next_cursor'])}`).expect(400);
  });
});

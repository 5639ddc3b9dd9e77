import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { files } from '../support/files.js';
import { upload } from '../support/upload.js';

const reference = (name: string, rest: object) => ({ name, type: 'reference', ...rest });

describe('references and media inside groups and blocks', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let companies: TestType;
  let authors: TestType;
  let posts: TestType;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    companies = await createType(tenant, [{ name: 'name', type: 'text' }], 'Company');
    const links = [reference('company', { content_type: 'company' })];
    authors = await createType(
      tenant,
      [
        { name: 'name', type: 'text' },
        { name: 'work', type: 'group', fields: links },
      ],
      'Author',
    );
    posts = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        {
          name: 'credits',
          type: 'group',
          fields: [reference('author', { content_type: 'author' }), { name: 'photo', type: 'media' }],
        },
        {
          name: 'sections',
          type: 'blocks',
          blocks: [
            {
              name: 'quote',
              fields: [
                reference('author', { content_type: 'author' }),
                { name: 'image', type: 'media', multiple: true },
              ],
            },
            {
              name: 'list',
              fields: [
                reference('author', { content_types: ['company', 'author'], multiple: true }),
                {
                  name: 'items',
                  type: 'group',
                  multiple: true,
                  fields: [reference('of', { content_type: 'company' })],
                },
              ],
            },
            { name: 'picture', fields: [{ name: 'author', type: 'media' }] },
          ],
        },
      ],
      'Post',
    );
  });

  const create = async (type: TestType, fields: object, status = 'published'): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return id;
  };
  const included = async (path: string) =>
    Object.keys((await tenant.http.get(path).expect(200)).body.included as object).sort();

  it('are checked, with their whole path', async () => {
    const author = await create(authors, { name: 'Ada' });
    const company = await create(companies, { name: 'Acme' });
    const fields = {
      credits: { author: company },
      sections: [
        { block: 'quote', author },
        { block: 'quote', author: company },
        {
          block: 'list',
          author: [company, author, 'ent_01j9zt5k8h0000000000000000'],
          items: [{ of: company }, { of: author }],
        },
      ],
    };
    const { body } = await tenant.http.post(posts.entries, { fields }).expect(422);
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
      'fields.credits.author reference',
      'fields.sections.1.author reference',
      'fields.sections.2.author.2 reference',
      'fields.sections.2.items.1.of reference',
    ]);
  });

  it('are checked also beside wrong values in the same group or blocks', async () => {
    const company = await create(companies, { name: 'Acme' });
    const fields = {
      credits: { author: company, photo: 5 },
      sections: [
        { block: 'quote', author: company, nope: 1 },
        7,
        { block: 'nope', author: company },
        { block: 'list', author: 'x', items: [null, { of: 'ent_01j9zt5k8h0000000000000000' }, { of: company, no: 1 }] },
      ],
    };
    const pathsOf = ({ errors }: { errors: { path: string }[] }) =>
      errors.map(({ path }) => path.replace('operations.0.', '')).sort();
    const wrong = [
      'fields.credits.author',
      'fields.credits.photo',
      'fields.sections.0.author',
      'fields.sections.0.nope',
      'fields.sections.1',
      'fields.sections.2.block',
      'fields.sections.3.author',
      'fields.sections.3.items.0',
      'fields.sections.3.items.1.of',
      'fields.sections.3.items.2.no',
    ];
    expect(pathsOf((await tenant.http.post(posts.entries, { fields }).expect(422)).body)).toEqual(wrong);
    const entry = `${posts.entries}/${await create(posts, { title: 'Post' })}`;
    expect(pathsOf((await tenant.http.patch(entry, { fields }).expect(422)).body)).toEqual(wrong);
    expect(pathsOf((await tenant.http.patch(`${entry}/draft`, { fields }).expect(422)).body)).toEqual(wrong);
    const operations = [{ op: 'create', content_type: 'post', fields }];
    const bulk = await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(422);
    expect(pathsOf(bulk.body)).toEqual(wrong);
  });

  it('are included under their path without the names of blocks, also from drafts', async () => {
    const acme = await create(companies, { name: 'Acme' });
    const other = await create(companies, { name: 'Other' });
    const ada = await create(authors, { name: 'Ada', work: { company: acme } });
    const bob = await create(authors, { name: 'Bob' });
    const post = await create(posts, {
      credits: { author: bob },
      sections: [
        { block: 'quote', author: ada },
        { block: 'quote', author: ada },
        { block: 'list', author: [other], items: [{ of: acme }] },
        { block: 'picture', author: { url: '/aaaaaaaaaaaaaaaaaaaaaaaaaaaaa', alt: '' } },
      ],
    });
    const path = `${posts.entries}/${post}`;
    expect(await included(`${path}?include=credits.author`)).toEqual([bob]);
    expect(await included(`${path}?include=sections.author`)).toEqual([ada, other].sort());
    expect(await included(`${path}?include=sections.author.work.company`)).toEqual([ada, acme, other].sort());
    expect(await included(`${posts.entries}?include=sections.items.of,credits.author`)).toEqual([acme, bob].sort());
    const { body } = await tenant.http
      .get(`${path}?include=sections.author&select=title,sections.author.name`)
      .expect(200);
    expect(body.data.fields).toEqual({});
    expect(body.included[ada].fields).toEqual({ name: 'Ada' });

    const sections = [{ block: 'list', author: [bob], items: [{ of: other }] }];
    await tenant.http.patch(`${path}/draft`, { fields: { sections } }).expect(200);
    expect(await included(`${path}?include=sections.author,sections.items.of,credits.author&preview=true`)).toEqual(
      [bob, other].sort(),
    );
  });

  it.each([
    ['include=sections', 'unknown_field'],
    ['include=sections.quote.author', 'unknown_field'],
    ['include=credits.photos', 'unknown_field'],
    ['include=credits.author.company', 'unknown_field'],
    ['include=credits.author&select=credits.author', 'unknown_field'],
    ['select=credits.author.name', 'invalid_parameter'],
  ])('are not found with %s', async (query, code) => {
    const { body } = await tenant.http.get(`${posts.entries}?${query}`).expect(400);
    expect(body.code).toBe(code);
  });

  it('say who refers to an entry, once for each path', async () => {
    const ada = await create(authors, { name: 'Ada' });
    const sections = [
      { block: 'quote', author: ada },
      { block: 'list', author: [ada] },
    ];
    const first = await create(posts, { sections });
    const second = await create(posts, { credits: { author: ada }, sections });
    const { body } = await tenant.http.get(`${authors.entries}/${ada}/referrers`).expect(200);
    const row = (entry_id: string, field: string) => ({ content_type_id: posts.id, entry_id, field });
    expect(body.data).toEqual([
      row(second, 'credits.author'),
      row(second, 'sections.author'),
      row(first, 'sections.author'),
    ]);
    expect(body.meta.total).toBe(3);
    const page = await tenant.http.get(`${authors.entries}/${ada}/referrers?cursor=&per_page=2`).expect(200);
    expect(page.body.data).toHaveLength(2);
    const rest = await tenant.http
      .get(`${authors.entries}/${ada}/referrers?cursor=${page.body.meta.next_cursor}&per_page=2`)
      .expect(200);
    expect(rest.body.data).toEqual([row(first, 'sections.author')]);
    await tenant.http.patch(`${posts.entries}/${first}`, { fields: { sections: [] } }).expect(200);
    const after = await tenant.http.get(`${authors.entries}/${ada}/referrers`).expect(200);
    expect(after.body.meta.total).toBe(2);
  });

  it('are searched by the titles of the entries', async () => {
    const ada = await create(authors, { name: 'Lovelace' });
    const post = await create(posts, { title: 'Engines', sections: [{ block: 'quote', author: ada }] });
    const { body } = await tenant.http.get(`${posts.entries}?search=lovelace&referenced=true`).expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([post]);
  });

  it('take the IDs of files, and guard the files', async () => {
    const { id, url, alt } = await upload(app, tenant, await files.png(), 'a.png', 'A lamp');
    const sections = [
      { block: 'quote', image: [{ id }, { url: 'https://example.com/a.png', alt: 'A' }] },
      { block: 'picture', author: { id, alt: 'Own' } },
    ];
    const { body } = await tenant.http
      .post(posts.entries, { fields: { credits: { photo: { id } }, sections } })
      .expect(201);
    expect(body.data.fields).toEqual({
      credits: { photo: { url, alt } },
      sections: [
        {
          block: 'quote',
          image: [
            { url, alt },
            { url: 'https://example.com/a.png', alt: 'A' },
          ],
        },
        { block: 'picture', author: { url, alt: 'Own' } },
      ],
    });
    const { body: used } = await tenant.http.delete(`/v1/media/${tenant.id}/${id}`).expect(409);
    const paths = used.errors.map(({ path }: { path: string }) => path.split('.fields.')[1]).sort();
    expect(paths).toEqual(['credits.photo', 'sections.author', 'sections.image']);

    const unknown = {
      sections: [{ block: 'picture', author: { id: 'med_01j9zt5k8h0000000000000000' } }, 1, { block: 'x' }],
    };
    const { body: refused } = await tenant.http.post(posts.entries, { fields: unknown }).expect(422);
    expect(refused.errors.map(({ path }: { path: string }) => path)).toEqual([
      'fields.sections.1',
      'fields.sections.2.block',
      'fields.sections.0.author.id',
    ]);
    await tenant.http
      .patch(`${posts.entries}/${body.data.id}`, { fields: { credits: null, sections: [] } })
      .expect(200);
    await tenant.http.delete(`/v1/media/${tenant.id}/${id}`).expect(200);
  });
});

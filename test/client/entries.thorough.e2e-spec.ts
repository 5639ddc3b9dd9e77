import { createClient, type Trivet, TrivetError } from '../../client/src/index.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { compileErrors } from '../support/compile.js';

const TYPES = [
  { name: 'Company', fields: [{ name: 'name', type: 'text', required: true }] },
  {
    name: 'Author',
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'company', type: 'reference', content_type: 'company' },
    ],
  },
  {
    name: 'Post',
    public: true,
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'slug', type: 'text', unique: true },
      { name: 'price', type: 'number' },
      { name: 'kind', type: 'select', options: ['news', 'blog, notes'] },
      { name: 'author', type: 'reference', content_type: 'author' },
      { name: 'related', type: 'reference', content_type: 'post', multiple: true },
      {
        name: 'sections',
        type: 'blocks',
        blocks: [
          {
            name: 'quote',
            fields: [
              { name: 'text', type: 'text' },
              { name: 'by', type: 'reference', content_type: 'author' },
            ],
          },
        ],
      },
    ],
  },
];

describe('the client against the service', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let trivet: Trivet;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    trivet = createClient({ url: app.url, tenant: tenant.id, key: tenant.key });
    for (const body of TYPES) await trivet.request('createContentType', { body: body as never });
  });
  afterAll(() => app.close());

  /** A post with an author of a company. */
  async function publish(title: string, more: object = {}) {
    const company = await trivet.entries('company').create({ name: 'Engines Ltd' }, { status: 'published' });
    const author = await trivet.entries('author').create({ name: 'Ada', company: company.id }, { status: 'published' });
    const post = await trivet.entries('post').create({ title, author: author.id, ...more }, { status: 'published' });
    return { company, author, post };
  }

  it('creates, reads, updates under an ETag, and deletes', async () => {
    const posts = trivet.entries('post');
    const created = await posts.create({ title: 'Tides', slug: 'spring tides/1' });
    expect(created).toMatchObject({ status: 'draft', fields: { title: 'Tides' }, published_at: null });
    expect(await posts.get(created.id)).toMatchObject({ id: created.id, etag: created.etag });
    expect((await posts.getBy('slug', 'spring tides/1')).id).toBe(created.id);
    const updated = await posts.update(
      created.id,
      { price: 5, slug: null },
      { ifMatch: created.etag, status: 'published' },
    );
    expect(updated).toMatchObject({ status: 'published', fields: { title: 'Tides', price: 5 } });
    expect(updated.etag).not.toBe(created.etag);
    const stale = await posts
      .update(created.id, { price: 6 }, { ifMatch: created.etag })
      .catch((error: TrivetError) => error);
    expect(stale).toMatchObject({ status: 412, code: 'precondition_failed' });
    await posts.delete(created.id);
    await expect(posts.get(created.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(posts.create({})).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'fields.title', code: 'required' }],
    });
  });

  it('lists with filters, conditions, orders and a search', async () => {
    const posts = trivet.entries('post');
    await publish('Spring tide, and more', { price: 5, kind: 'news' });
    await posts.create({ title: 'Neap tide', price: 10, kind: 'blog, notes' });
    await posts.create({ title: 'Moon' });
    const titles = async (options: object) =>
      (await posts.list(options)).data.map(({ fields }) => String(fields['title']));
    expect(await titles({ filter: { price: { gte: 5, lt: 10 } } })).toEqual(['Spring tide, and more']);
    expect(await titles({ filter: { kind: { in: ['news', 'blog, notes'] } }, sort: 'title' })).toHaveLength(2);
    expect(await titles({ filter: { price: null } })).toEqual(['Moon']);
    expect(await titles({ filter: { 'author.name': { starts_with: 'a' } } })).toEqual(['Spring tide, and more']);
    expect(await titles({ where: { not: { title: { contains: 'tide' } } } })).toEqual(['Moon']);
    expect(await titles({ search: 'tide', sort: ['-price', 'title'] })).toEqual(['Neap tide', 'Spring tide, and more']);
    expect((await posts.list({ page: 2, per_page: 2 })).meta).toEqual({ page: 2, per_page: 2, total: 3 });
  });

  it('puts included entries in the place of their IDs, at any depth', async () => {
    const { author, company, post } = await publish('Tides');
    const sections = [{ block: 'quote', text: 'Twice a day.', by: author.id }];
    const posts = trivet.entries('post');
    const other = await posts.create({ title: 'Moon', related: [post.id], sections }, { status: 'published' });
    await posts.update(post.id, { related: [other.id] });
    const include = ['author.company', 'related', 'sections.by'];
    const { data } = await posts.list({ include, sort: 'title' });
    const [moon, tides] = data.map(({ fields }) => fields);
    expect(tides?.['author'].fields.company).toMatchObject({ id: company.id, fields: { name: 'Engines Ltd' } });
    expect(tides?.['related'][0]).toMatchObject({ id: other.id, fields: { related: [post.id] } });
    expect(moon?.['sections'][0].by).toMatchObject({ id: author.id, fields: { name: 'Ada', company: company.id } });
    await trivet.entries('author').delete(author.id);
    expect((await posts.get(post.id, { include: ['author'] })).fields).toHaveProperty('author', undefined);
    const selected = await posts.get(post.id, { include: ['related'], select: ['related', 'related.title'] });
    expect(selected.fields['related'][0].fields).toEqual({ title: 'Moon' });
    expect(Object.keys(selected.fields)).toEqual(['related']);
  });

  it('walks a whole list by cursor, and reads no page that nobody wants', async () => {
    const posts = trivet.entries('post');
    for (let i = 0; i < 5; i++) await posts.create({ title: `Post ${i}` });
    const urls: string[] = [];
    const counted = createClient({
      url: app.url,
      tenant: tenant.id,
      key: tenant.key,
      fetch: (url, init) => fetch((urls.push(url), url), init),
    }).entries('post');
    const titles: unknown[] = [];
    for await (const { fields } of counted.all({ sort: 'title', per_page: 2 })) titles.push(fields['title']);
    expect([titles.length, new Set(titles).size, urls.length]).toEqual([5, 5, 3]);
    urls.length = 0;
    for await (const post of counted.all({ per_page: 2 })) if (post) break;
    expect(urls).toHaveLength(1);
  });

  it('keeps drafts beside the live version, versions, schedules and preview links', async () => {
    const { post } = await publish('Tides');
    const { drafts, versions, schedules, ...posts } = trivet.entries('post');
    const draft = await drafts.save(post.id, { title: 'New tides' });
    expect(draft).toMatchObject({ changed: ['title'], etag: '"d1"' });
    expect((await posts.get(post.id, { preview: true })).fields['title']).toBe('New tides');
    const { url } = await posts.createPreviewLink(post.id, { expires_in: 60 });
    const visitor = createClient({ url: app.url, tenant: tenant.id }).entries('post');
    const previewed = await visitor.preview(url.split('/').at(-1) ?? '', { include: ['author'] });
    expect(previewed.fields).toMatchObject({ title: 'New tides', author: { fields: { name: 'Ada' } } });
    expect((await drafts.publish(post.id, { ifMatch: draft.etag })).fields['title']).toBe('New tides');
    await expect(drafts.get(post.id)).rejects.toMatchObject({ status: 404 });
    await drafts.save(post.id, { price: 1 });
    await drafts.discard(post.id);

    const { data } = await versions.list(post.id, { per_page: 5 });
    expect(data.map(({ action }) => action)).toEqual(['published', 'created']);
    expect((await versions.get(post.id, 1)).fields['title']).toBe('Tides');
    expect((await versions.restore(post.id, 1)).fields['title']).toBe('Tides');

    const publish_at = '2090-01-01T00:00:00.000Z';
    expect(await schedules.set(post.id, { publish_at })).toMatchObject({ publish_at, state: 'pending' });
    expect((await schedules.get(post.id)).publish_at).toBe(publish_at);
    await schedules.delete(post.id);
  });

  it('reads what is public without a key, and submits forms', async () => {
    await publish('Tides');
    const fields = [
      { name: 'email', type: 'email', required: true },
      { name: 'cv', type: 'file', multiple: true },
    ];
    await trivet.request('createForm', { body: { name: 'Contact', fields: fields as never } });
    const visitor = createClient({ url: app.url, tenant: tenant.id });
    expect((await visitor.entries('post').list()).data).toHaveLength(1);
    await expect(visitor.entries('author').list()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    const submission = await visitor.forms.submit('contact', { email: 'a@example.com' });
    expect(submission.fields).toEqual({ email: 'a@example.com' });
    const cv = [new File(['one'], 'one.txt', { type: 'text/plain' }), new File(['two'], 'two.txt')];
    expect((await visitor.forms.submit('contact', { email: 'a@example.com', cv })).fields['cv']).toBe(
      'one.txt, two.txt',
    );
    const wrong = await visitor.forms.submit('contact', { email: 'x' }).catch((error: TrivetError) => error);
    expect(wrong).toMatchObject({ status: 422, errors: [{ path: 'fields.email', code: 'format' }] });
    await trivet.forms.submit('contact', { email: 'a@example.com' }, { clientAddress: '192.0.2.7' });
  });

  it('sends operations by their names: with uploads, streams and ETags', async () => {
    const { data: file } = await trivet.request('uploadMedia', {
      body: { file: new File(['x'], 'x.txt'), alt: 'An x' },
    });
    expect(file).toMatchObject({ alt: 'An x', filename: 'x.txt' });
    const { data, etag } = await trivet.request('getContentType', { path: { content_type_id: 'post' } });
    expect([data.slug, etag]).toEqual(['post', expect.stringMatching(/^"/)]);
    const body = '{"fields":{"title":"One"}}\n{"fields":{}}\n';
    const imported = await trivet.request('importEntries', { path: { content_type_id: 'post' }, body });
    expect(await imported.text()).toContain('"done":true,"created":1');
    const exported = await trivet.request('exportEntries', {
      path: { content_type_id: 'post' },
      query: { format: 'csv' },
    });
    expect(await exported.text()).toContain('One');
    const list = await trivet.request('listEntries', {
      path: { content_type_id: 'post' },
      query: { filter: { title: { starts_with: 'o' } } as never, cursor: '' },
    });
    expect(list.data).toHaveLength(1);
  });

  it('has the types that the service writes for it', async () => {
    const { text } = await tenant.http.get(`/v1/contract/${tenant.id}/types.ts`).expect(200);
    const program = `
      import { createClient } from '@trivet/client';
      import type { Schema } from './schema.js';
      const posts = createClient<Schema>({ url: '', tenant: '' }).entries('post');
      export const title = (await posts.get('x', { include: ['author.company'] })).fields.title.length;
      export const kind = (await posts.list({ filter: { kind: 'blog, notes' }, sort: '-price' })).data[0]?.fields.kind;
      // @ts-expect-error There is no such option.
      await posts.create({ title: 'x', kind: 'essay' });
    `;
    expect(compileErrors({ 'schema.ts': text, 'program.ts': program })).toEqual([]);
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

/** More than 64 KiB, which lists read while they are sent. */
const LARGE = 'x'.repeat(100_000);

describe('select', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let authors: TestType;
  let posts: TestType;
  let ada: string;
  let post: string;
  let path: string;

  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '1000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    tenant = app.tenant();
    authors = await createType(
      tenant,
      [
        { name: 'name', type: 'text' },
        { name: 'bio', type: 'text' },
      ],
      'Author',
    );
    posts = await createType(
      tenant,
      [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'text' },
        { name: 'extra', type: 'json' },
        { name: 'author', type: 'reference', content_type: 'author' },
        { name: 'editor', type: 'reference', content_type: 'author' },
      ],
      'Post',
    );
    ada = await create(authors, { name: 'Ada', bio: 'Countess' });
    post = await create(posts, { title: 'One', body: LARGE, extra: { title: 'inner' }, author: ada });
    path = `${posts.entries}/${post}`;
  });

  const create = async (type: TestType, fields: object): Promise<string> => {
    const [id = ''] = await createEntries(tenant, type, [{ fields, status: 'published' }]);
    return id;
  };
  const get = async (one: string, http = tenant.http) => (await http.get(one).expect(200)).body;

  it('keeps only the fields that it names, in lists, entries and previews', async () => {
    await create(posts, { body: 'small', title: 'Two' });
    await tenant.http.patch(`${path}/draft`, { fields: { title: 'New', extra: null } }).expect(200);
    const titles = async (query: string) =>
      (await get(`${posts.entries}?sort=created_at&${query}`)).data.map(({ fields }: { fields: object }) => fields);
    expect(await titles('select=title')).toEqual([{ title: 'One' }, { title: 'Two' }]);
    expect(await titles('select=title,author,extra')).toEqual([
      { title: 'One', extra: { title: 'inner' }, author: ada },
      { title: 'Two' },
    ]);
    expect(await titles('select=')).toEqual([{}, {}]);
    expect(await titles('select=title,extra&preview=true')).toEqual([{ title: 'New' }, { title: 'Two' }]);
    const { data } = await get(path);
    expect(await get(`${path}?select=title,title`)).toEqual({ data: { ...data, fields: { title: 'One' } } });
    expect((await get(`${path}?select=`)).data.fields).toEqual({});
    expect((await get(`${path}?select=title&preview=true`)).data.fields).toEqual({ title: 'New' });
    const { body } = await tenant.http.post(`${path}/preview-links`, {}).expect(201);
    const link = body.data.url.replace(app.publicUrl, '');
    expect((await get(`${link}?select=title`, app.client())).data.fields).toEqual({ title: 'New' });
  });

  it('keeps values as they are stored, byte for byte and in their order', async () => {
    const text = '{"fields":{"extra":{"n":1.00,"big":9007199254740992,"s":"\\"title\\":\\u0041"},"title":"T"}}';
    const created = await fetch(`${app.url}${posts.entries}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: text,
    });
    const { data } = (await created.json()) as { data: { id: string } };
    const read = async (query: string) =>
      (await tenant.http.get(`${posts.entries}/${data.id}?${query}`).expect(200)).text;
    const fieldsOf = (json: string) => /"fields":(.*),"status"/.exec(json)?.[1];
    expect(fieldsOf(await read('select=title,extra'))).toBe(fieldsOf(await read('')));
  });

  it('with dotted names keeps fields of included entries only', async () => {
    const read = async (query: string) => {
      const { data, included } = await get(`${path}?${query}`);
      return [data.fields, included[ada].fields];
    };
    const whole = { name: 'Ada', bio: 'Countess' };
    expect(await read('include=author&select=title')).toEqual([{ title: 'One' }, whole]);
    expect(await read('include=author&select=author.name')).toEqual([{}, { name: 'Ada' }]);
    expect(await read('include=author&select=author,author.bio')).toEqual([{ author: ada }, { bio: 'Countess' }]);
    await tenant.http.patch(path, { fields: { editor: ada } }).expect(200);
    expect((await read('include=author,editor&select=author.name'))[1]).toEqual(whole);
    expect((await read('include=author,editor&select=author.name,editor.bio'))[1]).toEqual(whole);
    expect((await read('include=author,editor&select=author.name,editor.name'))[1]).toEqual({ name: 'Ada' });
  });

  it('works with highlights, which show fields that are not selected too', async () => {
    await create(posts, { title: 'Two', body: 'a rare word' });
    const { data } = await get(`${posts.entries}?search=rare&highlight=true&select=title`);
    expect(data).toMatchObject([{ fields: { title: 'Two' }, highlights: { body: ['a <mark>rare</mark> word'] } }]);
  });

  it('alone keeps ETags and 304', async () => {
    await tenant.http.put(posts.path, { public: true }).expect(200);
    const visitor = app.client();
    const { headers } = await tenant.http.get(`${path}?select=title`).expect(200);
    expect(headers['etag']).toBe('"v1"');
    await tenant.http.get(`${path}?select=title`).set('If-None-Match', '"v1"').expect(304);
    const list = await visitor.get(`${posts.entries}?select=title`).expect(200);
    await visitor.get(`${posts.entries}?select=title`).set('If-None-Match', list.headers['etag']!).expect(304);
  });

  it.each([
    ['select=nope', 'unknown_field', 'nope'],
    ['select=title,', 'unknown_field', ''],
    ['select=id', 'unknown_field', 'id'],
    ['include=author&select=author.nope', 'unknown_field', 'author.nope'],
    ['include=author&select=author.name.x', 'unknown_field', 'author.name'],
    ['select=extra.title', 'unknown_field', 'extra'],
    ['select=author.name', 'invalid_parameter', 'include=author'],
    ['select=title&select=body', 'invalid_parameter', 'once'],
    [`select=${'title,'.repeat(1_400)}title`, 'invalid_parameter', 'characters'],
  ])('%.60s is 400', async (query, code, message) => {
    for (const one of [posts.entries, path, `${path}?preview=true`]) {
      const { body } = await tenant.http.get(`${one}${one.includes('?') ? '&' : '?'}${query}`).expect(400);
      expect([body.code, body.errors[0].path]).toEqual([code, 'select']);
      expect(body.detail).toContain(message);
    }
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { storedEvents } from '../support/stored-events.js';

const TITLE = { name: 'title', type: 'text', required: true };

describe('content types', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let types: string;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
    types = `/v1/content/${tenant.id}/types`;
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));

  it('need a key of the tenant', async () => {
    await app.client().get(types).expect(401);
    await app.client().post(types, {}).expect(401);
    await app.tenant().http.get(types).expect(403);
    await app.tenant().http.post(types, {}).expect(403);
  });

  describe('create', () => {
    it('answers the fields exactly as they were sent', async () => {
      const fields = [
        { type: 'text', name: 'title', help: 'h', required: false },
        { name: 'n', type: 'integer', min: 1, default: 2 },
      ];
      const { body } = await tenant.http.post(types, { name: ' Blog post ', fields }).expect(201);
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^ct_/),
          name: 'Blog post',
          slug: 'blog-post',
          fields,
          created_at: expect.any(String),
        },
      });
      expect(JSON.stringify(body.data.fields)).toBe(JSON.stringify(fields));
      const got = await tenant.http.get(`${types}/${body.data.id}`).expect(200);
      expect(got.body).toEqual(body);
    });

    it('derives slugs from names, and numbers those that are taken', async () => {
      const slug = async (name: string) =>
        (await tenant.http.post(types, { name, fields: [TITLE] }).expect(201)).body.data.slug;
      expect(await slug('Über uns')).toBe('uber-uns');
      expect(await slug('uber  UNS!')).toBe('uber-uns-2');
      expect(await slug('Über-uns')).toBe('uber-uns-3');
      expect(await slug('日本')).toBe('content-type');
      expect(await slug('!!!')).toBe('content-type-2');
      const long = await slug('x'.repeat(255));
      expect(long).toBe('x'.repeat(100));
      expect(await slug('x'.repeat(255))).toBe(`${'x'.repeat(98)}-2`);
      const many = await Promise.all(Array.from({ length: 30 }, () => slug('Same')));
      expect(new Set(many).size).toBe(30);
    });

    it('answers 409 to a given slug that is taken in the same tenant', async () => {
      await tenant.http.post(types, { name: 'a', slug: 'blog', fields: [TITLE] }).expect(201);
      const { body } = await tenant.http.post(types, { name: 'b', slug: 'blog', fields: [TITLE] }).expect(409);
      expect(body.code).toBe('conflict');
      const other = app.tenant();
      await other.http.post(`/v1/content/${other.id}/types`, { name: 'b', slug: 'blog', fields: [TITLE] }).expect(201);
    });

    it('reports every wrong value', async () => {
      const { body } = await tenant.http
        .post(types, {
          name: '  ',
          slug: 'Not A Slug',
          color: 1,
          fields: [
            { name: '1st', type: 'text' },
            { name: 'a', type: 'nope' },
            { name: 'a', type: 'select' },
            { type: 'text', min: 'x', foo: 1 },
            'x',
            { name: 'id', type: 'text' },
            { name: 'r', type: 'reference', content_type: 'nowhere' },
          ],
        })
        .expect(422);
      const paths = body.errors.map(({ path }: { path: string }) => path);
      for (const path of [
        'name',
        'slug',
        'color',
        'fields.0.name',
        'fields.1.type',
        'fields.2.options',
        'fields.2.name',
        'fields.3.name',
        'fields.3.min',
        'fields.3.foo',
        'fields.4',
        'fields.5.name',
        'fields.6.content_type',
      ]) {
        expect(paths).toContain(path);
      }
    });

    it.each([
      [{ fields: [TITLE] }, 'name'],
      [{ name: null, fields: [TITLE] }, 'name'],
      [{ name: 5, fields: [TITLE] }, 'name'],
      [{ name: 'x'.repeat(256), fields: [TITLE] }, 'name'],
      [{ name: 'a' }, 'fields'],
      [{ name: 'a', fields: [] }, 'fields'],
      [{ name: 'a', fields: {} }, 'fields'],
      [{ name: 'a', fields: null }, 'fields'],
      [{ name: 'a', slug: null, fields: [TITLE] }, 'slug'],
      [{ name: 'a', slug: 'a--b', fields: [TITLE] }, 'slug'],
      [{ name: 'a', slug: 'x'.repeat(101), fields: [TITLE] }, 'slug'],
      [{ name: 'a', fields: [{ name: 'r', type: 'reference', content_type: 'nowhere' }] }, 'fields.0.content_type'],
      [{ name: 'a', fields: [{ name: 'p', type: 'text', pattern: '(' }] }, 'fields.0.pattern'],
    ])('answers 422 to %j', async (sent, path) => {
      const { body } = await tenant.http.post(types, sent).expect(422);
      expect(body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
    });
  });

  it('are listed newest first, by page and by cursor', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.unshift((await createType(tenant, [TITLE], name)).id);
    const page = await tenant.http.get(`${types}?per_page=2&page=2`).expect(200);
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
    expect(page.body.meta).toEqual({ page: 2, per_page: 2, total: 5 });
    const first = await tenant.http.get(`${types}?per_page=3&cursor=`).expect(200);
    const second = await tenant.http.get(`${types}?per_page=3&cursor=${first.body.meta.next_cursor}`).expect(200);
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.body.meta).toEqual({ per_page: 3, next_cursor: null });
    expect((await tenant.http.get(`${types}?page=99`).expect(200)).body).toEqual({
      data: [],
      meta: { page: 99, per_page: 25, total: 5 },
    });
    await tenant.http.get(`${types}?sort=name`).expect(400);
  });

  describe('update', () => {
    const put = (type: TestType, body: object) => tenant.http.put(type.path, body);
    const fieldsOf = async (type: TestType, id: string | undefined) =>
      (await tenant.http.get(`${type.entries}/${id}`).expect(200)).body.data.fields;

    it('changes only what is sent, and shows updated_at instead of created_at', async () => {
      const type = await createType(tenant, [TITLE]);
      const { body } = await put(type, { name: 'Renamed' }).expect(200);
      expect(body.data).toEqual({
        id: type.id,
        name: 'Renamed',
        slug: 'article',
        fields: [TITLE],
        updated_at: expect.any(String),
      });
      await put(type, {}).expect(200);
      await put(type, { name: null }).expect(422);
      await put(type, { fields: [] }).expect(422);
      const other = await createType(tenant, [TITLE], 'Other');
      await put(other, { slug: 'article' }).expect(409);
      await put(other, { slug: 'other' }).expect(200);
      await tenant.http.put(`${types}/ct_00000000000000000000000000`, {}).expect(404);
    });

    it('hides the values of a removed field, and shows them again when the field returns', async () => {
      const type = await createType(tenant, [TITLE, { name: 'secret', type: 'text' }]);
      const [id] = await createEntries(tenant, type, [{ fields: { title: 'a', secret: 'hidden words' } }]);
      await put(type, { fields: [TITLE] }).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: 'a' });
      expect((await tenant.http.get(`${type.entries}?search=hidden`)).body.meta.total).toBe(0);
      await tenant.http.get(`${type.entries}?filter[secret]=x`).expect(400);
      await tenant.http.get(`${type.entries}?sort=secret`).expect(400);
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { secret: 'x' } }).expect(422);
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { title: 'b' } }).expect(200);

      await put(type, { fields: [TITLE, { name: 'secret', type: 'number' }] }).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: 'b' });
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { secret: 5 } }).expect(200);
      await put(type, { fields: [TITLE] }).expect(200);

      await put(type, { fields: [{ name: 'secret', type: 'text' }, TITLE] }).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: 'b', secret: 'hidden words' });
      expect(
        (await tenant.http.get(`${type.entries}?search=hidden&filter[secret][starts_with]=hid`)).body.meta.total,
      ).toBe(1);
      await put(type, { fields: [TITLE, { name: 'secret', type: 'number' }] }).expect(409);
      await put(type, { fields: [TITLE] }).expect(200);
      await put(type, { fields: [TITLE, { name: 'secret', type: 'number' }] }).expect(200);
      expect(await fieldsOf(type, id)).toEqual({ title: 'b', secret: 5 });
    });

    it('answers 409 with the number of conflicting entries, and changes nothing', async () => {
      const type = await createType(tenant, [TITLE, { name: 'n', type: 'number' }]);
      await createEntries(tenant, type, [
        { fields: { title: 'a', n: 1.5 } },
        { fields: { title: 'b', n: 2 } },
        { fields: { title: 'c' } },
      ]);
      for (const field of [
        { name: 'n', type: 'date' },
        { name: 'n', type: 'integer' },
        { name: 'n', type: 'number', max: 1.7 },
        { name: 'n', type: 'boolean', multiple: true },
      ]) {
        const { body } = await put(type, { name: 'New', fields: [TITLE, field] }).expect(409);
        expect(body.code).toBe('conflict');
        expect(body.detail).toMatch(/^[12] entr/);
      }
      const got = await tenant.http.get(type.path);
      expect(got.body.data.name).toBe('Article');
      await put(type, { fields: [TITLE, { name: 'n', type: 'number', max: 2, label: 'N' }] }).expect(200);
    });

    it('makes a field unique only if its values are', async () => {
      const type = await createType(tenant, [TITLE]);
      const ids = await createEntries(tenant, type, [
        { fields: { title: 'a' } },
        { fields: { title: 'a' } },
        { fields: { title: 'b' } },
      ]);
      const { body } = await put(type, { fields: [{ ...TITLE, unique: true }] }).expect(409);
      expect(body.detail).toContain('2 entries');
      await tenant.http.delete(`${type.entries}/${ids[0]}`).expect(200);
      await put(type, { fields: [{ ...TITLE, unique: true }] }).expect(200);
      await tenant.http.post(type.entries, { fields: { title: 'b' } }).expect(422);
      await put(type, { fields: [TITLE] }).expect(200);
      await tenant.http.post(type.entries, { fields: { title: 'b' } }).expect(201);
    });

    it('changes the target type of a reference only if no entry refers to the old type', async () => {
      const author = await createType(tenant, [TITLE], 'Author');
      const editor = await createType(tenant, [TITLE], 'Editor');
      const [jane] = await createEntries(tenant, author, [{ fields: { title: 'Jane' } }]);
      const post = await createType(tenant, [{ name: 'by', type: 'reference', content_type: 'author' }], 'Post');
      const [id] = await createEntries(tenant, post, [{ fields: { by: jane } }, { fields: {} }]);
      const retarget = { fields: [{ name: 'by', type: 'reference', content_type: editor.id }] };
      expect((await put(post, retarget).expect(409)).body.detail).toContain('1 entry');
      // Removing the field and adding it again does not change its target either.
      await put(post, { fields: [TITLE] }).expect(200);
      expect((await put(post, retarget).expect(409)).body.detail).toContain('1 entry');
      await put(post, { fields: [{ name: 'by', type: 'reference', content_type: 'author' }] }).expect(200);
      await tenant.http.patch(`${post.entries}/${id}`, { fields: { by: null } }).expect(200);
      await put(post, retarget).expect(200);
    });

    it('adds content types to a reference, and removes one only if no entry refers to it', async () => {
      const author = await createType(tenant, [TITLE], 'Author');
      const company = await createType(tenant, [TITLE], 'Company');
      const [jane] = await createEntries(tenant, author, [{ fields: { title: 'Jane' } }]);
      const [acme] = await createEntries(tenant, company, [{ fields: { title: 'Acme' } }]);
      const by = (...content_types: string[]) => ({ fields: [{ name: 'by', type: 'reference', content_types }] });
      const post = await createType(tenant, [{ name: 'by', type: 'reference', content_type: 'author' }], 'Post');
      await createEntries(tenant, post, [{ fields: { by: jane } }]);
      await tenant.http.post(post.entries, { fields: { by: acme } }).expect(422);
      const { body } = await put(post, by('author', company.id)).expect(200);
      expect(body.data.fields).toEqual(by('author', company.id).fields);
      const [id] = await createEntries(tenant, post, [{ fields: { by: acme } }]);
      // A slug means the same content type as before, even if that type was renamed.
      await put(author, { slug: 'writer' }).expect(200);
      await createType(tenant, [TITLE], 'Author');
      await put(post, by('author', 'company')).expect(200);
      await tenant.http.post(post.entries, { fields: { by: jane } }).expect(201);
      expect((await put(post, by('author')).expect(409)).body.detail).toContain('1 entry');
      expect((await put(post, by('company')).expect(409)).body.detail).toContain('2 entries');
      await tenant.http.patch(`${post.entries}/${id}`, { fields: { by: null } }).expect(200);
      await put(post, by('author')).expect(200);
      await tenant.http.post(post.entries, { fields: { by: acme } }).expect(422);
      const unknown = await put(post, by('author', 'nowhere', 'neither')).expect(422);
      expect(unknown.body.errors.map(({ path }: { path: string }) => path)).toEqual([
        'fields.0.content_types.1',
        'fields.0.content_types.2',
      ]);
    });

    it('adds references named like properties of Object.prototype', async () => {
      const fields = [{ name: 'title', type: 'text' }];
      const type = await createType(tenant, fields, 'Prototype');
      await createEntries(tenant, type, [{ fields: { title: 'a' } }]);
      for (const name of ['toString', 'valueOf'])
        fields.push({ name, type: 'reference', content_type: type.id } as never);
      fields.push({ name: 'hasOwnProperty', type: 'reference', content_types: [type.id] } as never);
      await tenant.http.put(type.path, { fields }).expect(200);
      await tenant.http.post(type.entries, { fields: { hasOwnProperty: type.id } }).expect(422);
    });

    it('turns text into rich text, which search reads without tags', async () => {
      const type = await createType(tenant, [TITLE]);
      await createEntries(tenant, type, [{ fields: { title: '<b class="needle">hay</b>' } }]);
      expect((await tenant.http.get(`${type.entries}?search=needle`)).body.meta.total).toBe(1);
      await put(type, { fields: [{ ...TITLE, type: 'rich_text', html: true }] }).expect(200);
      expect((await tenant.http.get(`${type.entries}?search=needle`)).body.meta.total).toBe(0);
      expect((await tenant.http.get(`${type.entries}?search=hay&sort=title`)).body.meta.total).toBe(1);
    });

    it('keeps drafts without a newly required value until they are published, and published entries until they are changed', async () => {
      const type = await createType(tenant, [TITLE]);
      const [draft, published] = await createEntries(tenant, type, [
        { fields: { title: 'a' } },
        { fields: { title: 'b' }, status: 'published' },
      ]);
      await put(type, { fields: [TITLE, { name: 'lead', type: 'text', required: true }] }).expect(200);
      await tenant.http.patch(`${type.entries}/${draft}`, { fields: { title: 'c' } }).expect(200);
      const { body } = await tenant.http.patch(`${type.entries}/${draft}`, { status: 'published' }).expect(422);
      expect(body.errors).toEqual([{ path: 'fields.lead', code: 'required', message: expect.any(String) }]);
      await tenant.http.patch(`${type.entries}/${published}`, { fields: { title: 'd' } }).expect(422);
      await tenant.http.patch(`${type.entries}/${published}`, { fields: { lead: 'x' } }).expect(200);
    });

    it('never lets a concurrent write store what the new schema forbids', async () => {
      const type = await createType(tenant, [{ name: 'n', type: 'number' }]);
      const writes = Array.from({ length: 60 }, (_, index) =>
        tenant.http.post(type.entries, { fields: { n: index % 2 ? 5 : 50 } }),
      );
      const changes = [30, 10, 40, 8].map((max) => put(type, { fields: [{ name: 'n', type: 'number', max }] }));
      const answers = await Promise.all([...writes, ...changes]);
      expect(answers.every(({ status }) => [200, 201, 409, 422].includes(status))).toBe(true);
    });
  });

  describe('delete', () => {
    it('emits each entry with the JSON text that its GET returned', async () => {
      const fields = [TITLE, { name: 'extra', type: 'json' }];
      const type = await createType(tenant, fields);
      const extras = [
        { 'a"b\\': '\u0001 \u2028 💬' },
        '%s $1 {}',
        1e21,
        [null, -0, 'Ä'.repeat(200_000)],
        'x'.repeat(900_000),
      ];
      const ids = await createEntries(
        tenant,
        type,
        extras.map((extra, index) => ({
          fields: { title: `Ünser ${index}`, extra },
          status: index % 2 ? 'published' : 'draft',
        })),
      );
      await tenant.http.patch(`${type.entries}/${ids[0]}`, { fields: { title: "it's" } }).expect(200);
      const answers = await Promise.all(ids.map(async (id) => (await tenant.http.get(`${type.entries}/${id}`)).text));
      await tenant.http.delete(type.path).expect(200);
      const events = (await storedEvents(app, tenant.id)).filter((event) => event.type === 'entry.deleted');
      expect(events.map(({ data }) => `{"data":${data}}`)).toEqual(answers);
    });

    it('deletes the type with its entries, each of which emits entry.deleted', async () => {
      const type = await createType(tenant, [{ ...TITLE, unique: true }]);
      const ids = await createEntries(
        tenant,
        type,
        Array.from({ length: 7 }, (_, index) => ({ fields: { title: `t${index}` } })),
      );
      const { body } = await tenant.http.delete(type.path).expect(200);
      expect(body).toEqual({ message: expect.any(String) });
      await tenant.http.get(type.path).expect(404);
      await tenant.http.get(type.entries).expect(404);
      await tenant.http.get(`${type.entries}/${ids[0]}`).expect(404);
      await tenant.http.post(type.entries, { fields: { title: 'x' } }).expect(404);
      await tenant.http.delete(type.path).expect(404);
      const events = (await storedEvents(app, tenant.id)).filter((event) => event.type === 'entry.deleted');
      expect(events.map(({ data }) => JSON.parse(data).id).sort()).toEqual([...ids].sort());
      const left = await app.database.query(
        `SELECT 1 FROM entry_values WHERE tenant_id = $1 UNION ALL SELECT 1 FROM entry_uniques WHERE tenant_id = $1
        UNION ALL SELECT 1 FROM entry_counts WHERE tenant_id = $1 UNION ALL SELECT 1 FROM entries WHERE tenant_id = $1`,
        [tenant.id],
      );
      expect(left).toEqual([]);
    });

    it('leaves nothing behind when entries are written at the same time', async () => {
      const type = await createType(tenant, [TITLE]);
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => tenant.http.post(type.entries, { fields: { title: 'x' } })),
        tenant.http.delete(type.path),
        ...Array.from({ length: 20 }, () => tenant.http.post(type.entries, { fields: { title: 'x' } })),
      ]);
      expect(answers.every(({ status }) => [200, 201, 404].includes(status))).toBe(true);
      expect(await app.database.query('SELECT 1 FROM entries WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    });
  });
});

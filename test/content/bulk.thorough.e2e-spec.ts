import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ofEntries } from '../support/stored-events.js';

const AUTHOR = [
  { name: 'name', type: 'text', required: true },
  { name: 'email', type: 'email', unique: true },
];
const postFields = (author: TestType) => [
  { name: 'title', type: 'text', required: true, max: 40 },
  { name: 'slug', type: 'text', unique: true },
  { name: 'body', type: 'rich_text' },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'author', type: 'reference', content_type: author.id },
];

describe('bulk', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function scene() {
    const tenant = app.tenant();
    const author = await createType(tenant, AUTHOR, 'Author');
    const post = await createType(tenant, postFields(author), 'Post');
    const path = `/v1/content/${tenant.id}/bulk`;
    const bulk = (operations: object[], options: object = {}) => tenant.http.post(path, { operations, ...options });
    return { tenant, author, post, bulk };
  }

  const entriesOf = async (tenant: TestTenant, type: TestType, query = '') =>
    (await tenant.http.get(`${type.entries}?sort=id&per_page=100&${query}`).expect(200)).body.data;

  it('needs a key that may write content', async () => {
    const { tenant } = await scene();
    await app.client().post(`/v1/content/${tenant.id}/bulk`, { operations: [] }).expect(401);
    await app.tenant().http.post(`/v1/content/${tenant.id}/bulk`, { operations: [] }).expect(403);
  });

  it('creates, updates, upserts and deletes in one request, and returns what became of each', async () => {
    const { tenant, author, post, bulk } = await scene();
    const old = await tenant.http.post(post.entries, { fields: { title: 'Old', slug: 'old' } }).expect(201);
    const gone = await tenant.http.post(post.entries, { fields: { title: 'Gone', slug: 'gone' } }).expect(201);
    const { body } = await bulk([
      { op: 'create', content_type: 'author', ref: 'a', fields: { name: 'Ada' }, status: 'published' },
      {
        op: 'upsert',
        content_type: post.id,
        key: { slug: 'engines' },
        fields: { title: 'Engines', author: { $ref: 'a' } },
      },
      { op: 'update', content_type: 'post', entry_id: old.body.data.id, fields: { title: 'New' }, if_match: '"v1"' },
      { op: 'delete', content_type: 'post', entry_id: gone.body.data.id },
      { op: 'upsert', content_type: 'post', key: { slug: 'old' }, fields: { title: 'New' } },
    ]).expect(200);
    const [ada, engines] = body.data;
    expect(body).toEqual({
      data: [
        { op: 'create', entry_id: expect.stringMatching(/^ent_/), result: 'created', version: 1 },
        { op: 'upsert', entry_id: expect.stringMatching(/^ent_/), result: 'created', version: 1 },
        { op: 'update', entry_id: old.body.data.id, result: 'updated', version: 2 },
        { op: 'delete', entry_id: gone.body.data.id, result: 'deleted' },
        { op: 'upsert', entry_id: old.body.data.id, result: 'unchanged', version: 2 },
      ],
      meta: { created: 2, updated: 1, unchanged: 1, deleted: 1, failed: 0 },
    });
    expect(
      (await entriesOf(tenant, author)).map(({ id, status }: { id: string; status: string }) => [id, status]),
    ).toEqual([[ada.entry_id, 'published']]);
    expect(await entriesOf(tenant, post)).toMatchObject([
      { id: old.body.data.id, fields: { title: 'New', slug: 'old' } },
      { id: engines.entry_id, fields: { title: 'Engines', slug: 'engines', author: ada.entry_id } },
    ]);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('changes nothing if an atomic operation fails, and lists the errors of all', async () => {
    const { tenant, post, bulk } = await scene();
    const { body } = await bulk([
      { op: 'create', content_type: 'post', fields: { title: 'Fine', slug: 'fine' } },
      { op: 'create', content_type: 'post', fields: { slug: 'fine', nope: 1 } },
      { op: 'delete', content_type: 'post', entry_id: 'ent_00000000000000000000000000' },
      { op: 'create', content_type: 'nowhere', fields: {} },
    ]).expect(422);
    expect(body.code).toBe('validation_failed');
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['operations.1.fields.nope', 'unknown_property'],
      ['operations.1.fields.title', 'required'],
      ['operations.1.fields.slug', 'unique'],
      ['operations.2.entry_id', 'not_found'],
      ['operations.3.content_type', 'not_found'],
    ]);
    expect(await entriesOf(tenant, post)).toEqual([]);
  });

  it('has the status of the first operation that failed', async () => {
    const { tenant, post, bulk } = await scene();
    const { body } = await tenant.http.post(post.entries, { fields: { title: 'Old' } }).expect(201);
    const stale = { op: 'update', content_type: 'post', entry_id: body.data.id, if_match: '"v9"' };
    const unknown = { op: 'update', content_type: 'post', entry_id: 'ent_nope' };
    await bulk([stale, unknown]).expect(412);
    await bulk([unknown, stale]).expect(404);
  });

  it('lets each operation stand alone with atomic: false', async () => {
    const { tenant, post, bulk } = await scene();
    const { body } = await bulk(
      [
        { op: 'create', content_type: 'author', ref: 'a', fields: {} },
        { op: 'create', content_type: 'post', fields: { title: 'By nobody', author: { $ref: 'a' } } },
        { op: 'create', content_type: 'post', fields: { title: 'Fine' } },
      ],
      { atomic: false },
    ).expect(200);
    expect(body.meta).toEqual({ created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 2 });
    expect(body.data[0]).toEqual({
      op: 'create',
      result: 'failed',
      problem: {
        type: '/problems/validation_failed',
        title: 'Validation failed',
        status: 422,
        code: 'validation_failed',
        detail: '1 value is not valid.',
        errors: [{ path: 'fields.name', code: 'required', message: 'name is required.' }],
      },
    });
    expect(body.data[1].problem.errors).toEqual([
      { path: 'fields.author', code: 'reference', message: 'The operation with the ref a failed.' },
    ]);
    expect(await entriesOf(tenant, post)).toMatchObject([{ fields: { title: 'Fine' } }]);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('sees the changes of earlier operations', async () => {
    const { tenant, post, bulk } = await scene();
    const { body: one } = await tenant.http.post(post.entries, { fields: { title: 'One', slug: 'one' } }).expect(201);
    const id = one.data.id;
    const update = (fields: object, more: object = {}) => ({
      op: 'update',
      content_type: 'post',
      entry_id: id,
      fields,
      ...more,
    });
    const { body } = await bulk([
      update({ slug: 'two' }),
      { op: 'create', content_type: 'post', fields: { title: 'Takes it', slug: 'one' } },
      update({ title: 'Again' }, { if_match: '"v2"' }),
      { op: 'upsert', content_type: 'post', key: { slug: 'two' }, fields: { tags: ['x'] }, status: 'published' },
      { op: 'upsert', content_type: 'post', key: { slug: 'three' }, fields: { title: 'Three' } },
      { op: 'upsert', content_type: 'post', key: { slug: 'three' }, fields: { title: 'Three, again' } },
    ]).expect(200);
    expect(body.data.map(({ result, version }: { result: string; version: number }) => [result, version])).toEqual([
      ['updated', 2],
      ['created', 1],
      ['updated', 3],
      ['updated', 4],
      ['created', 1],
      ['updated', 2],
    ]);
    const { body: versions } = await tenant.http.get(`${post.entries}/${id}/versions`).expect(200);
    expect(versions.data).toMatchObject([
      { version: 4, action: 'published', status: 'published', changed: ['tags'] },
      { version: 3, action: 'updated', changed: ['title'] },
      { version: 2, action: 'updated', changed: ['slug'] },
      { version: 1, action: 'created' },
    ]);
    await bulk([{ op: 'delete', content_type: 'post', entry_id: id }, update({ title: 'Too late' })]).expect(404);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('changes nothing in a dry run', async () => {
    const { tenant, post, bulk } = await scene();
    const operations = [
      { op: 'create', content_type: 'post', ref: 'p', fields: { title: 'One', slug: 'one' } },
      { op: 'upsert', content_type: 'post', key: { slug: 'one' }, fields: { title: 'Two' } },
    ];
    const { body } = await bulk(operations, { dry_run: true }).expect(200);
    expect(body.data).toEqual([
      { op: 'create', result: 'created', version: 1 },
      { op: 'upsert', result: 'updated', version: 2 },
    ]);
    expect(body.meta).toMatchObject({ created: 1, updated: 1 });
    expect(await entriesOf(tenant, post)).toEqual([]);
    const { body: events } = await tenant.http.get(`/v1/events/${tenant.id}`).expect(200);
    expect(ofEntries(events.data)).toEqual([]);
  });

  it('of the same entries in opposite order all succeed', async () => {
    const { tenant, post, bulk } = await scene();
    const creates = Array.from({ length: 20 }, (_, index) => ({
      op: 'create',
      content_type: 'post',
      fields: { title: 'New', slug: `s${index}` },
    }));
    const { body } = await bulk(creates).expect(200);
    const ids = body.data.map(({ entry_id }: { entry_id: string }) => entry_id) as string[];
    const update = (title: string) => (entry_id: string) => ({
      op: 'update',
      content_type: 'post',
      entry_id,
      fields: { title },
    });
    const all = [];
    for (let round = 0; round < 4; round++) {
      all.push(bulk(ids.map(update(`Up ${round}`))), bulk([...ids].reverse().map(update(`Down ${round}`))));
      all.push(tenant.http.patch(`${post.entries}/${ids[3]}`, { fields: { body: `${round}` } }));
    }
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
    const versions = await app.database.query<{ version: number }>('SELECT version FROM entries WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(new Set(versions.map(({ version }) => version))).toEqual(new Set([9, 13]));
    await expectConsistentContent(app.database, tenant.id);
  });

  it('with the same new unique values create each once', async () => {
    const { tenant, post, bulk } = await scene();
    const upserts = (order: number) =>
      Array.from({ length: 10 }, (_, index) => ({
        op: 'upsert',
        content_type: 'post',
        key: { slug: `s${order > 0 ? index : 9 - index}` },
        fields: { title: `By ${order}` },
      }));
    for (const { status } of await Promise.all([bulk(upserts(1)), bulk(upserts(-1)), bulk(upserts(2))]))
      expect(status).toBe(200);
    expect(await entriesOf(tenant, post)).toHaveLength(10);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('upsert entries that others delete: each is found, or created again', async () => {
    const { tenant, post, bulk } = await scene();
    const upserts = Array.from({ length: 50 }, (_, index) => ({
      op: 'upsert',
      content_type: 'post',
      key: { slug: `s${index}` },
      fields: { title: `T ${index}` },
    }));
    for (let round = 0; round < 5; round++) {
      const { body } = await bulk(upserts).expect(200);
      const ids = (body.data as { entry_id: string }[]).map(({ entry_id }) => entry_id);
      const deletions = ids.map((id) => tenant.http.delete(`${post.entries}/${id}`));
      const [first, second, ...deleted] = await Promise.all([bulk(upserts), bulk(upserts), ...deletions]);
      for (const { body: answer, status } of [first, second]) expect([status, answer.meta.failed]).toEqual([200, 0]);
      for (const { status } of deleted) expect(status).toBe(200);
    }
    await expectConsistentContent(app.database, tenant.id);
  });

  it('follow a change of the content type, and wait for one', async () => {
    const { tenant, post, bulk } = await scene();
    const creates = Array.from({ length: 50 }, (_, index) => ({
      op: 'create',
      content_type: 'post',
      fields: { title: `T ${index}` },
    }));
    const changes = [1, 2, 3].map((max) =>
      tenant.http.put(post.path, {
        fields: [
          { name: 'title', type: 'text', max: 40 + max },
          { name: 'slug', type: 'text' },
        ],
      }),
    );
    const all = await Promise.all([bulk(creates), ...changes, bulk(creates)]);
    for (const { status } of all) expect(status).toBe(200);
    await expectConsistentContent(app.database, tenant.id);
  });

  it('refuses a body whose operations cannot be read, and a key that is not unique', async () => {
    const { bulk } = await scene();
    const codes = async (operations: unknown, options: object = {}) => {
      const { body, status } = await bulk(operations as object[], options);
      return [
        status,
        ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
      ];
    };
    expect(await codes({})).toEqual([422, 'operations type']);
    expect(await codes([7, { op: 'nope' }, {}])).toEqual([
      422,
      'operations.0 type',
      'operations.1.op options',
      'operations.2.op required',
    ]);
    const wrong = [{ op: 'update', content_type: 'post', entry_id: 'ent_x' }, { op: 'nope' }];
    expect(await codes(wrong)).toEqual([404, 'operations.0.entry_id not_found', 'operations.1.op options']);
    expect(await codes(Array.from({ length: 1_001 }, () => ({ op: 'create' })))).toEqual([422, 'operations too_long']);
    expect(await codes([], { atomic: 'yes' })).toEqual([422, 'atomic type']);
    const upsert = (more: object) => ({ op: 'upsert', content_type: 'post', ...more });
    expect(
      await codes([
        upsert({}),
        upsert({ key: { slug: 'a', title: 'b' } }),
        upsert({ key: { title: 'b' } }),
        upsert({ key: { nope: 'b' } }),
        upsert({ key: { slug: null } }),
        upsert({ key: { slug: 'a' }, fields: { slug: 'b', title: 'x' } }),
        { op: 'create', content_type: 'author', ref: 'a', fields: { name: 'a' } },
        { op: 'create', content_type: 'author', ref: 'a', fields: { name: 'b' } },
        { op: 'create', content_type: 'post', fields: { title: 'x', author: { $ref: 'b' } } },
        { op: 'update', content_type: 'post', entry_id: 'ent_x', if_match: 'v1' },
        { op: 'delete', content_type: 'post', entry_id: 7, status: 'draft' },
        upsert({ key: { nope: 'b' }, status: 'live' }),
      ]),
    ).toEqual([
      422,
      'operations.0.key required',
      'operations.1.key type',
      'operations.2.key.title unique',
      'operations.3.key.nope unknown_property',
      'operations.4.key.slug required',
      'operations.5.fields.slug key',
      'operations.7.ref duplicate',
      'operations.8.fields.author reference',
      'operations.9.if_match format',
      'operations.10.entry_id type',
      'operations.10.status unknown_property',
      'operations.11.key.nope unknown_property',
      'operations.11.status options',
    ]);
  });

  it('fails alone if it is no operation, unless all stand together', async () => {
    const { bulk } = await scene();
    const good = { op: 'create', content_type: 'author', fields: { name: 'a' } };
    const { body } = await bulk([{ ...good, op: 'replace' }, [7], {}, good], { atomic: false }).expect(200);
    expect(body.data.map(({ op, result }: { op: string; result: string }) => [op, result])).toEqual([
      [null, 'failed'],
      [null, 'failed'],
      [null, 'failed'],
      ['create', 'created'],
    ]);
    expect(body.data[0].problem.errors).toEqual([
      { path: 'op', code: 'options', message: 'op must be one of create, upsert, update, delete.' },
    ]);
    await bulk([{ ...good, op: 'replace' }, good]).expect(422);
  });

  it('reports text that cannot be stored with the other errors of its operation', async () => {
    const { tenant, post, bulk } = await scene();
    const operations = [
      { op: 'create', content_type: 'post', fields: { title: 'Good' } },
      { op: 'create', content_type: 'post', fields: { title: 'a\0', nope: 1 }, if_match: '"v1"' },
      { op: 'create', content_type: 'post', fields: { title: 7 } },
      { op: 'create', content_type: 'post\0', fields: { title: 'Good' } },
    ];
    const { body } = await bulk(operations);
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort()).toEqual([
      'operations.1.fields.nope unknown_property',
      'operations.1.fields.title text',
      'operations.1.if_match unknown_property',
      'operations.2.fields.title type',
      'operations.3.content_type text',
    ]);
    const alone = await bulk(operations, { atomic: false });
    expect(alone.status).toBe(200);
    expect(alone.body.meta).toMatchObject({ created: 1, failed: 3 });
    expect((await tenant.http.get(`${post.entries}?filter[title]=Good`)).body.meta.total).toBe(1);
  });

  it('reports a wrong value of a key at the key, unless the fields repeat it', async () => {
    const { bulk } = await scene();
    const { body } = await bulk([
      { op: 'upsert', content_type: 'post', key: { slug: 7 }, fields: { title: 8 } },
      { op: 'upsert', content_type: 'post', key: { slug: '\0' }, fields: { title: 'Nul' } },
      { op: 'upsert', content_type: 'post', key: { slug: 7 }, fields: { title: 'Both', slug: 7 } },
    ]);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'operations.0.fields.title',
      'operations.0.key.slug',
      'operations.1.key.slug',
      'operations.2.fields.slug',
    ]);
  });

  it('refuses a deletion with properties that it does not have', async () => {
    const { tenant, post, bulk } = await scene();
    const entry = await tenant.http.post(post.entries, { fields: { title: 'Stays' } }).expect(201);
    const { body } = await bulk([
      { op: 'delete', content_type: 'post', entry_id: entry.body.data.id, fields: {}, status: 'draft' },
    ]).expect(422);
    expect(body.errors).toMatchObject([
      { path: 'operations.0.fields', code: 'unknown_property' },
      { path: 'operations.0.status', code: 'unknown_property' },
    ]);
    expect(await entriesOf(tenant, post)).toHaveLength(1);
  });

  it('changes entries that others change all the time', async () => {
    const { tenant, post, bulk } = await scene();
    const create = (index: number) => tenant.http.post(post.entries, { fields: { title: `t${index}` } }).expect(201);
    const ids: string[] = [];
    for (let index = 0; index < 40; index++) ids.push((await create(index)).body.data.id);
    let isDone = false;
    const statuses = new Set<number>();
    const others = Array.from({ length: 4 }, async (_, index) => {
      while (!isDone) {
        const { status } = await tenant.http.patch(`${post.entries}/${ids[index]}`, { fields: { body: '<p>x</p>' } });
        statuses.add(status);
      }
    });
    const update = (title: string) =>
      bulk(ids.map((id) => ({ op: 'update', content_type: post.id, entry_id: id, fields: { title } })));
    for (let round = 0; round < 5; round++) await update(`r${round}`).expect(200);
    // Batches that change the same entries, in different orders.
    const some = await Promise.all(
      ['a', 'b', 'c', 'd'].map((title, index) => {
        if (index % 2 === 1) ids.reverse();
        return update(title);
      }),
    );
    expect(some.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    isDone = true;
    await Promise.all(others);
    expect([...statuses]).toEqual([200]);
    await expectConsistentContent(app.database, tenant.id);
  }, 240_000);

  describe('with on_delete', () => {
    async function guarded(onDelete: string) {
      const made = await scene();
      const fields = [
        ...postFields(made.author).slice(0, -1),
        { ...postFields(made.author).at(-1), on_delete: onDelete },
      ];
      await made.tenant.http.put(made.post.path, { fields }).expect(200);
      return made;
    }

    it('refuses, also because of what earlier operations wrote', async () => {
      const { tenant, author, post, bulk } = await guarded('refuse');
      const ada = (await tenant.http.post(author.entries, { fields: { name: 'Ada' } })).body.data.id;
      const create = { op: 'create', content_type: post.id, ref: 'p', fields: { title: 'A', author: ada } };
      const remove = { op: 'delete', content_type: 'author', entry_id: ada };
      const refused = await bulk([create, remove]).expect(409);
      const detail =
        'The entry was not deleted: 1 entry refers to it, and on_delete is refuse. Remove the reference first.';
      expect(refused.body).toMatchObject({
        code: 'conflict',
        detail: `1 operation failed, so nothing was changed. ${detail}`,
        errors: [{ path: 'operations.1.entry_id', code: 'conflict', message: detail }],
      });
      const { body } = await bulk([create, remove], { atomic: false }).expect(200);
      expect(body.data[1]).toEqual({
        op: 'delete',
        entry_id: ada,
        result: 'failed',
        problem: (await tenant.http.delete(`${author.entries}/${ada}`).expect(409)).body.request_id && {
          type: expect.any(String),
          title: expect.any(String),
          status: 409,
          code: 'conflict',
          detail,
        },
      });
      // The referrer is deleted before.
      const gone = { op: 'delete', content_type: post.id, entry_id: body.data[0].entry_id };
      await bulk([gone, remove]).expect(200);
      expect(await entriesOf(tenant, author)).toEqual([]);
      const again = { ...create, fields: { title: 'A', author: ada } };
      await bulk([again]).expect(422);
    });

    it('clears the referrers, whose new versions later operations see', async () => {
      const { tenant, author, post, bulk } = await guarded('clear');
      const ada = (await tenant.http.post(author.entries, { fields: { name: 'Ada' } })).body.data.id;
      const one = (await tenant.http.post(post.entries, { fields: { title: 'A', author: ada } })).body.data.id;
      const operations = [
        { op: 'create', content_type: post.id, fields: { title: 'B', author: ada } },
        { op: 'delete', content_type: author.id, entry_id: ada },
        { op: 'update', content_type: post.id, entry_id: one, fields: { title: 'C' }, if_match: '"v2"' },
      ];
      await bulk(operations, { dry_run: true }).expect(200);
      expect(await entriesOf(tenant, author)).toHaveLength(1);
      const { body } = await bulk(operations).expect(200);
      expect(body.data[2]).toMatchObject({ result: 'updated', version: 3 });
      expect((await entriesOf(tenant, post)).map(({ fields }: { fields: object }) => fields)).toEqual([
        { title: 'C' },
        { title: 'B' },
      ]);
      const versions = await tenant.http.get(`${post.entries}/${one}/versions`).expect(200);
      expect(versions.body.data).toMatchObject([
        { version: 3, changed: ['title'] },
        { version: 2, changed: ['author'], action: 'updated' },
        { version: 1 },
      ]);
      await expectConsistentContent(app.database, tenant.id);
    });

    it('clears one entry for many deletions', async () => {
      const { tenant, author, bulk } = await guarded('clear');
      const tagged = await createType(
        tenant,
        [{ name: 'tags', type: 'reference', content_type: author.id, multiple: true, on_delete: 'clear' }],
        'Tagged',
      );
      const create = { op: 'create', content_type: author.id, fields: { name: 'x' } };
      const { body } = await bulk(Array.from({ length: 100 }, () => create)).expect(200);
      const tags = body.data.map(({ entry_id: id }: { entry_id: string }) => id);
      await tenant.http.post(tagged.entries, { fields: { tags } }).expect(201);
      await bulk(tags.map((id: string) => ({ op: 'delete', content_type: author.id, entry_id: id }))).expect(200);
      expect(await entriesOf(tenant, tagged)).toMatchObject([{ fields: {} }]);
      await expectConsistentContent(app.database, tenant.id);
    });
  });
});

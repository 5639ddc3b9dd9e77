import { type Http, startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { multipart, send } from '../support/upload.js';

const LIMITS: Record<string, object> = {
  ten_entries: { entries: 7 },
  ten_far: { entries: 1_000_000 },
  ten_mixed: { entries: 10 },
  ten_bulk: { entries: 5 },
  ten_import: { entries: 3 },
  ten_types: { content_types: 3 },
  ten_webhooks: { webhooks: 2 },
  ten_submissions: { submissions: 4 },
  ten_media: { media_bytes: 100 },
  ten_none: { webhooks: 0 },
};
const TENANTS = JSON.stringify(
  Object.entries(LIMITS).map(([id, limits]) => ({
    id,
    name: id,
    api_keys: [{ name: 'all', key: `key-${id}` }],
    limits,
  })),
);

/** Every test has a tenant of its own. Two processes use one database. */
describe('the limits of a tenant', () => {
  let database: TestDatabase;
  let apps: TestApp[];
  beforeAll(async () => {
    database = await createDatabase();
    const env = { TENANTS, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
    apps = [await startApp(env, { database }), await startApp(env, { database })];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.drop();
  });

  const http = (tenant: string, process = 0): Http => apps[process % 2]!.client(`Bearer key-${tenant}`);
  const newType = async (tenant: string): Promise<{ id: string; entries: string }> => {
    const fields = [{ name: 'title', type: 'text', unique: true }];
    const { body } = await http(tenant).post(`/v1/content/${tenant}/types`, { name: 'Post', fields }).expect(201);
    return { id: body.data.id, entries: `/v1/content/${tenant}/types/${body.data.id}/entries` };
  };
  const usage = async (tenant: string) => (await http(tenant).get(`/v1/usage/${tenant}`).expect(200)).body.data;
  /** Sends requests at once to both processes. Returns the number of responses with each status, and the problems. */
  const race = async (times: number, ask: (process: number) => PromiseLike<{ status: number; body: unknown }>) => {
    const answers = await Promise.all(Array.from({ length: times }, (_, index) => ask(index)));
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    const problems = answers
      .filter(({ status }) => status >= 400)
      .map(({ body }) => body as { code: string; detail: string });
    return { counts, problems };
  };

  it('accept exactly the limit of entries that two processes create at once', async () => {
    const { entries } = await newType('ten_entries');
    const { counts, problems } = await race(40, (index) => http('ten_entries', index).post(entries, { fields: {} }));
    expect(counts).toEqual({ 201: 7, 403: 33 });
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['limit_reached']));
    expect(problems[0]).toMatchObject({
      detail: 'The limit of 7 entries is reached: the tenant has 7, and this would add 1.',
      limit: 'entries',
      maximum: 7,
      used: 7,
    });
    expect(await usage('ten_entries')).toMatchObject({ entries: 7, limits: { entries: 7 } });
    const list = await http('ten_entries').get(entries).expect(200);
    expect(list.body.meta.total).toBe(7);
    // There is room again after a deletion, for one.
    await http('ten_entries').delete(`${entries}/${list.body.data[0].id}`).expect(200);
    const again = await race(6, (index) => http('ten_entries', index).post(entries, { fields: {} }));
    expect(again.counts).toEqual({ 201: 1, 403: 5 });
  });

  it('are shared by single creations, bulk requests and repetitions', async () => {
    const { id, entries } = await newType('ten_mixed');
    const operations = [0, 1, 2].map(() => ({ op: 'create', content_type: id, fields: {} }));
    const { counts } = await race(24, (index) =>
      index % 3 === 0
        ? http('ten_mixed', index).post('/v1/content/ten_mixed/bulk', { operations })
        : http('ten_mixed', index).post(entries, { fields: {} }).set('Idempotency-Key', `key-${index}`),
    );
    const total = (counts[200] ?? 0) * 3 + (counts[201] ?? 0);
    // Fewer than three may be left for the last bulk request, but single creations take them.
    expect([total, Object.keys(counts).filter((status) => !['200', '201', '403'].includes(status))]).toEqual([10, []]);
    expect((await usage('ten_mixed')).entries).toBe(10);
    await http('ten_mixed').post(entries, { fields: {} }).set('Idempotency-Key', 'late').expect(403);
  });

  it('far away do not make creations wait for each other', async () => {
    const { entries } = await newType('ten_far');
    const { counts } = await race(20, (index) => http('ten_far', index).post(entries, { fields: {} }));
    expect(counts).toEqual({ 201: 20 });
  });

  it('refuse the operations of a bulk request that exceed them, in their order', async () => {
    const { id, entries } = await newType('ten_bulk');
    const create = { op: 'create', content_type: id, fields: {} };
    const bulk = (body: object) => http('ten_bulk').post('/v1/content/ten_bulk/bulk', body);
    const all = await bulk({ operations: Array.from({ length: 6 }, () => create) }).expect(403);
    expect(all.body).toMatchObject({
      code: 'limit_reached',
      ...{ limit: 'entries', maximum: 5, used: 0 },
      errors: [{ path: 'operations.5.entry_id', code: 'limit_reached' }],
    });
    const dry = await bulk({
      operations: Array.from({ length: 7 }, () => create),
      atomic: false,
      dry_run: true,
    }).expect(200);
    expect(dry.body.meta).toMatchObject({ created: 5, failed: 2 });
    const some = await bulk({ operations: Array.from({ length: 7 }, () => create), atomic: false }).expect(200);
    expect(some.body.meta).toMatchObject({ created: 5, failed: 2 });
    expect(some.body.data[6].problem).toMatchObject({
      ...{ status: 403, code: 'limit_reached', limit: 'entries', maximum: 5 },
    });
    // A deletion makes room for the creation after it, and not for the one before.
    const [{ entry_id }] = some.body.data as [{ entry_id: string }];
    const swap = [create, { op: 'delete', content_type: id, entry_id }, create, create];
    const swapped = await bulk({ operations: swap, atomic: false }).expect(200);
    expect(swapped.body.data.map(({ result }: { result: string }) => result)).toEqual([
      'failed',
      'deleted',
      'created',
      'failed',
    ]);
    expect((await http('ten_bulk').get(entries).expect(200)).body.meta.total).toBe(5);
  });

  it('refuse the lines of an import that exceed them', async () => {
    const { entries } = await newType('ten_import');
    const lines = Array.from({ length: 5 }, (_, index) => `{"fields":{"title":"${index}"}}\n`).join('');
    const answer = await http('ten_import')
      .post(`${entries}/import`)
      .set('Content-Type', 'application/x-ndjson')
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done(null, text));
      })
      .send(lines)
      .expect(200);
    const reported = String(answer.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(reported.at(-1)).toMatchObject({ done: true, created: 3, failed: 2 });
    expect(reported[0]).toMatchObject({ line: 4, problem: { code: 'limit_reached' } });
  });

  it('hold for content types and webhooks', async () => {
    const type = (index: number) =>
      http('ten_types', index).post('/v1/content/ten_types/types', {
        name: 'A',
        fields: [{ name: 'a', type: 'text' }],
      });
    expect((await race(8, type)).counts).toEqual({ 201: 3, 403: 5 });
    const webhook = (index: number) =>
      http('ten_webhooks', index).post('/v1/webhooks/ten_webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] });
    expect((await race(6, webhook)).counts).toEqual({ 201: 2, 403: 4 });
    expect(await usage('ten_webhooks')).toMatchObject({ webhooks: 2, limits: { webhooks: 2 } });
    const { body } = await http('ten_none')
      .post('/v1/webhooks/ten_none', { url: 'http://127.0.0.1:9/', events: ['*'] })
      .expect(403);
    expect(body.detail).toBe('The limit of 0 webhooks is reached: the tenant has 0, and this would add 1.');
  });

  it('count spam, and tell visitors no numbers', async () => {
    const forms = '/v1/forms/ten_submissions';
    const fields = [{ name: 'message', type: 'textarea' }];
    const form = async (settings?: object): Promise<string> => {
      const { body } = await http('ten_submissions').post(forms, { name: 'Contact', fields, settings }).expect(201);
      return `${forms}/${body.data.id}/submissions`;
    };
    const paths = [
      await form(),
      await form({ spam: { blocked_words: ['casino'] } }),
      await form({ spam: { duplicates_within: 3_600 } }),
    ];
    const submit = (index: number) =>
      apps[index % 2]!.client(undefined, { 'X-Forwarded-For': `10.9.0.${index}` }).post(paths[index % 3]!, {
        fields: { message: 'casino' },
      });
    const { counts, problems } = await race(18, submit);
    expect(counts).toEqual({ 201: 4, 403: 14 });
    for (const problem of problems) {
      expect(problem).toEqual({
        ...{ type: '/problems/limit_reached', title: 'Limit reached', status: 403, code: 'limit_reached' },
        detail: 'No more submissions are accepted at the moment.',
        limit: 'submissions',
        request_id: expect.any(String),
      });
    }
    expect((await usage('ten_submissions')).submissions).toBe(4);
  });

  it('count the bytes of media files, and remove the bytes of a refused one', async () => {
    const tenant = { id: 'ten_media', key: 'key-ten_media', http: http('ten_media') };
    const upload = (index: number, bytes: number) =>
      send(apps[index % 2]!, tenant, multipart([{ name: 'file', filename: 'a.txt', data: 'x'.repeat(bytes) }]));
    const { counts, problems } = await race(8, (index) => upload(index, 30));
    expect(counts).toEqual({ 201: 3, 403: 5 });
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['limit_reached']));
    expect((await upload(0, 11)).status).toBe(403);
    expect((await upload(1, 10)).status).toBe(201);
    expect((await usage('ten_media')).media_bytes).toBe(100);
    const orphans = await database.query(`SELECT 1 FROM orphaned_files WHERE tenant_id = 'ten_media'`);
    expect(orphans).toEqual([]);
    const { body } = await tenant.http.get('/v1/media/ten_media').expect(200);
    await tenant.http.delete(`/v1/media/ten_media/${body.data[0].id}`).expect(200);
    expect((await usage('ten_media')).media_bytes).toBe(90);
  });
});

describe('requests_per_minute', () => {
  let app: TestApp;
  beforeAll(async () => {
    const api_keys = ['a', 'b'].map((name) => ({ name, key: `key-${name}` }));
    const tenants = [{ id: 'ten_rate', name: 'Rate', api_keys, limits: { requests_per_minute: 4 } }];
    app = await startApp({ TENANTS: JSON.stringify(tenants) });
  });
  afterAll(() => app.close());

  it('limits the requests with all keys of the tenant together, and no submissions', async () => {
    const http = (key: string) => app.client(`Bearer key-${key}`);
    const { body } = await http('a')
      .post('/v1/forms/ten_rate', { name: 'Contact', fields: [{ name: 'message', type: 'textarea' }] })
      .expect(201);
    for (const key of ['b', 'a', 'b']) await http(key).get('/v1/usage/ten_rate').expect(200);
    for (const key of ['a', 'b']) {
      const refused = await http(key).get('/v1/usage/ten_rate').expect(429);
      expect(refused.body.code).toBe('rate_limited');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    await app
      .client()
      .post(`/v1/forms/ten_rate/${body.data.id}/submissions`, { fields: { message: 'Hi' } })
      .expect(201);
    await app
      .client('Bearer key-a')
      .post(`/v1/forms/ten_rate/${body.data.id}/submissions`, { fields: { message: 'Hi' } })
      .expect(201);
  });
});

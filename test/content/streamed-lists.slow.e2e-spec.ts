import fc from 'fast-check';
import { ByteBudget } from '../../src/admission/byte-budget.js';
import { Database } from '../../src/database/database.js';
import { LARGE_BYTES } from '../../src/lists/large-json.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { propertyRuns } from '../support/property-runs.js';
import { expectServerErrors } from '../support/server-errors.js';
import { SlowReader } from '../support/slow-reader.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'number', type: 'integer' },
  { name: 'title', type: 'text' },
  { name: 'extra', type: 'json' },
];
const MIB = 1024 * 1024;

/** Inserts entries of 1 MB as requests would, but without index and words. */
async function fill({ database }: TestApp, tenant: TestTenant, type: TestType, count: number): Promise<void> {
  const values = [tenant.id, parseId('ct', type.id), count];
  await database.query(
    `WITH entry AS (
      INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at)
      SELECT $1, $2, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, text::json, octet_length(text), 'published', 1, now(), now()
      FROM generate_series(1, $3::int) AS n, (SELECT json_build_object('extra', repeat('a', 1000000))::text) AS x (text)
    )
    INSERT INTO entry_counts (tenant_id, content_type_id, shard, drafts, published) VALUES ($1, $2, 0, 0, $3::int)`,
    values,
  );
}

/** Text that PostgreSQL compresses to about 1 %, or hardly at all. */
const textOf = (length: number, compressible: boolean) =>
  compressible
    ? 'a'.repeat(length)
    : Array.from({ length }, (_, at) => ((at * 7919 + at * at) % 36).toString(36)).join('');

describe('lists with large records', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  const readers: SlowReader[] = [];

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await until(() => Promise.resolve(used() === 0));
  });

  const used = () => app.get(ByteBudget).used;
  const raw = async (path: string): Promise<string> => (await tenant.http.get(path).expect(200)).text;
  const add = (...extras: string[]) =>
    createEntries(
      tenant,
      type,
      extras.map((extra, number) => ({ fields: { number, title: `entry ${number}`, extra }, status: 'published' })),
    );
  const read = async (path: string, { version = '1.1', method = 'GET', key = tenant.key } = {}) => {
    const request = `${method} ${path} HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    const reader = await SlowReader.send(app.url, request);
    readers.push(reader);
    return reader;
  };
  /** Requests a list of 16 MB, more than a connection's buffers hold, and reads nothing yet. */
  const readSlowly = async (options = {}) => {
    await fill(app, tenant, type, 16);
    const ids = idsOf(await raw(`${type.entries}?per_page=100`));
    const reader = await read(`${type.entries}?per_page=100`, options);
    await until(() => Promise.resolve(used() > 0));
    return { ids, reader };
  };
  const idsOf = (body: string) => (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id);

  it('contain the same bytes as the responses for single records, for any sizes', async () => {
    const size = fc.oneof(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: LARGE_BYTES - 60, max: LARGE_BYTES + 5 }),
      fc.integer({ min: 100_000, max: 400_000 }),
      fc.constant(MIB - 500),
    );
    const sizes = fc.array(fc.tuple(size, fc.boolean()), { minLength: 1, maxLength: 7 });
    const query = fc.constantFrom(
      '',
      'sort=number',
      'sort=-title,number',
      'filter[title][contains]=entry&sort=-number',
      'filter[status]=published',
      'search=entry',
      'page=2&per_page=3',
      'cursor=',
      'cursor=&sort=-number&per_page=4',
    );
    await fc.assert(
      fc.asyncProperty(sizes, query, async (texts, asked) => {
        type = await createType(tenant, FIELDS, 'Another');
        await add(...texts.map(([length, compressible]) => textOf(length, compressible)));
        const list = await raw(`${type.entries}?${asked}`);
        const { meta } = JSON.parse(list) as { meta: object };
        const records = await Promise.all(idsOf(list).map((id) => raw(`${type.entries}/${id}`)));
        const whole = records.map((record) => record.slice('{"data":'.length, -1)).join(',');
        expect(list === `{"data":[${whole}],"meta":${JSON.stringify(meta)}}`).toBe(true);
      }),
      { numRuns: propertyRuns(3) },
    );
  });

  it('are chunked only if a record is large, in rows with and without a stored size', async () => {
    await add(textOf(LARGE_BYTES - 100, true), textOf(10, true));
    const light = await tenant.http.get(type.entries).expect(200);
    expect(light.headers['content-length']).toBe(String(Buffer.byteLength(light.text)));
    await add(textOf(LARGE_BYTES, true));
    const large = await tenant.http.get(type.entries).expect(200);
    expect(large.headers['transfer-encoding']).toBe('chunked');
    await app.database.query('UPDATE entries SET size = NULL WHERE tenant_id = $1', [tenant.id]);
    const older = await tenant.http.get(type.entries).expect(200);
    expect(older.headers['transfer-encoding']).toBe('chunked');
    expect(older.text).toBe(large.text);
  });

  it('show submissions, content types, forms and events in the same way', async () => {
    const fields = [{ name: 'text', type: 'textarea', max: 250_000 }];
    const { body: form } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Form', fields }).expect(201);
    const path = `/v1/forms/${tenant.id}/${form.data.id}/submissions`;
    const submitted: object[] = [];
    for (const length of [10, 200_000, 20, 100_000]) {
      const client = app.client(undefined, { 'X-Forwarded-For': `203.0.113.${submitted.length}` });
      const { body } = await client.post(path, { fields: { text: textOf(length, false) } }).expect(201);
      submitted.unshift(body.data as object);
    }
    expect(JSON.parse(await raw(path))).toEqual({ data: submitted, meta: { page: 1, per_page: 25, total: 4 } });
    const options = Array.from({ length: 500 }, (_, at) => `${at} ${textOf(240, false)}`);
    const large = [{ name: 'a', type: 'select', options, label: 'Ä' }];
    const types: object[] = [];
    const forms: object[] = [];
    for (const definitions of [large, fields.map(({ name }) => ({ name, type: 'text' })), large]) {
      const made = await tenant.http
        .post(`/v1/content/${tenant.id}/types`, { name: '"T"', fields: definitions })
        .expect(201);
      types.unshift(made.body.data as object);
      const other = await tenant.http
        .post(`/v1/forms/${tenant.id}`, { name: 'Ünser', fields: definitions })
        .expect(201);
      const { created_at, ...rest } = other.body.data as { created_at: string };
      forms.unshift({ ...rest, submission_count: 0, created_at });
    }
    const typeList = await raw(`/v1/content/${tenant.id}/types?per_page=3`);
    expect(typeList).toBe(JSON.stringify({ data: types, meta: { page: 1, per_page: 3, total: 4 } }));
    const formList = await raw(`/v1/forms/${tenant.id}?per_page=3`);
    expect(formList).toBe(JSON.stringify({ data: forms, meta: { page: 1, per_page: 3, total: 4 } }));
    const feed = JSON.parse(await raw(`/v1/events/${tenant.id}?filter[type]=form.submitted`)) as { data: unknown[] };
    expect(feed.data).toMatchObject(submitted.reverse().map((data) => ({ type: 'form.submitted', data })));
  });

  it('show each record in its state when it is sent, and omit deleted ones', async () => {
    const { ids, reader } = await readSlowly();
    const [last = '', beforeLast = ''] = ids.slice(-2);
    await tenant.http.patch(`${type.entries}/${last}`, { fields: { extra: 'changed' } }).expect(200);
    await tenant.http.delete(`${type.entries}/${beforeLast}`).expect(200);
    const { status, body } = await reader.answer();
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(ids.filter((id) => id !== beforeLast));
    expect(body).toContain('"extra":"changed"');
    expect(body.endsWith('"meta":{"page":1,"per_page":100,"total":16}}')).toBe(true);
  });

  it('never show a draft to a key without access to drafts, even if it was published when the page was selected', async () => {
    const { id } = tenant;
    const keys = [{ name: 'site', key: `site-key-${id}`, scopes: ['content:read:published'] }];
    const config = [{ id, name: 'Acme', api_keys: [{ name: 'all', key: `all-key-${id}` }, ...keys] }];
    const site = await startApp({ TENANTS: JSON.stringify(config) }, { database: app.database });
    const own = app;
    try {
      app = site;
      tenant = { id, key: `all-key-${id}`, http: site.client(`Bearer all-key-${id}`) };
      const { ids, reader } = await readSlowly({ key: `site-key-${id}` });
      const last = ids.at(-1) ?? '';
      await tenant.http.patch(`${type.entries}/${last}`, { status: 'draft' }).expect(200);
      expect(idsOf((await reader.answer()).body)).toEqual(ids.slice(0, -1));
    } finally {
      app = own;
      await site.close();
    }
  });

  it('are sent completely over HTTP/1.0, which has no chunks', async () => {
    const { ids, reader } = await readSlowly({ version: '1.0' });
    const { headers, body } = await reader.answer();
    expect(headers).not.toMatch(/transfer-encoding|content-length/i);
    expect(idsOf(body)).toEqual(ids);
  });

  it('answer HEAD without reading or reserving anything', async () => {
    await add(textOf(MIB - 1_000, true));
    const { status, body } = await (await read(type.entries, { method: 'HEAD' })).answer();
    expect([status, body]).toEqual([200, '']);
    expect(used()).toBe(0);
  });

  it.each(['1.1', '1.0'])('break the connection when reading fails half way (HTTP/%s)', async (version) => {
    const { reader } = await readSlowly({ version });
    const query = jest.spyOn(app.get(Database), 'query').mockRejectedValue(new Error('lost'));
    try {
      await expect(reader.answer().then(({ body }) => JSON.parse(body) as object)).rejects.toThrow();
    } finally {
      query.mockRestore();
    }
  });

  it('answer with a problem when reading fails before anything was sent', async () => {
    expectServerErrors(500);
    await add(textOf(MIB - 1_000, true));
    const database = app.get(Database);
    const query = jest.spyOn(database, 'query');
    query.mockImplementation((...args) => {
      if ((args[1] as { name?: string }).name === 'entries.by_ids') return Promise.reject(new Error('lost'));
      return Database.prototype.query.apply(database, args);
    });
    try {
      const { body } = await tenant.http.get(type.entries).expect(500);
      expect(body.code).toBe('internal_error');
    } finally {
      query.mockRestore();
    }
  });

  it('stop reading from the database when the client disconnects', async () => {
    const { reader } = await readSlowly();
    const query = jest.spyOn(app.get(Database), 'query');
    reader.close();
    await until(() => Promise.resolve(used() === 0));
    await tenant.http.get(`${type.path}`).expect(200);
    expect(
      query.mock.calls.filter(([, statement]) => (statement as { name?: string }).name === 'entries.by_ids'),
    ).toEqual([]);
    query.mockRestore();
  });

  it('that are pipelined release their memory when the connection closes before they are sent', async () => {
    await fill(app, tenant, type, 16);
    const request = `GET ${type.entries} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`;
    const reader = await SlowReader.send(app.url, request.repeat(12));
    readers.push(reader);
    await until(() => Promise.resolve(used() >= 12 * 3 * MIB));
    reader.close();
    await until(() => Promise.resolve(used() === 0));
  });
});

describe('the memory for responses', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  const readers: SlowReader[] = [];

  beforeAll(async () => {
    app = await startApp({ MAX_BYTES_IN_FLIGHT: String(16 * MIB) });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await until(() => Promise.resolve(used() === 0));
  });

  const used = () => app.get(ByteBudget).used;
  /** Pipelines the request and reads nothing, so that responses wait in the process. */
  const readNothing = async (path: string, times: number) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`;
    readers.push(await SlowReader.send(app.url, request.repeat(times)));
  };

  it('is limited: a list that does not fit answers 503, and another tenant’s does not', async () => {
    expectServerErrors(503);
    await fill(app, tenant, type, 16);
    for (let count = 1; count <= 3; count++) {
      await readNothing(type.entries, 1);
      await until(() => Promise.resolve(used() >= count * 3 * MIB));
    }
    const { body, headers } = await tenant.http.get(type.entries).expect(503);
    expect([body.code, headers['retry-after']]).toEqual(['unavailable', '1']);
    expect(headers['content-type']).toBe('application/problem+json');
    const other = app.tenant();
    const otherType = await createType(other, FIELDS);
    await createEntries(other, otherType, [{ fields: { extra: textOf(100_000, true) } }]);
    await other.http.get(otherType.entries).expect(200);
  });

  it('includes plain responses above 64 KiB; those of changes are counted but never rejected', async () => {
    expectServerErrors(503);
    const [id] = await createEntries(tenant, type, [{ fields: { extra: textOf(MIB - 1_000, true) } }]);
    const path = `${type.entries}/${id}`;
    await readNothing(path, 20);
    // Eight are the tenant's half of the memory. A request before that would take the place of one of them, whose response is then a 503.
    await until(() => Promise.resolve(used() > 7 * MIB));
    await until(async () => (await tenant.http.get(path)).status === 503);
    await tenant.http.patch(path, { fields: { number: 1 } }).expect(200);
    await tenant.http.get(type.path).expect(200);
  });
});

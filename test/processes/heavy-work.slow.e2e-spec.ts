import pg from 'pg';
import { Transaction } from '../../src/database/transaction.js';
import { TimeBudget, PatternsTooCostlyError } from '../../src/fields/patterns/pattern-runner.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createEntries, createType, type TestType } from '../support/content.js';

/** Runs in linear time, but takes over 100 ms on a text of a thousand letters, which it does not match. */
const SLOW = '(?i)(\\pL|\\pN){800}!';
const MIB = 1024 * 1024;

jest.setTimeout(240_000);

describe('heavy work', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => (tenant = app.tenant()));

  /** Sends a body that is already JSON. */
  const send = async (method: string, path: string, body: string) => {
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' };
    const response = await fetch(app.url + path, { method, headers, body });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };

  /** How many small requests of another tenant get a response, one after the other, while the work runs. */
  const answeredBeside = async (work: Promise<unknown>) => {
    const other = app.tenant();
    let isDone = false;
    const settle = () => (isDone = true);
    work.then(settle, settle);
    let answered = 0;
    while (!isDone) {
      await other.http.get(`/v1/content/${other.id}/types`).expect(200);
      answered++;
    }
    return answered;
  };

  describe('of patterns', () => {
    it('in a schema change does not block the event loop, and counts the conflicting entries', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      const texts = Array.from({ length: 8 }, (_, index) => ({ fields: { title: `${index}`.padEnd(1_000, 'a') } }));
      await createEntries(tenant, type, texts);
      const fields = [{ name: 'title', type: 'text', pattern: SLOW }];
      const change = tenant.http
        .put(type.path, { fields })
        .expect(409)
        .then(({ body }) => body);
      expect(await answeredBeside(change)).toBeGreaterThan(30);
      expect((await change).detail).toContain('8 entries');
    });

    it('over the budget of a schema change answers 409, and changes nothing', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
      await createEntries(tenant, type, [{ fields: { title: 'a'.repeat(1_000) } }]);
      const charge = jest.spyOn(TimeBudget.prototype, 'charge').mockImplementation(() => {
        throw new PatternsTooCostlyError();
      });
      const fields = [{ name: 'title', type: 'text', pattern: SLOW }];
      const { body } = await tenant.http.put(type.path, { fields }).expect(409);
      charge.mockRestore();
      expect(body.errors).toEqual([{ path: 'fields', code: 'too_costly', message: expect.any(String) }]);
      expect((await tenant.http.get(type.path)).body.data.fields).toEqual([{ name: 'title', type: 'text' }]);
    });

    it('in new entries does not block the event loop', async () => {
      const type = await createType(tenant, [{ name: 'title', type: 'text', pattern: SLOW }]);
      // Costs nearly the whole budget of one request.
      const body = JSON.stringify({ fields: { title: 'ab'.repeat(1_000) } });
      const work = Promise.all(Array.from({ length: 4 }, () => send('POST', type.entries, body)));
      expect(await answeredBeside(work)).toBeGreaterThan(30);
      for (const answer of await work) {
        expect(answer.status).toBe(422);
        expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'fields.title', code: 'pattern' })]);
      }
    });

    it('has one budget for the whole request', async () => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const type = await createType(
        tenant,
        names.map((name) => ({ name, type: 'text', pattern: SLOW })),
      );
      const fields = Object.fromEntries(names.map((name) => [name, 'ab'.repeat(500)]));
      const { body } = await tenant.http.post(type.entries, { fields }).expect(422);
      expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
        'fields.a pattern',
        'fields.b pattern',
        'fields.c too_long',
        'fields.d too_long',
        'fields.e too_long',
      ]);
    });

    it('finds the same errors in entries, patches and submissions as cheap patterns do', async () => {
      const pattern = '^[a-z]{1,1000}$';
      const type = await createType(tenant, [
        { name: 'a', type: 'text', pattern, unique: true },
        { name: 'n', type: 'number' },
      ]);
      const { body } = await tenant.http.post(type.entries, { fields: { a: 'A', n: 'x' } }).expect(422);
      expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
        'fields.a pattern',
        'fields.n type',
      ]);
      const [id] = await createEntries(tenant, type, [{ fields: { a: 'a' }, status: 'published' }]);
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { a: 'B' } }).expect(422);
      await tenant.http.patch(`${type.entries}/${id}`, { fields: { a: 'b' } }).expect(200);
      await tenant.http.put(type.path, { fields: [{ name: 'a', type: 'text', pattern: '^a{0,1000}$' }] }).expect(409);
      await tenant.http.put(type.path, { fields: [{ name: 'a', type: 'text', pattern: '^b{0,1000}$' }] }).expect(200);

      const form = { name: 'Form', fields: [{ name: 'a', type: 'text', pattern }] };
      const created = await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
      const path = `/v1/forms/${tenant.id}/${created.body.data.id}/submissions`;
      const visitor = app.client(undefined, { 'X-Forwarded-For': '203.0.113.7' });
      expect((await visitor.post(path, { fields: { a: 'A' } }).expect(422)).body.errors[0].code).toBe('pattern');
      await visitor.post(path, { fields: { a: 'a' } }).expect(201);
    });
  });

  describe('on large bodies', () => {
    it('does not block the event loop', async () => {
      const type = await createType(tenant, [{ name: 'data', type: 'json' }]);
      const body = `{"fields":{"data":[${'1,'.repeat(260_000)}1]}}`;
      const post = async () => {
        for (let times = 0; times < 3; times++) expect((await send('POST', type.entries, body)).status).toBe(201);
      };
      // There are 12 bodies. If each were handled in one step, at most one small request would be answered between two of them.
      expect(await answeredBeside(Promise.all([post(), post(), post(), post()]))).toBeGreaterThan(18);
    });

    it.each([
      ['numbers', { type: 'json' }, `[${'1.5,'.repeat(200_000)}2]`],
      ['nested lists', { type: 'json' }, `[${`${'['.repeat(30)}1${']'.repeat(30)},`.repeat(15_000)}1]`],
      ['many names', { type: 'json' }, `{${Array.from({ length: 40_000 }, (_, n) => `"n${n}":{"a":${n}}`).join()}}`],
      ['HTML', { type: 'rich_text' }, JSON.stringify('<p>ä &amp; <b>b</b>ö</p>'.repeat(30_000))],
      ['accents', { type: 'text' }, JSON.stringify('a\u0301\u0323 '.repeat(150_000))],
      ['ideographs', { type: 'text' }, JSON.stringify('漢字'.repeat(150_000))],
      [
        'many values',
        { type: 'text', multiple: true, unique: true },
        JSON.stringify(Array.from({ length: 1_000 }, (_, n) => `"Ä\\${n}`.padEnd(300, 'ä'))),
      ],
    ])('stores %s unchanged, and indexes them', async (_name, definition, value) => {
      const type = await createType(tenant, [
        { name: 'f', ...definition },
        { name: 'n', type: 'number' },
      ]);
      const { status, body } = await send('POST', type.entries, ` {"fields" : {"f": ${value} , "n":1}} `);
      expect(status).toBe(201);
      const path = `${type.entries}/${body.data.id}`;
      const stored = async () => JSON.stringify((await tenant.http.get(path).expect(200)).body.data.fields.f);
      expect(await stored()).toBe(JSON.stringify(JSON.parse(value)));
      await tenant.http.patch(path, { fields: { n: 2 }, status: 'published' }).expect(200);
      expect(await stored()).toBe(JSON.stringify(JSON.parse(value)));
      await expectConsistentContent(app.database, tenant.id);
      await tenant.http.delete(path).expect(200);
      await expectConsistentContent(app.database, tenant.id);
    });

    it('reports their errors', async () => {
      const type = await createType(tenant, [
        { name: 'data', type: 'json' },
        { name: 'refs', type: 'reference', content_type: 'article', multiple: true },
      ]);
      const list = '1,'.repeat(30_000);
      const post = async (data: string) => {
        const { status, body } = await send('POST', type.entries, `{"fields":{"data":${data}}}`);
        return [status, body.code, body.errors?.[0]?.path, body.errors?.[0]?.code];
      };
      expect(await post(`[${list}]`)).toEqual([400, 'malformed_json', undefined, undefined]);
      expect(await post(`[${list}1e999]`)).toEqual([422, 'validation_failed', 'fields.data.30000', 'number']);
      expect(await post(`[${list}"\\u0000"]`)).toEqual([422, 'validation_failed', 'fields.data.30000', 'text']);
      const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
      expect((await post(`[${list}${deep}]`)).at(-1)).toBe('too_deep');
      expect(await post(`[${list}${'['.repeat(5_000)}${']'.repeat(5_000)}]`)).toEqual([
        ...[422, 'validation_failed', 'body', 'too_deep'],
      ]);
      const refs = JSON.stringify(Array(1_000).fill('ent_01j9zt5k8h0000000000000000'));
      const answer = await send('POST', type.entries, `{"fields":{"refs":${refs}}}`);
      expect(answer.body.errors).toHaveLength(1_000);
      expect(answer.body.errors[999]).toMatchObject({ path: 'fields.refs.999', code: 'reference' });
    });

    it('does not let patches make an entry larger than 4 MiB', async () => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const type = await createType(
        tenant,
        names.map((name) => ({ name, type: 'text' })),
      );
      const [id] = await createEntries(tenant, type, [{ fields: {} }]);
      const path = `${type.entries}/${id}`;
      const patch = (name: string) =>
        send('PATCH', path, JSON.stringify({ fields: { [name]: 'x'.repeat(MIB - 100) } }));
      for (const name of names.slice(0, 4)) expect((await patch(name)).status).toBe(200);
      const { status, body } = await patch('e');
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ path: 'fields', code: 'too_long', message: expect.any(String) }]);
      await tenant.http.patch(path, { fields: { a: null } }).expect(200);
      expect((await patch('e')).status).toBe(200);
    });
  });

  describe('of a schema change', () => {
    it('reads entries in batches limited by bytes', async () => {
      const type = await createType(tenant, [
        { name: 'a', type: 'text' },
        { name: 'b', type: 'text' },
      ]);
      for (let index = 0; index < 6; index++) {
        const fields = { a: `${index}`.padEnd(MIB - 100, 'x'), b: 'y' };
        expect((await send('POST', type.entries, JSON.stringify({ fields }))).status).toBe(201);
      }
      await createEntries(tenant, type, Array(20).fill({ fields: { a: 'small', b: 'z' } }));
      const reads: number[] = [];
      const spy = jest.spyOn(Transaction.prototype, 'query');
      await tenant.http.put(type.path, { fields: [{ name: 'a', type: 'text' }] }).expect(200);
      for (const { value } of spy.mock.results) {
        const rows = (await value) as { fields?: string }[];
        const bytes = rows.reduce((sum, { fields }) => sum + (fields?.length ?? 0), 0);
        if (bytes > 0) reads.push(bytes);
      }
      spy.mockRestore();
      expect(reads.length).toBeGreaterThanOrEqual(4);
      expect(Math.max(...reads)).toBeLessThanOrEqual(2 * MIB);
      await expectConsistentContent(app.database, tenant.id);
    });
  });

  describe('that waits for the lock of a content type', () => {
    let type: TestType;
    let unlock: () => Promise<void>;
    beforeEach(async () => {
      type = await createType(tenant, [{ name: 'n', type: 'number' }]);
      await createEntries(tenant, type, [{ fields: { n: 1 } }]);
      unlock = await lockTypes(app, tenant);
    });
    afterEach(() => unlock());

    it('leaves connections for the tenant, and finishes once the lock is released', async () => {
      const changes = Array.from({ length: 18 }, (_, index) =>
        tenant.http
          .put(type.path, { fields: [{ name: 'n', type: 'number', max: 10 + index }] })
          .then(({ status }) => status),
      );
      const writes = Array.from({ length: 10 }, (_, n) =>
        tenant.http.post(type.entries, { fields: { n } }).then(({ status }) => status),
      );
      for (let times = 0; times < 20; times++) await tenant.http.get(type.entries).expect(200);
      await app.client().get('/health/ready').expect(200);
      // Another tenant is not affected: its lookups of the type's ID do not wait.
      const other = app.tenant();
      const foreign = (path: string) => path.replace(tenant.id, other.id);
      await other.http.post(foreign(type.entries), { fields: {} }).expect(404);
      await other.http.delete(foreign(type.path)).expect(404);
      await unlock();
      expect(new Set(await Promise.all(changes))).toEqual(new Set([200]));
      expect(new Set(await Promise.all(writes))).toEqual(new Set([201]));
      await expectConsistentContent(app.database, tenant.id);
    });
  });
});

/** Locks the tenant's content types, as another process does that changes them. Returns a function that releases the locks. */
async function lockTypes(app: TestApp, tenant: TestTenant): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM content_types WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
  let isHeld = true;
  return async () => {
    if (isHeld) await client.end();
    isHeld = false;
  };
}

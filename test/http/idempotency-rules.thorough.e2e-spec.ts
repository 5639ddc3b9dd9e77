import { request as rawRequest } from 'node:http';
import pg from 'pg';
import { StoredResponseRetention } from '../../src/idempotency/stored-response-retention.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { ACTIVITY, PROCESS_ID } from '../support/citus.js';
import { createDrafts, createType, type TestType } from '../support/content.js';
import { files } from '../support/files.js';
import { expectServerErrors } from '../support/server-errors.js';
import { storedEntryEvents } from '../support/stored-events.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'slug', type: 'text', unique: true },
];
const KEY = 'Idempotency-Key';
const REPLAYED = 'idempotency-replayed';

describe('a request with an Idempotency-Key', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, FIELDS);
  });

  const create = (key: string, title: string) => tenant.http.post(type.entries, { fields: { title } }).set(KEY, key);
  const titles = async () => {
    const { body } = await tenant.http.get(`${type.entries}?sort=id`).expect(200);
    return body.data.map(({ fields }: { fields: { title: string } }) => fields.title) as string[];
  };

  describe('that succeeded before', () => {
    it('returns the first answer, with its status and headers, and changes nothing', async () => {
      const first = await create('a', 'One').expect(201);
      expect(first.headers).not.toHaveProperty(REPLAYED);
      await tenant.http.patch(`${type.entries}/${first.body.data.id}`, { fields: { title: 'Changed' } }).expect(200);
      const again = await create('a', 'One').expect(201);
      expect(again.body).toEqual(first.body);
      expect(again.headers).toMatchObject({ [REPLAYED]: 'true', etag: '"v1"' });
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
      expect(await titles()).toEqual(['Changed']);
    });

    it('is found before the resource: a repeated deletion succeeds', async () => {
      const [id] = await createDrafts(tenant, type, { title: 'One' });
      for (const replayed of [undefined, 'true', 'true']) {
        const { body, headers } = await tenant.http.delete(`${type.entries}/${id}`).set(KEY, 'd').expect(200);
        expect([body, headers[REPLAYED]]).toEqual([{ message: 'The entry was deleted.' }, replayed]);
      }
      expect((await storedEntryEvents(app, tenant.id)).map((event) => event.type)).toEqual([
        'entry.created',
        'entry.deleted',
      ]);
    });

    it('also returns the first answer if the request changed nothing', async () => {
      const [id] = await createDrafts(tenant, type, { title: 'One' });
      const link = () => tenant.http.post(`${type.entries}/${id}/preview-links`, {}).set(KEY, 'l').expect(201);
      expect((await link()).body).toEqual((await link()).body);
    });

    it('with another body, path, query or method is refused', async () => {
      const [id] = await createDrafts(tenant, type, { title: 'One' });
      await create('a', 'Two').expect(201);
      const others = [
        create('a', 'Three'),
        tenant.http.post(type.entries, { fields: { title: 5 } }).set(KEY, 'a'),
        tenant.http.post(`${type.entries}/${id}/draft/publish`).set(KEY, 'a'),
        tenant.http.delete(`${type.entries}/${id}`).set(KEY, 'a'),
        tenant.http.post(`/v1/content/${tenant.id}/types`, { fields: { title: 'Two' } }).set(KEY, 'a'),
      ];
      for (const other of others) {
        const { body, headers } = await other.expect(422);
        expect(body).toMatchObject({ code: 'idempotency_key_reused', type: '/problems/idempotency_key_reused' });
        expect(headers).not.toHaveProperty(REPLAYED);
      }
      await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: { title: 'New' } }).expect(200);
      const publish = `${type.entries}/${id}/draft/publish`;
      await tenant.http.post(`${publish}?force=true`).set(KEY, 'p').expect(200);
      await tenant.http.post(`${publish}?force=false`).set(KEY, 'p').expect(422);
      await tenant.http.post(`${publish}?force=true`).set(KEY, 'p').expect(200);
      expect(await titles()).toEqual(['New', 'Two']);
    });

    it('is forgotten after 24 hours, before it is pruned', async () => {
      await create('a', 'One').expect(201);
      const [row] = await app.database.query<{ hours: string }>(
        `SELECT round(extract(epoch FROM expires_at - now()) / 3600) AS hours FROM stored_responses WHERE tenant_id = $1`,
        [tenant.id],
      );
      expect(Number(row?.hours)).toBe(24);
      await expire();
      await create('a', 'Two').expect(201);
      await create('a', 'Two').expect(201).expect(REPLAYED, 'true');
      expect(await titles()).toEqual(['One', 'Two']);
    });

    it('belongs to its tenant', async () => {
      await create('a', 'One').expect(201);
      tenant = app.tenant();
      type = await createType(tenant, FIELDS);
      const { headers } = await create('a', 'Two').expect(201);
      expect(headers).not.toHaveProperty(REPLAYED);
    });

    it('needs an API key, its scope, and a resource of its tenant as before', async () => {
      await create('a', 'One').expect(201);
      const body = { fields: { title: 'One' } };
      await app.client().post(type.entries, body).set(KEY, 'a').expect(401);
      await app.client(`Bearer ${tenant.publishedKey}`).post(type.entries, body).set(KEY, 'a').expect(403);
      await app.tenant().http.post(type.entries, body).set(KEY, 'a').expect(403);
    });
  });

  it('that failed is carried out again', async () => {
    await tenant.http.post(type.entries, { fields: { title: 'One', slug: 'one' } }).expect(201);
    await tenant.http
      .post(type.entries, { fields: { title: 5 } })
      .set(KEY, 'a')
      .expect(422);
    const taken = { fields: { title: 'Two', slug: 'one' } };
    for (let times = 0; times < 2; times++) {
      const { headers } = await tenant.http.post(type.entries, taken).set(KEY, 'a').expect(422);
      expect(headers).not.toHaveProperty(REPLAYED);
    }
    await create('a', 'Two').expect(201);
    expect(await titles()).toEqual(['One', 'Two']);
  });

  it('that names a header with a wrong value is refused', async () => {
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb']) {
      const { status, body } = await rawPost(key);
      expect([key, status, body.code, body.errors?.[0]?.path]).toEqual([key, 400, 'invalid_parameter', KEY]);
    }
    expect((await rawPost(['a', 'a'])).status).toBe(400);
    for (const key of ['x'.repeat(255), '"quoted"', '!~']) expect((await rawPost(key)).status).toBe(201);
    await tenant.http
      .get(type.entries)
      .set(KEY, 'a b')
      .expect(200)
      .expect(({ headers }) => {
        expect(headers).not.toHaveProperty(REPLAYED);
      });
  });

  it('to upload a file is refused', async () => {
    const { body } = await upload('a.png', await files.png())
      .set(KEY, 'a')
      .expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: KEY }] });
  });

  describe('with a large answer', () => {
    const large = (letter: string) => letter.repeat(300_000);

    it('is replayed with the resource as it is now', async () => {
      const first = await create('a', large('a')).expect(201);
      const { id } = first.body.data;
      const path = `${type.entries}/${id}`;
      const patch = () =>
        tenant.http
          .patch(path, { fields: { title: large('b') } })
          .set(KEY, 'b')
          .expect(200);
      await patch();
      const publish = () => tenant.http.patch(path, { status: 'published' }).set(KEY, 'c').expect(200);
      await publish();
      const kept = await app.database.query(`SELECT body, location FROM stored_responses WHERE tenant_id = $1`, [
        tenant.id,
      ]);
      expect(kept).toEqual(Array.from({ length: 3 }, () => ({ body: null, location: path })));
      const now = (await tenant.http.get(path).expect(200)).body;
      const again = await create('a', large('a')).expect(201);
      expect(again.headers).toMatchObject({ [REPLAYED]: 'true', location: path, etag: '"v3"' });
      for (const { body, headers } of [again, await patch(), await publish()]) {
        expect([body, headers[REPLAYED]]).toEqual([now, 'true']);
      }
      await tenant.http.delete(path).expect(200);
      const gone = await create('a', large('a')).expect(404);
      expect([gone.body.code, gone.headers[REPLAYED]]).toEqual(['not_found', 'true']);
    });

    it('of another resource than that of its path is replayed too', async () => {
      const [id] = await createDrafts(tenant, type, { title: large('a') });
      const entry = `${type.entries}/${id}`;
      await tenant.http.patch(entry, { fields: { title: large('b') } }).expect(200);
      const restore = (query: string, key: string) =>
        tenant.http.post(`${entry}/versions/1/restore${query}`).set(KEY, key).expect(200);
      await restore('?to=draft', 'a');
      expect((await restore('?to=draft', 'a')).body).toEqual((await tenant.http.get(`${entry}/draft`)).body);
      const publish = () => tenant.http.post(`${entry}/draft/publish`).set(KEY, 'p').expect(200);
      await publish();
      expect((await publish()).body).toEqual((await tenant.http.get(entry)).body);
    });

    it('that no request can read again is kept whole', async () => {
      const fields = Array.from({ length: 40 }, (_, index) => ({
        name: `f${index}`,
        type: 'select',
        options: Array.from({ length: 40 }, (_one, option) => `${option} ${'x'.repeat(200)}`),
      }));
      const post = () =>
        tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Large', fields }).set(KEY, 'f').expect(201);
      const { body } = await post();
      const again = await post();
      expect(again.headers[REPLAYED]).toBe('true');
      expect(again.body).toEqual(body);
    });
  });

  describe('to submit a form', () => {
    let forms: string;
    let address = 0;
    beforeEach(async () => {
      forms = `/v1/forms/${tenant.id}`;
      for (const name of ['Contact', 'Order']) {
        await tenant.http.post(forms, { name, fields: [{ name: 'email', type: 'email' }] }).expect(201);
      }
    });
    const submit = (form: string, key: string, email = 'a@example.com', id = tenant.id) =>
      app
        .client()
        .post(`/v1/forms/${id}/${form}/submissions`, { fields: { email } })
        .set(KEY, key)
        .set('X-Forwarded-For', `10.9.0.${address++}`);

    it('belongs to its form', async () => {
      const first = await submit('contact', 'a').expect(201);
      const again = await submit('contact', 'a').expect(201);
      expect([again.body, again.headers[REPLAYED]]).toEqual([first.body, 'true']);
      const other = await submit('order', 'a').expect(201);
      expect(other.headers).not.toHaveProperty(REPLAYED);
      // The same form by its ID is another path.
      await submit(first.body.data.form_id as string, 'a').expect(422);
      await submit('contact', 'a', 'b@example.com').expect(422);
      await create('a', 'One').expect(201);
      const rows = await app.database.query('SELECT id FROM submissions WHERE tenant_id = $1', [tenant.id]);
      expect(rows).toHaveLength(2);
    });

    it('is answered the same again if the answer is large', async () => {
      const fields = Array.from({ length: 14 }, (_, index) => ({ name: `f${index}`, type: 'textarea' }));
      await tenant.http.post(forms, { name: 'Long', fields }).expect(201);
      const values = Object.fromEntries(fields.map(({ name }) => [name, 'x'.repeat(18_700)]));
      // The body has just less than the 256 KiB that it may have, and the answer more.
      values['f0'] = 'x'.repeat(256 * 1024 - JSON.stringify({ fields: values }).length + 18_700 - 50);
      const send = () =>
        app
          .client()
          .post(`${forms}/long/submissions`, { fields: values })
          .set(KEY, 'a')
          .set('X-Forwarded-For', `10.9.2.${address++}`);
      const first = await send().expect(201);
      expect(first.text.length).toBeGreaterThan(256 * 1024);
      const again = await send().expect(201);
      expect([again.text, again.headers[REPLAYED]]).toEqual([first.text, 'true']);
      const { id } = (first.body as { data: { id: string } }).data;
      await tenant.http.delete(`${forms}/${first.body.data.form_id}/submissions/${id}`).expect(200);
      await send().expect(404);
    });

    it('is not found without its form or tenant', async () => {
      await submit('nope', 'a').expect(404);
      await submit('%00', 'a').expect(404);
      await submit('contact', 'a', 'a@example.com', 'ten_nobody').expect(404);
    });

    it('counts as a request of its address', async () => {
      for (let times = 0; times < 10; times++) {
        await submit('contact', 'a').set('X-Forwarded-For', '10.9.1.1').expect(201);
      }
      await submit('contact', 'a').set('X-Forwarded-For', '10.9.1.1').expect(429);
    });
  });

  describe('while another one with the key is in progress', () => {
    it('gets 409, in this process and in another', async () => {
      const other = await startApp(
        { TENANTS: JSON.stringify([{ id: tenant.id, name: 'Same', api_keys: [{ name: 'test', key: tenant.key }] }]) },
        { database: app.database },
      );
      const release = await holdUpAnswers(app);
      const first = create('a', 'One').then((response) => response);
      await until(async () => (await waiting()).length > 0);
      const there = other
        .client(`Bearer ${tenant.key}`)
        .post(type.entries, { fields: { title: 'One' } })
        .set(KEY, 'a');
      for (const second of [create('a', 'One'), there]) {
        const { body, headers } = await second.expect(409);
        expect([body.code, headers['retry-after']]).toEqual(['conflict', '1']);
      }
      await release();
      expect((await first).status).toBe(201);
      const replayed = await create('a', 'One').expect(201);
      expect(replayed.headers[REPLAYED]).toBe('true');
      expect(await titles()).toEqual(['One']);
      await other.close();
    });
  });

  describe('whose connection to the database breaks before the commit', () => {
    /** Sends the request, and breaks its connection when it is about to keep its answer. */
    const broken = async (send: () => PromiseLike<{ status: number }>) => {
      expectServerErrors(503);
      const release = await holdUpAnswers(app);
      const response = Promise.resolve(send());
      const [pid] = await until(async () => {
        const pids = await waiting();
        return pids.length > 0 && pids;
      });
      await app.database.query(`SELECT pg_terminate_backend(${pid})`);
      expect((await response).status).toBe(503);
      await release();
    };

    it('has no effect, and one when it is sent again', async () => {
      await broken(() => create('a', 'Zyxwvut'));
      expect([await titles(), await storedEntryEvents(app, tenant.id)]).toEqual([[], []]);
      await create('a', 'Zyxwvut').expect(201);
      expect(await titles()).toEqual(['Zyxwvut']);
      expect(await storedEntryEvents(app, tenant.id)).toHaveLength(1);
      // The words of the first attempt count as unknown.
      const words = await app.database.query('SELECT word FROM search_words WHERE tenant_id = $1', [tenant.id]);
      expect(words).toEqual([{ word: 'zyxwvut' }]);
    });

    it('deletes no file and caches no schema', async () => {
      const media = (await upload('a.png', await files.png()).expect(201)).body.data;
      const path = `/v1/media/${tenant.id}/${media.id}`;
      await broken(() => tenant.http.delete(path).set(KEY, 'm'));
      await app
        .client()
        .get(new URL(media.url as string).pathname)
        .expect(200);
      await tenant.http.delete(path).set(KEY, 'm').expect(200);
      await app
        .client()
        .get(new URL(media.url as string).pathname)
        .expect(404);

      await broken(() => tenant.http.put(type.path, { fields: [{ name: 'number', type: 'integer' }] }).set(KEY, 't'));
      await create('a', 'One').expect(201);
      expect(await titles()).toEqual(['One']);
    });
  });

  it('holds no connection while it waits: many changes of one entry succeed', async () => {
    const [id] = await createDrafts(tenant, type, { title: 'Zero' });
    const patch = (index: number) => {
      const test = tenant.http.patch(`${type.entries}/${id}`, { fields: { title: `${index}` } });
      return index % 2 === 0 ? test.set(KEY, `key-${index}`) : test;
    };
    const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => patch(index)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const { headers } = await tenant.http.get(`${type.entries}/${id}`).expect(200);
    expect(headers['etag']).toBe('"v61"');
  }, 240_000);

  it('leaves an answer that is deleted when it has expired', async () => {
    for (let index = 0; index < 3; index++) await create(`key-${index}`, 'One').expect(201);
    await expire();
    await create('later', 'Two').expect(201);
    await app.get(StoredResponseRetention).prune();
    const rows = await app.database.query('SELECT key FROM stored_responses WHERE tenant_id = $1', [tenant.id]);
    expect(rows).toEqual([{ key: 'later' }]);
  });

  it('wakes the workers when it is committed', async () => {
    await create('a', 'One').expect(201);
    // The sweeper needs a second.
    await until(async () => {
      const [row] = await app.database.query<{ count: string }>(
        `SELECT count(*) FROM event_positions WHERE tenant_id = $1 AND type = 'entry.created'`,
        [tenant.id],
      );
      return row?.count === '1';
    }, 900);
  });

  const upload = (name: string, bytes: Buffer) =>
    tenant.http.post(`/v1/media/${tenant.id}`).attach('file', bytes, name);

  async function expire(): Promise<void> {
    await app.database.query('UPDATE stored_responses SET expires_at = now() WHERE tenant_id = $1', [tenant.id]);
  }

  /** The processes of PostgreSQL that wait until they can keep an answer. */
  async function waiting(): Promise<number[]> {
    const rows = await app.database.query<{ pid: number }>(
      `SELECT ${PROCESS_ID} AS pid FROM ${ACTIVITY} WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO %stored_responses%' AND datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Sends the header as it is. */
  function rawPost(
    key: string | string[],
  ): Promise<{ status: number; body: { code?: string; errors?: { path: string }[] } }> {
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json', [KEY]: key };
    return new Promise((resolve, reject) => {
      const request = rawRequest(new URL(type.entries, app.url), { method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) as object });
        });
      });
      request.on('error', reject).end(JSON.stringify({ fields: { title: 'One' } }));
    });
  }
});

/** Lets no transaction keep an answer until the returned function is called. */
async function holdUpAnswers({ database }: TestApp): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE stored_responses IN EXCLUSIVE MODE');
  return () => client.end();
}

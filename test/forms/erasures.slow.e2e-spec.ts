import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ErasureTimes } from '../../src/forms/retention/erasure-times.js';
import { MailTransports } from '../../src/mail/transports/mail-transports.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { submit } from '../support/notified-form.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email' },
  { name: 'other', type: 'email' },
];

describe('erasures', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    app = await startApp(RECEIVER_ENV);
    app.get(ErasureTimes).late = 1_500;
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  async function newForm(tenant: TestTenant, body: object = {}) {
    const { body: created } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: FIELDS, ...body })
      .expect(201);
    const form = `/v1/forms/${tenant.id}/${created.data.id}`;
    return { form, path: `${form}/submissions` };
  }
  async function erase(tenant: TestTenant, email: string) {
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}/erasures`, { email }).expect(202);
    const path = `/v1/forms/${tenant.id}/erasures/${body.data.id}`;
    return { path, requested: body.data };
  }
  const done = (tenant: TestTenant, path: string) =>
    until(async () => {
      const { data } = (await tenant.http.get(path).expect(200)).body;
      return data.state === 'done' && data;
    }, 240_000);
  const idsIn = async (tenant: TestTenant, path: string) =>
    (await tenant.http.get(`${path}?per_page=100`).expect(200)).body.data.map(({ id }: { id: string }) => id).sort();

  /** Where a text occurs: in which tables, and in which files. */
  async function placesOf(text: string): Promise<string[]> {
    const tables = await app.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const places: string[] = [];
    for (const { name } of tables) {
      const [row] = await app.database.query<{ found: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM "${name}" t WHERE strpos(lower(t::text), lower($1)) > 0) AS found`,
        [text],
      );
      if (row?.found) places.push(name);
    }
    for (const file of await readdir(app.config.dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.isFile() && (await readFile(path)).includes(text)) places.push(path);
    }
    return places;
  }

  it('delete every submission with the address, in any email field of any form, also spam, and no other', async () => {
    const tenant = app.tenant();
    const [first, second] = [await newForm(tenant), await newForm(tenant)];
    const gone = [
      await submit(app, first, { name: 'a', email: 'Ada@Example.com' }),
      await submit(app, first, { name: 'b', other: 'ada@example.com' }),
      await submit(app, second, { name: 'spam', email: 'ada@example.com' }),
    ];
    const kept = [
      await submit(app, first, { name: 'ada@example.com' }),
      await submit(app, first, { name: 'c', email: 'adam@example.com' }),
      await submit(app, second, { name: 'd' }),
    ];
    await app.database.query(
      `UPDATE submissions SET verdict = 'spam', event_id = NULL WHERE tenant_id = $1 AND fields ->> 'name' = 'spam'`,
      [tenant.id],
    );
    const { path, requested } = await erase(tenant, 'ADA@example.com');
    expect(requested).toEqual({
      id: expect.stringMatching(/^era_[0-9a-z]{26}$/),
      state: 'pending',
      ...{ submissions: 0, files: 0, mails: 0, deliveries: 0 },
      requested_at: expect.any(String),
      done_at: null,
    });
    const late = await submit(app, second, { name: 'late', email: 'ada@example.com' });
    const result = await done(tenant, path);
    expect(result).toMatchObject({ id: requested.id, submissions: 4, requested_at: requested.requested_at });
    expect(Date.parse(result.done_at)).toBeGreaterThan(Date.parse(result.requested_at));
    const left = [...(await idsIn(tenant, first.path)), ...(await idsIn(tenant, second.path))];
    expect(left.sort()).toEqual([...kept].sort());
    const events = (await tenant.http.get(`/v1/events/${tenant.id}?per_page=100`).expect(200)).body.data;
    const deleted = events.flatMap(({ type, data }: { type: string; data: { id: string } }) =>
      type === 'submission.deleted' ? data.id : [],
    );
    expect(deleted.sort()).toEqual([...gone, late].sort());
  });

  it.each([
    'info@münchen.example',
    'info@mu\u0308nchen.example',
    'INFO@xn--mnchen-3ya.example',
    '"info"@münchen.example',
    '"\\info"@MÜNCHEN.example',
  ])('delete the submissions with any spelling of %j', async (email) => {
    const tenant = app.tenant();
    const { path } = await newForm(tenant);
    const kept = await submit(app, { path }, { email: 'info@munchen.example' });
    for (const spelling of [
      'info@münchen.example',
      'Info@XN--mnchen-3ya.example',
      'info@mu\u0308nchen.example',
      '"info"@xn--mnchen-3ya.example',
      '"\\in\\fo"@münchen.example',
    ]) {
      await submit(app, { path }, { other: spelling });
    }
    expect(await done(tenant, (await erase(tenant, email)).path)).toMatchObject({ submissions: 5 });
    expect(await idsIn(tenant, path)).toEqual([kept]);
  });

  it('leave nothing of the address in the database and in the data folder', async () => {
    const tenant = app.tenant();
    const address = 'grace.hopper@example.org';
    receiver.answer('/echo', () => ({ status: 500, body: address }));
    await tenant.http
      .post(`/v1/webhooks/${tenant.id}`, { url: receiver.url('/echo'), events: ['form.submitted'] })
      .expect(201);
    const { path: form } = await newForm(tenant, { notify_email: 'office@acme.example' });
    const visitor = app.client(undefined, { 'X-Forwarded-For': '10.99.0.1', 'Idempotency-Key': 'one' });
    await visitor.post(form, { fields: { name: 'Grace', email: address } }).expect(201);
    // As if it were older than the hashes.
    const older = await submit(app, { path: form }, { name: 'Older', other: address.toUpperCase() });
    await app.database.query(
      `UPDATE submissions SET addresses = NULL, digest = NULL, event_id = NULL WHERE tenant_id = $1 AND fields ->> 'name' = 'Older'`,
      [tenant.id],
    );
    await receiver.until('/echo', 2);
    const mails = async () =>
      (await tenant.http.get(`${form}/${older}/mails`).expect(200)).body.data[0]?.state === 'sent';
    await until(mails);
    await until(async () => (await placesOf(address)).some((place) => place === 'delivery_attempts'));
    const before = await placesOf(address);
    expect(before).toEqual(expect.arrayContaining(['events', 'stored_responses', 'submissions', 'submission_values']));
    expect(before.filter((place) => place.endsWith('.eml'))).toHaveLength(1);
    const { path } = await erase(tenant, address);
    expect(await done(tenant, path)).toMatchObject({ submissions: 2, mails: 2, deliveries: 2 });
    expect(await placesOf(address)).toEqual([]);
    // The key stays, and its answer says why it has no content.
    const again = await visitor.post(form, { fields: { name: 'Grace', email: address } }).expect(404);
    expect(again.body.detail).toContain('was deleted');
    const events = (await tenant.http.get(`/v1/events/${tenant.id}`).expect(200)).body.data;
    expect(
      events
        .filter(({ type }: { type: string }) => type === 'form.submitted')
        .map(({ data }: { data: unknown }) => data),
    ).toEqual([null, null]);
    const webhooks = (await tenant.http.get(`/v1/webhooks/${tenant.id}`).expect(200)).body.data;
    const deliveries = `/v1/webhooks/${tenant.id}/${webhooks[0].id}/deliveries`;
    const listed = (await tenant.http.get(deliveries).expect(200)).body.data;
    expect(listed.map(({ status }: { status: string }) => status)).toEqual(['canceled', 'canceled']);
    await tenant.http.post(`${deliveries}/${listed[0].id}/redeliver`).expect(409);
  });

  it('find an address in a field that the form no longer has', async () => {
    const tenant = app.tenant();
    const { form, path } = await newForm(tenant);
    await submit(app, { path }, { name: 'a', other: 'old@example.com' });
    await tenant.http.patch(form, { fields: [{ name: 'name', type: 'text' }] }).expect(200);
    expect(await done(tenant, (await erase(tenant, 'old@example.com')).path)).toMatchObject({ submissions: 1 });
    expect(await idsIn(tenant, path)).toEqual([]);
  });

  it('of 10,000 submissions are complete', async () => {
    const tenant = app.tenant();
    const { form, path } = await newForm(tenant);
    await submit(app, { path }, { name: 'n', email: 'many@example.com' });
    await app.database.query(
      `WITH one AS (SELECT * FROM submissions WHERE tenant_id = $1), copied AS (
          INSERT INTO submissions (tenant_id, form_id, id, fields, size, addresses, digest, verdict, created_at)
          SELECT tenant_id, form_id, overlay(gen_random_uuid()::text PLACING left(id::text, 8) FROM 1 FOR 8)::uuid, fields, size, addresses, digest,
            'spam', created_at
          FROM one, generate_series(1, 9999) RETURNING id
        )
        INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id)
        SELECT v.tenant_id, v.form_id, '?' || v.field, v.sort_key, copied.id FROM submission_values v, copied WHERE v.tenant_id = $1`,
      [tenant.id],
    );
    const result = await done(tenant, (await erase(tenant, 'many@example.com')).path);
    expect(result.submissions).toBe(10_000);
    const [row] = await app.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM submission_values WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(row?.count).toBe(0);
    expect((await tenant.http.get(form).expect(200)).body.data.id).toBeDefined();
    const [listed] = (await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200)).body.data;
    expect(listed.submission_count).toBe(0);
  }, 300_000);

  it('are refused without an address, and unknown to other tenants', async () => {
    const [tenant, other] = [app.tenant(), app.tenant()];
    for (const body of [{}, { email: 'none' }, { email: 5 }, { email: null }, { email: 'a@b.example', x: 1 }]) {
      await tenant.http.post(`/v1/forms/${tenant.id}/erasures`, body).expect(422);
    }
    const { requested } = await erase(tenant, 'a@b.example');
    await other.http.get(`/v1/forms/${other.id}/erasures/${requested.id}`).expect(404);
    await tenant.http.get(`/v1/forms/${tenant.id}/erasures/none`).expect(404);
  });

  it('can be read for 30 days', async () => {
    const tenant = app.tenant();
    const { path } = await erase(tenant, 'nobody@example.com');
    await done(tenant, path);
    const moved = await app.database.query<{ days: number }>(
      `SELECT (extract(epoch FROM due_at - now()) / 86400)::float8 AS days FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'erasure'`,
      [tenant.id],
    );
    await app.database.query(
      `UPDATE scheduled_jobs SET due_at = now(), next_at = now() WHERE tenant_id = $1 AND kind = 'erasure'`,
      [tenant.id],
    );
    expect(moved.map(({ days }) => Math.round(days))).toEqual([30]);
    await until(async () => (await tenant.http.get(path)).status === 404);
    for (const table of ['erasures', 'scheduled_jobs']) {
      expect(await app.database.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.id])).toEqual([]);
    }
  });

  it('remove an email that is being written to its file, and leave the others of a digest', async () => {
    const digesting = await startApp({ MAIL_HOURLY_LIMIT: '1', MAIL_DIGEST_INTERVAL: '500ms' });
    digesting.get(ErasureTimes).late = 0;
    const tenant = digesting.tenant();
    const body = { name: 'Contact', fields: FIELDS, notify_email: 'office@acme.example' };
    const { data } = (await tenant.http.post(`/v1/forms/${tenant.id}`, body).expect(201)).body;
    const path = `/v1/forms/${tenant.id}/${data.id}/submissions`;
    const transport = digesting.get(MailTransports).current;
    const send = transport.send.bind(transport);
    let erased: Promise<unknown> | undefined;
    const sending = jest.spyOn(transport, 'send').mockImplementation(async (message, signal) => {
      if (!message.id.startsWith('digest.')) return send(message, signal);
      // The digest was composed before the erasure, and is written after it.
      erased ??= (async () => {
        const asked = await tenant.http.post(`/v1/forms/${tenant.id}/erasures`, { email: 'gone@example.com' });
        await done(tenant, `/v1/forms/${tenant.id}/erasures/${asked.body.data.id}`);
      })();
      await erased;
      await send(message, signal);
    });
    for (const name of ['first', 'gone', 'kept', 'other']) {
      await submit(digesting, { path }, { name, email: `${name}@example.com` });
    }
    const folder = join(digesting.config.dataDir, 'mails');
    const text = await until(async () => {
      const rows = await digesting.database.query<{ status: string }>(
        'SELECT status FROM mails WHERE tenant_id = $1 AND digest_id = submission_id',
        [tenant.id],
      );
      if (rows.length === 0 || rows.some(({ status }) => status !== 'sent')) return undefined;
      const files = await readdir(folder);
      return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    });
    expect(sending.mock.calls.length).toBeGreaterThan(2);
    expect(['gone', 'kept', 'other'].map((name) => text.includes(`${name}@example.com`))).toEqual([false, true, true]);
    jest.restoreAllMocks();
    await digesting.close();
  });

  it('leave a form with the slug erasures as it was', async () => {
    const tenant = app.tenant();
    await newForm(tenant, { slug: 'erasures' });
    const path = `/v1/forms/${tenant.id}/erasures`;
    expect((await tenant.http.get(path).expect(200)).body.data.slug).toBe('erasures');
    await submit(app, { path: `${path}/submissions` }, { name: 'a' });
    await tenant.http.patch(path, { name: 'Other' }).expect(200);
    await tenant.http.delete(path).expect(200);
  });
});

import { Subscribers } from '../../src/events/subscribers/subscriber.js';
import { SubscriberRegistry } from '../../src/events/subscribers/subscriber-registry.js';
import { UnstoredTimes } from '../../src/forms/retention/unstored-times.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { startApp, type TestApp } from '../support/app.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { submit } from '../support/notified-form.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const FIELDS = [{ name: 'name', type: 'text' }];
const DAY_MS = 86_400_000;
let number = 0;

describe('submissions of a form with store: false', () => {
  let app: TestApp;
  let receiver: Receiver;
  let server: MailServer;
  /** Tenants whose events a subscriber cannot accept. */
  const held = new Set<string>();
  beforeAll(async () => {
    receiver = await startReceiver();
    server = await startMailServer();
    app = await startApp({
      ...RECEIVER_ENV,
      WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 200 }, () => '100ms').join(),
      SMTP_URL: server.url,
      MAIL_FROM: 'forms@acme.example',
      MAIL_HOURLY_LIMIT: '3',
      MAIL_DIGEST_INTERVAL: '1s',
    });
    Object.assign(app.get(MailTimes), { schedule: Array(500).fill(50) });
    app.get(Subscribers).add({
      name: 'holding',
      startsFrom: 'now',
      accept: (_transaction, tenantId) =>
        held.has(tenantId) ? Promise.reject(new Error('Not now.')) : Promise.resolve(),
    });
    await app.get(SubscriberRegistry).register();
  });
  beforeEach(() => {
    Object.assign(app.get(UnstoredTimes), { first: 50, again: 200, most: DAY_MS });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
    await receiver.close();
  });

  async function newForm(settings: object = { store: false }) {
    const tenant = app.tenant();
    const hook = `/unstored-${++number}`;
    const recipient = `unstored-${number}@example.com`;
    const { body } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields: FIELDS, notify_email: recipient, settings })
      .expect(201);
    await tenant.http
      .post(`/v1/webhooks/${tenant.id}`, { url: receiver.url(hook), events: ['form.submitted'] })
      .expect(201);
    const form = `/v1/forms/${tenant.id}/${body.data.id}`;
    return { tenant, hook, recipient, form, path: `${form}/submissions` };
  }
  type Form = Awaited<ReturnType<typeof newForm>>;

  const idsOf = async ({ tenant, path }: Form, query = ''): Promise<string[]> =>
    (await tenant.http.get(`${path}?verdict=any&per_page=100&${query}`).expect(200)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  const empty = (form: Form) => until(async () => (await idsOf(form)).length === 0);
  const eventsOf = async ({ tenant }: Form) =>
    (await tenant.http.get(`/v1/events/${tenant.id}?per_page=100`).expect(200)).body.data as {
      type: string;
      data: { id: string } | null;
    }[];
  const dueOf = ({ tenant }: Form) =>
    app.database.query<{ at: Date; claim: string | null }>(
      `SELECT due_at AS at, claim FROM scheduled_jobs WHERE tenant_id = $1 AND kind = 'unstored_submissions'`,
      [tenant.id],
    );
  /** The tables that contain the text. */
  async function placesOf(text: string): Promise<string[]> {
    const tables = await app.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const places: string[] = [];
    for (const { name } of tables) {
      const [row] = await app.database.query<{ found: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM "${name}" t WHERE strpos(t::text, $1) > 0) AS found`,
        [text],
      );
      if (row?.found) places.push(name);
    }
    return places;
  }

  it('are mailed and delivered, several at once, and then nothing of them is left', async () => {
    const form = await newForm();
    receiver.answer(form.hook, ({ text }) => ({ status: 200, body: text }));
    const names = Array.from({ length: 12 }, (_, index) => `Unstored${number}x${index}x`);
    const ids = await Promise.all(names.map((name) => submit(app, form, { name })));
    const visitor = app.client(undefined, { 'X-Forwarded-For': '10.44.0.1', 'Idempotency-Key': 'one' });
    const kept = { fields: { name: `Unstored${number}xKept` } };
    ids.push((await visitor.post(form.path, kept).expect(201)).body.data.id as string);
    await empty(form);
    const delivered = receiver.received(form.hook).map(({ body }) => (body.data['fields'] as { name: string }).name);
    expect(delivered.sort()).toEqual([...names, kept.fields.name].sort());
    const mailed = server.received(form.recipient).map(({ text }) => text);
    for (const name of names) expect(mailed.filter((text) => text.includes(name))).toHaveLength(1);
    const events = await eventsOf(form);
    expect(events.flatMap(({ type, data }) => (type === 'form.submitted' ? [data] : []))).toEqual(ids.map(() => null));
    const deleted = events.flatMap(({ type, data }) => (type === 'submission.deleted' && data ? data.id : []));
    expect(deleted.sort()).toEqual([...ids].sort());
    expect(await placesOf(`Unstored${number}x`)).toEqual([]);
    await visitor.post(form.path, kept).expect(404);
    const [listed] = (await form.tenant.http.get(`/v1/forms/${form.tenant.id}`).expect(200)).body.data;
    expect(listed.submission_count).toBe(0);
    expect(await until(async () => (await dueOf(form)).length === 0)).toBe(true);
  });

  it('are never forgotten while others are being deleted', async () => {
    const form = await newForm();
    Object.assign(app.get(UnstoredTimes), { first: 0, again: 20 });
    for (let round = 0; round < 8; round++) {
      await Promise.all(Array.from({ length: 6 }, () => submit(app, form)));
    }
    await empty(form);
    await until(async () => (await dueOf(form)).length === 0);
    expect(receiver.received(form.hook)).toHaveLength(48);
  });

  it('stay while a webhook fails, and go when it succeeds', async () => {
    const form = await newForm();
    let isWell = false;
    receiver.answer(form.hook, () => (isWell ? 200 : 500));
    const id = await submit(app, form);
    await server.until(form.recipient, 1);
    await receiver.until(form.hook, 6);
    expect(await idsOf(form)).toEqual([id]);
    isWell = true;
    await empty(form);
    expect(receiver.received(form.hook).at(-1)?.body.data).toMatchObject({ id });
  });

  it('stay while an email is refused, and go when it failed for good', async () => {
    const form = await newForm();
    let reply = 450;
    server.answer(form.recipient, () => ({ recipient: reply }));
    const id = await submit(app, form);
    await receiver.until(form.hook, 1);
    await until(() => Promise.resolve(server.attempts(form.recipient) > 5));
    expect(await idsOf(form)).toEqual([id]);
    reply = 550;
    await empty(form);
  });

  it('stay until every subscriber has passed their event', async () => {
    const form = await newForm();
    held.add(form.tenant.id);
    const id = await submit(app, form);
    await server.until(form.recipient, 1);
    await receiver.until(form.hook, 1);
    const before = (await dueOf(form))[0]?.at.getTime() ?? 0;
    await until(async () => ((await dueOf(form))[0]?.at.getTime() ?? 0) > before + 500);
    expect(await idsOf(form)).toEqual([id]);
    held.delete(form.tenant.id);
    await empty(form);
  });

  it('go after a day, although a webhook fails still', async () => {
    const form = await newForm();
    receiver.answer(form.hook, () => 500);
    const id = await submit(app, form);
    await receiver.until(form.hook, 3);
    expect(await idsOf(form)).toEqual([id]);
    app.get(UnstoredTimes).most = 1;
    await empty(form);
    const { body } = await form.tenant.http.get(`/v1/webhooks/${form.tenant.id}`).expect(200);
    const deliveries = await form.tenant.http
      .get(`/v1/webhooks/${form.tenant.id}/${body.data[0].id}/deliveries`)
      .expect(200);
    expect(deliveries.body.data.map(({ status }: { status: string }) => status)).toEqual(['canceled']);
  });

  it('stay for a day if they are spam, and are sent and deleted after a release', async () => {
    const form = await newForm({ store: false, spam: { honeypot: 'website', duplicates_within: 60 } });
    await submit(app, form, { name: 'ok' });
    const [spam, other] = [
      await submit(app, form, { name: 'spam', website: 'x' }),
      await submit(app, form, { name: 'other', website: 'x' }),
    ];
    await until(async () => (await idsOf(form)).length === 2);
    const dueInMs = await until(async () => {
      const [row] = await dueOf(form);
      const leftMs = (row?.at.getTime() ?? 0) - Date.now();
      return row?.claim === null && leftMs > 60_000 && leftMs;
    });
    expect(dueInMs).toBeLessThan(DAY_MS);
    await form.tenant.http.post(`${form.path}/${spam}/release`).expect(200);
    await until(async () => (await idsOf(form)).length === 1);
    expect(await idsOf(form)).toEqual([other]);
    expect(receiver.received(form.hook)).toHaveLength(2);
    expect(server.received(form.recipient)).toHaveLength(2);
    app.get(UnstoredTimes).most = 1;
    // As if the day were over.
    await app.database.query(
      `UPDATE scheduled_jobs SET due_at = now(), next_at = now() WHERE tenant_id = $1 AND kind = 'unstored_submissions'`,
      [form.tenant.id],
    );
    await empty(form);
  });

  it('are those that arrive while the setting is on', async () => {
    const form = await newForm({});
    const before = await submit(app, form);
    await form.tenant.http.patch(form.form, { settings: { store: false } }).expect(200);
    held.add(form.tenant.id);
    await submit(app, form);
    await form.tenant.http.patch(form.form, { settings: { store: null } }).expect(200);
    const after = await submit(app, form);
    expect(await idsOf(form)).toHaveLength(3);
    held.delete(form.tenant.id);
    await until(async () => (await idsOf(form)).length === 2);
    await until(async () => (await dueOf(form)).length === 0);
    expect(await idsOf(form)).toEqual([after, before]);
  });
});

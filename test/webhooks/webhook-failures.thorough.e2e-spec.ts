import { randomBytes } from 'node:crypto';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { uuidOf } from '../support/backup-writer.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const ENV = {
  ...RECEIVER_ENV,
  WEBHOOK_RETRY_SCHEDULE: '10ms,10ms,10ms,10ms,1h',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  MAIL_FROM: 'Trivet <trivet@acme.example>',
};
const SLOW_MS = 60_000;
const EVENTS = ['webhook.failing', 'webhook.disabled'];

jest.setTimeout(3 * SLOW_MS);

describe('a webhook that fails', () => {
  let app: TestApp;
  let receiver: Receiver;
  let mail: MailServer;
  beforeAll(async () => {
    [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
    app = await startApp({ ...ENV, SMTP_URL: mail.url });
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([receiver.close(), mail.stop()]);
  });

  /** A webhook that fails, and one that receives the events about webhooks. */
  const pair = async (body: object = {}) => {
    const failing = await Subscription.create(app, receiver, body);
    const watching = await Subscription.create(app, receiver, { events: EVENTS }, failing);
    receiver.answer(failing.path, () => 500);
    return { failing, watching };
  };
  /** The tenants of the tests have no address. */
  const setContact = ({ id }: TestTenant): string => {
    const contactEmail = `${id}@contact.example`;
    Object.assign(
      app.config.tenants.find((tenant) => tenant.id === id)!,
      { contactEmail },
    );
    return contactEmail;
  };
  const feed = async ({ id, http }: TestTenant) =>
    ((await http.get(`/v1/events/${id}?per_page=100`).expect(200)).body.data as { type: string }[])
      .map(({ type }) => type)
      .filter((type) => EVENTS.includes(type));
  /** Attempts follow each other when the sweeper finds them, so five of them take some seconds. */
  const requests = ({ path }: Subscription, count: number) =>
    until(() => {
      const received = receiver.received(path);
      return Promise.resolve(received.length >= count && received);
    }, SLOW_MS);
  /** Resolves when the newest delivery has this status and at least this number of attempts. */
  const newest = (webhook: Subscription, status: string, attempts: number) =>
    until(async () => {
      const [delivery] = await webhook.deliveries();
      return delivery?.status === status && delivery.attempts.length >= attempts;
    }, SLOW_MS);
  const row = async ({ id }: Subscription) =>
    (await app.database.query('SELECT * FROM webhooks WHERE id = $1', [uuidOf('wh', id)]))[0]!;

  it('causes webhook.failing after five attempts, once until it succeeds again', async () => {
    const { failing, watching } = await pair();
    await failing.happen();
    const [told] = await requests(watching, 1);
    expect(told!.body).toMatchObject({
      type: 'webhook.failing',
      data: { id: failing.id, active: true, disabled_reason: null },
    });
    expect(told!.headers['trivet-version']).toBe('1');
    expect(receiver.received(failing.path)).toHaveLength(5);
    await failing.happen();
    await newest(failing, 'pending', 5);
    expect(await feed(failing.tenant)).toEqual(['webhook.failing']);

    receiver.answer(failing.path, () => 200);
    await failing.happen();
    await failing.newest('succeeded');
    await until(async () => (await row(failing))['failing_notified_at'] === null);
    receiver.answer(failing.path, () => 500);
    await failing.happen();
    const [, again] = await requests(watching, 2);
    expect(again!.headers['trivet-version']).toBe('2');
    expect(await feed(failing.tenant)).toEqual(['webhook.failing', 'webhook.failing']);
  });

  it('causes no event after fewer attempts', async () => {
    const { failing } = await pair();
    receiver.answer(failing.path, (_request, count) => (count < 4 ? 500 : 200));
    await failing.happen();
    await newest(failing, 'succeeded', 5);
    expect(await feed(failing.tenant)).toEqual([]);
  });

  it('causes webhook.failing when all attempts have failed for an hour', async () => {
    const { failing, watching } = await pair();
    receiver.answer(failing.path, () => ({ status: 503, headers: { 'retry-after': '3000' } }));
    await failing.happen();
    await failing.newest('pending', 1);
    const key = uuidOf('wh', failing.id);
    const [due] = await until(async () => {
      const rows = await app.database.query<{ hour: boolean }>(
        `SELECT w.next_at - interval '1 hour' = h.failing_since AS hour FROM scheduled_jobs w JOIN webhooks h ON h.tenant_id = w.tenant_id AND h.id = w.key
          WHERE w.key = $1 AND w.kind = 'webhook_failing'`,
        [key],
      );
      return rows.length > 0 && rows;
    });
    expect(due!.hour).toBe(true);
    // The work is early, so it waits for the hour.
    await app.database.query(`UPDATE scheduled_jobs SET next_at = now() WHERE key = $1`, [key]);
    const isLater = async () =>
      (
        await app.database.query(
          `SELECT FROM scheduled_jobs WHERE key = $1 AND next_at > now() + interval '50 minutes'`,
          [key],
        )
      ).length > 0;
    await until(isLater);
    expect(await feed(failing.tenant)).toEqual([]);
    await app.database.query(`UPDATE webhooks SET failing_since = now() - interval '1 hour' WHERE id = $1`, [key]);
    await app.database.query(`UPDATE scheduled_jobs SET next_at = now() WHERE key = $1`, [key]);
    await requests(watching, 1);
    expect(await feed(failing.tenant)).toEqual(['webhook.failing']);
  });

  it('that answers 410 causes webhook.failing and webhook.disabled', async () => {
    const { failing, watching } = await pair();
    receiver.answer(failing.path, () => 410);
    await failing.happen();
    const received = await requests(watching, 2);
    const disabled = received.find(({ body }) => body.type === 'webhook.disabled');
    expect(disabled!.body.data).toMatchObject({ id: failing.id, active: false, disabled_reason: 'gone' });
    expect(await feed(failing.tenant)).toEqual(EVENTS);
  });

  it('does not receive the events about itself, not even by a replay, but those about others', async () => {
    const failing = await Subscription.create(app, receiver, { events: ['*'] });
    const other = await Subscription.create(app, receiver, { events: ['*'] }, failing);
    for (const { path } of [failing, other]) {
      receiver.answer(path, ({ body }) => (body.type === 'entry.created' ? 500 : 200));
    }
    await failing.happen();
    const about = (path: string) =>
      receiver
        .received(path)
        .filter(({ body }) => EVENTS.includes(body.type))
        .map(({ body }) => body.data['id']);
    await until(() => Promise.resolve(about(failing.path).length > 0 && about(other.path).length > 0), SLOW_MS);
    await until(async () => (await feed(failing.tenant)).length >= 2);
    const from = '2026-01-01T00:00:00Z';
    const replay = await failing.tenant.http
      .post(`${failing.webhook}/replay`, { from, types: ['webhook.failing'] })
      .expect(202);
    const replayed = replay.body.data.count as number;
    expect(replayed).toBeGreaterThan(0);
    await until(() => Promise.resolve(about(failing.path).length >= replayed + 1));
    expect(new Set(about(failing.path))).toEqual(new Set([other.id]));
    expect(new Set(about(other.path))).toEqual(new Set([failing.id]));
  });

  it('causes emails to the contact_email of the tenant', async () => {
    const failing = await Subscription.create(app, receiver, { description: 'Rebuilds\nthe website' });
    const to = setContact(failing.tenant);
    receiver.answer(failing.path, () => 410);
    await failing.happen();
    const mails = await mail.until(to, 2);
    const subjects = mails.map((one) => one.header('Subject'));
    expect(subjects.some((subject) => /: a webhook is failing$/.test(subject ?? ''))).toBe(true);
    const disabled = mails.find((one) => /: a webhook was made inactive$/.test(one.header('Subject') ?? ''))!;
    expect(disabled.header('Message-ID')).toMatch(/^<evt_\w+@acme\.example>$/);
    expect(disabled.header('Auto-Submitted')).toBe('auto-generated');
    expect(JSON.stringify(disabled)).toContain(failing.id);
  });

  it('causes at most twenty emails in an hour', async () => {
    const failing = await Subscription.create(app, receiver);
    const to = setContact(failing.tenant);
    await app.database.query(
      `INSERT INTO mail_notices (tenant_id, event_id, status, attempts, created_at, finished_at)
        SELECT $1, (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || substr(md5(n::text), 1, 20))::uuid,
          'done', 1, now(), now() FROM generate_series(1, 19) AS n`,
      [failing.tenant.id],
    );
    receiver.answer(failing.path, () => 410);
    await failing.happen();
    await until(async () => (await feed(failing.tenant)).length === 2);
    await mail.until(to, 1);
    const notices = await app.database.query('SELECT FROM mail_notices WHERE tenant_id = $1', [failing.tenant.id]);
    expect(notices).toHaveLength(20);
  });

  it('causes no email without a contact_email', async () => {
    const { failing } = await pair();
    receiver.answer(failing.path, () => 410);
    await failing.happen();
    await until(async () => (await feed(failing.tenant)).length === 2);
    const notices = await app.database.query('SELECT FROM mail_notices WHERE tenant_id = $1', [failing.tenant.id]);
    expect(notices).toHaveLength(0);
  });
});

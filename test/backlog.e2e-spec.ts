import { newUuid } from '../src/ids/type-id.js';
import { startApp, type TestApp } from './support/app.js';
import { type MailServer, startMailServer } from './support/mail-server.js';
import { mailRows, newForm, submit } from './support/notified-form.js';
import { Subscription } from './support/subscription.js';
import { startReceiver, type Receiver, RECEIVER_ENV } from './support/receiver.js';
import { until } from './support/until.js';

const PASSWORD = 'open sesame';
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

describe('the work that waits in the tables', () => {
  let app: TestApp;
  let receiver: Receiver;
  let mails: MailServer;
  beforeEach(async () => {
    [receiver, mails] = [await startReceiver(), await startMailServer()];
    app = await startApp({
      ...RECEIVER_ENV,
      SMTP_URL: mails.url,
      MAIL_FROM: 'a@acme.example',
      ADMIN_PASSWORD: PASSWORD,
    });
  });
  afterEach(async () => {
    await Promise.all([app.close(), receiver.close(), mails.stop()]);
  });

  /** The page without its tags, each cell and paragraph in a line. */
  const page = async (): Promise<string> => {
    const { text } = await app.client(AUTHORIZATION).get('/admin/queues').expect(200);
    return text
      .replace(/<style>[^]*<\/style>/, '')
      .replace(/<\/t[hd]>/g, ' ')
      .replace(/<[^>]*>/g, '');
  };

  const metrics = async (): Promise<Record<string, number>> => {
    const { text } = await app.client().get('/metrics').expect(200);
    const found = text.matchAll(/^(trivet_(?:events|deliveries|mails)_\w+) (\S+)$/gm);
    return Object.fromEntries([...found].map(([, name, value]) => [name!, Number(value)]));
  };

  it('is shown without Redis: a delivery that fails, an email that was refused, each with its tenant', async () => {
    const subscription = await Subscription.create(app, receiver);
    receiver.answer(subscription.path, () => 500);
    await subscription.happen();
    const form = await newForm(app);
    mails.answer(form.recipient, () => ({ recipient: 550 }));
    await submit(app, form);
    await subscription.newest('pending', 1);
    await until(async () => (await mailRows(app, form))[0]?.status === 'failed');

    const text = await page();
    expect(text).toMatch(/Events to relay 0 0 0 0 –/);
    expect(text).toMatch(/Webhook deliveries 1 [01] 1 0 \d+ s/);
    expect(text).toMatch(/Emails 0 0 0 1 –/);
    expect(text).toMatch(new RegExp(`${subscription.tenant.id} Webhook deliveries 1 [01] 1 0 \\d+ s`));
    expect(text).toMatch(new RegExp(`${form.tenant.id} Emails 0 0 0 1 –`));
    expect(text).toContain('There is no Redis');

    const numbers = await metrics();
    expect(numbers).toMatchObject({
      trivet_events_pending: 0,
      trivet_events_oldest_seconds: 0,
      trivet_deliveries_pending: 1,
      trivet_deliveries_failing: 1,
      trivet_mails_pending: 0,
      trivet_mails_oldest_seconds: 0,
    });
    expect(numbers['trivet_deliveries_oldest_seconds']).toBeGreaterThan(0);
  });

  it('is listed for the 50 tenants whose work is oldest, and counted for all', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `ten_old${index}`);
    await app.database.query(
      `INSERT INTO tenants (id, name, created_at) SELECT id, id, now() FROM unnest($1::text[]) AS id`,
      [ids],
    );
    await app.database.query(
      `INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, attempts, next_attempt_at, created_at)
        SELECT id, $2, $2, 'a@example.com', 'pending', place % 2, now() + interval '1 day', now() - place * interval '1 hour'
        FROM unnest($1::text[]) WITH ORDINALITY AS t (id, place)`,
      [ids, newUuid()],
    );
    const text = await page();
    expect(text).toMatch(/Emails 60 0 30 0 2 d/);
    expect(text).toMatch(/The oldest work first\. 10 more with newer work only\./);
    const listed = [...text.matchAll(/(ten_old\d+) Emails/g)].map(([, id]) => id);
    expect(listed).toEqual(ids.slice(10).reverse());
    const { trivet_mails_oldest_seconds: oldest, ...numbers } = await metrics();
    expect(numbers).toMatchObject({ trivet_mails_pending: 60, trivet_mails_due: 0, trivet_mails_failing: 30 });
    expect(Math.round(oldest! / 3600)).toBe(60);
  });

  it('is shown only with the password, on a page that loads nothing', async () => {
    await app.client().get('/admin/queues').expect(401);
    const { headers, text } = await app.client(AUTHORIZATION).get('/admin/queues').expect(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('width=device-width');
    await app.client(AUTHORIZATION).post('/admin/queues').expect(404);
    await app.client(AUTHORIZATION).get('/admin/queues/bull').expect(404);
  });

  it('has no numbers while the tables cannot be read, and the other metrics remain', async () => {
    await app.database.query('ALTER TABLE mails RENAME TO elsewhere');
    try {
      expect(await metrics()).toEqual({});
      const { text } = await app.client().get('/metrics').expect(200);
      expect(text).toContain('process_cpu_seconds_total');
    } finally {
      await app.database.query('ALTER TABLE elsewhere RENAME TO mails');
    }
  });
});

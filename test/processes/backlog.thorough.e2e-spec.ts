import { Logger } from '@nestjs/common';
import { Subscribers } from '../../src/events/subscribers/subscriber.js';
import { SubscriberRegistry } from '../../src/events/subscribers/subscriber-registry.js';
import { newUuid } from '../../src/ids/type-id.js';
import { startApp, type TestApp } from '../support/app.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { invite } from '../support/people.js';
import { mailRows, newForm, submit } from '../support/notified-form.js';
import { Subscription } from '../support/subscription.js';
import { startReceiver, type Receiver, RECEIVER_ENV } from '../support/receiver.js';
import { until } from '../support/until.js';

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
    const found = text.matchAll(/^(trivet_(?:events|deliveries|mails|letters)_\w+) (\S+)$/gm);
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

  it('has emails to people: an invitation that waits, and one that was refused', async () => {
    const [waiting, refused] = [app.tenant(), app.tenant()];
    mails.answer('later@example.com', () => ({ recipient: 451 }));
    mails.answer('never@example.com', () => ({ recipient: 550 }));
    await invite(app, waiting, { email: 'later@example.com' });
    await invite(app, refused, { email: 'never@example.com' });
    const attempted = `SELECT FROM letters WHERE status = 'failed' OR status = 'pending' AND attempts = 1`;
    await until(async () => (await app.database.query(attempted)).length === 2);

    const text = await page();
    expect(text).toMatch(/Emails to people 1 0 1 1 \d+ s/);
    expect(text).toMatch(new RegExp(`${waiting.id} Emails to people 1 0 1 0 \\d+ s`));
    expect(text).toMatch(new RegExp(`${refused.id} Emails to people 0 0 0 1 –`));
    const { trivet_letters_oldest_seconds: oldest, ...numbers } = await metrics();
    expect(numbers).toMatchObject({ trivet_letters_pending: 1, trivet_letters_due: 0, trivet_letters_failing: 1 });
    expect(oldest).toBeGreaterThan(0);
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

  describe('for a subscriber with a position of its own', () => {
    /** Adds the subscriber, which accepts no event while `isDown` returns true. */
    const add = async (name: string, isDown = () => false) => {
      const accept = () => (isDown() ? Promise.reject(new Error('down')) : Promise.resolve());
      app.get(Subscribers).add({ name, startsFrom: 'now', accept });
      await app.get(SubscriberRegistry).register();
    };
    const gauges = async (): Promise<Record<string, number>> => {
      const { text } = await app.client().get('/metrics').expect(200);
      const found = text.matchAll(/^trivet_subscriber_(\w+)\{subscriber="(\w+)"\} (\S+)$/gm);
      return Object.fromEntries(
        [...found].map(([, name, subscriber, value]) => [`${subscriber} ${name}`, Number(value)]),
      );
    };
    /** Numbers are cached for at least a second. */
    const untilPage = (pattern: RegExp) =>
      until(async () => {
        const text = await page();
        return pattern.test(text) && text;
      }, 20_000);
    afterEach(() => jest.restoreAllMocks());

    it('is shown with its tenants until the subscriber has passed the events', async () => {
      jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      let isDown = true;
      await add('crm', () => isDown);
      await add('journal');
      await app.get(SubscriberRegistry).check();
      const [busy, quiet] = [await newForm(app), await newForm(app)];
      for (const form of [busy, busy, busy, quiet]) await submit(app, form);

      // The relay has done its part.
      const text = await untilPage(/Events to relay 0 0 0 0 –[^]*\ncrm 6 2 [^]*\njournal 0 0 /);
      expect(text).toMatch(/Subscribers\n[^]*\ncrm 6 2 \d+ s \d+ s \njournal 0 0 – \d+ s \n/);
      expect(text).toMatch(new RegExp(`\n${busy.tenant.id} crm 4 \\d+ s \n${quiet.tenant.id} crm 2 \\d+ s \n`));
      const { 'crm oldest_seconds': oldest, ...numbers } = await gauges();
      expect(numbers).toEqual({ 'crm pending': 6, 'journal pending': 0, 'journal oldest_seconds': 0 });
      expect(oldest).toBeGreaterThan(0);

      isDown = false;
      expect(await untilPage(/crm 0 0 – \d+ s/)).not.toContain(`${busy.tenant.id} crm`);
      expect(await gauges()).toMatchObject({ 'crm pending': 0, 'crm oldest_seconds': 0 });
    });

    it('is counted in events, and listed for the 10 tenants whose events are oldest', async () => {
      const ids = Array.from({ length: 12 }, (_, index) => `ten_old${index}`);
      await app.database.query(
        `INSERT INTO subscribers (name, id, starts_from, created_at, registered_at) VALUES ('gone', $1, 'now', now(), now())`,
        [newUuid()],
      );
      // The subscriber has passed the first of three events, whose positions are an hour apart.
      await app.database.query(
        `WITH placed AS (
            SELECT id AS tenant_id, place, number, number * 3600000000 AS position, gen_random_uuid() AS event_id
            FROM unnest($1::text[]) WITH ORDINALITY AS t (id, place), generate_series(1, 3) AS number
          ), at AS (
            INSERT INTO event_positions SELECT tenant_id, position, event_id, 'entry.created' FROM placed
          ), counted AS (
            INSERT INTO event_counters SELECT tenant_id, max(position) FROM placed GROUP BY tenant_id
          ), passed AS (
            INSERT INTO subscriber_positions SELECT tenant_id, s.id, position FROM placed, subscribers s WHERE number = 1
          )
          INSERT INTO events (tenant_id, id, type, data, occurred_at)
          SELECT tenant_id, event_id, 'entry.created', '{}', now() - (place + 3 - number) * interval '1 hour' FROM placed`,
        [ids],
      );
      const text = await page();
      expect(text).toMatch(/\ngone 24 12 13 h never \n/);
      expect(text).toMatch(/The oldest work first\. 2 more with newer work only\./);
      expect([...text.matchAll(/(ten_old\d+) gone 2 /g)].map(([, id]) => id)).toEqual(ids.slice(2).reverse());
      const { 'gone pending': pending, 'gone oldest_seconds': oldest } = await gauges();
      expect(pending).toBe(24);
      expect(Math.round(oldest! / 3600)).toBe(13);
    });

    it('is not on the page and not in the metrics without such a subscriber', async () => {
      expect(await page()).not.toContain('Subscribers');
      expect(await gauges()).toEqual({});
    });
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

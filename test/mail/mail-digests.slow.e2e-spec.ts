import { Subscribers } from '../../src/events/subscribers/subscriber.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { Mails } from '../../src/mail/mails.js';
import { startApp, type TestApp } from '../support/app.js';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.js';
import { type MailRow, mailRows, newForm, type NotifiedForm, submit } from '../support/notified-form.js';
import { until } from '../support/until.js';

/** A digest ends when the test ends it, however slow the machine is. */
const LASTING = { MAIL_HOURLY_LIMIT: '2', MAIL_DIGEST_INTERVAL: '1h' };
const TIMES = { schedule: [50, 50, 50, 50, 50, 50], attempt: 5_000, lease: 6_000, grace: 5_000 };

/** The number of submissions in a digest; undefined for an email about one submission. */
function totalOf(mail: ReceivedMail): number | undefined {
  const [, total] = /^(\d+) new submissions?: /.exec(mail.header('Subject') ?? '') ?? [];
  return total === undefined ? undefined : Number(total);
}

function shownIn(mail: ReceivedMail): string[] {
  return [...mail.text.matchAll(/^Submitted .+ as (sub_\w+)$/gm)].map(([, id]) => id ?? '');
}

describe('emails of a form with very many submissions', () => {
  let server: MailServer;
  let app: TestApp;
  const start = (env: Record<string, string>, options = {}) =>
    startApp({ SMTP_URL: server.url, MAIL_FROM: 'forms@acme.example', ...env }, options);
  beforeAll(async () => {
    server = await startMailServer();
    app = await start(LASTING);
  });
  beforeEach(() => Object.assign(app.get(MailTimes), TIMES));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  /** All emails for the form, once every submission's email or digest was sent. */
  const whenSent = async (form: NotifiedForm, on = app): Promise<ReceivedMail[]> => {
    await until(async () => {
      const rows = await mailRows(on, form);
      return rows.length > 0 && rows.every(({ status }) => status === 'sent' || status === 'gathered');
    });
    return server.received(form.recipient);
  };

  /** Lets the time of the open digest come, once it has this number of submissions. */
  const endDigest = async (form: NotifiedForm, submissions: number, on = app): Promise<void> => {
    const id = await until(async () => {
      const rows = await mailRows(on, form);
      const isOpen = ({ status, attempts, digest_id, submission_id }: MailRow) =>
        status === 'pending' && attempts === 0 && digest_id === submission_id;
      const digest = rows.find(isOpen)?.submission_id;
      return rows.filter(({ digest_id }) => digest_id === digest).length === submissions && digest;
    });
    const end = 'UPDATE mails SET next_attempt_at = now() WHERE tenant_id = $1 AND submission_id = $2';
    await on.database.query(end, [form.tenant.id, id]);
  };

  it('are one for each of the first submissions, and a digest of the others', async () => {
    const form = await newForm(app);
    const ids: string[] = [];
    for (let count = 1; count <= 5; count++) {
      ids.push(await submit(app, form, { name: `Visitor ${count}`, email: 'ada@example.com' }));
    }
    await endDigest(form, 3);
    const [digest, ...others] = await until(async () => {
      const mails = (await whenSent(form)).filter((mail) => totalOf(mail));
      return mails.length > 0 && mails;
    });
    expect(others).toEqual([]);
    expect(server.received(form.recipient)).toHaveLength(3);
    expect(['Subject', 'Message-ID', 'Reply-To', 'To'].map((name) => digest?.header(name))).toEqual([
      '3 new submissions: Contact',
      `<digest.${ids[2]}@acme.example>`,
      undefined,
      form.recipient,
    ]);
    expect(digest && shownIn(digest)).toEqual(ids.slice(2));
    for (const count of [3, 4, 5]) expect(digest?.text).toContain(`  Your name:\n    Visitor ${count}\n`);
    const url = app.url.replace('127.0.0.1', 'localhost');
    expect(digest?.text).toContain(`GET ${url}/v1/forms/${form.tenant.id}/${form.id}/submissions`);
    const list = await form.tenant.http.get(form.path).expect(200);
    expect(list.body.meta.total).toBe(5);
  });

  it('are few when strangers from 60 networks submit 600 times', async () => {
    const quiet = await start({ MAIL_DIGEST_INTERVAL: '3s' });
    const form = await newForm(quiet);
    const ids: string[] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 60 }, async (_, network) => {
        for (let count = 0; count < 10; count++) {
          ids.push(await submit(quiet, form, { name: 'x' }, `2001:db8:0:${network.toString(16)}::${count + 1}`));
        }
      }),
    );
    await until(async () => (await mailRows(quiet, form)).length === 600);
    const mails = await whenSent(form, quiet);
    const digests = mails.flatMap((mail) => totalOf(mail) ?? []);
    expect(mails.length - digests.length).toBe(20);
    expect(digests.reduce((sum, total) => sum + total, 0)).toBe(580);
    const seconds = (performance.now() - began) / 1_000;
    expect(digests.length).toBeLessThanOrEqual(1 + seconds / 3);
    await quiet.close();
  }, 240_000);

  it('show only what fits into a digest, and count the rest', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `field${index}`);
    const form = await newForm(app, { fields: names.map((name) => ({ name, type: 'textarea' })) });
    const large = Object.fromEntries(names.map((name) => [name, 'long '.repeat(4_000)]));
    for (let count = 0; count < 2; count++) await submit(app, form, { field0: 'x' });
    await Promise.all(Array.from({ length: 4 }, () => submit(app, form, large)));
    await endDigest(form, 4);
    const digest = await until(async () => (await whenSent(form)).find((mail) => totalOf(mail) === 4));
    expect(shownIn(digest)).toHaveLength(1);
    expect(digest.text).toContain('This email does not show 3 of the submissions.');
  });

  it('show at most a hundred submissions', async () => {
    const form = await newForm(app);
    for (let count = 0; count < 2; count++) await submit(app, form);
    // More than the relay passes on at once.
    await Promise.all(Array.from({ length: 130 }, (_, index) => submit(app, form, { name: `${index}` })));
    await endDigest(form, 130);
    const digest = await until(async () => (await whenSent(form)).find((mail) => totalOf(mail) === 130), 20_000);
    expect(shownIn(digest)).toHaveLength(100);
  }, 240_000);

  it('are the same digest at each attempt, even with new submissions in between', async () => {
    const form = await newForm(app);
    server.answer(form.recipient, (attempt) => (attempt === 3 || attempt === 4 ? { message: 451 } : 'take'));
    for (let count = 0; count < 2; count++) await submit(app, form);
    await until(async () => (await whenSent(form)).length === 2);
    const ids = [await submit(app, form), await submit(app, form)];
    await endDigest(form, 2);
    await until(() => Promise.resolve(server.attempts(form.recipient) >= 3));
    const late = await submit(app, form);
    await until(() => Promise.resolve(server.received(form.recipient).filter(({ taken }) => taken).length === 3));
    await endDigest(form, 1);
    await until(async () => (await whenSent(form)).filter(({ taken }) => taken).length === 4);
    const digests = server.received(form.recipient).filter((mail) => totalOf(mail));
    expect(digests.map((mail) => [mail.taken, shownIn(mail)])).toEqual([
      [false, ids],
      [false, ids],
      [true, ids],
      [true, [late]],
    ]);
    expect(new Set(digests.slice(0, 3).map((mail) => mail.header('Message-ID'))).size).toBe(1);
    expect(new Set(digests.slice(0, 3).map((mail) => mail.text)).size).toBe(1);
  });

  it('are sent again as the same digest when the worker died before it stored that they were sent', async () => {
    const form = await newForm(app);
    for (let count = 0; count < 2; count++) await submit(app, form);
    await whenSent(form);
    app.get(MailTimes).lease = 200;
    jest.spyOn(app.get(Mails), 'settle').mockResolvedValueOnce(undefined);
    const id = await submit(app, form);
    await endDigest(form, 1);
    await until(async () => (await whenSent(form)).length === 4);
    const digests = server.received(form.recipient).filter((mail) => totalOf(mail));
    expect(digests.map(shownIn)).toEqual([[id], [id]]);
  });

  it('lose no submission while two processes relay and send, and digests keep ending', async () => {
    const first = await start({ MAIL_HOURLY_LIMIT: '1', MAIL_DIGEST_INTERVAL: '30ms' });
    const { database, config } = first;
    const tenants = JSON.stringify(
      config.tenants.slice(0, 1).map(({ id, name }) => ({ id, name, api_keys: [{ key: `another-${id}` }] })),
    );
    const env = { MAIL_HOURLY_LIMIT: '1', MAIL_DIGEST_INTERVAL: '30ms', TENANTS: tenants };
    const second = await start(env, { database });
    const form = await newForm(first);
    const ids: string[] = [];
    await Promise.all(
      [first, second, first, second].map(async (process) => {
        for (let count = 0; count < 60; count++) ids.push(await submit(process, form));
      }),
    );
    await until(async () => (await mailRows(first, form)).length === ids.length);
    const mails = await whenSent(form, first);
    const told = mails.flatMap((mail) =>
      totalOf(mail) ? shownIn(mail) : /<(sub_\w+)@/.exec(mail.header('Message-ID') ?? '')![1],
    );
    expect(told.sort()).toEqual(ids.sort());
    expect(mails.filter((mail) => totalOf(mail)).length).toBeGreaterThan(3);
    expect(mails.filter((mail) => !totalOf(mail))).toHaveLength(1);
    await second.close();
    await first.close();
  }, 240_000);

  describe('an hour later', () => {
    const hourPasses = (form: NotifiedForm) =>
      app.database.query(
        `UPDATE mail_hours SET began_at = (began_at AT TIME ZONE 'UTC' - interval '61 minutes') AT TIME ZONE 'UTC' WHERE tenant_id = $1`,
        [form.tenant.id],
      );
    const newestMail = async (form: NotifiedForm, id: string) =>
      until(async () => (await mailRows(app, form)).find(({ submission_id: one }) => formatId('sub', one) === id));

    it('are still digests, with longer intervals, until an hour had few submissions', async () => {
      const form = await newForm(app);
      for (let count = 0; count < 3; count++) await submit(app, form);
      await endDigest(form, 1);
      await whenSent(form);
      await hourPasses(form);
      const gathered = await newestMail(form, await submit(app, form));
      expect(gathered.digest_id).toBe(gathered.submission_id);
      const [pause] = await app.database.query<{ ms: number }>(
        `SELECT round(extract(epoch FROM next_attempt_at - created_at) * 1000)::int AS ms FROM mails WHERE submission_id = $1`,
        [gathered.submission_id],
      );
      expect(pause?.ms).toBe(4 * 3_600_000);
      await hourPasses(form);
      expect((await newestMail(form, await submit(app, form))).digest_id).toBeNull();
    });

    it('are one per submission again after another hour without submissions', async () => {
      const form = await newForm(app);
      for (let count = 0; count < 3; count++) await submit(app, form);
      await endDigest(form, 1);
      await whenSent(form);
      await hourPasses(form);
      await hourPasses(form);
      expect((await newestMail(form, await submit(app, form))).digest_id).toBeNull();
    });
  });

  it('are counted for each form separately, and once for a submission whose event arrives twice', async () => {
    const tenant = app.tenant();
    const [busy, other] = [await newForm(app, { tenant }), await newForm(app, { tenant })];
    for (let count = 0; count < 3; count++) await submit(app, busy);
    await submit(app, other);
    await until(async () => (await mailRows(app, busy)).length === 4);
    const hours = await app.database.query('SELECT submissions FROM mail_hours WHERE tenant_id = $1 ORDER BY 1', [
      tenant.id,
    ]);
    expect(hours).toEqual([{ submissions: 1 }, { submissions: 3 }]);
    await app.database.query(
      `INSERT INTO pending_events (tenant_id, event_id) SELECT tenant_id, id FROM events WHERE tenant_id = $1 AND type = 'form.submitted'`,
      [tenant.id],
    );
    await until(async () => {
      const pending = await app.database.query('SELECT 1 FROM pending_events WHERE tenant_id = $1', [tenant.id]);
      return pending.length === 0;
    });
    const again = await app.database.query('SELECT submissions FROM mail_hours WHERE tenant_id = $1 ORDER BY 1', [
      tenant.id,
    ]);
    expect(again).toEqual(hours);
  });

  it('are not pruned while a digest that lists them is unsent', async () => {
    const form = await newForm(app);
    server.answer(form.recipient, () => ({ recipient: 450 }));
    app.get(MailTimes).schedule = [60_000];
    for (let count = 0; count < 4; count++) await submit(app, form);
    await endDigest(form, 2);
    await until(async () => (await mailRows(app, form)).filter(({ attempts }) => attempts === 1).length === 3);
    const subscriber = app
      .get(Subscribers)
      .all()
      .find(({ name }) => name === 'mail');
    await subscriber?.prune?.(form.tenant.id, newUuid());
    expect(await mailRows(app, form)).toHaveLength(4);
    await app.database.query(`UPDATE mails SET status = 'sent' WHERE tenant_id = $1 AND status = 'pending'`, [
      form.tenant.id,
    ]);
    await subscriber?.prune?.(form.tenant.id, newUuid());
    await subscriber?.prune?.(form.tenant.id, newUuid());
    expect(await mailRows(app, form)).toEqual([]);
  });

  it('are canceled when the operator removed every submission of a digest', async () => {
    const form = await newForm(app);
    for (let count = 0; count < 3; count++) await submit(app, form);
    await until(async () => (await mailRows(app, form)).length === 3);
    await app.database.query('DELETE FROM submissions WHERE tenant_id = $1', [form.tenant.id]);
    await endDigest(form, 1);
    await until(async () => (await mailRows(app, form)).find((row) => row.status === 'canceled' && row.digest_id));
  });

  it('of a tenant whose recipients hang leave connections for other tenants’ emails', async () => {
    const [hanging, waiting] = [await newForm(app), await newForm(app)];
    const forms = [
      hanging,
      await newForm(app, { tenant: hanging.tenant }),
      await newForm(app, { tenant: hanging.tenant }),
    ];
    const ends: (() => void)[] = [];
    for (const { recipient } of forms) {
      server.answer(recipient, () => new Promise((resolve) => ends.push(() => resolve('take'))));
    }
    for (const form of forms) for (let count = 0; count < 2; count++) await submit(app, form);
    await until(() => Promise.resolve(ends.length === 3));
    await submit(app, waiting);
    await server.until(waiting.recipient, 1);
    expect(ends).toHaveLength(3);
    await until(async () => {
      for (const end of ends.splice(0)) end();
      return (await mailRows(app, hanging)).every(({ status }) => status === 'sent');
    });
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../src/database/database.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { Subscribers } from '../../src/events/subscribers/subscriber.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { MailModule } from '../../src/mail/mail.module.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { type MailMessage, MailRefusal, type MailTransport } from '../../src/mail/transports/mail-transport.js';
import { MailTransports } from '../../src/mail/transports/mail-transports.js';
import { Mails } from '../../src/mail/mails.js';
import { Metrics } from '../../src/observability/metrics.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { parseMessage } from '../support/mail-message.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { FORM_FIELDS, mailRows, type MailRow, newForm, type NotifiedForm, submit } from '../support/notified-form.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';
import { recordEvents } from '../support/record-events.js';
import { until } from '../support/until.js';

/** Fast enough for tests. The sweeper, which finds what is due again, still runs only once a second. */
const TIMES = { schedule: [50, 50, 50, 50, 50, 50], attempt: 5_000, lease: 6_000, grace: 5_000 };

/** The form's email that has this status; waits for it. */
async function mailWith(status: string, app: TestApp, form: NotifiedForm): Promise<MailRow> {
  return until(async () => (await mailRows(app, form)).find((row) => row.status === status));
}

describe('notification emails', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({ SMTP_URL: server.url, MAIL_FROM: 'Acme, Inc. <forms@acme.example>' });
  });
  beforeEach(() => Object.assign(app.get(MailTimes), TIMES));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  describe('the content', () => {
    it('is the submission, as text and as HTML, with the address to reply to', async () => {
      const form = await newForm(app);
      const id = await submit(app, form, {
        message: 'Hello,\n<b>„Welt“</b> 💬',
        name: 'Ada',
        email: 'ada@example.com',
      });
      const [mail, ...others] = await server.until(form.recipient, 1);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ from: 'forms@acme.example', to: [form.recipient] });
      const headers = ['From', 'To', 'Reply-To', 'Subject', 'Message-ID', 'Auto-Submitted', 'MIME-Version'];
      expect(headers.map((name) => mail?.header(name))).toEqual([
        '"Acme, Inc." <forms@acme.example>',
        form.recipient,
        'ada@example.com',
        'New submission: Contact',
        `<${id}@acme.example>`,
        'auto-generated',
        '1.0',
      ]);
      expect(mail?.text).toContain(
        'Your name:\n  Ada\n\nEmail:\n  ada@example.com\n\nMessage:\n  Hello,\n  <b>„Welt“</b> 💬\n',
      );
      expect(mail?.html).toContain('Hello,<br>\n&lt;b&gt;„Welt“&lt;/b&gt; 💬</td>');
      expect((await mailWith('sent', app, form)).attempts).toBe(1);
    });

    it('names the time of the submission', async () => {
      const form = await newForm(app);
      const before = Date.now() - 1_000;
      await submit(app, form);
      const [mail] = await server.until(form.recipient, 1);
      const date = Date.parse(mail?.header('Date') ?? '');
      expect(date).toBeGreaterThanOrEqual(before);
      expect(date).toBeLessThanOrEqual(Date.now());
    });

    it('handles long names and all scripts', async () => {
      const name = '日本語のお問い合わせフォーム ünïcödé 👩‍🚀 '.repeat(6).trim();
      const label = 'العربية '.repeat(10).trim();
      const form = await newForm(app, { name, fields: [{ name: 'a', type: 'text', label }] });
      await submit(app, form, { a: 'ß'.repeat(1_000) });
      const [mail] = await server.until(form.recipient, 1);
      expect(mail?.header('Subject')).toBe(`New submission: ${name}`);
      expect(mail?.text).toContain(`${label}:\n  ${'ß'.repeat(1_000)}\n`);
      // The raw message: every header line is short enough and pure ASCII.
      expect(mail?.headerLines.join('\n')).toMatch(/^\p{ASCII}+$/u);
    });

    it('is complete for the largest submissions', async () => {
      const names = Array.from({ length: 12 }, (_, index) => `field${index}`);
      const form = await newForm(app, { fields: names.map((name) => ({ name, type: 'textarea' })) });
      const value = `${'a long line of text '.repeat(900)}\n.\n..\nFrom here`;
      await submit(app, form, Object.fromEntries(names.map((name) => [name, value])));
      const [mail] = await server.until(form.recipient, 1);
      const indented = value.replaceAll('\n', '\n  ');
      expect(mail?.text).toContain(names.map((_, index) => `Field${index}:\n  ${indented}\n`).join('\n'));
    });

    it('has no header from a form or a visitor', async () => {
      const evil = 'x\r\nBcc: eve@example.com\r\n\r\nbody';
      const fields = [
        { name: 'email', type: 'email' },
        { name: 'message', type: 'textarea', label: 'y' },
        { name: 'second', type: 'email' },
      ];
      const form = await newForm(app, { fields });
      // The API rejects these names, but an older version or a restored dump may contain them.
      await app.database.query('UPDATE forms SET name = $2, fields = $3 WHERE tenant_id = $1', [
        form.tenant.id,
        evil,
        JSON.stringify(fields.map((field) => ({ ...field, label: evil }))),
      ]);
      const id = await submit(app, form, { message: evil, second: 'ada@example.com' });
      const [mail] = await server.until(form.recipient, 1);
      expect(mail?.to).toEqual([form.recipient]);
      expect(mail?.headerLines.map((line) => line.split(':')[0])).toEqual([
        ...[
          'Auto-Submitted',
          'X-Entity-Ref-ID',
          'From',
          'To',
          'Reply-To',
          'Subject',
          'Message-ID',
          'Date',
          'MIME-Version',
          'Content-Type',
        ],
      ]);
      expect(mail?.header('Subject')).toBe('New submission: x Bcc: eve@example.com body');
      expect(mail?.header('Reply-To')).toBe('ada@example.com');
      expect(mail?.header('Message-ID')).toBe(`<${id}@acme.example>`);
      expect(mail?.text).toContain('x Bcc: eve@example.com body:\n  x\n  Bcc: eve@example.com\n  \n  body\n');
    });
  });

  describe('the recipients', () => {
    it('are the address in each form’s notify_email, and a form without it sends no email', async () => {
      const tenant = app.tenant();
      const silent = await tenant.http
        .post(`/v1/forms/${tenant.id}`, { name: 'Silent', fields: FORM_FIELDS })
        .expect(201);
      const path = `/v1/forms/${tenant.id}/${silent.body.data.id}/submissions`;
      const [first, second] = [await newForm(app, { tenant }), await newForm(app, { tenant })];
      await submit(app, { ...first, path });
      const ids = [await submit(app, first), await submit(app, second)];
      await Promise.all([server.until(first.recipient, 1), server.until(second.recipient, 1)]);
      const rows = await app.database.query<{ submission_id: string }>(
        'SELECT submission_id FROM mails WHERE tenant_id = $1 ORDER BY submission_id',
        [tenant.id],
      );
      expect(rows.map((row) => formatId('sub', row.submission_id))).toEqual(ids);
    });

    it('get no email about a submission that was rolled back, and one about a submission whose event arrives twice', async () => {
      const form = await newForm(app);
      const [database, recorder] = [app.get(Database), app.get(EventRecorder)];
      const lost = { id: formatId('sub', newUuid()), form_id: form.id };
      const rolledBack = database.transaction(form.tenant.id, async (transaction) => {
        await recorder.record(transaction, form.tenant.id, [
          { type: 'form.submitted', data: JSON.stringify(lost), at: new Date() },
        ]);
        throw new Error('Rolled back');
      });
      await expect(rolledBack).rejects.toThrow('Rolled back');

      const id = await submit(app, form);
      await mailWith('sent', app, form);
      await recordEvents(app, form.tenant.id, [
        { type: 'form.submitted', data: JSON.stringify({ id, form_id: form.id }), at: new Date() },
      ]);
      const isPending = 'SELECT 1 FROM pending_events WHERE tenant_id = $1';
      await until(async () => (await app.database.query(isPending, [form.tenant.id])).length === 0);
      expect((await mailRows(app, form)).map(({ status, attempts }) => [status, attempts])).toEqual([['sent', 1]]);
      expect(server.received(form.recipient)).toHaveLength(1);
    });

    it('get no email when the operator removed the submission first', async () => {
      const form = await newForm(app);
      server.answer(form.recipient, () => ({ recipient: 450 }));
      await submit(app, form);
      await until(() => Promise.resolve(server.attempts(form.recipient) > 0));
      await app.database.query('DELETE FROM submissions WHERE tenant_id = $1', [form.tenant.id]);
      expect(await mailWith('canceled', app, form)).toMatchObject({ next_attempt_at: null });
    });
  });

  describe('a rejection', () => {
    it.each([{ recipient: 451 }, { message: 451 }])(
      'that is temporary (%j) is retried with the same email',
      async (refusal) => {
        const form = await newForm(app);
        server.answer(form.recipient, (attempt) => (attempt < 3 ? refusal : 'take'));
        const id = await submit(app, form);
        const mails = await server.until(form.recipient, 1);
        expect(server.attempts(form.recipient)).toBe(3);
        expect(new Set(mails.map((mail) => mail.header('Message-ID')))).toEqual(new Set([`<${id}@acme.example>`]));
        const row = await mailWith('sent', app, form);
        expect(row).toMatchObject({ attempts: 3, next_attempt_at: null });
        expect(row.last_error).toContain('451');
      },
    );

    it.each([{ recipient: 550 }, { message: 554 }])('that is permanent (%j) is logged as an error', async (refusal) => {
      const log = jest.spyOn(Logger.prototype, 'error');
      const form = await newForm(app);
      server.answer(form.recipient, () => refusal);
      const id = await submit(app, form);
      const row = await mailWith('failed', app, form);
      const code = String(Object.values(refusal)[0]);
      expect(row).toMatchObject({ attempts: 1, next_attempt_at: null, last_error: expect.stringContaining(code) });
      expect(row.finished_at).not.toBeNull();
      await until(() => Promise.resolve(log.mock.calls.length > 0));
      expect(log.mock.calls).toEqual([
        [
          { tenant_id: form.tenant.id, submission: id, attempts: 1, reason: expect.stringContaining(code) },
          'An email failed permanently',
        ],
      ]);
    });

    it('at every attempt of the schedule ends as failed too', async () => {
      app.get(MailTimes).schedule = [10, 10];
      const form = await newForm(app);
      server.answer(form.recipient, () => ({ recipient: 450 }));
      await submit(app, form);
      expect(await mailWith('failed', app, form)).toMatchObject({ attempts: 3 });
    });

    it('is counted', async () => {
      const { values } = await app.get(Metrics).mails.get();
      const counts = Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
      const outcomes = ['sent', 'retried', 'failed', 'canceled'];
      expect(counts).toEqual(Object.fromEntries(outcomes.map((outcome) => [outcome, expect.any(Number)])));
    });
  });

  it('is retried for a day, first within 30 s', () => {
    const { schedule, attempt, lease } = new MailTimes();
    expect((schedule[0] ?? 0) * 1.2).toBeLessThan(29_000);
    const hours = schedule.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThan(25);
    expect(lease).toBeGreaterThan(attempt + 10_000);
  });

  describe('a mail server', () => {
    it('that is unreachable only delays emails', async () => {
      app.get(MailTimes).schedule = Array.from({ length: 50 }, () => 50);
      await server.stop();
      const form = await newForm(app);
      const id = await submit(app, form);
      const waiting = await until(async () => (await mailRows(app, form)).find(({ attempts }) => attempts > 0));
      expect(waiting).toMatchObject({ status: 'pending', last_error: expect.stringContaining('ECONNREFUSED') });
      await server.start();
      const [mail] = await server.until(form.recipient, 1);
      expect(mail?.header('Message-ID')).toBe(`<${id}@acme.example>`);
    });

    it('that hangs delays no visitor, and an email only until the attempt times out', async () => {
      Object.assign(app.get(MailTimes), { attempt: 400, lease: 5_000 });
      const form = await newForm(app);
      server.answer(form.recipient, (attempt) => (attempt <= 6 ? 'hang' : 'take'));
      const started = Date.now();
      await Promise.all(Array.from({ length: 6 }, () => submit(app, form)));
      expect(server.received(form.recipient)).toEqual([]);
      expect(Date.now() - started).toBeLessThan(2_000);
      await server.until(form.recipient, 6);
      await until(async () => (await mailRows(app, form)).every(({ status }) => status === 'sent'));
    });

    it('that is slow for one email does not delay the next of the same tenant', async () => {
      const tenant = app.tenant();
      const [slow, quick] = [await newForm(app, { tenant }), await newForm(app, { tenant })];
      let take: (answer: 'take') => void = () => undefined;
      server.answer(slow.recipient, () => new Promise((resolve) => (take = resolve)));
      await submit(app, slow);
      await until(() => Promise.resolve(server.attempts(slow.recipient) > 0));
      await submit(app, quick);
      await server.until(quick.recipient, 1);
      expect(server.received(slow.recipient)).toEqual([]);
      take('take');
      await server.until(slow.recipient, 1);
    });
  });

  it('are sent again as the same email when the worker died before it stored that they were sent', async () => {
    app.get(MailTimes).lease = 200;
    const form = await newForm(app);
    jest.spyOn(app.get(Mails), 'settle').mockResolvedValueOnce(undefined);
    const id = await submit(app, form);
    const mails = await server.until(form.recipient, 2);
    await mailWith('sent', app, form);
    expect(mails.map((mail) => mail.header('Message-ID'))).toEqual(Array(2).fill(`<${id}@acme.example>`));
  });

  it('are claimed by one worker at a time, and by another after the lease', async () => {
    const other = await startApp({ ROLE: 'api' });
    const { id: tenantId } = other.tenant();
    await other.database.query(
      `INSERT INTO mails (tenant_id, submission_id, form_id, recipient, status, attempts, next_attempt_at, created_at)
      SELECT $1, gen_random_uuid(), gen_random_uuid(), 'ada@example.com', 'pending', 0, now(), now()
      FROM generate_series(1, 100)`,
      [tenantId],
    );
    const mails = other.get(Mails);
    const claims = await Promise.all(Array.from({ length: 120 }, () => mails.claim(tenantId, 'mails', 1, 60_000)));
    const ids = claims.flat().map(({ id }) => id);
    // A claim may skip emails that other workers are claiming, and so return none.
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(50);
    await other.database.query(
      `UPDATE mails SET claimed_until = now() WHERE tenant_id = $1 AND claimed_until IS NOT NULL`,
      [tenantId],
    );
    const again = await until(async () => (await mails.claim(tenantId, 'mails', 1, 60_000))[0]);
    const late = claims.flat().find(({ id }) => id === again.id);
    const result = { status: 'failed', reason: 'Too late to say so', pauseMs: null } as const;
    if (late) await mails.settle(tenantId, [{ item: late, result }]);
    const [row] = await other.database.query('SELECT status FROM mails WHERE submission_id = $1', [again.id]);
    expect(row).toEqual({ status: 'pending' });
    await other.close();
  });

  it('are pruned only when they are finished and old', async () => {
    const form = await newForm(app);
    await submit(app, form);
    await mailWith('sent', app, form);
    const before = newUuid();
    server.answer(form.recipient, () => ({ recipient: 450 }));
    await submit(app, form);
    await until(async () => (await mailRows(app, form)).length === 2);
    const [subscriber] = app
      .get(Subscribers)
      .all()
      .filter(({ name }) => name === 'mail');
    await subscriber?.prune?.(form.tenant.id, newUuid());
    expect((await mailRows(app, form)).map(({ status }) => status)).toEqual(['pending']);
    await app.database.query(`UPDATE mails SET status = 'sent' WHERE tenant_id = $1`, [form.tenant.id]);
    await subscriber?.prune?.(form.tenant.id, before);
    expect(await mailRows(app, form)).toHaveLength(1);
  });

  describe('a process that stops', () => {
    async function startAnother(): Promise<TestApp> {
      const tenants = JSON.stringify([{ id: 'ten_stopping', name: 'Stopping', api_keys: [{ key: 'stopping' }] }]);
      const other = await startApp({ SMTP_URL: server.url, TENANTS: tenants });
      Object.assign(other.get(MailTimes), TIMES);
      return {
        ...other,
        tenant: () => ({ id: 'ten_stopping', key: 'stopping', http: other.client('Bearer stopping') }),
      };
    }

    it('finishes the emails in progress', async () => {
      const other = await startAnother();
      const form = await newForm(other);
      let take: (answer: 'take') => void = () => undefined;
      server.answer(form.recipient, () => new Promise((resolve) => (take = resolve)));
      await submit(other, form);
      await until(() => Promise.resolve(server.attempts(form.recipient) > 0));
      const settle = jest.spyOn(other.get(Mails), 'settle');
      const closed = other.close();
      take('take');
      await closed;
      expect(server.received(form.recipient)).toHaveLength(1);
      expect(settle.mock.calls).toMatchObject([['ten_stopping', [{ result: { status: 'sent' } }]]]);
      await expect(settle.mock.results[0]?.value).resolves.toBeUndefined();
    });

    it('waits a limited time for a server that hangs, and leaves the email to be retried', async () => {
      const other = await startAnother();
      other.get(MailTimes).grace = 100;
      const form = await newForm(other);
      server.answer(form.recipient, () => 'hang');
      await submit(other, form);
      await until(() => Promise.resolve(server.attempts(form.recipient) > 0));
      const settle = jest.spyOn(other.get(Mails), 'settle');
      const started = Date.now();
      await other.close();
      expect(Date.now() - started).toBeLessThan(8_000);
      const result = { status: 'pending', reason: expect.any(String), pauseMs: expect.any(Number) };
      expect(settle.mock.calls).toMatchObject([['ten_stopping', [{ result }]]]);
    });
  });

  describe('without SMTP_URL', () => {
    it('are written as files, which the log reports', async () => {
      const log = jest.spyOn(Logger.prototype, 'warn');
      const other = await startApp({ PUBLIC_URL: 'https://forms.example' });
      const folder = join(other.config.dataDir, 'mails');
      expect(log.mock.calls).toContainEqual([`SMTP_URL is not set; emails are written to ${folder} and not sent`]);
      const form = await newForm(other, { name: 'Über uns' });
      const ids = [await submit(other, form, { name: 'Ada', email: 'ada@example.com' }), await submit(other, form)];
      await until(async () => (await mailRows(other, form)).filter(({ status }) => status === 'sent').length === 2);
      expect((await readdir(folder)).sort()).toEqual(ids.map((id) => `${id}.eml`).sort());
      const mail = parseMessage(await readFile(join(folder, `${ids[0]}.eml`)));
      const headers = ['From', 'To', 'Reply-To', 'Subject', 'Message-ID'].map((name) => mail.header(name));
      expect(headers).toEqual([
        'Trivet <trivet@localhost>',
        form.recipient,
        'ada@example.com',
        'New submission: Über uns',
        `<${ids[0]}@localhost>`,
      ]);
      expect(mail.text).toContain('Your name:\n  Ada\n');
      await other.close();
    });
  });
});

describe('a mail transport', () => {
  /** Keeps the messages. The recipient decides whether it refuses one. */
  class MemoryTransport implements MailTransport {
    readonly connections = 2;
    readonly messages: MailMessage[] = [];
    closed = false;
    peak = 0;
    private running = 0;

    async send(message: MailMessage): Promise<void> {
      this.peak = Math.max(this.peak, ++this.running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      this.running--;
      this.messages.push(message);
      if (message.subject.endsWith('Refused')) throw new MailRefusal('Unknown recipient', { permanent: true });
      if (message.subject.endsWith('Busy') && this.messages.length < 3) throw new Error('busy');
    }

    close(): void {
      this.closed = true;
    }
  }

  const transport = new MemoryTransport();

  @Module({ imports: [MailModule] })
  class TransportModule implements OnModuleInit {
    constructor(private readonly transports: MailTransports) {}

    onModuleInit(): void {
      this.transports.register('memory', () => transport);
    }
  }
  const modules = [{ module: TransportModule }];

  it('of another module is chosen by its name, gets plain messages and says which refusals are final', async () => {
    const app = await startApp({ MAIL_TRANSPORT: 'memory' }, { modules });
    Object.assign(app.get(MailTimes), TIMES);
    const form = await newForm(app);
    const id = await submit(app, form, { name: 'Ada', email: 'ada@example.com' });
    await mailWith('sent', app, form);
    expect(transport.messages[0]).toEqual({
      id,
      messageId: `<${id}@localhost>`,
      date: expect.any(Date),
      from: { name: 'Trivet', address: 'trivet@localhost' },
      to: { name: '', address: form.recipient },
      replyTo: { name: '', address: 'ada@example.com' },
      subject: 'New submission: Contact',
      text: expect.stringContaining('Ada'),
      html: expect.stringContaining('Ada'),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': id },
    });
    const refused = await newForm(app, { name: 'Refused' });
    await submit(app, refused);
    expect(await mailWith('failed', app, refused)).toMatchObject({ attempts: 1, last_error: 'Unknown recipient' });
    transport.messages.length = 0;
    const busy = await newForm(app, { name: 'Busy' });
    await submit(app, busy);
    expect(await mailWith('sent', app, busy)).toMatchObject({ attempts: 3, last_error: 'busy' });
    await Promise.all(Array.from({ length: 8 }, () => submit(app, form)));
    await until(async () => (await mailRows(app, form)).filter(({ status }) => status === 'sent').length === 9);
    expect(transport.peak).toBeLessThanOrEqual(2);
    await app.close();
    expect(transport.closed).toBe(true);
  });

  it('that is not registered prevents the start of a worker, and the message names those that exist', async () => {
    const database = await createDatabase();
    const start = (role: string) => startApp({ MAIL_TRANSPORT: 'memory', ROLE: role }, { database });
    await expect(start('worker')).rejects.toThrow('MAIL_TRANSPORT must be the name of a mail transport: smtp, file.');
    const api = await start('api');
    await api.close();
    await database.drop();
  });

  it('named smtp needs SMTP_URL', async () => {
    await expect(startApp({ MAIL_TRANSPORT: 'smtp' })).rejects.toThrow(
      'SMTP_URL is required when MAIL_TRANSPORT is smtp.',
    );
  });
});

describeWithRedis('notification emails on Redis', () => {
  it('are sent once each by several processes', async () => {
    const server = await startMailServer();
    const env = { SMTP_URL: server.url, REDIS_URL: new URL('/9', TEST_REDIS_URL).href };
    const first = await startApp(env);
    const { database } = first;
    const tenants = JSON.stringify(
      first.config.tenants.slice(0, 2).map(({ id, name }) => ({ id, name, api_keys: [{ key: `another-${id}` }] })),
    );
    const second = await startApp({ ...env, TENANTS: tenants }, { database });
    for (const app of [first, second]) Object.assign(app.get(MailTimes), TIMES);
    const forms = [await newForm(first), await newForm(first)];
    const total = 20;
    for (const form of forms)
      server.answer(form.recipient, (attempt) => (attempt % 4 === 0 ? { message: 421 } : 'take'));
    await Promise.all(
      forms.flatMap((form) => Array.from({ length: total }, (_, index) => submit(index % 2 ? first : second, form))),
    );
    for (const form of forms) {
      const mails = await server.until(form.recipient, total);
      const taken = mails.filter((mail) => mail.taken).map((mail) => mail.header('Message-ID'));
      expect([taken.length, new Set(taken).size]).toEqual([total, total]);
      await until(async () => (await mailRows(first, form)).every(({ status }) => status === 'sent'));
    }

    await second.close();
    await first.close();
    await server.stop();
  });
});

import { startApp, type TestApp, type TestTenant } from './support/app.js';
import { type MailServer, startMailServer } from './support/mail-server.js';
import { submit } from './support/notified-form.js';
import { until } from './support/until.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email' },
];
const AUTORESPONDER = { field: 'email', subject: 'Hello {{name}}', text: 'Dear {{ name }},\n\nthank you. {{email}}' };

let number = 0;
const address = (name: string) => `${name}-${++number}@example.com`;

describe('the autoresponder', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({
      SMTP_URL: server.url,
      MAIL_FROM: 'Acme <forms@acme.example>',
      AUTORESPONDER_DAILY_LIMIT: '2',
    });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  async function newForm(tenant: TestTenant = app.tenant(), body: object = {}) {
    const { body: created } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, {
        name: 'Contact',
        fields: FIELDS,
        settings: { autoresponder: AUTORESPONDER, spam: { challenge: true } },
        ...body,
      })
      .expect(201);
    const path = `/v1/forms/${tenant.id}/${created.data.id}/submissions`;
    // Spam checks have tests of their own.
    await app.database.query(`UPDATE forms SET settings = (settings::jsonb - 'spam')::json WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    return { tenant, path };
  }
  type TestForm = Awaited<ReturnType<typeof newForm>>;
  /** Submits, and returns the email to the visitor when it is settled. */
  async function answerTo(form: TestForm, fields: object) {
    const id = await submit(app, form, fields);
    return until(async () => {
      const { data } = (await form.tenant.http.get(`${form.path}/${id}/mails`).expect(200)).body;
      const mail = data.find(({ kind }: { kind: string }) => kind === 'autoresponder');
      return mail && mail.state !== 'pending' && mail;
    });
  }

  it('sends a plain text to the visitor, without an envelope sender, in which values are harmless', async () => {
    const to = address('ada');
    const name = 'www.evil.example http://evil.example {{email}}\u2028Bcc: x@y.example';
    expect(await answerTo(await newForm(), { name, email: to })).toMatchObject({
      kind: 'autoresponder',
      recipient: to,
      state: 'sent',
      last_error: null,
    });
    const [mail] = server.received(to);
    expect(mail).toMatchObject({ from: '', to: [to] });
    expect(mail?.contentType).toMatch(/^text\/plain/);
    expect(mail?.header('Auto-Submitted')).toBe('auto-replied');
    expect(mail?.header('X-Auto-Response-Suppress')).toBe('All');
    const shown = 'www[.]evil[.]example http[:]//evil[.]example {{email}} Bcc: x@y[.]example';
    expect(mail?.header('Subject')).toBe(`Hello ${shown}`);
    expect(mail?.text).toContain(`Dear ${shown},\n\nthank you. ${to.replace('.', '[.]')}\n`);
  });

  it('cuts values to 100 characters', async () => {
    const to = address('long');
    await answerTo(await newForm(), { name: 'x'.repeat(500), email: to });
    expect(server.received(to)[0]?.header('Subject')?.length).toBeLessThanOrEqual('Hello '.length + 100);
  });

  it('sends one email an hour to an address, over all tenants and tags', async () => {
    const to = address('hour');
    expect((await answerTo(await newForm(), { email: to })).state).toBe('sent');
    const tagged = to.replace('@', '+tag@').toUpperCase();
    const skipped = await answerTo(await newForm(), { email: tagged });
    expect(skipped).toMatchObject({ state: 'skipped', attempts: 1, sent_at: null });
    expect(skipped.last_error).toContain('hour');
    await app.database.query(`UPDATE autoresponder_hours SET until = now() - interval '1 second'`);
    expect((await answerTo(await newForm(), { email: tagged })).state).toBe('sent');
  });

  it('sends as many emails a day as AUTORESPONDER_DAILY_LIMIT says, for each form', async () => {
    const form = await newForm();
    const states: string[] = [];
    for (let count = 0; count < 3; count++) states.push((await answerTo(form, { email: address('day') })).state);
    expect(states).toEqual(['sent', 'sent', 'skipped']);
    await app.database.query(`UPDATE autoresponder_days SET day = day - 1 WHERE tenant_id = $1`, [form.tenant.id]);
    expect((await answerTo(form, { email: address('day') })).state).toBe('sent');
  });

  it.each([
    'mailer-daemon@example.com',
    'Postmaster@example.com',
    'no-reply+1@example.com',
    'no-replyTeam@example.com',
    'no_reply@example.com',
    'forms@ACME.example',
  ])('sends nothing to %s', async (email) => {
    expect((await answerTo(await newForm(), { email })).state).toBe('skipped');
    expect(server.received(email)).toEqual([]);
  });

  it('sends nothing to an address that is notified, and nothing without an address', async () => {
    const office = address('office');
    const form = await newForm(app.tenant(), { notify_email: office });
    expect((await answerTo(form, { email: office.replace('@', '+x@') })).state).toBe('skipped');
    expect((await answerTo(form, { name: 'nobody' })).state).toBe('skipped');
  });
});

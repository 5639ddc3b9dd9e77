import { MailTimes } from '../../src/mail/mail-times.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { cheapProof, timeToken } from '../support/challenges.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { submit } from '../support/notified-form.js';
import { until } from '../support/until.js';
import { BOUNDARY, multipart } from '../support/upload.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'email', type: 'email' },
];
const AUTORESPONDER = { field: 'email', subject: 'Hello {{name}}', text: 'Dear {{ name }},\n\nthank you. {{email}}' };

const GUARDS = { honeypot: 'website', min_seconds: 30 };

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
      AUTORESPONDER_TENANT_DAILY_LIMIT: '3',
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
        settings: { autoresponder: AUTORESPONDER, spam: GUARDS },
        ...body,
      })
      .expect(201);
    const formId = created.data.id as string;
    return { tenant, tenantId: tenant.id, formId, path: `/v1/forms/${tenant.id}/${formId}/submissions` };
  }
  type TestForm = Awaited<ReturnType<typeof newForm>>;
  /** Submits as a page does that has the form for a minute, and returns the email to the visitor when it is settled. */
  async function answerTo(form: TestForm, fields: object) {
    return settled(form, await submit(app, form, { ...fields, _t: timeToken(app, form, 60) }));
  }
  async function settled(form: TestForm, id: string) {
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

  it('sends one email an hour to an address, over all forms, spellings and tags', async () => {
    const tenant = app.tenant();
    const to = `info-${++number}@münchen.example`;
    expect((await answerTo(await newForm(tenant), { email: to })).state).toBe('sent');
    const spellings = [
      to.replace('@', '+tag@').toUpperCase(),
      to.replace('münchen', 'xn--mnchen-3ya'),
      to.normalize('NFD'),
      to.replace(/^(.*)@/, '"$1"@'),
      to.replace(/^(.*)@/, '"\\$1"@'),
    ];
    for (const email of spellings) {
      const skipped = await answerTo(await newForm(tenant), { email });
      expect(skipped).toMatchObject({ recipient: email, state: 'skipped', attempts: 1, sent_at: null });
      expect(skipped.last_error).toContain('hour');
    }
    await app.database.query(`UPDATE autoresponder_recipients SET until = now() - interval '1 second'`);
    expect((await answerTo(await newForm(tenant), { email: spellings[0] })).state).toBe('sent');
  });

  it('says the same of an address to which other tenants wrote', async () => {
    const to = address('shared');
    const answers = [];
    for (let times = 0; times < 3; times++) answers.push(await answerTo(await newForm(), { email: to }));
    for (const answer of answers) {
      const same = { kind: 'autoresponder', recipient: to, state: 'sent', attempts: 1, last_error: null };
      expect(answer).toEqual({ ...same, id: answer.id, sent_at: answer.sent_at });
    }
  });

  it('delays an email without a reason if all tenants together sent the address very many', async () => {
    const times = app.get(MailTimes);
    const { schedule } = times;
    const to = address('flooded');
    await answerTo(await newForm(), { email: to });
    const flooded = `UPDATE address_hours SET sent = 10 WHERE until > now()`;
    await app.database.query(flooded);
    const form = await newForm();
    try {
      times.schedule = [100, 100, 100, 100, 100, 100];
      const id = await submit(app, form, { email: to, _t: timeToken(app, form, 60) });
      const waiting = await until(async () => {
        const [mail] = (await form.tenant.http.get(`${form.path}/${id}/mails`).expect(200)).body.data;
        return mail?.attempts > 0 && mail;
      });
      expect(waiting).toMatchObject({ state: 'pending', last_error: null });
      await app.database.query(`UPDATE address_hours SET sent = 1`);
      expect(await settled(form, id)).toMatchObject({ state: 'sent', last_error: null });
      await app.database.query(flooded);
      times.schedule = [];
      const late = await newForm();
      expect(await answerTo(late, { email: to })).toMatchObject({ state: 'failed' });
    } finally {
      times.schedule = schedule;
      await app.database.query(`DELETE FROM address_hours`);
    }
  });

  it('sends as many emails a day as AUTORESPONDER_TENANT_DAILY_LIMIT says, for all forms of a tenant', async () => {
    const tenant = app.tenant();
    const states: string[] = [];
    for (let count = 0; count < 4; count++) {
      states.push((await answerTo(await newForm(tenant), { email: address('tenant') })).state);
    }
    expect(states).toEqual(['sent', 'sent', 'sent', 'skipped']);
    expect((await answerTo(await newForm(), { email: address('tenant') })).state).toBe('sent');
  });

  it('counts nothing of an email that a limit forbids', async () => {
    const tenant = app.tenant();
    const [first, second] = [await newForm(tenant), await newForm(tenant)];
    for (let count = 0; count < 2; count++) await answerTo(first, { email: address('counted') });
    const to = address('counted');
    const { last_error: reason, state } = await answerTo(first, { email: to });
    expect([state, reason]).toEqual(['skipped', expect.stringContaining('form has sent')]);
    expect((await answerTo(second, { email: to })).state).toBe('sent');
    expect((await answerTo(second, { email: address('counted') })).last_error).toContain('tenant has sent');
  });

  describe('answers only a submission that passed its guards, in whatever way it was sent', () => {
    /** Sends the values in each of the ways in which a form can be sent, and returns the emails to the visitors. */
    async function answersInEveryWay(own: (form: TestForm) => Record<string, string>) {
      const form = await newForm();
      const ways = [
        (fields: Record<string, string>) => ['application/json', JSON.stringify({ fields })] as const,
        (fields: Record<string, string>) =>
          ['application/x-www-form-urlencoded', new URLSearchParams(fields).toString()] as const,
        (fields: Record<string, string>) => {
          const parts = Object.entries(fields).map(([name, data]) => ({ name, data }));
          return [`multipart/form-data; boundary=${BOUNDARY}`, multipart(parts)] as const;
        },
      ];
      await app.database.query(`DELETE FROM mail_days`);
      const answers = [];
      for (const [index, way] of ways.entries()) {
        const [type, body] = way({ email: address('guarded'), ...own(form) });
        const visitor = app.client(undefined, { 'X-Forwarded-For': `10.44.${number & 255}.${index}` });
        const { data } = (await visitor.post(form.path).set('Content-Type', type).send(body).expect(201)).body;
        const { body: full } = await form.tenant.http.get(`${form.path}/${data.id}`).expect(200);
        expect(full.data.verdict).toBe('ok');
        answers.push(await settled(form, data.id as string));
        await app.database.query(`DELETE FROM mail_days`);
      }
      return answers;
    }

    it('with a time token that is old enough', async () => {
      const answers = await answersInEveryWay((form) => ({ _t: timeToken(app, form, 31) }));
      expect(answers.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    });

    it.each([
      ['no token', () => ({})],
      ['an empty honeypot alone', () => ({ website: '' })],
      ['a token that is not valid', () => ({ _t: 'x' })],
      ['a token that has expired', (form: TestForm) => ({ _t: timeToken(app, form, 90_000) })],
    ])('with %s, the email is skipped', async (_what, own) => {
      const skipped = { state: 'skipped', last_error: expect.stringContaining('time token (_t)'), sent_at: null };
      const answers = await answersInEveryWay(own);
      expect(answers).toEqual(answers.map(() => expect.objectContaining(skipped)));
    });

    it('with a solved challenge, or when it was released', async () => {
      const form = await newForm(undefined, { settings: { autoresponder: AUTORESPONDER, spam: { challenge: true } } });
      const proof = await cheapProof(app, form);
      const solved = await submit(app, form, { email: address('solved'), _altcha: proof });
      expect((await settled(form, solved)).state).toBe('sent');
      const spam = await submit(app, form, { email: address('spam') });
      await form.tenant.http.post(`${form.path}/${spam}/release`).expect(200);
      expect((await settled(form, spam)).state).toBe('sent');
    });
  });

  it('sends as many emails a day as AUTORESPONDER_DAILY_LIMIT says, for each form', async () => {
    const form = await newForm();
    const states: string[] = [];
    for (let count = 0; count < 3; count++) states.push((await answerTo(form, { email: address('day') })).state);
    expect(states).toEqual(['sent', 'sent', 'skipped']);
    await app.database.query(`UPDATE mail_days SET day = day - 1 WHERE tenant_id = $1`, [form.tenant.id]);
    expect((await answerTo(form, { email: address('day') })).state).toBe('sent');
  });

  it.each([
    'mailer-daemon@example.com',
    'Postmaster@example.com',
    'no-reply+1@example.com',
    'no-replyTeam@example.com',
    'no_reply@example.com',
    'forms@ACME.example',
    '"mailer-daemon"@example.com',
    '"\\postmaster"@example.com',
    '"forms"@acme.example',
    '"a b"@example.com',
    '"a@b"@example.com',
  ])('sends nothing to %s', async (email) => {
    expect((await answerTo(await newForm(), { email })).state).toBe('skipped');
    expect(server.received(email)).toEqual([]);
  });

  it('sends nothing to an address that is notified, and nothing without an address', async () => {
    const office = address('office');
    const form = await newForm(app.tenant(), { notify_email: office });
    for (const email of [office.replace('@', '+x@'), office.replace(/^(.*)@/, '"$1"@'), office.toUpperCase()]) {
      expect((await answerTo(form, { email })).state).toBe('skipped');
    }
    expect((await answerTo(form, { name: 'nobody' })).state).toBe('skipped');
  });
});

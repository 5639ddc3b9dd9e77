import { MailTimes } from '../../src/mail/mail-times.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { submit } from '../support/notified-form.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'name', type: 'text', required: true },
  { name: 'email', type: 'email' },
  { name: 'topic', type: 'text' },
];

interface ListedMail {
  id: string;
  kind: string;
  recipient: string | null;
  state: string;
  attempts: number;
  last_error: string | null;
  sent_at: string | null;
}

let number = 0;
const address = (name: string) => `${name}-${++number}@example.com`;

describe('emails of a submission', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({
      SMTP_URL: server.url,
      MAIL_FROM: 'forms@acme.example',
      MAIL_HOURLY_LIMIT: '2',
      MAIL_DIGEST_INTERVAL: '1s',
    });
    Object.assign(app.get(MailTimes), { schedule: Array(500).fill(50) });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  async function newForm(body: object, tenant: TestTenant = app.tenant()) {
    const { body: created, status } = await tenant.http.post(`/v1/forms/${tenant.id}`, {
      name: 'Contact',
      fields: FIELDS,
      ...body,
    });
    expect([status, created.errors]).toEqual([201, undefined]);
    const form = `/v1/forms/${tenant.id}/${created.data.id}`;
    return { tenant, id: created.data.id as string, form, path: `${form}/submissions` };
  }
  type TestForm = Awaited<ReturnType<typeof newForm>>;

  const listed = async ({ tenant, path }: TestForm, id: string): Promise<ListedMail[]> =>
    (await tenant.http.get(`${path}/${id}/mails`).expect(200)).body.data;
  /** The emails of the submission, when each has one of these states. */
  const settled = (form: TestForm, id: string, states = ['sent', 'failed', 'canceled', 'skipped']) =>
    until(async () => {
      const mails = await listed(form, id);
      return mails.length > 0 && mails.every(({ state }) => states.includes(state)) && mails;
    });

  it('go to each distinct address whose rule fits, each with its own subject', async () => {
    const [office, sales, press] = [address('office'), address('sales'), address('press')];
    const form = await newForm({
      notify_email: office,
      settings: {
        notify: [
          { to: [sales, office.toUpperCase()], subject: 'From {{ name }}: {{topic}}' },
          { to: [press, sales], subject: 'Press', when: { field: 'topic', equals: 'Press' } },
          { to: [address('never')], when: { field: 'topic', equals: 'press' } },
        ],
      },
    });
    const id = await submit(app, form, { name: 'Ada\u2028{{topic}}', topic: 'Press' });
    const mails = await settled(form, id);
    expect(mails.map(({ recipient, kind, state, last_error: error }) => [recipient, kind, state, error])).toEqual(
      expect.arrayContaining([office, sales, press].map((recipient) => [recipient, 'notify', 'sent', null])),
    );
    expect(mails).toHaveLength(3);
    for (const { id: mail, sent_at: at, attempts } of mails) {
      expect(mail).toMatch(/^mail_[0-9a-z]{26}$/);
      expect([attempts, Date.parse(at ?? '') > 0]).toEqual([1, true]);
    }
    const received = [office, sales, press].map((to) => server.received(to)[0]);
    expect(received.map((mail) => mail?.header('Subject'))).toEqual([
      'From Ada {{topic}}: Press',
      'From Ada {{topic}}: Press',
      'Press',
    ]);
    expect(new Set(received.map((mail) => mail?.header('Message-ID'))).size).toBe(3);
    expect(received[0]?.header('Message-ID')).toBe(`<${id}@acme.example>`);
  });

  it('are at most 20, and the others are listed as skipped', async () => {
    const addresses = Array.from({ length: 23 }, () => address('many'));
    const notify = [0, 10, 20].map((first) => ({ to: addresses.slice(first, first + 10) }));
    const form = await newForm({ settings: { notify } });
    const mails = await settled(form, await submit(app, form, { name: 'a' }));
    expect(mails.filter(({ state }) => state === 'sent')).toHaveLength(20);
    const skipped = mails.filter(({ state }) => state === 'skipped');
    expect(skipped.map(({ recipient }) => recipient).sort()).toEqual(addresses.slice(20).sort());
    expect(skipped.every(({ sent_at: at, last_error: error }) => at === null && error !== null)).toBe(true);
  });

  it('fit a rule without a value, and one of several values', async () => {
    const [none, one] = [address('none'), address('one')];
    const form = await newForm({
      settings: {
        notify: [
          { to: [none], when: { field: 'topic', equals: '' } },
          { to: [one], when: { field: 'topic', equals: 'b' } },
        ],
      },
    });
    const recipients = async (fields: object) =>
      (await settled(form, await submit(app, form, fields))).map(({ recipient }) => recipient);
    expect(await recipients({ name: 'x' })).toEqual([none]);
    // Values are checked against the fields of this version, which the process knows already.
    await app.database.query('UPDATE forms SET fields = $2 WHERE tenant_id = $1', [
      form.tenant.id,
      JSON.stringify(FIELDS.map((field) => (field.name === 'topic' ? { ...field, multiple: true } : field))),
    ]);
    expect(await recipients({ name: 'x', topic: 'a, b' })).toEqual([one]);
  });

  it('beyond the hourly limit are digests for each recipient, whose state each submission shows', async () => {
    const [first, second] = [address('digest'), address('digest')];
    const form = await newForm({ notify_email: first, settings: { notify: [{ to: [second] }] } });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await submit(app, form, { name }));
    for (const id of ids) expect(await settled(form, id, ['sent'])).toHaveLength(2);
    for (const to of [first, second]) {
      const digest = server.received(to).find((mail) => /^2 new/.test(mail.header('Subject') ?? ''));
      for (const id of ids.slice(2)) expect(digest?.text).toContain(id);
    }
  });

  it('are listed with their last error', async () => {
    const to = address('refused');
    server.answer(to, () => ({ recipient: 550 }));
    const form = await newForm({ notify_email: to });
    const id = await submit(app, form, { name: 'a' });
    const [mail] = await settled(form, id);
    expect(mail).toMatchObject({ recipient: to, state: 'failed', attempts: 1, sent_at: null });
    expect(mail?.last_error).toContain('550');
  });

  it('of nobody are an empty list, and of an unknown submission 404', async () => {
    const form = await newForm({});
    const id = await submit(app, form, { name: 'a' });
    expect(await listed(form, id)).toEqual([]);
    const other = app.tenant();
    await other.http.get(`/v1/forms/${other.id}/${form.id}/submissions/${id}/mails`).expect(404);
    await form.tenant.http.delete(`${form.path}/${id}`).expect(200);
    await form.tenant.http.get(`${form.path}/${id}/mails`).expect(404);
  });

  it('are not sent after the submission was deleted, and a digest still lists the others', async () => {
    const [busy, waiting] = [address('busy'), address('waiting')];
    server.answer(waiting, () => ({ recipient: 450 }));
    const form = await newForm({ notify_email: waiting, settings: { notify: [{ to: [busy] }] } });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await submit(app, form, { name }));
    await settled(form, ids[4] ?? '', ['pending', 'sent']);
    await form.tenant.http.post(`${form.path}/delete`, { ids: [ids[0], ids[2], ids[4]] }).expect(200);
    server.answer(waiting, () => 'take');
    const kept = await settled(form, ids[3] ?? '', ['sent']);
    expect(kept).toHaveLength(2);
    await settled(form, ids[1] ?? '', ['sent']);
    const digest = await until(() =>
      Promise.resolve(server.received(waiting).find(({ taken, text }) => taken && text.includes(ids[3] ?? ''))),
    );
    expect(digest.header('Subject')).toBe('1 new submission: Contact');
    expect(digest.text).not.toContain(ids[2]);
    const rows = await app.database.query<{ status: string }>('SELECT status FROM mails WHERE tenant_id = $1', [
      form.tenant.id,
    ]);
    // Two emails, and for each recipient a digest and what it lists.
    expect(rows.map(({ status }) => status).sort()).toEqual(['gathered', 'gathered', 'sent', 'sent', 'sent', 'sent']);
  });

  it('are canceled at once if the submission is marked as spam, and stay so', async () => {
    const to = address('spam');
    server.answer(to, () => ({ recipient: 450 }));
    Object.assign(app.get(MailTimes), { schedule: [86_400_000] });
    const form = await newForm({ notify_email: to });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await submit(app, form, { name }));
    // Two emails that wait for their next attempt, and a digest of three that does.
    await until(async () => {
      const mails = await Promise.all(ids.map((id) => listed(form, id)));
      return mails.every(([mail]) => mail?.attempts === 1 && mail.state === 'pending');
    });
    const stateOf = async (id: string) => (await listed(form, id)).map(({ state, recipient }) => [state, recipient]);
    for (const id of [ids[0], ids[2], ids[4]] as string[]) {
      await form.tenant.http.post(`${form.path}/${id}/mark-spam`).expect(200);
      expect(await stateOf(id)).toEqual([['canceled', to]]);
      await form.tenant.http.post(`${form.path}/${id}/release`).expect(200);
      expect(await stateOf(id)).toEqual([['canceled', to]]);
    }
    server.answer(to, () => 'take');
    await app.database.query(
      `UPDATE mails SET next_attempt_at = now() WHERE tenant_id = $1 AND next_attempt_at IS NOT NULL`,
      [form.tenant.id],
    );
    Object.assign(app.get(MailTimes), { schedule: Array(500).fill(50) });
    for (const id of [ids[1], ids[3]] as string[]) expect(await settled(form, id, ['sent'])).toHaveLength(1);
    const taken = server.received(to).filter((mail) => mail.taken);
    expect(taken.map((mail) => mail.header('Subject')).sort()).toEqual([
      '1 new submission: Contact',
      'New submission: Contact',
    ]);
    const text = taken.map((mail) => mail.text).join('\n');
    expect(ids.map((id) => text.includes(id))).toEqual([false, true, false, true, false]);
  });
});

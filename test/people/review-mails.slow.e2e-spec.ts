import { Logger } from '@nestjs/common';
import { PublicUrl } from '../../src/http/public-url.js';
import { newUuid, parseId } from '../../src/ids/type-id.js';
import { LetterLimits } from '../../src/mail/letters/letter-limits.js';
import { MailTimes } from '../../src/mail/mail-times.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { makePerson, setRole, signIn, type TestPerson } from '../support/people.js';
import { until } from '../support/until.js';

const TIMES = { schedule: [50, 50, 50], attempt: 5_000, lease: 6_000, grace: 5_000 };

describe('emails about reviews', () => {
  let server: MailServer;
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  /** An entry that is not published. */
  let entry: string;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({ SMTP_URL: server.url });
    Object.assign(app.get(MailTimes), TIMES);
  });
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(tenant, [
      { name: 'price', type: 'number' },
      { name: 'extra', type: 'json' },
      { name: 'title', type: 'text' },
    ]);
    const [id] = await createEntries(tenant, type, [{ fields: { title: 'Soda bread' } }]);
    entry = `${type.entries}/${id}`;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  /** Makes a person who wants emails about the reviews of the tenants. */
  const reviewer = async (role = 'editor', ...tenants: string[]): Promise<TestPerson & { http: Http }> => {
    const ids = tenants.length > 0 ? tenants : [tenant.id];
    const person = await makePerson(app, ids, role);
    const { http } = await signIn(app, person);
    await http.patch('/v1/me', { notify_reviews: Object.fromEntries(ids.map((id) => [id, true])) }).expect(200);
    return { ...person, http };
  };
  const ask = (http: Http = tenant.http, of = entry, body: object = {}) =>
    http.put(`${of}/draft/review`, body).expect(200);
  /** Resolves when all requests of the tenant were processed, with the number of its letters. */
  const letters = async (requests: number, database = app.database, tenantId = tenant.id): Promise<number> => {
    await until(async () => {
      const rows = await database.query<{ status: string }>('SELECT status FROM review_mails WHERE tenant_id = $1', [
        tenantId,
      ]);
      return rows.length === requests && rows.every(({ status }) => status === 'done');
    });
    return (await database.query('SELECT FROM letters WHERE tenant_id = $1', [tenantId])).length;
  };
  const statusesOfLetters = async (): Promise<string[]> => {
    const rows = await app.database.query<{ status: string }>('SELECT status FROM letters WHERE tenant_id = $1', [
      tenant.id,
    ]);
    return rows.map(({ status }) => status);
  };

  it('say who asks, for which entry, with the note and a link to the console', async () => {
    const { email } = await reviewer();
    const author = await reviewer('author');
    await author.http.patch('/v1/me', { name: 'Grace Hopper' }).expect(200);
    await ask(author.http, entry, { note: 'Is the oven too hot?' });
    const [mail] = await server.until(email, 1);
    expect(mail?.header('Subject')).toBe('Review requested: Soda bread');
    const lines = mail?.text.split('\n') ?? [];
    expect(lines).toContain(
      `Grace Hopper asks for a review of “Soda bread” (Article) in ${app.config.tenants.find(({ id }) => id === tenant.id)?.name}:`,
    );
    expect(lines).toContain('  Is the oven too hot?');
    expect(lines).toContain(
      `${app.get(PublicUrl).console}/console/${tenant.id}/content/article/${entry.split('/').at(-1)}`,
    );
    expect(await letters(1)).toBe(1);
    expect(server.attempts(author.email)).toBe(0);
  });

  it('name the draft by its own title or by its ID, and a key by its name', async () => {
    const { email } = await reviewer();
    const [live, bare] = await createEntries(tenant, type, [
      { fields: { title: 'Live' }, status: 'published' },
      { fields: { extra: ['x'.repeat(100_000)] } },
    ]);
    await tenant.http.patch(`${type.entries}/${live}/draft`, { fields: { title: 'New' } }).expect(200);
    await ask(tenant.http, `${type.entries}/${live}`);
    const [first] = await server.until(email, 1);
    expect(first?.header('Subject')).toBe('Review requested: New');
    expect(first?.text).toContain('test asks for a review of');
    await ask(tenant.http, `${type.entries}/${bare}`);
    expect((await server.until(email, 2))[1]?.header('Subject')).toBe(`Review requested: ${bare}`);
  });

  it('show the first value of a title with several, and none that the draft removes', async () => {
    const { email } = await reviewer();
    const many = await createType(tenant, [{ name: 'names', type: 'text', multiple: true }], 'Person');
    const [live] = await createEntries(tenant, many, [{ fields: { names: ['Ada', 'Lovelace'] }, status: 'published' }]);
    await tenant.http.patch(`${many.entries}/${live}/draft`, { fields: { names: ['Grace', 'Hopper'] } }).expect(200);
    await ask(tenant.http, `${many.entries}/${live}`);
    expect((await server.until(email, 1))[0]?.header('Subject')).toBe('Review requested: Grace');
    await tenant.http.patch(`${many.entries}/${live}/draft`, { fields: { names: null } }).expect(200);
    await ask(tenant.http, `${many.entries}/${live}`);
    expect((await server.until(email, 2))[1]?.header('Subject')).toBe(`Review requested: ${live}`);
  });

  it('are sent to members who may read the draft, have joined and asked for them, in this tenant', async () => {
    const withRole = async (name: string, scopes: string[]) => {
      const { body } = await tenant.http.post(`/v1/roles/${tenant.id}`, { name, scopes }).expect(201);
      return (await reviewer(parseId('rol', body.data.id))).email;
    };
    await createType(tenant, [{ name: 'title', type: 'text' }], 'Page');
    const told = [
      (await reviewer('owner')).email,
      (await reviewer('viewer')).email,
      await withRole('Articles', ['content:read@article']),
    ];
    const others = [
      (await reviewer('support')).email,
      await withRole('Pages', ['content:read@page']),
      await withRole('Published', ['content:read:published']),
      await withRole('Blind', ['content:write']),
      (await makePerson(app, [tenant.id])).email,
      (await reviewer('owner', app.tenant().id)).email,
    ];
    const invited = await reviewer();
    await app.database.query('UPDATE members SET joined_at = NULL WHERE id = ANY ($1)', [invited.members]);
    await ask();
    for (const email of told) await server.until(email, 1);
    expect(await letters(1)).toBe(told.length);
    for (const email of [...others, invited.email]) expect([email, server.attempts(email)]).toEqual([email, 0]);
  });

  it('are sent once for a request that is processed again after a crash', async () => {
    const people = [await reviewer(), await reviewer()];
    await ask();
    for (const { email } of people) await server.until(email, 1);
    expect(await letters(1)).toBe(2);
    await app.database.query(
      `UPDATE review_mails SET status = 'pending', next_attempt_at = now(), finished_at = NULL WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect(await letters(1)).toBe(2);
    await until(async () => (await statusesOfLetters()).every((status) => status === 'sent'));
    for (const { email } of people) expect(server.received(email)).toHaveLength(1);
  });

  it.each([
    ['taken back', () => tenant.http.delete(`${entry}/draft/review`).expect(200)],
    ['published', () => tenant.http.patch(entry, { status: 'published' }).expect(200)],
    ['deleted with its entry', () => tenant.http.delete(entry).expect(200)],
    ['asked for again', () => ask()],
  ])('are not sent for a review that was %s while the mail server did not accept them', async (_how, end) => {
    const { email } = await reviewer();
    let goesOn = (): void => undefined;
    const ended = new Promise<void>((resolve) => (goesOn = resolve));
    server.answer(email, async (attempt) => {
      if (attempt > 1) return 'take';
      await ended;
      return { message: 451 };
    });
    await ask(tenant.http, entry, { note: 'The first one' });
    await until(() => Promise.resolve(server.attempts(email) > 0));
    await end();
    goesOn();
    await until(async () => (await statusesOfLetters()).includes('canceled'));
    const taken = server.received(email).filter((mail) => mail.taken);
    expect(taken.filter(({ text }) => text.includes('The first one'))).toEqual([]);
  });

  it.each([
    ['may not read the draft any more', (person: TestPerson) => setRole(app, tenant.id, person, 'support')],
    [
      'does not want them any more',
      (person: TestPerson & { http: Http }) =>
        person.http.patch('/v1/me', { notify_reviews: { [tenant.id]: false } }).expect(200),
    ],
  ])('are not sent again to a member who %s', async (_who, change) => {
    const person = await reviewer();
    let goesOn = (): void => undefined;
    const changed = new Promise<void>((resolve) => (goesOn = resolve));
    server.answer(person.email, async () => {
      await changed;
      return { message: 451 };
    });
    await ask();
    await until(() => Promise.resolve(server.attempts(person.email) > 0));
    await change(person);
    goesOn();
    await until(async () => (await statusesOfLetters())[0] === 'canceled');
    expect(server.attempts(person.email)).toBe(1);
  });

  it('cost a tenant without members who want them no row', async () => {
    await makePerson(app, [tenant.id]);
    await ask();
    // The relay has passed the event when the feed shows it.
    const { body } = await tenant.http.get(`/v1/events/${tenant.id}?cursor=&per_page=100`).expect(200);
    expect(body.data.map((event: { type: string }) => event.type)).toContain('entry.review_requested');
    expect(await app.database.query('SELECT FROM review_mails WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it('are at most fifty for a request', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { members } = await reviewer();
    await app.database.query(
      `INSERT INTO members (tenant_id, id, person_id, address, email, name, role_id, notify_reviews, joined_at)
        SELECT tenant_id, gen_random_uuid(), gen_random_uuid(), number || '@many.example', number || '@many.example', 'Ada', role_id, true, now()
        FROM members, generate_series(1, 60) AS number WHERE id = ANY ($1)`,
      [members],
    );
    await ask();
    expect(await letters(1)).toBe(50);
    expect(JSON.stringify(log.mock.calls)).toContain('Too many members want emails about reviews');
  });

  it('to one address are at most twenty an hour', async () => {
    const [busy, other] = [await reviewer(), await reviewer()];
    for (let sent = 0; sent < 20; sent++) await app.get(LetterLimits).mayRequestReview(tenant.id, busy.email);
    await ask();
    await server.until(other.email, 1);
    expect(await letters(1)).toBe(1);
    expect(server.attempts(busy.email)).toBe(0);
  });

  it('are caused by at most 500 requests of a tenant in an hour', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await reviewer();
    await app.database.query(
      `INSERT INTO review_mails (tenant_id, event_id, status, attempts, created_at, finished_at)
        SELECT $1, id, 'done', 1, now(), now() FROM unnest($2::uuid[]) AS id`,
      [tenant.id, Array.from({ length: 500 }, () => newUuid())],
    );
    await ask();
    await until(() => Promise.resolve(JSON.stringify(log.mock.calls).includes('Too many requests for reviews')));
    expect(await letters(500)).toBe(0);
  });

  describe('that no worker has written yet', () => {
    let database: TestDatabase;
    let api: TestApp;
    let http: Http;
    const TENANT = 'ten_kept';
    const env = () => ({
      TENANTS: JSON.stringify([{ id: TENANT, name: 'Kept', api_keys: [{ name: 'kept', key: 'kept-key' }] }]),
      SMTP_URL: server.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    beforeEach(async () => {
      database = await createDatabase();
      api = await startApp({ ...env(), ROLE: 'api' }, { database });
      http = api.client('Bearer kept-key');
    });
    afterEach(async () => {
      await api.close();
      await database.drop();
    });

    it('are sent by the next process that works, unless the review has ended', async () => {
      const { email, members } = await makePerson(api, [TENANT]);
      await database.query('UPDATE members SET notify_reviews = true WHERE id = ANY ($1)', [members]);
      const kept = { id: TENANT, key: 'kept-key', http };
      const own = await createType(kept, [{ name: 'title', type: 'text' }]);
      const titles = ['Taken back', 'Published', 'Deleted', 'Asked again', 'Waiting'];
      const ids = await createEntries(
        kept,
        own,
        titles.map((title) => ({ fields: { title } })),
      );
      const [back, published, deleted, again] = ids.map((id) => `${own.entries}/${id}`);
      for (const id of ids) await ask(http, `${own.entries}/${id}`);
      await http.delete(`${back}/draft/review`).expect(200);
      await http.patch(`${published}`, { status: 'published' }).expect(200);
      await http.delete(`${deleted}`).expect(200);
      await ask(http, again);
      const worker = await startApp(env(), { database });
      expect(await letters(6, database, TENANT)).toBe(2);
      const mails = await server.until(email, 2);
      expect(mails.map((mail) => mail.header('Subject')).sort()).toEqual([
        'Review requested: Asked again',
        'Review requested: Waiting',
      ]);
      await worker.close();
    });
  });
});

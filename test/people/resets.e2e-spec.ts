import { startApp, type TestApp } from '../support/app.js';
import { lockingPerson, overtaken } from '../support/lock-waits.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { cookieOf, inSession, makePerson, signIn, type TestPerson } from '../support/people.js';

describe('a new password', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startApp({ SMTP_URL: server.url });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  const ask = (email: string) => app.client().post('/v1/password-resets', { email });
  /** The token of the person's email with this number. */
  async function tokenOf({ email }: TestPerson, number = 1): Promise<string> {
    const mails = await server.until(email, number);
    return /\/console\/reset#(tvr_[\w-]+)/.exec(mails[number - 1]?.text ?? '')?.[1] ?? '';
  }

  it('is chosen once with the link of the email, and ends all sessions', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const before = await signIn(app, person);
    await before.http.get(`/v1/usage/${tenant.id}`).expect(200);
    await ask(` ${person.email.toUpperCase()} `).expect(202);
    const token = await tokenOf(person);
    const path = `/v1/password-resets/${token}`;
    const { body: refused } = await app
      .client()
      .post(path, { password: `my ${person.email}` })
      .expect(422);
    expect(refused.errors).toMatchObject([{ path: 'password' }]);
    const password = 'four words of my own';
    const response = await app.client().post(path, { password }).expect(201);
    expect(response.body.data).toMatchObject({ user: { email: person.email }, tenants: [{ id: tenant.id }] });
    await inSession(app, cookieOf(response)).get('/v1/me').expect(200);
    await before.http.get(`/v1/usage/${tenant.id}`).expect(401);
    await app.client().post(path, { password }).expect(404);
    await signIn(app, { email: person.email, password });
  });

  it('is chosen by one of two who use the link at once, and older links end with it', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    await ask(person.email).expect(202);
    const older = await tokenOf(person);
    await ask(person.email).expect(202);
    const token = await tokenOf(person, 2);
    const choose = (password: string) => app.client().post(`/v1/password-resets/${token}`, { password });
    const answers = await Promise.all([choose('one of two passwords'), choose('two of two passwords')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    await app.client().post(`/v1/password-resets/${older}`, { password: 'another password' }).expect(404);
  });

  it('is sent three times an hour at most, to nobody else, and the answer is the same', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push((await ask(person.email).expect(202)).body);
    for (const email of ['nobody@example.com', 'not an address', '']) answers.push((await ask(email).expect(202)).body);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await server.until(person.email, 3);
    // The next one would have been sent before that of another person.
    const other = await makePerson(app, [app.tenant().id]);
    await ask(other.email).expect(202);
    await server.until(other.email, 1);
    expect(server.received(person.email)).toHaveLength(3);
    expect(server.received('nobody@example.com')).toHaveLength(0);
  });

  it('is asked for with the same answer however many requests wait', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const client = app.client(undefined, { 'X-Forwarded-For': '192.0.2.77' });
    const ask40 = async () => {
      await client.post('/v1/password-resets', { email: person.email });
      const floods = Array.from({ length: 40 }, () =>
        client.post('/v1/password-resets', { email: 'nobody@example.com' }),
      );
      return (await Promise.all(floods)).map(({ status }) => status);
    };
    // The first request waits for the person, and all others for the first.
    const statuses = await overtaken(app, lockingPerson(person.id), ask40, () => Promise.resolve());
    expect(new Set(statuses)).toEqual(new Set([202]));
  });

  it('is not chosen with a token of another kind, or an invented one', async () => {
    const { cookie } = await signIn(app, await makePerson(app, [app.tenant().id]));
    for (const token of ['x', `tvr_${'A'.repeat(49)}`, cookie.split('=')[1]]) {
      await app.client().post(`/v1/password-resets/${token}`, { password: 'four words of my own' }).expect(404);
    }
  });
});

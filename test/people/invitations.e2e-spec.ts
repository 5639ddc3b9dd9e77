import { startApp, type TestApp } from '../support/app.js';
import { cookieOf, freshEmail, inSession, invite, join, makePerson, signIn, tokenOf } from '../support/people.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';

describe('an invitation', () => {
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

  const path = ({ token }: { token: string }) => `/v1/invitations/${token}`;
  const PASSWORD = 'four unusual words of mine';

  it('is sent by email, names tenant and inviter, and leads into the tenant once', async () => {
    const tenant = app.tenant();
    const inviter = await join(app, tenant, { role: 'owner', name: 'Grace Hopper' });
    const email = freshEmail();
    await inviter.http.post(`/v1/users/${tenant.id}`, { email, role: 'editor', name: 'Ada' }).expect(201);
    const [mail] = await server.until(email, 1);
    expect(mail?.header('Subject')).toContain('Grace Hopper invites you to Tenant');
    const link = /http\S+\/console\/invitation#(tvi_[\w-]{49})/.exec(mail?.text ?? '');
    const token = link?.[1] ?? '';
    const shown = await app.client().get(path({ token })).expect(200);
    expect(shown.body.data).toEqual({
      tenant: { id: tenant.id, name: expect.stringMatching(/^Tenant/) },
      email,
      name: 'Ada',
    });
    expect(shown.headers['cache-control']).toBe('no-store');
    const accepted = await app.client().post(path({ token }), { name: 'Ada Lovelace', password: PASSWORD }).expect(201);
    expect(accepted.body.data).toMatchObject({
      user: { name: 'Ada Lovelace', email },
      tenants: [{ id: tenant.id, role: 'editor' }],
    });
    await inSession(app, cookieOf(accepted)).get(`/v1/content/${tenant.id}/types`).expect(200);
    await app.client().get(path({ token })).expect(404);
    await app.client().post(path({ token }), { name: 'Ada', password: PASSWORD }).expect(404);
    await signIn(app, { email, password: PASSWORD });
  });

  it('of an unknown, expired or other token is 404', async () => {
    const invitation = await invite(app, app.tenant());
    await app.client().get('/v1/invitations/nope').expect(404);
    await app
      .client()
      .get(`/v1/invitations/${'x'.repeat(3000)}`)
      .expect(404);
    await app.client().post('/v1/invitations/tvi_x', { name: 'x', password: PASSWORD }).expect(404);
    await app.database.query(`UPDATE one_time_tokens SET purpose = 'reset'`);
    await app.client().get(path(invitation)).expect(404);
    await app.database.query(`UPDATE one_time_tokens SET purpose = 'invitation', expires_at = now()`);
    await app.client().get(path(invitation)).expect(404);
    await app.client().post(path(invitation), { name: 'Ada', password: PASSWORD }).expect(404);
  });

  it('is replaced when it is sent again', async () => {
    const tenant = app.tenant();
    const invitation = await invite(app, tenant);
    // A letter that has not been sent yet is canceled by the next one.
    await server.until(invitation.email, 1);
    await tenant.http.post(`/v1/users/${tenant.id}/${invitation.id}/invite`).expect(202);
    await app.client().get(path(invitation)).expect(404);
    await server.until(invitation.email, 2);
    const token = await tokenOf(app, tenant.id, invitation.id);
    await app.client().post(path({ token }), { name: 'Ada', password: PASSWORD }).expect(201);
    await tenant.http.post(`/v1/users/${tenant.id}/${invitation.id}/invite`).expect(409);
  });

  it('is not sent a fourth time within an hour', async () => {
    const tenant = app.tenant();
    const { id, email } = await invite(app, tenant);
    const again = `/v1/users/${tenant.id}/${id}/invite`;
    await tenant.http.post(again).expect(202);
    await tenant.http.delete(`/v1/users/${tenant.id}/${id}`).expect(200);
    const second = await invite(app, tenant, { email });
    const refused = await tenant.http.post(`/v1/users/${tenant.id}/${second.id}/invite`).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('ends when it is taken back', async () => {
    const tenant = app.tenant();
    const invitation = await invite(app, tenant);
    await tenant.http.delete(`/v1/users/${tenant.id}/${invitation.id}`).expect(200);
    await app.client().get(path(invitation)).expect(404);
    await app.client().post(path(invitation), { name: 'Ada', password: PASSWORD }).expect(404);
    const rows = await app.database.query('SELECT FROM people WHERE address = $1', [invitation.email]);
    expect(rows).toEqual([]);
  });

  it('is not used up by a body or a password that is refused', async () => {
    const invitation = await invite(app, app.tenant());
    const { email } = invitation;
    for (const body of [
      undefined,
      { name: 'Ada Lovelace' },
      { password: PASSWORD },
      { name: '', password: PASSWORD },
      { name: 'Ada Lovelace', password: 'short' },
      { name: 'Ada Lovelace', password: 'password1' },
      { name: 'Ada Lovelace', password: `my ${email} word` },
      { name: 'Ada Lovelace', password: 'adalovelace99' },
      { name: 'Ada Lovelace', password: PASSWORD, role: 'owner' },
    ]) {
      await app.client().post(path(invitation), body).expect(422);
    }
    await app.client().post(path(invitation), { name: 'Ada Lovelace', password: PASSWORD }).expect(201);
  });

  it('is refused from a page of another origin', async () => {
    const invitation = await invite(app, app.tenant());
    const elsewhere = app.client(undefined, { Origin: 'https://evil.example' });
    await elsewhere.post(path(invitation), { name: 'Ada', password: PASSWORD }).expect(403);
    const crossSite = app.client(undefined, { 'Sec-Fetch-Site': 'cross-site' });
    await crossSite.post(path(invitation), { name: 'Ada', password: PASSWORD }).expect(403);
  });

  it('for an address that belongs to somebody is accepted only in their session', async () => {
    const [home, tenant] = [app.tenant(), app.tenant()];
    const person = await makePerson(app, [home.id], 'viewer');
    const other = await join(app, home);
    const invitation = await invite(app, tenant, { email: person.email.toUpperCase(), role: 'editor', name: 'Theirs' });
    const shown = await app.client().get(path(invitation)).expect(200);
    expect(shown.body.data).toMatchObject({ email: person.email.toUpperCase(), name: 'Theirs', sign_in: true });
    await app.client().post(path(invitation), { name: 'Eve', password: PASSWORD }).expect(409);
    await app.client().post(path(invitation)).expect(401);
    await other.http.post(path(invitation)).expect(403);
    const key = await signIn(app, { key: tenant.key });
    await key.http.post(path(invitation)).expect(403);
    const { http, cookie } = await signIn(app, { email: person.email, password: person.password });
    await http.post(path(invitation), { name: 'Eve', password: PASSWORD }).expect(409);
    await app.client(undefined, { Cookie: cookie }).post(path(invitation)).expect(401);
    await inSession(app, cookie, { Origin: 'https://evil.example' }).post(path(invitation)).expect(403);
    await http.get(`/v1/content/${tenant.id}/types`).expect(403);
    const accepted = await http.post(path(invitation), {}).expect(201);
    expect((accepted.body.data.tenants as { id: string; role: string }[]).map(({ id, role }) => [id, role])).toEqual([
      [home.id, 'viewer'],
      [tenant.id, 'editor'],
    ]);
    // The name is that of the person, and the session from before enters the tenant too.
    await http.get(`/v1/content/${tenant.id}/types`).expect(200);
    const { body } = await tenant.http.get(`/v1/users/${tenant.id}/${invitation.id}`).expect(200);
    expect(body.data).toMatchObject({ name: 'Ada', state: 'active', role: 'editor' });
    await http.post(path(invitation)).expect(404);
    await signIn(app, { email: person.email, password: person.password });
  });

  it('is accepted once by two at the same time', async () => {
    const tenant = app.tenant();
    for (let round = 0; round < 5; round++) {
      const invitation = await invite(app, tenant);
      const statuses = await Promise.all(
        [1, 2, 3].map(async (one) => {
          const body = { name: `Ada ${one}`, password: PASSWORD };
          return (await app.client().post(path(invitation), body)).status;
        }),
      );
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 404 || status === 409)).toHaveLength(2);
    }
    const rows = await app.database.query('SELECT FROM people WHERE $1 = ANY (tenants)', [tenant.id]);
    expect(rows).toHaveLength(5);
  });

  it('is accepted once by two sessions of the person at the same time', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [app.tenant().id]);
    const invitation = await invite(app, tenant, { email: person.email });
    const sessions = await Promise.all(
      [1, 2].map(() => signIn(app, { email: person.email, password: person.password })),
    );
    const answers = await Promise.all(sessions.map(({ http }) => http.post(path(invitation))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    const [row] = await app.database.query<{ tenants: string[] }>('SELECT tenants FROM people WHERE id = $1', [
      person.id,
    ]);
    expect(row?.tenants).toHaveLength(2);
  });
});

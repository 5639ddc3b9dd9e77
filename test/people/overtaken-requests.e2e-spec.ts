import { PublicUrl } from '../../src/http/public-url.js';
import { Database } from '../../src/database/database.js';
import { newUuid } from '../../src/ids/type-id.js';
import { issueToken } from '../../src/people/one-time-tokens.js';
import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { lockingAccess, lockingPerson, overtaken } from '../support/lock-waits.js';
import { freshEmail, makePerson, signIn, type TestPerson } from '../support/people.js';
import { VirtualAuthenticator } from '../support/virtual-authenticator.js';

const PASSWORD = 'four unusual words of mine';

describe('a request that something else overtakes', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function signedIn(role = 'owner') {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id], role);
    return { tenant, person, ...(await signIn(app, person)) };
  }
  async function newPasskey(http: Http) {
    const one = new VirtualAuthenticator(app.get(PublicUrl).console, false);
    const { body } = await http.post('/v1/me/passkeys/options').expect(200);
    return { one, passkey: one.create((body as { data: Parameters<typeof one.create>[0] }).data) };
  }
  async function assertion(one: VirtualAuthenticator) {
    const { body } = await app.client().post('/v1/sessions/options').expect(200);
    return one.get((body as { data: Parameters<typeof one.get>[0] }).data);
  }
  const endSessions =
    ({ id }: TestPerson) =>
    (run: (text: string, values: unknown[]) => Promise<unknown>) =>
      run('DELETE FROM sessions WHERE person_id = $1', [id]);
  /** Makes the person a member of another tenant, as the acceptance of an invitation does. */
  const joining =
    ({ id, email }: TestPerson, tenant: TestTenant) =>
    async (run: (text: string, values: unknown[]) => Promise<unknown>) => {
      await run('UPDATE people SET tenants = tenants || $2::text WHERE id = $1', [id, tenant.id]);
      await run(
        `INSERT INTO members (tenant_id, id, person_id, address, email, name, role_id, notify_reviews, joined_at)
          VALUES ($1, $2, $3, $4, $4, 'Ada', '00000000-0000-8000-8000-000000000005', false, now())`,
        [tenant.id, newUuid(), id, email],
      );
    };
  async function passwordOf({ id }: TestPerson) {
    const [row] = await app.database.query<{ password: string }>('SELECT password FROM people WHERE id = $1', [id]);
    return row?.password;
  }
  const sessionsOf = ({ id }: TestPerson) => app.database.query('SELECT FROM sessions WHERE person_id = $1', [id]);

  it('begins no session with a password that was changed', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const { status } = await overtaken(
      app,
      lockingPerson(person.id),
      () => app.client().post('/v1/sessions', { email: person.email, password: person.password }),
      (run) => run(`UPDATE people SET password = 'another hash' WHERE id = $1`, [person.id]),
    );
    expect(status).toBe(401);
    expect(await sessionsOf(person)).toEqual([]);
  });

  it('begins no session of somebody who was erased', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const { status } = await overtaken(
      app,
      lockingPerson(person.id),
      () => app.client().post('/v1/sessions', { email: person.email, password: person.password }),
      (run) => run('DELETE FROM people WHERE id = $1', [person.id]),
    );
    expect(status).toBe(403);
  });

  it('begins no session with a passkey that was deleted', async () => {
    const { http, person } = await signedIn();
    const { one, passkey } = await newPasskey(http);
    await http.post('/v1/me/passkeys', { passkey }).expect(201);
    const before = (await sessionsOf(person)).length;
    const answer = await assertion(one);
    const { status } = await overtaken(
      app,
      lockingPerson(person.id),
      () => app.client().post('/v1/sessions', { passkey: answer }),
      (run) => run('DELETE FROM passkeys WHERE person_id = $1', [person.id]),
    );
    expect(status).toBe(401);
    expect(await sessionsOf(person)).toHaveLength(before);
  });

  it('changes neither password nor name in a session that has ended', async () => {
    const { http, person } = await signedIn();
    const before = await passwordOf(person);
    const change = { password: PASSWORD, current_password: person.password };
    const { status } = await overtaken(
      app,
      lockingPerson(person.id),
      () => http.patch('/v1/me', change),
      endSessions(person),
    );
    expect(status).toBe(401);
    expect(await passwordOf(person)).toBe(before);
    const again = await signIn(app, person);
    const renamed = await overtaken(
      app,
      lockingPerson(person.id),
      () => again.http.patch('/v1/me', { name: 'Grace' }),
      endSessions(person),
    );
    expect(renamed.status).toBe(401);
  });

  it('sets no password if the one that it names was changed', async () => {
    const { http, person } = await signedIn();
    const { status, body } = await overtaken(
      app,
      lockingPerson(person.id),
      () => http.patch('/v1/me', { password: PASSWORD, current_password: person.password }),
      (run) => run(`UPDATE people SET password = 'another hash' WHERE id = $1`, [person.id]),
    );
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: 'current_password' }]);
    expect(await passwordOf(person)).toBe('another hash');
  });

  it('ends sessions in a tenant that the person has joined meanwhile, too', async () => {
    const ends: [string, (http: Http, person: TestPerson) => PromiseLike<{ status: number }>][] = [
      ['signing out', (http) => http.delete('/v1/sessions/current')],
      [
        'another password',
        (http, { password }) => http.patch('/v1/me', { password: PASSWORD, current_password: password }),
      ],
    ];
    for (const [how, end] of ends) {
      const { http, person } = await signedIn();
      const joined = app.tenant();
      const { status } = await overtaken(
        app,
        lockingPerson(person.id),
        () => end(http, person),
        joining(person, joined),
      );
      // Every process forgets the sessions that entered the tenant, and asks for them again.
      const announced = await app.database.query('SELECT ended FROM access_versions WHERE tenant_id = $1', [joined.id]);
      expect([how, status, announced]).toEqual([how, 200, [{ ended: '1' }]]);
    }
  });

  it('changes the name in a tenant that the person has joined meanwhile', async () => {
    const { http, person } = await signedIn();
    const joined = app.tenant();
    const { status } = await overtaken(
      app,
      lockingPerson(person.id),
      () => http.patch('/v1/me', { name: 'Grace Hopper' }),
      joining(person, joined),
    );
    expect(status).toBe(200);
    const { body } = await joined.http.get(`/v1/users/${joined.id}`).expect(200);
    expect(body.data).toMatchObject([{ name: 'Grace Hopper' }]);
  });

  it('neither adds nor deletes a passkey in a session that has ended', async () => {
    const { http, person } = await signedIn();
    const { passkey } = await newPasskey(http);
    const added = await overtaken(
      app,
      lockingPerson(person.id),
      () => http.post('/v1/me/passkeys', { passkey }),
      endSessions(person),
    );
    expect(added.status).toBe(401);
    const { http: again } = await signIn(app, person);
    const other = await newPasskey(again);
    const { body } = await again.post('/v1/me/passkeys', { passkey: other.passkey }).expect(201);
    const deleted = await overtaken(
      app,
      lockingPerson(person.id),
      () => again.delete(`/v1/me/passkeys/${(body as { data: { id: string } }).data.id}`),
      endSessions(person),
    );
    expect(deleted.status).toBe(401);
    expect(await app.database.query('SELECT FROM passkeys WHERE person_id = $1', [person.id])).toHaveLength(1);
  });

  it('invites nobody with more than the role of the maker of its key allows since', async () => {
    const { tenant, http, person } = await signedIn();
    const { body } = await http.post(`/v1/keys/${tenant.id}`, { name: 'Mine', scopes: ['*'] }).expect(201);
    const key = app.client(`Bearer ${(body as { data: { key: string } }).data.key}`);
    const users = `/v1/users/${tenant.id}`;
    const sends: [string, () => PromiseLike<{ status: number }>][] = [
      ['an invitation', () => key.post(users, { email: freshEmail(), role: 'owner' })],
      ['a role', () => key.post(`/v1/roles/${tenant.id}`, { name: 'boss', scopes: ['*'] })],
    ];
    for (const [what, send] of sends) {
      await key.get(users).expect(200);
      const { status } = await overtaken(app, lockingAccess(tenant.id), send, (run) =>
        run(`UPDATE members SET role_id = '00000000-0000-8000-8000-000000000005' WHERE person_id = $1`, [person.id]),
      );
      expect([what, status]).toEqual([what, 403]);
      await makeOwner(tenant, person);
    }
  });

  async function makeOwner({ id }: TestTenant, person: TestPerson): Promise<void> {
    await app.database.query(
      `UPDATE members SET role_id = '00000000-0000-8000-8000-000000000001' WHERE person_id = $1`,
      [person.id],
    );
    await lockingAccess(id)((text, values) => app.database.query(text, values));
  }

  it('that stores a passkey locks no tokens while it waits for the tenant', async () => {
    const { tenant, http } = await signedIn();
    const database = app.get(Database);
    await issueToken(database, { purpose: 'invitation', subject: `${tenant.id} usr_x`, seconds: -60 });
    const { passkey } = await newPasskey(http);
    const { status } = await overtaken(
      app,
      lockingAccess(tenant.id),
      () => http.post('/v1/me/passkeys', { passkey }),
      (run) => run('SELECT FROM one_time_tokens WHERE subject = $1 FOR UPDATE NOWAIT', [`${tenant.id} usr_x`]),
    );
    expect(status).toBe(201);
  });

  it('with the link of a password reset comes too late after a change of the password', async () => {
    const { http, person } = await signedIn();
    const token = await issueToken(app.get(Database), { purpose: 'reset', subject: person.id, seconds: 3_600 });
    await http.patch('/v1/me', { password: PASSWORD, current_password: person.password }).expect(200);
    await app.client().post(`/v1/password-resets/${token}`, { password: 'another password' }).expect(404);
  });

  it('in the oldest of fifty sessions is refused after another one has begun', async () => {
    const { tenant, http, person } = await signedIn();
    await http.get(`/v1/usage/${tenant.id}`).expect(200);
    await app.database.query(
      `INSERT INTO sessions (id, hash, person_id, browser, last_seen_at)
        SELECT id, decode(replace(id::text, '-', ''), 'hex'), $2, 'Firefox', now() FROM unnest($1::uuid[]) AS u (id)`,
      [Array.from({ length: 49 }, () => newUuid()), person.id],
    );
    await http.get(`/v1/usage/${tenant.id}`).expect(200);
    await signIn(app, person);
    await http.get(`/v1/usage/${tenant.id}`).expect(401);
    expect(await sessionsOf(person)).toHaveLength(50);
  });
});

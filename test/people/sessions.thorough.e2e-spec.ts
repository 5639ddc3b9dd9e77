import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { type Http, startApp, type TestApp } from '../support/app.js';
import { hashOfSecret, newSecretText } from '../../src/access/secrets/secret-text.js';
import { Database } from '../../src/database/database.js';
import { firstUuidOf } from '../../src/ids/type-id.js';
import { cookieOf, inSession, makePerson, signIn } from '../support/people.js';
import { until } from '../support/until.js';

describe('sessions', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('of an API key act as the key does, until they are signed out', async () => {
    const tenant = app.tenant();
    const response = await app.client().post('/v1/sessions', { key: tenant.key }).expect(201);
    expect(response.body).toMatchObject({
      data: { key: { name: 'test' }, tenants: [{ id: tenant.id, role: 'owner', scopes: ['*'] }] },
    });
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^trivet=tvs_[\w-]{49}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/),
    ]);
    const http = inSession(app, cookieOf(response));
    await http.get(`/v1/content/${tenant.id}/types`).expect(200);
    await http
      .post(`/v1/content/${tenant.id}/types`, { name: 'Post', fields: [{ name: 'title', type: 'text' }] })
      .expect(201);
    const { body: current } = await http.get('/v1/sessions/current').expect(200);
    expect(current.data).toEqual({ ...response.body.data, expires_at: expect.any(String) });
    const { headers } = await http.delete('/v1/sessions/current').expect(200);
    expect(headers['set-cookie']).toEqual(['trivet=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict']);
    await http.get(`/v1/content/${tenant.id}/types`).expect(401);
    await http.get('/v1/sessions/current').expect(401);
  });

  it('of a person enter the tenants of the memberships, with the scopes of the role there', async () => {
    const [own, other, third] = [app.tenant(), app.tenant(), app.tenant()];
    const person = await makePerson(app, [own.id, other.id], 'viewer');
    const { http } = await signIn(app, { email: person.email.toUpperCase(), password: person.password });
    const { body } = await http.get('/v1/sessions/current').expect(200);
    expect(body.data).toMatchObject({
      user: { id: expect.stringMatching(/^usr_/), name: 'Ada', email: person.email },
      tenants: [
        { id: own.id, role: 'viewer', scopes: ['read'] },
        { id: other.id, role: 'viewer', scopes: ['read'] },
      ],
    });
    for (const { id } of [own, other]) {
      await http.get(`/v1/content/${id}/types`).expect(200);
      await http.post(`/v1/content/${id}/types`, { name: 'Post', fields: [] }).expect(403);
    }
    await http.get(`/v1/content/${third.id}/types`).expect(403);
    await http.get('/v1/content/ten_none/types').expect(403);
  });

  it('show when the person was last seen in each tenant, also within the same minute', async () => {
    const tenants = [app.tenant(), app.tenant()];
    const person = await makePerson(
      app,
      tenants.map(({ id }) => id),
    );
    const { http } = await signIn(app, person);
    for (const { id } of tenants) await http.get(`/v1/usage/${id}`).expect(200);
    const seenIn = async ({ id, http: by }: (typeof tenants)[number]) =>
      (await by.get(`/v1/users/${id}`).expect(200)).body.data[0].last_seen_at as string | null;
    for (const tenant of tenants) await until(async () => (await seenIn(tenant)) !== null);
  });

  it('of a person are in the log with the ID of the member, and without the name', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const { http } = await signIn(app, person);
    const { body } = await http.get('/v1/me').expect(200);
    const lines = jest.spyOn(Logger.prototype, 'log');
    await http.get(`/v1/content/${tenant.id}/types/none`).expect(404);
    const own = () => lines.mock.calls.find(([line]) => (line as { tenant_id?: string }).tenant_id === tenant.id);
    const [line] = await until(() => Promise.resolve(own()));
    lines.mockRestore();
    expect(line).toMatchObject({ user_id: body.data.user.id, status: 404 });
    expect(JSON.stringify(line)).not.toContain('Ada');
  });

  it('go on with requests that concern no tenant', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const { http } = await signIn(app, person);
    const age = `UPDATE sessions SET last_seen_at = now() - interval '11 hours' WHERE person_id = $1`;
    const lastSeen = async () => {
      const text = 'SELECT last_seen_at > now() - interval \'2 minutes\' AS "isNew" FROM sessions WHERE person_id = $1';
      return (await app.database.query<{ isNew: boolean }>(text, [person.id]))[0]?.isNew;
    };
    await app.database.query(age, [person.id]);
    const { body } = await http.get('/v1/sessions/current').expect(200);
    expect(Date.parse(body.data.expires_at as string)).toBeGreaterThan(Date.now());
    await until(async () => (await lastSeen()) === true);
  });

  it.each([
    ['12 hours after its last request', `last_seen_at = now() - interval '12 hours 1 second'`],
    [
      '30 days after it began, although it is used',
      `id = '${firstUuidOf(new Date(Date.now() - (30 * 86_400 + 5) * 1_000))}'`,
    ],
  ])('of a person end %s', async (_when, change) => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const { http } = await signIn(app, person);
    await app.database.query(`UPDATE sessions SET ${change} WHERE person_id = $1`, [person.id]);
    await http.get('/v1/sessions/current').expect(401);
    await http.get(`/v1/usage/${tenant.id}`).expect(401);
  });

  it('of somebody without a tenant that there is do not begin, without a hint', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    await app.database.query(`UPDATE people SET tenants = '{ten_gone}' WHERE id = $1`, [person.id]);
    const { email, password } = person;
    const refused = await app.client().post('/v1/sessions', { email, password }).expect(403);
    expect(refused.body.detail).toBe('You cannot sign in here.');
    expect(refused.headers['set-cookie']).toBeUndefined();
    await app.client().post('/v1/sessions', { email, password: 'wrong horse' }).expect(401);
  });

  it('have a token of their own, whatever cookie the browser had before', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const planted = `trivet=${newSecretText('tvs_')}`;
    const response = await inSession(app, planted)
      .post('/v1/sessions', { email: person.email, password: person.password })
      .expect(201);
    expect(cookieOf(response)).not.toBe(planted);
    await inSession(app, planted).get('/v1/sessions/current').expect(401);
    const { cookie } = await signIn(app, person);
    expect(cookie).not.toBe(cookieOf(response));
  });

  it('take no query in a request once the process knows them', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const { http } = await signIn(app, { email: person.email, password: person.password });
    await http.get(`/v1/content/${tenant.id}/types`).expect(200);
    const statements = jest.spyOn(Pool.prototype, 'connect');
    // Workers send statements of their own, which only add to a count: the least of several is the request's.
    const countOf = async (client: Http) => {
      const counts: number[] = [];
      for (let request = 0; request < 10; request += 1) {
        statements.mockClear();
        await client.get(`/v1/usage/${tenant.id}`).expect(200);
        counts.push(statements.mock.calls.length);
      }
      return Math.min(...counts);
    };
    const ofKey = await countOf(tenant.http);
    expect(await countOf(http)).toBe(ofKey);
    const { http: inKeySession } = await signIn(app, { key: tenant.key });
    await inKeySession.get(`/v1/content/${tenant.id}/types`).expect(200);
    expect(await countOf(inKeySession)).toBe(ofKey);
    statements.mockRestore();
  });

  it('begin for nobody with a wrong password, and tell nothing about the account', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const visitor = app.client(undefined, { 'X-Forwarded-For': '198.51.100.7' });
    const wrong = await visitor.post('/v1/sessions', { email: person.email, password: 'wrong horse' }).expect(401);
    const nobody = await visitor
      .post('/v1/sessions', { email: 'nobody@example.com', password: 'wrong horse' })
      .expect(401);
    expect(wrong.body.detail).toBe('The email address or the password is wrong.');
    expect({ ...nobody.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
  });

  it('that somebody invents are looked up a few at once, and delay no sign-in elsewhere', async () => {
    const tenant = app.tenant();
    const { cookie } = await signIn(app, { key: tenant.key });
    const database = app.get(Database);
    const query = database.withoutTenants.bind(database);
    let started = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const spy = jest.spyOn(database, 'withoutTenants').mockImplementation(async (statement, parameters) => {
      if (statement.name !== 'sessions.find') return query(statement, parameters);
      const { hash } = parameters as { hash: string };
      if (!invented.has(hash)) return query(statement, parameters);
      started++;
      await held;
      return query(statement, parameters);
    });
    const tokens = Array.from({ length: 12 }, () => newSecretText('tvs_'));
    const invented = new Set(tokens.map(hashOfSecret));
    const from = { 'X-Forwarded-For': '198.51.100.33' };
    const attacks = tokens.map((token) => inSession(app, `trivet=${token}`, from).get(`/v1/usage/${tenant.id}`));
    const answers = Promise.all(attacks.map(async (attack) => (await attack).status));
    await until(() => Promise.resolve(started > 0));
    await inSession(app, cookie, { 'X-Forwarded-For': '198.51.100.34' }).get(`/v1/usage/${tenant.id}`).expect(200);
    expect(started).toBeLessThan(4);
    release();
    expect(new Set(await answers)).toEqual(new Set([401]));
    spy.mockRestore();
  });
});

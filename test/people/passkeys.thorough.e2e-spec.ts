import { PublicUrl } from '../../src/http/public-url.js';
import { type Http, startApp, type TestApp } from '../support/app.js';
import { cookieOf, inSession, invite, join, makePerson, signIn } from '../support/people.js';
import { VirtualAuthenticator } from '../support/virtual-authenticator.js';

type Options = Parameters<VirtualAuthenticator['create']>[0] & Parameters<VirtualAuthenticator['get']>[0];

describe('passkeys', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const authenticator = (counts = false) => new VirtualAuthenticator(app.get(PublicUrl).console, counts);
  async function optionsOf(http: Http, path: string): Promise<Options> {
    const { body, headers } = await http.post(path).expect(200);
    expect(headers['cache-control']).toBe('no-store');
    return (body as { data: Options }).data;
  }
  async function add(http: Http, one = authenticator()): Promise<{ one: VirtualAuthenticator; id: string }> {
    const passkey = one.create(await optionsOf(http, '/v1/me/passkeys/options'));
    const { body } = await http.post('/v1/me/passkeys', { passkey }).expect(201);
    return { one, id: (body as { data: { id: string } }).data.id };
  }
  /** Each test has an address of its own, because failures count by address. */
  const visitor = (last: number) => app.client(undefined, { 'X-Forwarded-For': `192.0.2.${last}` });
  const assertion = async (one: VirtualAuthenticator, change = {}) =>
    one.get(await optionsOf(app.client(), '/v1/sessions/options'), change);
  async function personIn(tenantId: string) {
    const person = await makePerson(app, [tenantId]);
    return { person, ...(await signIn(app, person)) };
  }

  it('are offered at a domain, and sign in by themselves', async () => {
    const { body } = await app.client().get('/v1/sessions/methods').expect(200);
    expect(body.data).toEqual({ password: true, passkeys: true, oidc: [] });
    const tenant = app.tenant();
    const { person, http } = await personIn(tenant.id);
    const { one, id } = await add(http);
    const response = await visitor(1)
      .post('/v1/sessions', { passkey: await assertion(one) })
      .expect(201);
    expect(response.body.data).toMatchObject({ user: { email: person.email }, tenants: [{ id: tenant.id }] });
    const session = inSession(app, cookieOf(response));
    await session.get(`/v1/usage/${tenant.id}`).expect(200);
    const { body: list } = await session.get('/v1/me/passkeys').expect(200);
    expect(list.data).toEqual([
      { id, name: 'Unknown', created_at: expect.any(String), last_used_at: expect.stringMatching(/Z$/) },
    ]);
  });

  it('have the name that is sent, or that of the browser', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const { http } = await signIn(app, person, { 'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/132.0' });
    await add(http);
    const passkey = authenticator().create(await optionsOf(http, '/v1/me/passkeys/options'));
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101), 5]) {
      await http.post('/v1/me/passkeys', { passkey, name }).expect(422);
    }
    await http.post('/v1/me/passkeys', { passkey, name: ' Key ring ' }).expect(201);
    const { body } = await http.get('/v1/me/passkeys').expect(200);
    expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual(['Key ring', 'Firefox on Linux']);
  });

  it('end the other sessions of the person when there is a new one', async () => {
    const tenant = app.tenant();
    const { person, http } = await personIn(tenant.id);
    const elsewhere = await signIn(app, person);
    await elsewhere.http.get(`/v1/usage/${tenant.id}`).expect(200);
    await add(http);
    await http.get(`/v1/usage/${tenant.id}`).expect(200);
    await elsewhere.http.get(`/v1/usage/${tenant.id}`).expect(401);
  });

  it('that are unknown or answer wrongly are the same 401', async () => {
    const { http } = await personIn(app.tenant().id);
    const { one } = await add(http);
    const stranger = authenticator();
    stranger.create(await optionsOf(http, '/v1/me/passkeys/options'));
    const answers = [
      await assertion(stranger),
      await assertion(one, { origin: 'https://evil.example' }),
      await assertion(one, { rpId: 'evil.example' }),
      await assertion(one, { crossOrigin: true }),
      await assertion(one, { flags: 0x01 }),
      await assertion(one, { signer: stranger }),
      await assertion(one, { challenge: Buffer.alloc(54).toString('base64url') }),
      await assertion(one, { userHandle: Buffer.alloc(16).toString('base64url') }),
      await assertion(one, { challenge: (await optionsOf(http, '/v1/me/passkeys/options')).challenge }),
    ];
    const client = visitor(2);
    const bodies = [];
    for (const passkey of answers) {
      const { body, headers } = await client.post('/v1/sessions', { passkey }).expect(401);
      expect(headers['set-cookie']).toBeUndefined();
      bodies.push({ ...body, request_id: '' });
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    await client.post('/v1/sessions', { passkey: { id: 'x' } }).expect(422);
    await client.post('/v1/sessions', { passkey: await assertion(one), key: 'x' }).expect(422);
    await client.post('/v1/sessions', { passkey: await assertion(one) }).expect(201);
  });

  it('that fail too often are 429 for the address, and a valid one still enters', async () => {
    const { http } = await personIn(app.tenant().id);
    const { one } = await add(http);
    const passkey = await assertion(authenticator(), { userHandle: Buffer.alloc(16).toString('base64url') });
    const client = visitor(3);
    for (let count = 0; count < 20; count++) await client.post('/v1/sessions', { passkey }).expect(401);
    await client.post('/v1/sessions', { passkey }).expect(429);
    await client.post('/v1/sessions', { passkey: await assertion(one) }).expect(201);
  });

  it('answer a challenge once, also at the same time', async () => {
    const { http } = await personIn(app.tenant().id);
    const { one } = await add(http);
    for (let round = 0; round < 3; round++) {
      const passkey = await assertion(one);
      const answers = await Promise.all([1, 2, 3].map(() => visitor(4).post('/v1/sessions', { passkey })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    }
    const created = authenticator().create(await optionsOf(http, '/v1/me/passkeys/options'));
    const both = await Promise.all([1, 2].map(() => http.post('/v1/me/passkeys', { passkey: created })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('whose challenge made another passkey are 422', async () => {
    const { http } = await personIn(app.tenant().id);
    const options = await optionsOf(http, '/v1/me/passkeys/options');
    await http.post('/v1/me/passkeys', { passkey: authenticator().create(options) }).expect(201);
    await http.post('/v1/me/passkeys', { passkey: authenticator().create(options) }).expect(422);
    const { body } = await http.get('/v1/me/passkeys').expect(200);
    expect(body.data).toHaveLength(1);
  });

  it('whose counter does not grow are copies, and refused', async () => {
    const { http } = await personIn(app.tenant().id);
    const { one } = await add(http, authenticator(true));
    const enter = async (counter: number) =>
      (await visitor(5).post('/v1/sessions', { passkey: await assertion(one, { counter }) })).status;
    expect([await enter(5), await enter(5), await enter(4), await enter(6)]).toEqual([201, 401, 401, 201]);
  });

  it('of one person are not added by another, nor twice', async () => {
    const tenant = app.tenant();
    const [ada, eve] = [await personIn(tenant.id), await personIn(tenant.id)];
    const one = authenticator();
    const passkey = one.create(await optionsOf(ada.http, '/v1/me/passkeys/options'));
    await eve.http.post('/v1/me/passkeys', { passkey }).expect(422);
    await ada.http.post('/v1/me/passkeys', { passkey }).expect(201);
    const again = one.create(await optionsOf(eve.http, '/v1/me/passkeys/options'));
    await eve.http.post('/v1/me/passkeys', { passkey: again }).expect(409);
    await app.client().post('/v1/me/passkeys/options').expect(401);
    await inSession(app, ada.cookie, { Origin: 'https://evil.example' }).post('/v1/me/passkeys/options').expect(403);
    const key = await signIn(app, { key: tenant.key });
    await key.http.get('/v1/me/passkeys').expect(403);
  });

  it('are at most twenty for a person, also when two are added at the same time', async () => {
    const { person, http } = await personIn(app.tenant().id);
    await app.database.query(
      `INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
        SELECT gen_random_uuid(), $1::uuid, $1::text || n, '', 0, '{}', 'Old' FROM generate_series(1, 19) n`,
      [person.id],
    );
    const created = [1, 2].map(async () => authenticator().create(await optionsOf(http, '/v1/me/passkeys/options')));
    const passkeys = await Promise.all(created);
    const answers = await Promise.all(passkeys.map((passkey) => http.post('/v1/me/passkeys', { passkey })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await http.post('/v1/me/passkeys/options').expect(409);
  });

  it('are deleted, except for the last way of signing in', async () => {
    const tenant = app.tenant();
    const { person, http } = await personIn(tenant.id);
    const [first, second] = [await add(http), await add(http)];
    const { http: other } = await personIn(tenant.id);
    await other.delete(`/v1/me/passkeys/${first.id}`).expect(404);
    await http.delete('/v1/me/passkeys/psk_none').expect(404);
    await app.database.query('UPDATE people SET password = NULL WHERE id = $1', [person.id]);
    const both = await Promise.all([first, second].map(({ id }) => http.delete(`/v1/me/passkeys/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [left] = (await http.get('/v1/me/passkeys')).body.data as { id: string }[];
    await http.patch('/v1/me', { password: 'four unusual words' }).expect(200);
    await http.delete(`/v1/me/passkeys/${left?.id}`).expect(200);
    const gone = [first, second].find(({ id }) => id !== left?.id)!;
    await visitor(6)
      .post('/v1/sessions', { passkey: await assertion(gone.one) })
      .expect(401);
  });

  it('are taken in the place of a password by an invitation', async () => {
    const tenant = app.tenant();
    const { token, email } = await invite(app, tenant);
    const path = `/v1/invitations/${token}`;
    const one = authenticator();
    const options = await optionsOf(app.client(), `${path}/options`);
    const passkey = one.create(options);
    const elsewhere = await optionsOf(app.client(), `/v1/invitations/${(await invite(app, tenant)).token}/options`);
    for (const body of [
      { passkey },
      { name: 'Ada' },
      { name: 'Ada', passkey, password: 'four unusual words' },
      { name: 'Ada', passkey: {} },
      { name: 'Ada', passkey: authenticator().create(elsewhere) },
      { name: 'Ada', passkey, passkey_name: '' },
    ]) {
      await app.client().post(path, body).expect(422);
    }
    await app.client(undefined, { Origin: 'https://evil.example' }).post(`${path}/options`).expect(403);
    const body = { name: 'Ada', passkey, passkey_name: 'Phone' };
    const statuses = await Promise.all([1, 2, 3].map(async () => (await app.client().post(path, body)).status));
    expect(statuses.sort()).toEqual([201, 404, 404]);
    const response = await visitor(7)
      .post('/v1/sessions', { passkey: await assertion(one) })
      .expect(201);
    expect(response.body.data.user).toMatchObject({ name: 'Ada', email });
    const http = inSession(app, cookieOf(response));
    expect((await http.get('/v1/me/passkeys')).body.data).toMatchObject([{ name: 'Phone' }]);
    await app.client().post(`${path}/options`).expect(404);
  });

  it('are not made for an invitation of somebody who has an account', async () => {
    const tenant = app.tenant();
    const { email } = await join(app, tenant);
    const { token } = await invite(app, app.tenant(), { email });
    await app.client().post(`/v1/invitations/${token}/options`).expect(409);
  });
});

describe('passkeys at an IP address', () => {
  it('are not offered', async () => {
    const app = await startApp({ PUBLIC_URL: 'http://127.0.0.1:3000' });
    try {
      const { body } = await app.client().get('/v1/sessions/methods').expect(200);
      expect(body.data.passkeys).toBe(false);
      await app.client().post('/v1/sessions/options').expect(409);
      const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' };
      const passkey = { id: 'AA', rawId: 'AA', type: 'public-key', response };
      await app.client().post('/v1/sessions', { passkey }).expect(409);
      const person = await makePerson(app, [app.tenant().id]);
      const { cookie } = await signIn(app, person);
      const http = inSession(app, cookie, { Origin: 'http://127.0.0.1:3000' });
      await http.post('/v1/me/passkeys/options').expect(409);
    } finally {
      await app.close();
    }
  });
});

import { startApp, type TestApp } from '../support/app.js';
import { inSession, makePerson, signIn } from '../support/people.js';

describe('a person who is signed in', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('sees themselves, and changes the name in every tenant', async () => {
    const [own, other] = [app.tenant(), app.tenant()];
    const person = await makePerson(app, [own.id, other.id]);
    const { http } = await signIn(app, person);
    const { body } = await http.patch('/v1/me', { name: '  Ada Lovelace ' }).expect(200);
    expect(body.data.user.name).toBe('Ada Lovelace');
    expect((await http.get('/v1/me').expect(200)).body).toEqual(body);
    for (const { id } of [own, other]) {
      await http
        .post(`/v1/content/${id}/types`, { name: 'Post', fields: [{ name: 'title', type: 'text' }] })
        .expect(201);
      const { body: audit } = await http.get(`/v1/audit/${id}`).expect(200);
      expect(audit.data[0].actor).toEqual({ user_id: expect.stringMatching(/^usr_/), name: 'Ada Lovelace' });
    }
  });

  it('sees and chooses for each tenant whether they receive emails about reviews', async () => {
    const [own, other] = [app.tenant(), app.tenant()];
    const { http } = await signIn(app, await makePerson(app, [own.id, other.id]));
    const notices = ({ body }: { body: { data: { tenants: { notify_reviews?: boolean }[] } } }) =>
      body.data.tenants.map(({ notify_reviews }) => notify_reviews);
    expect(notices(await http.get('/v1/me').expect(200))).toEqual([false, false]);
    const change = { notify_reviews: { [other.id]: true } };
    expect(notices(await http.patch('/v1/me', change).expect(200))).toEqual([false, true]);
    expect(notices(await http.get('/v1/me').expect(200))).toEqual([false, true]);
    const { body: session } = await http.get('/v1/sessions/current').expect(200);
    expect(session.data.tenants).toHaveLength(2);
    expect(JSON.stringify(session)).not.toContain('notify_reviews');
  });

  it('is refused what is not valid, before anything is changed', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const { http } = await signIn(app, person);
    const change = {
      name: 'Grace',
      password: 'short',
      current_password: 'wrong horse',
      notify_reviews: { [app.tenant().id]: true },
    };
    const { body } = await http.patch('/v1/me', change).expect(422);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      expect.stringMatching(/^notify_reviews\.ten_/),
      'password',
      'current_password',
    ]);
    await http.patch('/v1/me', { notify_reviews: [] }).expect(422);
    await http.patch('/v1/me', { name: ' ' }).expect(422);
    await http.patch('/v1/me', { nickname: 'Ada' }).expect(422);
    expect((await http.get('/v1/me')).body.data.user.name).toBe('Ada');
  });

  it('chooses another password with the present one, which ends the other sessions', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const [here, elsewhere] = [await signIn(app, person), await signIn(app, person)];
    await elsewhere.http.get(`/v1/usage/${tenant.id}`).expect(200);
    const password = 'correct battery staple';
    const { body } = await here.http.patch('/v1/me', { password }).expect(422);
    expect(body.errors).toMatchObject([{ path: 'current_password', code: 'required' }]);
    await here.http.patch('/v1/me', { password, current_password: person.password }).expect(200);
    await here.http.get(`/v1/usage/${tenant.id}`).expect(200);
    await elsewhere.http.get(`/v1/usage/${tenant.id}`).expect(401);
    await app.client().post('/v1/sessions', { email: person.email, password: person.password }).expect(401);
    await signIn(app, { email: person.email, password });
  });

  it('sees where they are signed in, and signs out elsewhere', async () => {
    const person = await makePerson(app, [app.tenant().id]);
    const { cookie, http } = await signIn(app, person, { 'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/132.0' });
    const elsewhere = await signIn(app, person);
    const { body } = await http.get('/v1/me/sessions').expect(200);
    expect(body.data).toEqual([
      expect.objectContaining({ current: false }),
      {
        id: expect.stringMatching(/^ses_/),
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        browser: 'Firefox on Linux',
        current: true,
      },
    ]);
    await http.delete(`/v1/me/sessions/${body.data[0].id}`).expect(200);
    await elsewhere.http.get('/v1/me').expect(401);
    await inSession(app, cookie).get('/v1/me').expect(200);
    await http.delete(`/v1/me/sessions/${body.data[0].id}`).expect(404);
    const other = await signIn(app, await makePerson(app, [app.tenant().id]));
    await other.http.delete(`/v1/me/sessions/${body.data[1].id}`).expect(404);
  });

  it('is not kept by caches', async () => {
    const { http } = await signIn(app, await makePerson(app, [app.tenant().id]));
    for (const path of ['/v1/me', '/v1/me/sessions', '/v1/me/passkeys', '/v1/sessions/current']) {
      const { headers } = await http.get(path).expect(200);
      expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
    }
    const { headers } = await http.patch('/v1/me', { name: 'Ada' }).expect(200);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('names at most 1,000 tenants at once', async () => {
    const { http } = await signIn(app, await makePerson(app, [app.tenant().id]));
    const notices = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`ten_x${index}`, true]));
    const { body } = await http.patch('/v1/me', { notify_reviews: notices }).expect(422);
    expect(body.errors).toMatchObject([{ path: 'notify_reviews', code: 'length' }]);
  });

  it('is not a key, whose session sees itself only', async () => {
    const tenant = app.tenant();
    const { http } = await signIn(app, { key: tenant.key });
    const { body } = await http.get('/v1/me').expect(200);
    expect(body.data).toMatchObject({ key: { name: 'test' }, tenants: [{ id: tenant.id }] });
    expect(body.data.tenants[0]).not.toHaveProperty('notify_reviews');
    await http.patch('/v1/me', { name: 'Ada' }).expect(403);
    await http.get('/v1/me/sessions').expect(403);
    await tenant.http.get('/v1/me').expect(401);
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { LyingProvider } from '../support/lying-provider.js';
import { enteredBy, failureIn, OIDC_BASE, providerSetting, signInBy } from '../support/oidc-flows.js';
import { freshEmail, inSession, invite, join, makePerson, signIn } from '../support/people.js';

interface Entered {
  id: string;
  role: string;
  user_id: string;
}

describe('people who come by a provider', () => {
  let liar: LyingProvider;
  let hostile: LyingProvider;
  let app: TestApp;
  /** Who is invited only; a default role and groups; groups only; the provider of somebody else. */
  let [closed, open, second, grouped, evil, elsewhere]: TestTenant[] = [];
  beforeAll(async () => {
    [liar, hostile] = [await LyingProvider.start(), await LyingProvider.start()];
    const roles = { admins: 'owner', editors: 'editor', ghosts: 'No such role', press: 'Press office' };
    const oidcProviders = ([a, b, c, d, e]: string[]) => [
      providerSetting('closed', liar.issuer, [{ id: a }]),
      providerSetting('open', liar.issuer, [{ id: b, default_role: 'viewer', roles }, { id: c }]),
      providerSetting('grouped', liar.issuer, [{ id: d, roles }]),
      providerSetting('evil', hostile.issuer, [{ id: e, default_role: 'viewer', roles }]),
    ];
    app = await startApp({ PUBLIC_URL: OIDC_BASE }, { oidcProviders });
    [closed, open, second, grouped, evil, elsewhere] = Array.from({ length: 6 }, () => app.tenant());
    // Otherwise the first one by a group would stay owner.
    await makePerson(app, [open!.id, grouped!.id]);
  });
  afterEach(() => [liar, hostile].forEach((each) => each.reset()));
  afterAll(async () => {
    await app.close();
    await Promise.all([liar, hostile].map((each) => each.close()));
  });

  let subjects = 0;
  const someone = (email = freshEmail()) => ({ sub: `s${++subjects}`, email, email_verified: true, name: 'Ada' });
  const by = (id: string, claims: Record<string, unknown>) => signInBy(app, id, id === 'evil' ? hostile : liar, claims);
  async function tenantsOf(id: string, claims: Record<string, unknown>): Promise<Entered[]> {
    const { body } = await enteredBy(app, await by(id, claims))
      .get('/v1/me')
      .expect(200);
    return (body as { data: { tenants: Entered[] } }).data.tenants;
  }
  async function roleIn(id: string, claims: Record<string, unknown>): Promise<string | undefined> {
    return (await tenantsOf(id, claims))[0]?.role;
  }
  async function auditOf(tenant: TestTenant, user: string) {
    const { body } = await tenant.http.get(`/v1/audit/${tenant.id}?resource=${user}`);
    return (body as { data: { action: string; actor: object; changes?: string[] }[] }).data;
  }
  const browserOf = async ({ email, password }: { email: string; password: string }) => {
    const { cookie } = await signIn(app, { email, password });
    return inSession(app, cookie, { Origin: OIDC_BASE });
  };

  it('enter only where they are invited, without a role by the provider', async () => {
    const ada = someone();
    expect(failureIn(await by('closed', ada))).toBe('oidc_unknown');
    expect(await app.database.query('SELECT FROM identities WHERE subject = $1', [ada.sub])).toEqual([]);
    const invitation = await invite(app, closed!, { email: ada.email.toUpperCase(), role: 'author' });
    const [entered] = await tenantsOf('closed', ada);
    expect(entered).toMatchObject({ id: closed!.id, role: 'author', user_id: invitation.id });
    await app.client().get(`/v1/invitations/${invitation.token}`).expect(404);
    expect(await auditOf(closed!, invitation.id)).toMatchObject([
      { action: 'joined', actor: { user_id: invitation.id, name: 'Ada' } },
      { action: 'created' },
    ]);
    // By the subject from now on, whatever the address.
    expect(await tenantsOf('closed', { ...ada, email: freshEmail() })).toMatchObject([{ user_id: invitation.id }]);
  });

  it.each([false, 'true', 1, undefined])('are not found by an address with email_verified %p', async (verified) => {
    const { id, email } = await invite(app, closed!);
    expect(failureIn(await by('closed', { ...someone(email), email_verified: verified }))).toBe('oidc_unknown');
    await closed!.http
      .get(`/v1/users/${closed!.id}/${id}`)
      .expect(({ body }) => expect(body.data.state).toBe('invited'));
  });

  it('are found by a verified address among the members, whose password goes on', async () => {
    const member = await join(app, closed!, { role: 'editor', email: freshEmail() }).catch(() => undefined);
    expect(member).toBeDefined();
    const claims = someone(member!.email);
    expect(await tenantsOf('closed', claims)).toMatchObject([{ user_id: member!.id, role: 'editor' }]);
    await (await browserOf(member!)).get('/v1/me').expect(200);
    // The provider calls the same address by another subject: the former one is forgotten.
    expect(await tenantsOf('closed', someone(member!.email))).toMatchObject([{ user_id: member!.id }]);
    const rows = await app.database.query('SELECT FROM identities WHERE subject = $1', [claims.sub]);
    expect(rows).toEqual([]);
  });

  it('have the default role, that of the first group, and their roles follow at each sign-in', async () => {
    const ada = someone();
    expect(await roleIn('open', ada)).toBe('viewer');
    expect(await roleIn('open', { ...ada, groups: ['editors', 'admins'] })).toBe('owner');
    expect(await roleIn('open', { ...ada, groups: ['editors'] })).toBe('editor');
    const [entered] = await tenantsOf('open', { ...ada, groups: [] });
    expect(entered?.role).toBe('viewer');
    const actor = { user_id: entered!.user_id, name: 'Ada' };
    expect(await auditOf(open!, entered!.user_id)).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ action: 'updated', actor, changes: ['role'] })),
      { action: 'joined', actor },
    ]);
  });

  it('may have a role of the tenant, and none that does not exist', async () => {
    const http = open!.http;
    await http.post(`/v1/roles/${open!.id}`, { name: 'Press Office', scopes: ['media:read'] }).expect(201);
    const ada = someone();
    expect(await roleIn('open', { ...ada, groups: ['press'] })).toBe('Press Office');
    expect(await roleIn('open', { ...ada, groups: ['ghosts'] })).toBe('Press Office');
    expect(failureIn(await by('open', { ...someone(), groups: ['ghosts'] }))).toBe('oidc_unknown');
  });

  it('lose the membership without a group, with what it was', async () => {
    const ada = someone();
    const response = await by('grouped', { ...ada, groups: ['editors'] });
    const http = enteredBy(app, response);
    const { body } = await http.get('/v1/me').expect(200);
    await http.get(`/v1/content/${grouped!.id}/types`).expect(200);
    expect(failureIn(await by('grouped', { ...ada, groups: [] }))).toBe('oidc_unknown');
    await http.get(`/v1/content/${grouped!.id}/types`).expect(401);
    const user = (body as { data: { tenants: Entered[] } }).data.tenants[0]!.user_id;
    await grouped!.http.get(`/v1/users/${grouped!.id}/${user}`).expect(404);
    expect((await auditOf(grouped!, user))[0]).toMatchObject({ action: 'deleted', actor: { user_id: user } });
    expect(await app.database.query('SELECT FROM identities WHERE subject = $1', [ada.sub])).toEqual([]);
    // The groups are back, and so are they.
    expect(await roleIn('grouped', { ...ada, groups: ['editors'] })).toBe('editor');
  });

  it('who were invited have the invited role again without a group', async () => {
    const ada = someone();
    const { id } = await invite(app, grouped!, { email: ada.email, role: 'author' });
    expect(await roleIn('grouped', { ...ada, groups: ['admins'] })).toBe('owner');
    expect(await roleIn('grouped', { ...ada, groups: [] })).toBe('author');
    await roleIn('grouped', { ...ada, groups: ['editors'] });
    await grouped!.http.patch(`/v1/users/${grouped!.id}/${id}`, { role: 'support' }).expect(200);
    expect(await roleIn('grouped', { ...ada, groups: ['editors'] })).toBe('editor');
    expect(await roleIn('grouped', { ...ada, groups: [] })).toBe('support');
  });

  it('keep a role in use that they would have again', async () => {
    const ada = someone();
    const { body } = await grouped!.http
      .post(`/v1/roles/${grouped!.id}`, { name: 'Helper', scopes: ['forms:read'] })
      .expect(201);
    await invite(app, grouped!, { email: ada.email, role: 'Helper' });
    expect(await roleIn('grouped', { ...ada, groups: ['admins'] })).toBe('owner');
    await grouped!.http.delete(`/v1/roles/${grouped!.id}/${body.data.id}`).expect(409);
    expect(await roleIn('grouped', { ...ada, groups: [] })).toBe('Helper');
  });

  it('stay owner while nobody else is', async () => {
    const ada = someone();
    const everyOwner = `UPDATE members SET role_id = '00000000-0000-8000-8000-000000000005' WHERE tenant_id = $1`;
    await app.database.query(everyOwner, [grouped!.id]);
    await app.database.query(everyOwner, [open!.id]);
    for (const id of ['grouped', 'open']) {
      expect(await roleIn(id, { ...ada, groups: ['admins'] })).toBe('owner');
      expect(await roleIn(id, { ...ada, groups: [] })).toBe('owner');
      expect(await roleIn(id, { ...ada, groups: ['editors'] })).toBe('owner');
      expect(await roleIn(id, { ...someone(), groups: ['admins'] })).toBe('owner');
      expect(await roleIn(id, { ...ada, groups: ['editors'] })).toBe('editor');
    }
  });

  it('enter only the tenants that the provider serves', async () => {
    const [own, other] = [closed!, elsewhere!];
    const person = await makePerson(app, [own.id, other.id]);
    const http = enteredBy(app, await by('closed', someone(person.email)));
    const { body } = await http.get('/v1/sessions/current').expect(200);
    expect((body.data.tenants as Entered[]).map(({ id }) => id)).toEqual([own.id]);
    await http.get(`/v1/usage/${own.id}`).expect(200);
    await http.get(`/v1/usage/${other.id}`).expect(403);
    // The provider must not get into the other tenant by what the person could change.
    await http.patch('/v1/me', { password: 'four unusual words', current_password: person.password }).expect(403);
    await http.patch('/v1/me', { name: 'Eve' }).expect(403);
    await http.patch('/v1/me', { notify_reviews: { [other.id]: true } }).expect(422);
    await http.patch('/v1/me', { notify_reviews: { [own.id]: true } }).expect(200);
    await http.get('/v1/me/passkeys').expect(403);
    await http.post('/v1/me/passkeys/options').expect(403);
    await http.post('/v1/me/passkeys', { passkey: {} }).expect(403);
    await http.delete('/v1/me/passkeys/psk_01k9mzh6xze3n8mqsd5wkxp2zt').expect(403);
    await browserOf(person);
    const { body: sessions } = await http.get('/v1/me/sessions').expect(200);
    expect(sessions.data).toHaveLength(1);
    const { token } = await invite(app, elsewhere!);
    await http.post(`/v1/invitations/${token}`).expect(422);
  });

  it('do not become somebody whose address a provider of another tenant asserts', async () => {
    const victim = await makePerson(app, [elsewhere!.id]);
    const before = await app.database.query('SELECT * FROM people WHERE id = $1', [victim.id]);
    const http = enteredBy(app, await by('evil', someone(victim.email)));
    const { body } = await http.get('/v1/me').expect(200);
    expect((body.data.tenants as Entered[]).map(({ id }) => id)).toEqual([evil!.id]);
    await http.get(`/v1/usage/${elsewhere!.id}`).expect(403);
    expect(body.data.user.name).toBe('Ada');
    expect(await app.database.query('SELECT * FROM people WHERE id = $1', [victim.id])).toEqual(before);
    const identities = await app.database.query('SELECT FROM identities WHERE person_id = $1', [victim.id]);
    expect(identities).toEqual([]);
    // The tenant cannot tell that the address was known: a stranger's is the same.
    const stranger = enteredBy(app, await by('evil', someone()));
    expect(Object.keys((await stranger.get('/v1/me')).body.data)).toEqual(Object.keys(body.data));
    // Nor does an invitation by the hostile tenant lead to the account.
    const other = await makePerson(app, [elsewhere!.id]);
    await invite(app, evil!, { email: other.email, role: 'owner' });
    const invited = enteredBy(app, await by('evil', someone(other.email)));
    expect((await invited.get('/v1/me')).body.data).toMatchObject({
      user: { name: 'Ada' },
      tenants: [{ id: evil!.id }],
    });
    expect(await app.database.query('SELECT FROM identities WHERE person_id = $1', [other.id])).toEqual([]);
    await browserOf(other);
  });

  it('do not lie in wait at an address that is invited elsewhere later', async () => {
    const email = freshEmail();
    const attacker = someone(email);
    const http = enteredBy(app, await by('evil', attacker));
    const { token } = await invite(app, elsewhere!, { email });
    const { body } = await app.client().get(`/v1/invitations/${token}`).expect(200);
    expect(body.data.sign_in).toBeUndefined();
    await app.client().post(`/v1/invitations/${token}`, { name: 'Real', password: 'four unusual words' }).expect(201);
    await http.get(`/v1/usage/${elsewhere!.id}`).expect(403);
    expect(await tenantsOf('evil', attacker)).toMatchObject([{ id: evil!.id }]);
  });

  it('whose address is not verified take nobody’s place, and show no address', async () => {
    const member = await join(app, open!, { role: 'owner' });
    const claims = { ...someone(member.email), email_verified: false };
    const [entered] = await tenantsOf('open', claims);
    expect(entered).toMatchObject({ role: 'viewer' });
    expect(entered?.user_id).not.toBe(member.id);
    const { body } = await open!.http.get(`/v1/users/${open!.id}/${entered?.user_id}`).expect(200);
    expect(body.data).toMatchObject({ name: 'Ada', email: '', state: 'active' });
    // Who really has the address is somebody else.
    expect(await tenantsOf('open', someone(member.email))).toMatchObject([{ user_id: member.id }]);
  });

  it.each([
    ['a name with a line break', { name: 'Ada\nBcc: x@example.com' }],
    ['an empty name', { name: ' ' }],
    ['a name that is not a text', { name: { first: 'Ada' } }],
    ['a name that is too long', { name: 'x'.repeat(300) }],
    ['no name', { name: undefined }],
  ])('with %s have that of the address', async (_, change) => {
    const ada = { ...someone(), ...change };
    const { body } = await enteredBy(app, await by('open', ada))
      .get('/v1/me')
      .expect(200);
    expect(body.data.user.name).toBe(ada.email.split('@')[0]);
  });

  it.each(['a\u200b@example.com', 'a@example.com, b@example.com', '<a@example.com>', 'no address', 'a@b@c', ''])(
    'with the address %j have none',
    async (email) => {
      const { body } = await enteredBy(app, await by('open', someone(email)))
        .get('/v1/me')
        .expect(200);
      expect(body.data.user.email).toBe('');
    },
  );

  it('are one person after first sign-ins at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const ada = { ...someone(), groups: ['editors'] };
      const responses = await Promise.all([1, 2, 3, 4].map(() => by('open', ada)));
      const users = await Promise.all(
        responses.map(async (response) => (await enteredBy(app, response).get('/v1/me')).body.data.user.id as string),
      );
      expect(new Set(users).size).toBe(1);
      const rows = await app.database.query('SELECT FROM members WHERE address = $1', [ada.email]);
      expect(rows).toHaveLength(1);
      const people = await app.database.query('SELECT FROM people WHERE email = $1', [ada.email]);
      expect(people).toHaveLength(1);
    }
  });

  it('and accept an invitation at the same time as it is taken back, or by its token, are a member or not', async () => {
    for (let round = 0; round < 4; round++) {
      const ada = someone();
      const { id, token } = await invite(app, closed!, { email: ada.email });
      const [, other] = await Promise.all([
        by('closed', ada),
        round % 2 === 0
          ? closed!.http.delete(`/v1/users/${closed!.id}/${id}`)
          : app.client().post(`/v1/invitations/${token}`, { name: 'Ada', password: 'four unusual words' }),
      ]);
      expect([200, 201, 404, 409]).toContain(other.status);
      // Two statements: a distributed database does not join the tables of people with those of tenants.
      const people = await app.database.query<{ id: string }>('SELECT id FROM people WHERE email = $1', [ada.email]);
      for (const person of people) {
        const members = await app.database.query('SELECT FROM members WHERE person_id = $1', [person.id]);
        expect(members).not.toEqual([]);
      }
    }
  });

  it('follow the groups in several tenants at once', async () => {
    const ada = someone();
    await invite(app, second!, { email: ada.email, role: 'support' });
    const entered = await tenantsOf('open', { ...ada, groups: ['admins'] });
    expect(entered.map(({ id, role }) => [id, role]).sort()).toEqual(
      [
        [open!.id, 'owner'],
        [second!.id, 'support'],
      ].sort(),
    );
  });
});

describe('a tenant with enough members', () => {
  it('is entered by nobody else, and says so', async () => {
    const liar = await LyingProvider.start();
    const tenants = [
      { id: 'ten_small', name: 'Small', api_keys: [{ name: 'k', key: 'test-key-small-1' }], limits: { users: 1 } },
    ];
    const provider = providerSetting('small', liar.issuer, [{ id: 'ten_small', default_role: 'viewer' }]);
    const app = await startApp({
      PUBLIC_URL: OIDC_BASE,
      TENANTS: JSON.stringify(tenants),
      OIDC_PROVIDERS: JSON.stringify([provider]),
    });
    try {
      const one = { sub: 'one', email: 'one@example.com', email_verified: true };
      enteredBy(app, await signInBy(app, 'small', liar, one));
      expect(failureIn(await signInBy(app, 'small', liar, { ...one, sub: 'two', email: 'two@example.com' }))).toBe(
        'oidc_limit',
      );
      expect(await app.database.query('SELECT FROM people')).toHaveLength(1);
      enteredBy(app, await signInBy(app, 'small', liar, one));
    } finally {
      await app.close();
      await liar.close();
    }
  });
});

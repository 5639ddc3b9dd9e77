import { Client } from 'pg';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { freshEmail, invite, join, makePerson, signIn } from '../support/people.js';

describe('a member', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const users = ({ id }: Pick<TestTenant, 'id'>, user = '') => `/v1/users/${id}${user && `/${user}`}`;
  async function keyWith(tenant: TestTenant, scopes: string[]) {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'A key', scopes }).expect(201);
    const { id, key } = (body as { data: { id: string; key: string } }).data;
    return { id, http: app.client(`Bearer ${key}`) };
  }
  async function listed(tenant: TestTenant, query = ''): Promise<{ id: string; email: string }[]> {
    return (await tenant.http.get(`${users(tenant)}${query}`).expect(200)).body.data as { id: string; email: string }[];
  }

  it('is seen and changed only with scopes that are part of * alone', async () => {
    const tenant = app.tenant();
    await app.client().get(users(tenant)).expect(401);
    const wide = await keyWith(tenant, ['read', 'write']);
    await wide.http.get(users(tenant)).expect(403);
    await wide.http.post(users(tenant), { email: freshEmail(), role: 'viewer' }).expect(403);
    const { http } = await keyWith(tenant, ['users:read']);
    await http.get(users(tenant)).expect(200);
    await http.post(users(tenant), { email: freshEmail(), role: 'viewer' }).expect(403);
  });

  it('is invited first, and active from the acceptance on', async () => {
    const tenant = app.tenant();
    const email = 'Grace.Hopper@Example.org';
    const answer = await tenant.http.post(users(tenant), { email, role: 'EDITOR' }).expect(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^usr_/),
      email,
      name: '',
      role: 'editor',
      state: 'invited',
      last_seen_at: null,
      created_at: expect.any(String),
    });
    const { id } = answer.body.data as { id: string };
    expect((await tenant.http.get(users(tenant, id)).expect(200)).body.data).toEqual(answer.body.data);
    const other = app.tenant();
    await other.http.get(users(other, id)).expect(404);
    await other.http.delete(users(other, id)).expect(404);
    const member = await join(app, tenant, { name: 'Alan Turing' });
    const { data } = (await tenant.http.get(users(tenant, member.id)).expect(200)).body;
    expect(data).toMatchObject({ name: 'Alan Turing', state: 'active', role: 'editor' });
  });

  it('has one membership of a tenant by address, in whatever spelling', async () => {
    const tenant = app.tenant();
    const { email } = await invite(app, tenant);
    const member = await join(app, tenant);
    for (const address of [email.toUpperCase(), member.email, ` ${email} `]) {
      await tenant.http.post(users(tenant), { email: address, role: 'viewer' }).expect(409);
    }
    await tenant.http.post(users(tenant), { email: email.replace('@', '+tag@'), role: 'viewer' }).expect(201);
  });

  it('is invited with the same answer and the same statements if the address is known elsewhere', async () => {
    const [tenant, elsewhere] = [app.tenant(), app.tenant()];
    const known = await join(app, elsewhere);
    const invitee = await invite(app, elsewhere);
    const answers: object[] = [];
    const sent = jest.spyOn(Client.prototype, 'query') as unknown as jest.SpyInstance<unknown, [{ name?: string }]>;
    // Workers send statements of their own.
    const isOwn = (name = '') =>
      /^(people|members|roles|limits|letters\.(add|prune|cancel_to)|one_time_tokens)/.test(name);
    for (const email of [known.email, invitee.email, freshEmail()]) {
      sent.mockClear();
      const { body, status, headers } = await tenant.http.post(users(tenant), { email, role: 'editor' });
      const rest = { ...body.data, id: '', created_at: '', email: '' } as object;
      const statements = sent.mock.calls.flatMap(([{ name }]) => (isOwn(name) ? name : []));
      expect(statements.length).toBeGreaterThan(5);
      answers.push({ ...rest, status, headers: Object.keys(headers), statements });
    }
    sent.mockRestore();
    expect(answers[0]).toEqual(answers[2]);
    expect(answers[1]).toEqual(answers[2]);
    const [first] = await listed(tenant, `?search=${known.email}`);
    expect(first).toMatchObject({ name: '', state: 'invited', last_seen_at: null });
  });

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: 1 }, 'email'],
    [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email'],
    [{ name: '' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ role: 'nope' }, 'role'],
    [{ role: 'rol_01k9mzh6xze3n8mqsd5wkxp2zt' }, 'role'],
    [{ role: null }, 'role'],
    [{ state: 'active' }, 'state'],
  ])('is not invited as %j', async (wrong, path) => {
    const tenant = app.tenant();
    const answer = await tenant.http.post(users(tenant), { email: freshEmail(), role: 'viewer', ...wrong }).expect(422);
    expect((answer.body.errors as { path: string }[]).map((error) => error.path)).toEqual([path]);
    expect(await listed(tenant)).toEqual([]);
  });

  it('is listed newest first, by page and by cursor, by role and by words of the name and the address', async () => {
    const tenant = app.tenant();
    const made: string[] = [];
    for (const [name, role] of [
      ['Zoë Ångström', 'editor'],
      ['Zoe Miller', 'viewer'],
      ['Ada Lovelace', 'editor'],
    ] as const) {
      made.unshift((await invite(app, tenant, { name, role })).id);
    }
    const ids = async (query: string) => (await listed(tenant, query)).map(({ id }) => id);
    expect(await ids('')).toEqual(made);
    expect(await ids('?role=Editor')).toEqual([made[0], made[2]]);
    expect(await ids(`?search=${encodeURIComponent('ZOË ång')}`)).toEqual([made[2]]);
    expect(await ids('?search=INVITED%20mill')).toEqual([made[1]]);
    expect(await ids('?search=%25')).toEqual([]);
    expect(await ids('?search=%20')).toEqual(made);
    const numbered = (await tenant.http.get(`${users(tenant)}?per_page=2&page=2`).expect(200)).body;
    expect(numbered).toMatchObject({ data: [{ id: made[2] }], meta: { page: 2, per_page: 2, total: 3 } });
    const first = (await tenant.http.get(`${users(tenant)}?per_page=2&cursor=`).expect(200)).body;
    const cursor = encodeURIComponent(first.meta.next_cursor as string);
    const second = (await tenant.http.get(`${users(tenant)}?per_page=2&cursor=${cursor}`).expect(200)).body;
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(made);
    await tenant.http.get(`${users(tenant)}?per_page=2&cursor=${cursor}&role=viewer`).expect(400);
    await tenant.http.get(`${users(tenant)}?role=nope`).expect(400);
  });

  it('gets another role in effect at once, and never gives one to themselves', async () => {
    const tenant = app.tenant();
    const owner = await join(app, tenant, { role: 'owner' });
    const member = await join(app, tenant, { role: 'support' });
    await member.http.get(`/v1/forms/${tenant.id}`).expect(200);
    const { body } = await owner.http.patch(users(tenant, member.id), { role: 'author' }).expect(200);
    expect(body.data.role).toBe('author');
    await member.http.get(`/v1/forms/${tenant.id}`).expect(403);
    await member.http.get(`/v1/media/${tenant.id}`).expect(200);
    await join(app, tenant, { role: 'owner' });
    await owner.http.patch(users(tenant, owner.id), { role: 'viewer' }).expect(403);
    await owner.http.patch(users(tenant, owner.id), {}).expect(200);
    await owner.http.patch(users(tenant, member.id), { role: 'nope' }).expect(422);
    await owner.http.patch(users(tenant, member.id), { email: 'x@example.com' }).expect(422);
    await owner.http.patch(users(tenant, member.id), { ...body.data, role: 'viewer' }).expect(200);
  });

  it('is invited, changed and removed only by those who may as much', async () => {
    const tenant = app.tenant();
    await tenant.http
      .post(`/v1/roles/${tenant.id}`, {
        name: 'staff',
        scopes: ['users:read', 'users:write', 'forms:read', 'forms:write'],
      })
      .expect(201);
    const owner = await join(app, tenant, { role: 'owner' });
    const staff = await join(app, tenant, { role: 'staff' });
    const support = await join(app, tenant, { role: 'support' });
    const invited = await invite(app, tenant, { role: 'editor' });
    for (const role of ['owner', 'editor', 'viewer', 'author']) {
      await staff.http.post(users(tenant), { email: freshEmail(), role }).expect(403);
      await staff.http.patch(users(tenant, support.id), { role }).expect(403);
    }
    for (const { id } of [owner, invited]) {
      await staff.http.patch(users(tenant, id), { role: 'support' }).expect(403);
      await staff.http.delete(users(tenant, id)).expect(403);
    }
    await staff.http.post(`${users(tenant, invited.id)}/invite`).expect(403);
    await staff.http.post(users(tenant), { email: freshEmail(), role: 'support' }).expect(201);
    await staff.http.delete(users(tenant, support.id)).expect(200);
    const key = await keyWith(tenant, ['users:write', 'forms:read']);
    await key.http.post(users(tenant), { email: freshEmail(), role: 'support' }).expect(403);
    await key.http.patch(users(tenant, staff.id), { role: 'support' }).expect(403);
  });

  it('is found no more after the removal, and neither are their sessions and keys', async () => {
    const [tenant, other] = [app.tenant(), app.tenant()];
    const person = await makePerson(app, [tenant.id, other.id]);
    const { http } = await signIn(app, { email: person.email, password: person.password });
    const { body } = await http.post(`/v1/keys/${tenant.id}`, { name: 'Mine', scopes: ['*'] }).expect(201);
    const mine = app.client(`Bearer ${body.data.key}`);
    const child = await mine.post(`/v1/keys/${tenant.id}`, { name: 'Child', scopes: ['read'] }).expect(201);
    await mine.get(`/v1/forms/${tenant.id}`).expect(200);
    const kept = await keyWith(tenant, ['*']);
    await join(app, tenant, { role: 'owner' });
    const [member] = await listed(tenant, `?search=${person.email}`);
    await tenant.http.delete(users(tenant, member?.id)).expect(200);
    await http.get(`/v1/forms/${tenant.id}`).expect(403);
    await http.get(`/v1/forms/${other.id}`).expect(200);
    await mine.get(`/v1/forms/${tenant.id}`).expect(401);
    await app.client(`Bearer ${child.body.data.key}`).get(`/v1/forms/${tenant.id}`).expect(401);
    await kept.http.get(`/v1/forms/${tenant.id}`).expect(200);
    await tenant.http.get(users(tenant, member?.id)).expect(404);
    await tenant.http.delete(users(tenant, member?.id)).expect(404);
    const [row] = await app.database.query('SELECT tenants FROM people WHERE id = $1', [person.id]);
    expect(row).toEqual({ tenants: [other.id] });
    const current = await http.get('/v1/sessions/current').expect(200);
    expect((current.body.data.tenants as { id: string }[]).map(({ id }) => id)).toEqual([other.id]);
  });

  it('is erased with the last membership', async () => {
    const tenant = app.tenant();
    const member = await join(app, tenant, { name: 'Forgotten Person' });
    const remover = await join(app, tenant, { role: 'owner' });
    await member.http
      .post(`/v1/content/${tenant.id}/types`, { name: 'Post', fields: [{ name: 'title', type: 'text' }] })
      .expect(201);
    await remover.http.delete(users(tenant, member.id)).expect(200);
    await member.http.get(`/v1/content/${tenant.id}/types`).expect(401);
    await app.client().post('/v1/sessions', { email: member.email, password: member.password }).expect(401);
    const tables = await app.database.query<{ name: string }>(
      `SELECT quote_ident(relname) AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    for (const { name } of tables) {
      const rows = await app.database.query(
        `SELECT FROM ${name} AS row WHERE strpos(row::text, $1) > 0 OR strpos(row::text, 'Forgotten Person') > 0 LIMIT 1`,
        [member.email],
      );
      expect([name, rows.length]).toEqual([name, 0]);
    }
    const { body } = await tenant.http.get(`/v1/audit/${tenant.id}?actor=${member.id}`).expect(200);
    expect(body.data[0].actor).toMatchObject({ name: 'former member' });
    await join(app, tenant, { email: member.email });
  });

  it('may leave, whatever the role', async () => {
    const tenant = app.tenant();
    const owner = await join(app, tenant, { role: 'owner' });
    const viewer = await join(app, tenant, { role: 'viewer' });
    await viewer.http.delete(users(tenant, owner.id)).expect(403);
    await viewer.http.delete(users(tenant, viewer.id)).expect(200);
    await viewer.http.get(`/v1/forms/${tenant.id}`).expect(401);
    await owner.http.delete(users(tenant, owner.id)).expect(409);
    await join(app, tenant, { role: 'owner' });
    await owner.http.delete(users(tenant, owner.id)).expect(200);
  });

  it('who is the last one with * stays so, whoever asks', async () => {
    const tenant = app.tenant();
    const { id } = await join(app, tenant, { role: 'owner' });
    const invited = await invite(app, tenant, { role: 'owner' });
    await tenant.http.patch(users(tenant, id), { role: 'viewer' }).expect(409);
    await tenant.http.delete(users(tenant, id)).expect(409);
    await tenant.http.post(`/v1/roles/${tenant.id}`, { name: 'boss', scopes: ['*'] }).expect(201);
    await tenant.http.patch(users(tenant, id), { role: 'boss' }).expect(200);
    await tenant.http.patch(users(tenant, id), { role: 'editor' }).expect(409);
    await tenant.http.delete(users(tenant, invited.id)).expect(200);
    const other = await join(app, tenant, { role: 'owner' });
    await tenant.http.patch(users(tenant, id), { role: 'editor' }).expect(200);
    await tenant.http.delete(users(tenant, other.id)).expect(409);
  });

  it('is counted against the limit of the tenant, also before the acceptance', async () => {
    const limited = await startApp(
      {
        TENANTS: JSON.stringify([
          { id: 'ten_few', name: 'Few', api_keys: [{ name: 'a', key: 'key-of-few-members' }], limits: { users: 2 } },
        ]),
      },
      {},
    );
    const tenant = { id: 'ten_few', http: limited.client('Bearer key-of-few-members') };
    await join(limited, tenant, {});
    const { id } = await invite(limited, tenant);
    const refused = await tenant.http.post(users(tenant), { email: freshEmail(), role: 'viewer' }).expect(403);
    expect(refused.body).toMatchObject({ code: 'limit_reached', limit: 'users', maximum: 2, used: 2 });
    const { body } = await tenant.http.get('/v1/usage/ten_few').expect(200);
    expect(body.data).toMatchObject({ users: 2, limits: { users: 2 } });
    await tenant.http.delete(users(tenant, id)).expect(200);
    await invite(limited, tenant);
    await limited.close();
  });

  it('has the changes in the audit log, without values', async () => {
    const tenant = app.tenant();
    const { id } = await join(app, tenant, { role: 'viewer' });
    await tenant.http.patch(users(tenant, id), { role: 'editor' }).expect(200);
    await tenant.http.patch(users(tenant, id), { role: 'editor' }).expect(200);
    await tenant.http.delete(users(tenant, id)).expect(200);
    const { body } = await tenant.http.get(`/v1/audit/${tenant.id}?resource=${id}`).expect(200);
    const records = body.data as { action: string; changes: string[] }[];
    expect(records.map(({ action, changes }) => [action, changes])).toEqual([
      ['deleted', []],
      ['updated', ['role']],
      ['joined', []],
      ['created', []],
    ]);
  });
});

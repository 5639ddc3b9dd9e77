import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import { invite, join } from '../support/people.js';

describe('a role', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const roles = ({ id }: TestTenant, role = '') => `/v1/roles/${id}${role && `/${role}`}`;
  async function make(tenant: TestTenant, body: object = {}, http: Http = tenant.http) {
    const sent = { name: 'translator', scopes: ['content:read'], ...body };
    const answer = await http.post(roles(tenant), sent).expect(201);
    return (answer.body as { data: { id: string; name: string } }).data;
  }
  async function keyWith(tenant: TestTenant, scopes: string[]): Promise<Http> {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'A key', scopes }).expect(201);
    return app.client(`Bearer ${(body as { data: { key: string } }).data.key}`);
  }

  it('is seen and changed only with scopes that are part of * alone', async () => {
    const tenant = app.tenant();
    await app.client().get(roles(tenant)).expect(401);
    const wide = await keyWith(tenant, ['read', 'write']);
    await wide.get(roles(tenant)).expect(403);
    await wide.post(roles(tenant), { name: 'x', scopes: ['read'] }).expect(403);
    const reader = await keyWith(tenant, ['users:read']);
    await reader.get(roles(tenant)).expect(200);
    await reader.post(roles(tenant), { name: 'x', scopes: ['users:read'] }).expect(403);
  });

  it('is listed after the built-in ones, which nobody changes', async () => {
    const tenant = app.tenant();
    const made = await make(tenant, { locales: ['de', 'fr-CA'] });
    const { body } = await tenant.http.get(roles(tenant)).expect(200);
    const data = body.data as { id: string; name: string }[];
    expect(data.map(({ name }) => name)).toEqual(['owner', 'editor', 'author', 'support', 'viewer', 'translator']);
    expect(data.at(-1)).toEqual({
      id: made.id,
      name: 'translator',
      scopes: ['content:read'],
      locales: ['de', 'fr-CA'],
      built_in: false,
    });
    const [owner] = data;
    expect(owner).toMatchObject({ scopes: ['*'], built_in: true });
    const path = roles(tenant, owner?.id);
    expect((await tenant.http.get(path).expect(200)).body.data).toEqual(owner);
    await tenant.http.patch(path, { name: 'boss' }).expect(409);
    await tenant.http.delete(path).expect(409);
    await tenant.http.get(roles(app.tenant(), made.id)).expect(403);
    const other = app.tenant();
    await other.http.get(roles(other, made.id)).expect(404);
  });

  it.each(['Translator', '  TRANSLATOR ', 'trans\u00adlator', 'Ｔranslator', 'Owner', 'VIEWER'])(
    'has a name that no other one has, which %j is not',
    async (name) => {
      const tenant = app.tenant();
      await make(tenant);
      await tenant.http.post(roles(tenant), { name, scopes: ['content:read'] }).expect(409);
      const other = await make(tenant, { name: 'other' });
      await tenant.http.patch(roles(tenant, other.id), { name }).expect(409);
    },
  );

  it('keeps its name when its spelling changes', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant);
    const { body } = await tenant.http.patch(roles(tenant, id), { name: 'Translator' }).expect(200);
    expect(body.data.name).toBe('Translator');
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'rol_01k9mzh6xze3n8mqsd5wkxp2zt' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: 'read' }, 'scopes'],
    [{ scopes: false }, 'scopes'],
    [{ scopes: ['nope'] }, 'scopes.0'],
    [{ scopes: ['content:read@nope'] }, 'scopes.0'],
    [{ scopes: ['read', 'read'] }, 'scopes'],
    [{ locales: [] }, 'locales'],
    [{ locales: ['not a locale'] }, 'locales'],
    [{ locales: ['de-ch', 'de-CH'] }, 'locales'],
    [{ locales: Array.from({ length: 101 }, (_, index) => `en-x${index}`) }, 'locales'],
    [{ built_in: true }, 'built_in'],
  ])('is refused as %j', async (wrong, path) => {
    const tenant = app.tenant();
    const answer = await tenant.http.post(roles(tenant), { name: 'x', scopes: ['read'], ...wrong }).expect(422);
    expect((answer.body.errors as { path: string }[]).map((error) => error.path)).toContain(path);
    const role = await make(tenant);
    const changed = await tenant.http.patch(`${roles(tenant)}/${role.id}`, wrong).expect(422);
    expect((changed.body.errors as { path: string }[]).map((error) => error.path)).toContain(path);
  });

  it('names content types by their IDs, and keeps what an update does not send', async () => {
    const tenant = app.tenant();
    const types = `/v1/content/${tenant.id}/types`;
    const type = await tenant.http.post(types, { name: 'Post', fields: [{ name: 'title', type: 'text' }] }).expect(201);
    const { id } = await make(tenant, { scopes: ['content:write@post', 'content:read@post'], locales: ['de'] });
    const stored = (await tenant.http.get(roles(tenant, id)).expect(200)).body.data;
    expect(stored.scopes).toEqual([`content:write@${type.body.data.id}`, `content:read@${type.body.data.id}`]);
    const { body } = await tenant.http.patch(roles(tenant, id), { ...stored, name: 'writer' }).expect(200);
    expect(body.data).toEqual({ ...stored, name: 'writer' });
    const after = await tenant.http.patch(roles(tenant, id), { locales: null }).expect(200);
    expect({ ...after.body.data, locales: ['de'] }).toEqual(body.data);
    expect(after.body.data).not.toHaveProperty('locales');
  });

  it('has locales in their canonical form', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant, { locales: ['DE-ch', 'zh-hant'] });
    expect((await tenant.http.get(roles(tenant, id)).expect(200)).body.data.locales).toEqual(['de-CH', 'zh-Hant']);
  });

  it('allows no more than its maker may', async () => {
    const tenant = app.tenant();
    await tenant.http
      .post(`/v1/content/${tenant.id}/types`, { name: 'Post', fields: [{ name: 'title', type: 'text' }] })
      .expect(201);
    const http = await keyWith(tenant, ['users:read', 'users:write', 'content:read@post', 'forms:read']);
    for (const scopes of [
      ['*'],
      ['read'],
      ['forms:write'],
      ['content:read'],
      ['keys:write'],
      ['forms:read', 'write'],
    ]) {
      await http.post(roles(tenant), { name: 'x', scopes }).expect(403);
    }
    const own = await make(tenant, { scopes: ['users:write', 'content:read@post'] }, http);
    await http.patch(roles(tenant, own.id), { scopes: ['*'] }).expect(403);
    await http.patch(roles(tenant, own.id), { scopes: ['forms:read'] }).expect(200);
    const wide = await make(tenant, { name: 'wide', scopes: ['forms:write'] });
    for (const change of [{ name: 'y' }, { scopes: ['forms:read'] }, { locales: ['de'] }]) {
      await http.patch(roles(tenant, wide.id), change).expect(403);
    }
    await http.delete(roles(tenant, wide.id)).expect(403);
  });

  it('cannot be widened by its own members', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant, { scopes: ['users:read', 'users:write'] });
    const member = await join(app, tenant, { role: 'translator' });
    await member.http.patch(roles(tenant, id), { scopes: ['users:read', 'users:write', 'content:read'] }).expect(403);
    await member.http.patch(roles(tenant, id), { scopes: ['users:read'] }).expect(200);
    await member.http.patch(roles(tenant, id), { scopes: ['users:read'] }).expect(403);
  });

  it('of members whose locales are limited leads to no role with other locales', async () => {
    const tenant = app.tenant();
    await make(tenant, { scopes: ['users:write', 'content:write', 'forms:read'], locales: ['de', 'fr'] });
    const { http } = await join(app, tenant, { role: 'translator' });
    const scopes = ['content:write'];
    await http.post(roles(tenant), { name: 'x', scopes }).expect(403);
    await http.post(roles(tenant), { name: 'x', scopes, locales: ['it'] }).expect(403);
    await http.post(roles(tenant), { name: 'x', scopes, locales: ['fr'] }).expect(201);
    await http.post(roles(tenant), { name: 'y', scopes: ['forms:read'] }).expect(201);
  });

  it('is in effect for its members at once after a change', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant, { scopes: ['forms:read'] });
    const { http } = await join(app, tenant, { role: 'translator' });
    await http.get(`/v1/forms/${tenant.id}`).expect(200);
    await http.get(`/v1/media/${tenant.id}`).expect(403);
    await tenant.http.patch(roles(tenant, id), { scopes: ['media:read'] }).expect(200);
    await http.get(`/v1/forms/${tenant.id}`).expect(403);
    await http.get(`/v1/media/${tenant.id}`).expect(200);
  });

  it('is not deleted while members have it', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant);
    const user = await invite(app, tenant, { role: id });
    await join(app, tenant, { role: 'Translator' });
    const { body } = await tenant.http.delete(roles(tenant, id)).expect(409);
    expect(body.detail).toMatch(/^2 members have this role/);
    const { data } = (await tenant.http.get(`/v1/users/${tenant.id}?role=translator`).expect(200)).body;
    for (const { id: userId } of data) {
      await tenant.http.patch(`/v1/users/${tenant.id}/${userId}`, { role: 'viewer' }).expect(200);
    }
    await tenant.http.delete(roles(tenant, id)).expect(200);
    await tenant.http.get(roles(tenant, id)).expect(404);
    await tenant.http.patch(`/v1/users/${tenant.id}/${user.id}`, { role: id }).expect(422);
  });

  it('keeps * while its members are the only ones who have it', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant, { name: 'boss', scopes: ['*'] });
    await tenant.http.patch(roles(tenant, id), { scopes: ['read'] }).expect(200);
    await tenant.http.patch(roles(tenant, id), { scopes: ['*'] }).expect(200);
    await join(app, tenant, { role: 'boss' });
    await invite(app, tenant, { role: 'owner' });
    await tenant.http.patch(roles(tenant, id), { scopes: ['read'] }).expect(409);
    await tenant.http.patch(roles(tenant, id), { scopes: ['*', 'read'] }).expect(200);
    await join(app, tenant, { role: 'owner' });
    await tenant.http.patch(roles(tenant, id), { scopes: ['read'] }).expect(200);
  });

  it('with * for some locales makes no owner', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant, { name: 'boss', scopes: ['*'], locales: ['de'] });
    const owner = await join(app, tenant, { role: 'owner' });
    await join(app, tenant, { role: 'boss' });
    await owner.http.delete(`/v1/users/${tenant.id}/${owner.id}`).expect(409);
    await tenant.http.patch(`/v1/users/${tenant.id}/${owner.id}`, { role: 'boss' }).expect(409);
    await tenant.http.patch(roles(tenant, id), { locales: null }).expect(200);
    await owner.http.delete(`/v1/users/${tenant.id}/${owner.id}`).expect(200);
    await tenant.http.patch(roles(tenant, id), { locales: ['de'] }).expect(409);
  });

  it('is one of at most 100 of a tenant', async () => {
    const tenant = app.tenant();
    const { name } = await make(tenant);
    await app.database.query(
      `INSERT INTO roles (tenant_id, id, name, name_key, scopes)
        SELECT $1, gen_random_uuid(), 'r' || n, 'r' || n, '{read}' FROM generate_series(1, 99) AS n`,
      [tenant.id],
    );
    expect(name).toBe('translator');
    await tenant.http.post(roles(tenant), { name: 'one more', scopes: ['read'] }).expect(409);
  });

  it('has its changes in the audit log', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant);
    await tenant.http.patch(roles(tenant, id), { name: 'other', locales: ['de'] }).expect(200);
    await tenant.http.patch(roles(tenant, id), { name: 'other' }).expect(200);
    await tenant.http.delete(roles(tenant, id)).expect(200);
    const { body } = await tenant.http.get(`/v1/audit/${tenant.id}?resource=${id}`).expect(200);
    const records = body.data as { action: string; changes: string[]; resource: object }[];
    expect(records.map(({ action, changes }) => [action, changes])).toEqual([
      ['deleted', []],
      ['updated', ['locales', 'name']],
      ['created', []],
    ]);
    expect(records[0]?.resource).toEqual({ type: 'role', id });
  });
});

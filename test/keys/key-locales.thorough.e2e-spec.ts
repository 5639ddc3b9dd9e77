import { ApiKeys } from '../../src/access/api-keys.js';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { join, makePerson, setRole, signIn } from '../support/people.js';
import { until } from '../support/until.js';

const uuidOf = (id: string) => parseId('rol', id) ?? '';

interface MadeKey {
  id: string;
  key: string;
  locales?: string[];
  expires_at: string | null;
}

describe('the locales of a key', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const keysOf = ({ id }: Pick<TestTenant, 'id'>) => `/v1/keys/${id}`;
  const make = async (tenant: Pick<TestTenant, 'id' | 'http'>, body: object): Promise<MadeKey> => {
    const answer = await tenant.http.post(keysOf(tenant), { name: 'A key', scopes: ['*'], ...body }).expect(201);
    return (answer.body as { data: MadeKey }).data;
  };
  const by = ({ id }: Pick<TestTenant, 'id'>, { key }: MadeKey) => ({ id, http: app.client(`Bearer ${key}`) });
  const localesInForce = async (key: MadeKey) => {
    const { caller } = (await app.get(ApiKeys).find(key.key)) ?? {};
    return caller?.locales && [...caller.locales];
  };

  it('are stored and answered in their canonical form', async () => {
    const tenant = app.tenant();
    const made = await make(tenant, { locales: ['DE-ch', 'fr'] });
    expect(made.locales).toEqual(['de-CH', 'fr']);
    const { body } = await tenant.http.get(keysOf(tenant)).expect(200);
    expect(body.data[0]).toMatchObject({ id: made.id, locales: ['de-CH', 'fr'] });
    expect(await localesInForce(made)).toEqual(['de-CH', 'fr']);
  });

  it.each([undefined, null])('are all locales where %j was sent', async (locales) => {
    const made = await make(app.tenant(), { locales });
    expect(made).not.toHaveProperty('locales');
    expect(await localesInForce(made)).toBeUndefined();
  });

  it.each([[[]], ['de'], [['not a locale']], [['de', 'DE']], [[5]], [{ de: true }]])(
    'are refused as %j',
    async (locales) => {
      const tenant = app.tenant();
      const { body } = await tenant.http.post(keysOf(tenant), { name: 'x', scopes: ['*'], locales }).expect(422);
      expect(body.errors).toEqual([expect.objectContaining({ path: 'locales' })]);
    },
  );

  it('are among those of the key that makes it', async () => {
    const tenant = app.tenant();
    const maker = by(tenant, await make(tenant, { locales: ['de', 'fr'] }));
    for (const locales of [undefined, null, ['it'], ['de', 'it']]) {
      const refused = await maker.http.post(keysOf(tenant), { name: 'x', scopes: ['content:write'], locales });
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('only de, fr')]);
    }
    expect((await make(maker, { locales: ['fr'] })).locales).toEqual(['fr']);
    expect(await make(maker, { scopes: ['content:read', 'forms:write'] })).not.toHaveProperty('locales');
  });

  it('leave the list of locales to those without', async () => {
    const tenant = app.tenant();
    const limited = by(tenant, await make(tenant, { scopes: ['content:write'], locales: ['de'] }));
    const body = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }] };
    const refused = await limited.http.put(`/v1/locales/${tenant.id}`, body).expect(403);
    expect(refused.body.detail).toContain('limited to the locales de');
  });

  it('are among those that the role of the person who makes it has', async () => {
    const tenant = app.tenant();
    await tenant.http
      .post(`/v1/roles/${tenant.id}`, { name: 'translator', scopes: ['keys:write', 'content:write'], locales: ['de'] })
      .expect(201);
    const { http } = await join(app, tenant, { role: 'translator' });
    const member = { id: tenant.id, http };
    const scopes = ['content:write'];
    await http.post(keysOf(tenant), { name: 'x', scopes }).expect(403);
    await http.post(keysOf(tenant), { name: 'x', scopes, locales: ['fr'] }).expect(403);
    expect(await localesInForce(await make(member, { scopes, locales: ['de'] }))).toEqual(['de']);
  });

  it('are at most those of the role now', async () => {
    const tenant = app.tenant();
    const person = await makePerson(app, [tenant.id]);
    const { http } = await signIn(app, person);
    const made = await make({ id: tenant.id, http }, { scopes: ['content:write'], locales: ['de', 'fr'] });
    const all = await make({ id: tenant.id, http }, { scopes: ['content:write'] });
    const role = await tenant.http
      .post(`/v1/roles/${tenant.id}`, { name: 'french', scopes: ['content:write'], locales: ['fr', 'it'] })
      .expect(201);
    await setRole(app, tenant.id, person, uuidOf(role.body.data.id as string));
    await until(async () => (await localesInForce(made))?.join() === 'fr');
    expect(await localesInForce(all)).toEqual(['fr', 'it']);
    await setRole(app, tenant.id, person, 'owner');
    await until(async () => (await localesInForce(made))?.join() === 'de,fr');
    expect(await localesInForce(all)).toBeUndefined();
  });

  it('limit the roles that the key gives', async () => {
    const tenant = app.tenant();
    const { http } = by(tenant, await make(tenant, { locales: ['de'] }));
    const role = { name: 'x', scopes: ['content:write'] };
    await http.post(`/v1/roles/${tenant.id}`, role).expect(403);
    await http.post(`/v1/roles/${tenant.id}`, { ...role, locales: ['de'] }).expect(201);
    await http.post(`/v1/users/${tenant.id}`, { email: 'a@example.com', role: 'owner' }).expect(403);
  });

  it('hide keys with other locales, which it neither revokes nor adopts', async () => {
    const tenant = app.tenant();
    const limited = by(tenant, await make(tenant, { locales: ['de'] }));
    const [wide, own] = [await make(tenant, {}), await make(tenant, { scopes: ['content:write'], locales: ['de'] })];
    const { body } = await limited.http.get(keysOf(tenant)).expect(200);
    const listed = (body as { data: MadeKey[] }).data.map(({ id }) => id);
    expect([listed.includes(wide.id), listed.includes(own.id)]).toEqual([false, true]);
    await limited.http.delete(`${keysOf(tenant)}/${wide.id}`).expect(404);
    await limited.http.post(`${keysOf(tenant)}/${wide.id}/adopt`).expect(404);
    await limited.http.post(`${keysOf(tenant)}/${own.id}/adopt`).expect(200);
  });

  it('are shown to a session of the key', async () => {
    const tenant = app.tenant();
    const { key } = await make(tenant, { locales: ['de'] });
    const { http } = await signIn(app, { key });
    const { body } = await http.get('/v1/sessions/current').expect(200);
    expect(body.data.tenants).toEqual([expect.objectContaining({ role: null, scopes: ['*'], locales: ['de'] })]);
    await http.post(keysOf(tenant), { name: 'x', scopes: ['*'], locales: ['fr'] }).expect(403);
  });

  it('stay when another key adopts it, which ends with that key at once', async () => {
    const tenant = app.tenant();
    const made = await make(tenant, { locales: ['de'] });
    expect((await app.get(ApiKeys).find(made.key))?.expiresAt).toBeUndefined();
    const expiring = await make(tenant, { expires_in: 600 });
    const { body } = await by(tenant, expiring)
      .http.post(`${keysOf(tenant)}/${made.id}/adopt`)
      .expect(200);
    expect(body.data).toMatchObject({ locales: ['de'], expires_at: expiring.expires_at });
    expect((await app.get(ApiKeys).find(made.key))?.expiresAt).toBe(Date.parse(expiring.expires_at ?? ''));
    expect(await localesInForce(made)).toEqual(['de']);
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { makePerson, setRole, signIn } from '../support/people.js';
import { until } from '../support/until.js';

describe('keys that a person made', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function keyOf(tenant: TestTenant, role: string, scopes: string[]) {
    const person = await makePerson(app, [tenant.id], role);
    const { http } = await signIn(app, person);
    const { body } = await http.post(`/v1/keys/${tenant.id}`, { name: 'Mine', scopes }).expect(201);
    return { person, http, key: body.data, client: app.client(`Bearer ${body.data.key}`) };
  }

  it('name the member, in their list and in what they do', async () => {
    const tenant = app.tenant();
    const { person, key } = await keyOf(tenant, 'owner', ['content:read']);
    expect(key.created_by).toMatch(/^usr_/);
    const { body } = await tenant.http.get(`/v1/keys/${tenant.id}`).expect(200);
    expect(body.data[0]).toMatchObject({ id: key.id, created_by: key.created_by });
    expect(person.members).toHaveLength(1);
  });

  it('may do at most what the role allows now', async () => {
    const tenant = app.tenant();
    const { person, client } = await keyOf(tenant, 'owner', ['content:read', 'forms:read']);
    await client.get(`/v1/content/${tenant.id}/types`).expect(200);
    await client.get(`/v1/forms/${tenant.id}`).expect(200);
    await setRole(app, tenant.id, person, 'author');
    await until(async () => (await client.get(`/v1/forms/${tenant.id}`)).status === 403);
    await client.get(`/v1/content/${tenant.id}/types`).expect(200);
    await setRole(app, tenant.id, person, 'support');
    await until(async () => (await client.get(`/v1/content/${tenant.id}/types`)).status === 403);
    await client.get(`/v1/forms/${tenant.id}`).expect(200);
  });

  it('are adopted by somebody who may do everything, and then end with them', async () => {
    const tenant = app.tenant();
    const { key, client, person } = await keyOf(tenant, 'owner', ['content:read', 'keys:write']);
    const { body: child } = await client.post(`/v1/keys/${tenant.id}`, { name: 'Child', scopes: ['content:read'] });
    const path = `/v1/keys/${tenant.id}/${key.id}/adopt`;
    await client.post(path).expect(403);
    const { body } = await tenant.http.post(path).expect(200);
    expect(body.data).toMatchObject({ id: key.id, created_by: expect.stringMatching(/^key_/) });
    await app.database.query('DELETE FROM members WHERE id = $1', [person.members[0]]);
    await app.database.query('UPDATE access_versions SET version = version + 1 WHERE tenant_id = $1', [tenant.id]);
    await client.get(`/v1/content/${tenant.id}/types`).expect(200);
    await app.client(`Bearer ${child.data.key}`).get(`/v1/content/${tenant.id}/types`).expect(200);
    await tenant.http.post(`/v1/keys/${tenant.id}/${key.created_by.replace('usr', 'key')}/adopt`).expect(404);
  });

  it('cannot be adopted by a key that they made', async () => {
    const tenant = app.tenant();
    const { key, client } = await keyOf(tenant, 'owner', ['*']);
    const { body: child } = await client.post(`/v1/keys/${tenant.id}`, { name: 'Child', scopes: ['*'] }).expect(201);
    await app.client(`Bearer ${child.data.key}`).post(`/v1/keys/${tenant.id}/${key.id}/adopt`).expect(409);
    await client.post(`/v1/keys/${tenant.id}/${key.id}/adopt`).expect(409);
  });

  it('end with the membership', async () => {
    const tenant = app.tenant();
    const { client, person } = await keyOf(tenant, 'owner', ['content:read']);
    await client.get(`/v1/content/${tenant.id}/types`).expect(200);
    await app.database.query('DELETE FROM members WHERE id = $1', [person.members[0]]);
    await app.database.query('UPDATE access_versions SET version = version + 1 WHERE tenant_id = $1', [tenant.id]);
    await until(async () => (await client.get(`/v1/content/${tenant.id}/types`)).status === 401);
  });

  it('have no more scopes than the role of whoever makes them', async () => {
    const tenant = app.tenant();
    const { http } = await signIn(app, await makePerson(app, [tenant.id], 'editor'));
    await http.post(`/v1/keys/${tenant.id}`, { name: 'Mine', scopes: ['content:read'] }).expect(403);
  });
});

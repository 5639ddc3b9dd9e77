import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { inSession, join, type TestMember } from '../support/people.js';

const TENANTS = JSON.stringify([
  { id: 'ten_two', name: 'Two', api_keys: [{ name: 'a', key: 'key-of-two-processes' }] },
]);
const USERS = '/v1/users/ten_two';
const FORMS = '/v1/forms/ten_two';
/** A change is in effect everywhere within this time. */
const WITHIN_MS = 1_000;

describe('a change of members, in another process', () => {
  let database: TestDatabase;
  let apps: TestApp[];
  beforeAll(async () => {
    database = await createDatabase();
    apps = [await startApp({ TENANTS }, { database }), await startApp({ TENANTS }, { database })];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.drop();
  });

  /** The time until a request of the session in the second process has the status. */
  async function timeUntil(status: number, { cookie }: TestMember, path = FORMS): Promise<number> {
    const began = performance.now();
    const http = inSession(apps[1]!, cookie);
    while ((await http.get(path)).status !== status) {
      if (performance.now() - began > 5 * WITHIN_MS) throw new Error(`It did not answer ${status}.`);
    }
    return performance.now() - began;
  }

  it('is in effect within a second: another role, a change of the role, and the removal', async () => {
    const tenant = { id: 'ten_two', http: apps[0]!.client('Bearer key-of-two-processes') };
    const role = await tenant.http.post('/v1/roles/ten_two', { name: 'sorter', scopes: ['forms:read'] }).expect(201);
    const { id: roleId } = role.body.data as { id: string };
    const member = await join(apps[0]!, tenant, { role: 'support' });
    expect(await timeUntil(200, member)).toBeLessThan(WITHIN_MS);
    await tenant.http.patch(`${USERS}/${member.id}`, { role: 'author' }).expect(200);
    expect(await timeUntil(403, member)).toBeLessThan(WITHIN_MS);
    await tenant.http.patch(`${USERS}/${member.id}`, { role: 'sorter' }).expect(200);
    expect(await timeUntil(200, member)).toBeLessThan(WITHIN_MS);
    await tenant.http.patch(`/v1/roles/ten_two/${roleId}`, { scopes: ['media:read'] }).expect(200);
    expect(await timeUntil(403, member)).toBeLessThan(WITHIN_MS);
    await tenant.http.delete(`${USERS}/${member.id}`).expect(200);
    expect(await timeUntil(401, member)).toBeLessThan(WITHIN_MS);
  });
});

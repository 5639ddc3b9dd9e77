import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type TestApp } from '../support/app.js';
import { backUpCommand, restoreCommand } from '../support/backups.js';
import { createDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { inSession, invite, join as joinTenant, signIn, tokenOf } from '../support/people.js';
import { build } from '../support/service.js';

const TENANT = 'ten_restored';
const TENANTS = JSON.stringify([
  { id: TENANT, name: 'Restored', api_keys: [{ name: 'a', key: 'key-of-the-restored' }] },
]);

jest.setTimeout(240_000);

// A database that is distributed cannot be backed up.
describeOnPlain('a restore', () => {
  beforeAll(build);

  it('has the members and their roles and passwords, and ends sessions, invitations and emails with links', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trivet-people-'));
    const [source, target] = [await createDatabase(), await createDatabase({ empty: true })];
    const file = join(folder, 'backup.tar');
    const environment = (name: string) => ({ TENANTS, DATA_DIR: join(folder, name) });
    const tenantOf = (app: TestApp) => ({ id: TENANT, http: app.client('Bearer key-of-the-restored') });
    // No worker sends the email while the backup is taken.
    const before = await startApp({ ...environment('before'), ROLE: 'api' }, { database: source });
    const tenant = tenantOf(before);
    await tenant.http
      .post(`/v1/roles/${TENANT}`, { name: 'reader', scopes: ['content:read'], locales: ['de'] })
      .expect(201);
    const key = { name: 'german', scopes: ['content:write'], locales: ['de', 'fr-CA'] };
    await tenant.http.post(`/v1/keys/${TENANT}`, key).expect(201);
    const member = await joinTenant(before, tenant, { role: 'reader' });
    const invitation = await invite(before, tenant);
    await before.close();
    expect(await backUpCommand([file], { DATABASE_URL: source.url, ...environment('before') })).toMatchObject({
      code: 0,
    });
    expect(await restoreCommand([file], { DATABASE_URL: target.url, ...environment('after') })).toMatchObject({
      code: 0,
    });

    const after = await startApp({ ...environment('after'), ROLE: 'api' }, { database: target });
    const letters = await target.query('SELECT status, content FROM letters');
    expect(letters.map(({ status, content }) => [status, content])).toEqual([
      ['canceled', null],
      ['canceled', null],
    ]);
    await inSession(after, member.cookie).get(`/v1/content/${TENANT}/types`).expect(401);
    await after.client().get(`/v1/invitations/${invitation.token}`).expect(404);
    const { http } = await signIn(after, { email: member.email, password: member.password });
    await http.get(`/v1/content/${TENANT}/types`).expect(200);
    await http.get(`/v1/forms/${TENANT}`).expect(403);
    const again = tenantOf(after);
    const { body: roles } = await again.http.get(`/v1/roles/${TENANT}`).expect(200);
    expect(roles.data.at(-1)).toMatchObject({ name: 'reader', locales: ['de'] });
    const { body: keys } = await again.http.get(`/v1/keys/${TENANT}`).expect(200);
    expect(keys.data[0]).toMatchObject(key);
    await again.http.post(`/v1/users/${TENANT}/${invitation.id}/invite`).expect(202);
    await after
      .client()
      .get(`/v1/invitations/${await tokenOf(after, TENANT, invitation.id)}`)
      .expect(200);
    await after.close();
    await Promise.all([source.drop(), target.drop()]);
    await rm(folder, { recursive: true, force: true });
  });
});

import { type Http, startApp, type TestApp, type TestTenant } from '../support/app.js';
import {
  freshEmail,
  inSession,
  invite,
  join,
  makePerson,
  signIn,
  type TestMember,
  tokenOf,
} from '../support/people.js';

const ROUNDS = 6;
const PASSWORD = 'four unusual words of mine';

describe('changes of memberships at the same time', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const users = ({ id }: Pick<TestTenant, 'id'>, user: string) => `/v1/users/${id}/${user}`;
  async function statusesOf(requests: (() => PromiseLike<{ status: number }>)[]): Promise<number[]> {
    return (await Promise.all(requests.map((send) => send()))).map(({ status }) => status);
  }
  async function ownersOf({ id }: TestTenant): Promise<number> {
    const rows = await app.database.query(
      `SELECT FROM members WHERE tenant_id = $1 AND joined_at IS NOT NULL AND role_id = '00000000-0000-8000-8000-000000000001'`,
      [id],
    );
    return rows.length;
  }

  it('leave one owner when the last two remove or demote each other, or both leave', async () => {
    const actions: ((http: Http, tenant: TestTenant, other: string) => PromiseLike<{ status: number }>)[] = [
      (http, tenant, other) => http.delete(users(tenant, other)),
      (http, tenant, other) => http.patch(users(tenant, other), { role: 'viewer' }),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = app.tenant();
      const [one, two] = [await join(app, tenant, { role: 'owner' }), await join(app, tenant, { role: 'owner' })];
      const act = (by: TestMember, other: TestMember) => () => actions[round % 2]!(by.http, tenant, other.id);
      const isLeaving = round >= 4;
      const statuses = await statusesOf(isLeaving ? [act(one, one), act(two, two)] : [act(one, two), act(two, one)]);
      if (round % 2 === 1 && isLeaving) expect(statuses).toEqual([403, 403]);
      else {
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => [401, 403, 409].includes(status))).toHaveLength(1);
      }
      expect(await ownersOf(tenant)).toBe(round % 2 === 1 && isLeaving ? 2 : 1);
    }
  });

  it('end without a deadlock when a member is removed, gets a role and accepts', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = app.tenant();
      const { id, token } = await invite(app, tenant);
      const statuses = await statusesOf([
        () => app.client().post(`/v1/invitations/${token}`, { name: 'Ada', password: PASSWORD }),
        () => tenant.http.delete(users(tenant, id)),
        () => tenant.http.patch(users(tenant, id), { role: 'viewer' }),
        () => tenant.http.post(`${users(tenant, id)}/invite`),
      ]);
      expect([201, 404, 403]).toContain(statuses[0]);
      expect(statuses[1]).toBe(200);
      expect([200, 404]).toContain(statuses[2]);
      expect([202, 404, 409]).toContain(statuses[3]);
      const rows = await app.database.query('SELECT FROM people WHERE $1 = ANY (tenants)', [tenant.id]);
      expect(rows).toEqual([]);
    }
  });

  it('keep the memberships of a person in step, in whatever tenants they change', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second, third] = [app.tenant(), app.tenant(), app.tenant()];
      const person = await makePerson(app, [first.id, second.id], 'viewer');
      const { http, cookie } = await signIn(app, { email: person.email, password: person.password });
      const invitation = await invite(app, third, { email: person.email });
      const memberOf = async ({ id, http: by }: TestTenant) => {
        const { body } = await by.get(`/v1/users/${id}?search=${person.email}`).expect(200);
        return (body.data as { id: string }[])[0]?.id ?? '';
      };
      const [one, two] = [await memberOf(first), await memberOf(second)];
      const statuses = await statusesOf([
        () => first.http.delete(users(first, one)),
        () => second.http.delete(users(second, two)),
        () => http.post(`/v1/invitations/${invitation.token}`),
        () => inSession(app, cookie).delete('/v1/sessions/current'),
      ]);
      expect(statuses.slice(0, 2)).toEqual([200, 200]);
      expect([201, 401, 403, 409, 422]).toContain(statuses[2]);
      expect([200, 401]).toContain(statuses[3]);
      const rows = await app.database.query<{ tenants: string[] }>('SELECT tenants FROM people WHERE id = $1', [
        person.id,
      ]);
      const joined = await app.database.query('SELECT FROM members WHERE person_id = $1', [person.id]);
      expect(rows).toEqual(joined.length === 1 ? [{ tenants: [third.id] }] : []);
      // Who has joined may be signed out before the new session begins, and is told so with a 401.
      expect(joined).toHaveLength(statuses[2] === 201 || (statuses[2] === 401 && rows.length === 1) ? 1 : 0);
    }
  });

  it('never leave a member with a role that was deleted', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = app.tenant();
      const { body } = await tenant.http
        .post(`/v1/roles/${tenant.id}`, { name: 'short', scopes: ['read'] })
        .expect(201);
      const { id: role } = body.data as { id: string };
      const { id } = await invite(app, tenant);
      const [deleted, given, invited] = await statusesOf([
        () => tenant.http.delete(`/v1/roles/${tenant.id}/${role}`),
        () => tenant.http.patch(users(tenant, id), { role }),
        () => tenant.http.post(`/v1/users/${tenant.id}`, { email: freshEmail(), role }),
      ]);
      expect([200, 409]).toContain(deleted);
      expect([200, 422]).toContain(given);
      expect([201, 422]).toContain(invited);
      const orphans = await app.database.query(
        `SELECT FROM members m WHERE m.tenant_id = $1 AND m.role_id::text NOT LIKE '00000000-0000-8000-8000-%'
          AND NOT EXISTS (SELECT FROM roles r WHERE r.tenant_id = $1 AND r.id = m.role_id)`,
        [tenant.id],
      );
      expect(orphans).toEqual([]);
    }
  });

  it('invite an address once', async () => {
    const tenant = app.tenant();
    const email = freshEmail();
    const statuses = await statusesOf(
      [email, email.toUpperCase(), email].map((address) => () => {
        return tenant.http.post(`/v1/users/${tenant.id}`, { email: address, role: 'viewer' });
      }),
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
    await app
      .client()
      .get(`/v1/invitations/${await tokenOf(app, tenant.id, 'usr_01k9mzh6xze3n8mqsd5wkxp2zt')}`)
      .expect(404);
  });
});

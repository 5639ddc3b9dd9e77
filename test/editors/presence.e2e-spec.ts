import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDrafts, createEntries, createType } from '../support/content.js';
import { makePerson, signIn } from '../support/people.js';

describe('who has an entry open', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const entryOf = async (tenant: TestTenant) => {
    const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    const [id] = await createEntries(tenant, type, [{ fields: { title: 'One' } }]);
    const path = `${type.entries}/${id}`;
    return { type, path, presence: `${path}/presence` };
  };
  const keyWith = async (tenant: TestTenant, scopes: string[]) => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Robot', scopes }).expect(201);
    return app.client(`Bearer ${body.data.key}`);
  };
  const pass = (tenant: TestTenant, seconds: number) =>
    app.database.query(
      `UPDATE entry_presence SET seen_at = seen_at - $2::int * interval '1 second', since = since - $2::int * interval '1 second'
        WHERE tenant_id = $1`,
      [tenant.id, seconds],
    );

  const seenByAnotherProcess = async ({ id, key }: TestTenant, path: string) => {
    const tenants = [{ id, name: 'Tenant', api_keys: [{ name: 'test', key }] }];
    const other = await startApp({ TENANTS: JSON.stringify(tenants) }, { database: app.database });
    try {
      return (await other.client(`Bearer ${key}`).get(path).expect(200)).body.data;
    } finally {
      await other.close();
    }
  };

  it('is announced by those who may change drafts, and shown to those who may read them', async () => {
    const tenant = app.tenant();
    const { presence } = await entryOf(tenant);
    await app.client().get(presence).expect(401);
    await app.client().put(presence).expect(401);
    for (const [scopes, statuses] of [
      [['content:draft'], [403, 200, 200]],
      [['content:read'], [200, 403, 403]],
      [['content:read:published'], [403, 403, 403]],
      [['content:write@post'], [403, 200, 200]],
      [['forms:read'], [403, 403, 403]],
    ] as const) {
      const http = await keyWith(tenant, [...scopes]);
      const sent = [await http.get(presence), await http.put(presence), await http.delete(presence)];
      expect([scopes, sent.map(({ status }) => status)]).toEqual([scopes, statuses]);
    }
    await app.tenant().http.get(presence).expect(403);
  });

  it('is seen by every process, with the names of members and keys, those first who are there longest', async () => {
    const tenant = app.tenant();
    const { presence } = await entryOf(tenant);
    const person = await makePerson(app, [tenant.id], 'author');
    const { http } = await signIn(app, person);
    await http.patch('/v1/me', { name: 'Ada Lovelace' }).expect(200);
    const { user } = (await http.get('/v1/me').expect(200)).body.data;
    expect((await http.get(presence).expect(200)).body).toEqual({ data: [] });
    await http.put(presence).expect(200);
    await pass(tenant, 5);
    const robot = await keyWith(tenant, ['content:read', 'content:write']);
    await robot.put(presence).expect(200);
    const shown = [
      { name: 'Ada Lovelace', user_id: user.id, since: expect.any(String), is_me: true },
      { name: 'Robot', since: expect.any(String), is_me: false },
    ];
    expect((await http.get(presence).expect(200)).body.data).toEqual(shown);
    expect(await seenByAnotherProcess(tenant, presence)).toEqual([{ ...shown[0], is_me: false }, shown[1]]);
    // The name is that of today, and nobody is shown who is no member any more.
    await http.patch('/v1/me', { name: 'Grace Hopper' }).expect(200);
    expect((await robot.get(presence).expect(200)).body.data[0].name).toBe('Grace Hopper');
    await tenant.http.delete(`/v1/users/${tenant.id}/${user.id}`).expect(200);
    expect((await robot.get(presence).expect(200)).body.data).toEqual([{ ...shown[1], is_me: true }]);
  });

  it('ends with DELETE, and 30 seconds after the last PUT', async () => {
    const tenant = app.tenant();
    const { presence } = await entryOf(tenant);
    const read = async () => (await tenant.http.get(presence).expect(200)).body.data as { since: string }[];
    await tenant.http.put(presence).expect(200);
    await pass(tenant, 25);
    const [first] = await read();
    await tenant.http.put(presence).expect(200);
    expect(await read()).toEqual([first]);
    await pass(tenant, 31);
    expect(await read()).toEqual([]);
    await tenant.http.put(presence).expect(200);
    const [again] = await read();
    expect(Date.parse(again!.since)).toBeGreaterThan(Date.parse(first!.since));
    await tenant.http.delete(presence).expect(200);
    expect(await read()).toEqual([]);
    await tenant.http.delete(presence).expect(200);
  });

  it('returns 404 for an entry or content type that does not exist', async () => {
    const tenant = app.tenant();
    const { type, path, presence } = await entryOf(tenant);
    await tenant.http.put(presence).expect(200);
    await tenant.http.delete(path).expect(200);
    await tenant.http.get(presence).expect(404);
    await tenant.http.put(presence).expect(404);
    await tenant.http.delete(presence).expect(404);
    await tenant.http.put(`${type.entries}/nothing/presence`).expect(404);
    await tenant.http.put(presence.replace(type.id, 'nothing')).expect(404);
  });

  it('changes nothing of the entry, emits no event and is not in the audit log', async () => {
    const tenant = app.tenant();
    const { path, presence } = await entryOf(tenant);
    const read = async () => ({
      entry: (await tenant.http.get(path).expect(200)).text,
      versions: (await tenant.http.get(`${path}/versions`).expect(200)).text,
      events: (await tenant.http.get(`/v1/events/${tenant.id}`).expect(200)).text,
      audit: (await tenant.http.get(`/v1/audit/${tenant.id}`).expect(200)).text,
    });
    const before = await read();
    await tenant.http.put(presence).expect(200);
    await tenant.http.delete(presence).expect(200);
    expect(await read()).toEqual(before);
  });

  it('keeps the 100 entries of an actor that it announced last, and those of others', async () => {
    const tenant = app.tenant();
    const { type, presence } = await entryOf(tenant);
    const person = await makePerson(app, [tenant.id], 'author');
    const { http } = await signIn(app, person);
    await http.put(presence).expect(200);
    await tenant.http.put(presence).expect(200);
    await app.database.query(
      `INSERT INTO entry_presence (tenant_id, actor, entry_id, name, since, seen_at)
        SELECT tenant_id, actor, gen_random_uuid(), name, since, seen_at + number * interval '1 millisecond'
        FROM entry_presence, generate_series(1, 100) AS number WHERE tenant_id = $1 AND actor LIKE 'key_%'`,
      [tenant.id],
    );
    const [last] = await createDrafts(tenant, type, {});
    await tenant.http.put(`${type.entries}/${last}/presence`).expect(200);
    const rows = await app.database.query<{ number: string }>(
      'SELECT count(*) AS number FROM entry_presence WHERE tenant_id = $1 GROUP BY actor ORDER BY 1',
      [tenant.id],
    );
    expect(rows.map(({ number }) => Number(number))).toEqual([1, 100]);
    const { body } = await http.get(presence).expect(200);
    expect(body.data.map(({ is_me }: { is_me: boolean }) => is_me)).toEqual([true]);
    // What is not fresh is forgotten with the next request.
    await pass(tenant, 31);
    await tenant.http.put(presence).expect(200);
    const left = await app.database.query(`SELECT 1 FROM entry_presence WHERE tenant_id = $1 AND actor LIKE 'key_%'`, [
      tenant.id,
    ]);
    expect(left).toHaveLength(1);
  });
});

import pg from 'pg';
import { newSecretText } from '../../src/access/secrets/secret-text.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import { createType } from '../support/content.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { until } from '../support/until.js';

const ID = /^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/;

/** Notes the texts of all statements that run on any connection, until `stop`. */
function recordStatements(): { texts: string[]; stop: () => void } {
  const texts: string[] = [];
  const { prototype } = pg.Client;
  const original = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown;
  Reflect.set(prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }];
    texts.push(typeof first === 'string' ? first : (first.text ?? ''));
    return original.apply(this, args);
  });
  return { texts, stop: () => void Reflect.set(prototype, 'query', original) };
}

interface Key {
  id: string;
  name: string;
  scopes: string[];
  source: string;
  created_at: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_by: string | null;
}

describe('keys', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const pathOf = ({ id }: TestTenant) => `/v1/keys/${id}`;
  const withKey = (key: string) => app.client(`Bearer ${key}`);
  const make = async (tenant: TestTenant, body: object = {}, key = tenant.key) => {
    const response = await withKey(key)
      .post(pathOf(tenant), { name: 'A key', scopes: ['*'], ...body })
      .expect(201);
    return response.body.data as Key & { key: string };
  };
  const list = async (tenant: TestTenant) => (await tenant.http.get(pathOf(tenant)).expect(200)).body.data as Key[];
  const formsOf = ({ id }: TestTenant) => `/v1/forms/${id}`;

  it('are refused without a key, with an unknown one and without the scope', async () => {
    const tenant = app.tenant();
    await app.client().get(pathOf(tenant)).expect(401);
    for (const scopes of [['read', 'write'], ['content:write', 'forms:read'], ['content:read:published']]) {
      const { key } = await make(tenant, { scopes });
      const body = { name: 'x', scopes: ['forms:read'] };
      for (const answer of [
        await withKey(key).get(pathOf(tenant)),
        await withKey(key).post(pathOf(tenant), body),
        await withKey(key).delete(`${pathOf(tenant)}/key_01k9mzh6xze3n8mqsd5wkxp2zt`),
      ]) {
        expect([answer.status, answer.body.detail]).toEqual([
          403,
          expect.stringContaining('lacks the scope keys:write'),
        ]);
      }
    }
  });

  it('are made, listed, used and revoked', async () => {
    const tenant = app.tenant();
    const before = Date.now();
    const { body, headers } = await tenant.http
      .post(pathOf(tenant), { name: ' Website ', scopes: ['forms:read', 'content:read:published'] })
      .expect(201);
    const { key, ...shown } = body.data as Key & { key: string };
    const [maker] = (await list(tenant)).filter(({ name }) => name === 'test');
    expect(key).toMatch(/^tvk_[\w-]{49}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(shown).toEqual({
      id: expect.stringMatching(ID),
      name: 'Website',
      scopes: ['forms:read', 'content:read:published'],
      source: 'api',
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      created_by: maker?.id,
    });
    expect(Date.parse(shown.created_at ?? '')).toBeGreaterThanOrEqual(before);
    await withKey(key).get(formsOf(tenant)).expect(200);
    await withKey(key).post(formsOf(tenant), {}).expect(403);
    await withKey(key).get(formsOf(app.tenant())).expect(403);

    const keys = await list(tenant);
    expect(keys.map(({ name, source }) => [name, source])).toEqual([
      ['Website', 'api'],
      ['test', 'configuration'],
      ['published', 'configuration'],
    ]);
    expect(JSON.stringify(keys)).not.toContain(key);
    expect(keys[1]).toEqual({
      id: expect.stringMatching(ID),
      name: 'test',
      scopes: ['*'],
      source: 'configuration',
      created_at: null,
      expires_at: null,
      last_used_at: keys[1]?.last_used_at,
      created_by: null,
    });

    const { body: message } = await tenant.http.delete(`${pathOf(tenant)}/${shown.id}`).expect(200);
    expect(message).toEqual({ message: 'The key was revoked.' });
    await withKey(key).get(formsOf(tenant)).expect(401);
    expect(await list(tenant)).toHaveLength(2);
    await tenant.http.delete(`${pathOf(tenant)}/${shown.id}`).expect(404);
  });

  it('are stored as SHA-256 only', async () => {
    const tenant = app.tenant();
    const { key, id } = await make(tenant);
    const rows = await app.database.query<{ row: string }>(
      'SELECT k::text AS row FROM api_keys k WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(key.slice(4, 40));
    const [found] = await app.database.query<{ same: boolean }>(
      `SELECT hash = sha256(convert_to($2, 'UTF8')) AS same FROM api_keys WHERE tenant_id = $1`,
      [tenant.id, key],
    );
    expect([id, found?.same]).toEqual([id, true]);
  });

  it('are listed and revoked only by keys that may do all that they may', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    await createType(tenant, [{ name: 'title', type: 'text' }], 'Page');
    const made: Record<string, { id: string; key: string }> = {};
    const all = {
      wide: ['*'],
      reader: ['content:read'],
      page: ['content:read@page'],
      post: ['content:read@post'],
      keys: ['keys:write'],
      narrow: ['keys:write', 'content:read@post'],
    };
    for (const [name, scopes] of Object.entries(all)) {
      made[name] = (await tenant.http.post(pathOf(tenant), { name, scopes }).expect(201)).body.data;
    }
    const namesFor = async (name: string) => {
      const { body } = await app.client(`Bearer ${made[name]?.key}`).get(pathOf(tenant)).expect(200);
      return (body as { data: { name: string }[] }).data.map((one) => one.name).sort();
    };
    expect(await namesFor('narrow')).toEqual(['keys', 'narrow', 'post']);
    expect(await namesFor('keys')).toEqual(['keys']);
    expect(await namesFor('wide')).toEqual([...Object.keys(all), 'published', 'test'].sort());
    const narrow = app.client(`Bearer ${made['narrow']?.key}`);
    const configured = (await list(tenant)).find(({ source }) => source === 'configuration');
    for (const id of [made['wide']?.id, made['reader']?.id, made['page']?.id, configured?.id]) {
      await narrow.delete(`${pathOf(tenant)}/${id}`).expect(404);
    }
    await narrow.delete(`${pathOf(tenant)}/${made['post']?.id}`).expect(200);
    await narrow.delete(`${pathOf(tenant)}/${made['narrow']?.id}`).expect(200);
    // It names the content type by its ID.
    expect((await list(tenant)).flatMap(({ scopes }) => scopes)).not.toContain(`content:read@${type.id}`);
  });

  it('of the configuration cannot be revoked, and those of other tenants are not found', async () => {
    const [tenant, other] = [app.tenant(), app.tenant()];
    const [configured] = await list(tenant);
    const { body } = await tenant.http.delete(`${pathOf(tenant)}/${configured?.id}`).expect(409);
    expect(body.code).toBe('conflict');
    const theirs = await make(other);
    await tenant.http.delete(`${pathOf(tenant)}/${theirs.id}`).expect(404);
    const [theirConfigured] = (await list(other)).filter(({ source }) => source === 'configuration');
    await tenant.http.delete(`${pathOf(tenant)}/${theirConfigured?.id}`).expect(404);
    await withKey(theirs.key).get(formsOf(other)).expect(200);
  });

  it.each<[string, object, string[]]>([
    ['no body', {}, ['name', 'scopes']],
    ['a blank name', { name: '  ', scopes: ['read'] }, ['name']],
    ['a name with a control character', { name: 'a\nb', scopes: ['read'] }, ['name']],
    ['a long name', { name: 'x'.repeat(256), scopes: ['read'] }, ['name']],
    ['no scope', { name: 'x', scopes: [] }, ['scopes']],
    ['scopes that are no list', { name: 'x', scopes: 'read' }, ['scopes']],
    ['a scope that is no text', { name: 'x', scopes: [1] }, ['scopes']],
    ['null for scopes', { name: 'x', scopes: null }, ['scopes']],
    ['unknown scopes', { name: 'x', scopes: ['read', 'nope', 'content:nope'] }, ['scopes.1', 'scopes.2']],
    ['a scope that cannot be narrowed', { name: 'x', scopes: ['forms:read@contact'] }, ['scopes.0']],
    ['an unknown content type', { name: 'x', scopes: ['content:read@nope'] }, ['scopes.0']],
    [
      'the ID of an unknown content type',
      { name: 'x', scopes: ['content:read@ct_01k9mzh6xze3n8mqsd5wkxp2zt'] },
      ['scopes.0'],
    ],
    ['a scope twice', { name: 'x', scopes: ['read', 'read'] }, ['scopes']],
    ['too many scopes', { name: 'x', scopes: Array.from({ length: 101 }, (_, index) => `a${index}`) }, ['scopes']],
    ['a short life', { name: 'x', scopes: ['read'], expires_in: 59 }, ['expires_in']],
    ['a long life', { name: 'x', scopes: ['read'], expires_in: 31_536_001 }, ['expires_in']],
    ['a life that is no integer', { name: 'x', scopes: ['read'], expires_in: 60.5 }, ['expires_in']],
    ['null for the life', { name: 'x', scopes: ['read'], expires_in: null }, ['expires_in']],
    ['an unknown property', { name: 'x', scopes: ['read'], key: 'tvk_x' }, ['key']],
  ])('are refused with %s', async (_, body, paths) => {
    const tenant = app.tenant();
    const { body: problem } = await tenant.http.post(pathOf(tenant), body).expect(422);
    const found = (problem.errors as { path: string }[]).map(({ path }) => path);
    expect([...new Set(found)].sort()).toEqual([...paths].sort());
    expect(await list(tenant)).toHaveLength(2);
  });

  it('get only scopes of their maker', async () => {
    const tenant = app.tenant();
    const maker = await make(tenant, { scopes: ['keys:write', 'read', 'forms:write'] });
    for (const scopes of [['*'], ['write'], ['content:write'], ['read', 'media:write']]) {
      const { body } = await withKey(maker.key).post(pathOf(tenant), { name: 'x', scopes }).expect(403);
      expect(body.detail).toContain(scopes.at(-1));
    }
    for (const scopes of [['read'], ['forms:write'], ['keys:write'], ['content:read:published', 'events:read']]) {
      await make(tenant, { scopes }, maker.key);
    }
  });

  it('live no longer than their maker', async () => {
    const tenant = app.tenant();
    const maker = await make(tenant, { expires_in: 3600 });
    const lifeOf = ({ expires_at: at }: Key) => (Date.parse(at ?? '') - Date.now()) / 1000;
    expect(lifeOf(maker)).toBeGreaterThan(3500);
    const [shorter, longer, without] = [
      await make(tenant, { expires_in: 60 }, maker.key),
      await make(tenant, { expires_in: 7200 }, maker.key),
      await make(tenant, {}, maker.key),
    ];
    expect(lifeOf(shorter)).toBeLessThanOrEqual(60);
    expect([longer.expires_at, without.expires_at]).toEqual([maker.expires_at, maker.expires_at]);
    expect(longer.created_by).toBe(maker.id);
  });

  it('are refused from their expiry on, in the list too', async () => {
    const tenant = app.tenant();
    const { key, id } = await make(tenant, { expires_in: 60 });
    await withKey(key).get(formsOf(tenant)).expect(200);
    // The application holds the time, so the row is changed and announced as a change of the service is.
    await app.database.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    await app.database.query('UPDATE access_versions SET version = version + 1 WHERE tenant_id = $1', [tenant.id]);
    await until(async () => (await withKey(key).get(formsOf(tenant))).status === 401);
    expect((await list(tenant)).map((one) => one.id)).not.toContain(id);
    await make(tenant);
    const rows = await app.database.query('SELECT 1 FROM api_keys WHERE tenant_id = $1', [tenant.id]);
    expect(rows).toHaveLength(1);
  });

  it('are announced when they end, if they were used', async () => {
    const tenant = app.tenant();
    const ended: string[] = [];
    app.get(KeyCache).onEnded((id) => ended.push(id));
    const [used, unused, expiring] = [await make(tenant), await make(tenant), newSecretText('tvk_')];
    await withKey(used.key).get(formsOf(tenant)).expect(200);
    // No key that is made over the API expires so soon.
    const id = newUuid();
    await app.database.query(
      `INSERT INTO api_keys SELECT tenant_id, $2, sha256(convert_to($3, 'UTF8')), name, scopes, created_by, root, now(), now() + interval '3 s'
        FROM api_keys WHERE tenant_id = $1 LIMIT 1`,
      [tenant.id, id, expiring],
    );
    await app.database.query('UPDATE access_versions SET version = version + 1 WHERE tenant_id = $1', [tenant.id]);
    await withKey(expiring).get(formsOf(tenant)).expect(200);
    await tenant.http.delete(`${pathOf(tenant)}/${unused.id}`).expect(200);
    await tenant.http.delete(`${pathOf(tenant)}/${used.id}`).expect(200);
    await until(() => Promise.resolve(ended.length === 2));
    expect(ended).toEqual([used.id, formatId('key', id)]);
    await withKey(expiring).get(formsOf(tenant)).expect(401);
  });

  it('take the keys that they made with them when they are revoked', async () => {
    const tenant = app.tenant();
    const [first, other] = [await make(tenant), await make(tenant)];
    const second = await make(tenant, {}, first.key);
    const [third, fourth] = [await make(tenant, {}, second.key), await make(tenant, {}, second.key)];
    const { body } = await tenant.http.delete(`${pathOf(tenant)}/${first.id}`).expect(200);
    expect(body.message).toBe('The key and 3 that it made were revoked.');
    for (const { key } of [first, second, third, fourth]) await withKey(key).get(formsOf(tenant)).expect(401);
    await withKey(other.key).get(formsOf(tenant)).expect(200);
  });

  it('can revoke themselves', async () => {
    const tenant = app.tenant();
    const { key, id } = await make(tenant, { scopes: ['keys:write'] });
    await withKey(key)
      .delete(`${pathOf(tenant)}/${id}`)
      .expect(200);
    await withKey(key).get(pathOf(tenant)).expect(401);
  });

  it('that are made while their maker is revoked are revoked too', async () => {
    const tenant = app.tenant();
    const maker = await make(tenant);
    const made = Array.from({ length: 10 }, () =>
      withKey(maker.key).post(pathOf(tenant), { name: 'x', scopes: ['read'] }),
    );
    const [revoked, ...answers] = await Promise.all([tenant.http.delete(`${pathOf(tenant)}/${maker.id}`), ...made]);
    expect(revoked.status).toBe(200);
    expect(answers.filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
    expect((await list(tenant)).filter(({ source }) => source === 'api')).toEqual([]);
    for (const { body } of answers.filter(({ status }) => status === 201)) {
      await withKey((body as { data: { key: string } }).data.key)
        .get(formsOf(tenant))
        .expect(401);
    }
  });

  it('are at most 1,000 for each tenant', async () => {
    const tenant = app.tenant();
    const { id } = await make(tenant);
    await app.database.query(
      `INSERT INTO api_keys SELECT tenant_id, gen_random_uuid(), sha256(n::text::bytea), 'x', '{read}', created_by, root, now(), NULL
        FROM api_keys, generate_series(1, 999) n WHERE tenant_id = $1`,
      [tenant.id],
    );
    const { body } = await tenant.http.post(pathOf(tenant), { name: 'x', scopes: ['read'] }).expect(409);
    expect(body.detail).toContain('1,000 keys');
    expect(await list(tenant)).toHaveLength(1002);
    await tenant.http.delete(`${pathOf(tenant)}/${id}`).expect(200);
    await make(tenant);
  });

  it('show the minute in which they were last used, those of the configuration too', async () => {
    const tenant = app.tenant();
    const { key, id } = await make(tenant);
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    await withKey(key).get(formsOf(tenant)).expect(200);
    const used = await until(async () => {
      const keys = await list(tenant);
      const times = [id, keys.at(-2)?.id].map((one) => keys.find((other) => other.id === one)?.last_used_at ?? null);
      return times.includes(null) ? undefined : times;
    });
    for (const time of used) {
      expect(time).toMatch(MINUTE);
      expect(Date.parse(time ?? '')).toBeGreaterThanOrEqual(minute);
    }
    const [published] = (await list(tenant)).filter(({ name }) => name === 'published');
    expect(published?.last_used_at).toBeNull();
  });

  it('refuse an Idempotency-Key where they are made, and take one where they are revoked', async () => {
    const tenant = app.tenant();
    const keyed = app.client(`Bearer ${tenant.key}`, { 'Idempotency-Key': 'once' });
    await keyed.post(pathOf(tenant), { name: 'x', scopes: ['read'] }).expect(400);
    const { key, id } = await make(tenant);
    await withKey(key).get(formsOf(tenant)).expect(200);
    for (let times = 0; times < 2; times++) await keyed.delete(`${pathOf(tenant)}/${id}`).expect(200);
    await withKey(key).get(formsOf(tenant)).expect(401);
  });

  it('with an invented text are refused, and count as failures of their address', async () => {
    const tenant = app.tenant();
    const { key } = await make(tenant);
    const from = (text: string) => app.client(`Bearer ${text}`, { 'X-Forwarded-For': '203.0.113.77' });
    const invented = key.slice(0, -7) + (key.at(-7) === 'A' ? 'B' : 'A') + key.slice(-6);
    for (let times = 0; times < 20; times++) await from(invented).get(formsOf(tenant)).expect(401);
    await from(invented).get(formsOf(tenant)).expect(429);
    await from(key).get(formsOf(tenant)).expect(200);
    const fresh = await make(tenant);
    await from(fresh.key).get(formsOf(tenant)).expect(200);
  });

  it('are looked up without a query, and many unknown ones share a few', async () => {
    const tenant = app.tenant();
    const { key } = await make(tenant);
    const apart = `${formsOf(tenant)}?nope=1`;
    await withKey(key).get(apart).expect(400);
    const { texts, stop } = recordStatements();
    try {
      for (let times = 0; times < 50; times++) await withKey(key).get(apart).expect(400);
      const ofWatch = (text: string) => text.includes('access_versions') || text.includes('key_uses');
      expect(texts.filter((text) => /api_keys|key_/.test(text) && !ofWatch(text))).toEqual([]);

      texts.length = 0;
      const startedAt = performance.now();
      const strangers = Array.from({ length: 200 }, (_, index) =>
        app.client(`Bearer ${newSecretText('tvk_')}`, { 'X-Forwarded-For': `198.51.100.${index}` }).get(apart),
      );
      for (const { status } of await Promise.all(strangers)) expect(status).toBe(401);
      // At most one look in 50 ms, and the timers are not exact.
      const most = (performance.now() - startedAt) / 45 + 5;
      expect(texts.filter((text) => text.includes('sum(version)')).length).toBeLessThan(most);
    } finally {
      stop();
    }
  });

  it('narrowed by a slug name the content type by its ID, and follow a change of the slug', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    const { key, scopes } = await make(tenant, { scopes: ['content:read@post', 'content:write@post'] });
    const ids = scopes.map((scope) => scope.split('@')[1]);
    expect(ids).toEqual([expect.stringMatching(/^ct_/), ids[0]]);
    expect(type.path).toContain(ids[0]);
    await withKey(key).get(`/v1/content/${tenant.id}/types/post/entries`).expect(200);
    await tenant.http.put(type.path, { slug: 'article' }).expect(200);
    await withKey(key).get(`/v1/content/${tenant.id}/types/article/entries`).expect(200);
    await withKey(key).get(`/v1/content/${tenant.id}/types/post/entries`).expect(403);
    await createType(tenant, [{ name: 'title', type: 'text' }], 'Post');
    await withKey(key).get(`/v1/content/${tenant.id}/types/post/entries`).expect(403);
  });
});

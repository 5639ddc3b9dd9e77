import { createHash } from 'node:crypto';
import { operationsOf, readDocument } from '../support/api.js';
import { type Http, startApp, type TestApp } from '../support/app.js';

const sha256 = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;

const TENANTS = [
  {
    id: 'ten_acme',
    name: 'Acme',
    api_keys: [
      { name: 'all', key: 'acme-all' },
      { name: 'hashed', key: sha256('acme-hashed'), scopes: ['*'] },
      { name: 'reader', key: 'acme-reader', scopes: ['read'] },
      { name: 'writer', key: 'acme-writer', scopes: ['write'] },
      { name: 'content reader', key: 'acme-content-reader', scopes: ['content:read'] },
      { name: 'content writer', key: 'acme-content-writer', scopes: ['content:write'] },
      { name: 'forms', key: 'acme-forms', scopes: ['forms:read', 'forms:write'] },
      { name: 'hooks', key: 'acme-hooks', scopes: ['webhooks:read', 'webhooks:write'] },
      { name: 'read and write', key: 'acme-read-write', scopes: ['read', 'write'] },
      { name: 'hooks and read', key: 'acme-hooks-read', scopes: ['webhooks:write', 'read'] },
      { name: 'hooks of content', key: 'acme-hooks-content', scopes: ['webhooks:write', 'content:read'] },
      { name: 'hooks of a site', key: 'acme-hooks-published', scopes: ['webhooks:write', 'content:read:published'] },
      { name: 'hooks of media', key: 'acme-hooks-media', scopes: ['webhooks:write', 'media:read'] },
      { name: 'hooks of events', key: 'acme-hooks-events', scopes: ['webhooks:write', 'events:read', 'forms:write'] },
    ],
  },
  { id: 'ten_other', name: 'Other', api_keys: [{ name: 'all', key: 'other-all' }] },
  { id: 'ten_limited', name: 'Limited', rate_limit: 3, api_keys: [{ key: 'limited-1' }, { key: 'limited-2' }] },
];

const TYPES = '/v1/content/ten_acme/types';
const FORMS = '/v1/forms/ten_acme';
const TYPE = { name: 'Page', fields: [{ name: 'title', type: 'text' }] };

describe('access', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ TENANTS: JSON.stringify(TENANTS) });
  });
  afterAll(() => app.close());

  let address = 0;
  /** Uses a new client address for each call, so that no test counts towards the limit of another. */
  const from = (authorization: string | undefined, host = `198.51.100.${++address}`): Http =>
    app.client(authorization, { 'X-Forwarded-For': host });
  const withKey = (key: string) => app.client(`Bearer ${key}`);

  describe('a request without a valid key', () => {
    it('answers 401 with WWW-Authenticate for every malformed or unknown key', async () => {
      const bad = [
        undefined,
        'Bearer',
        'Bearer ',
        'Bearer nope',
        'Bearer acme-all x',
        'Basic YWNtZS1hbGw6',
        'acme-all',
        'Token acme-all',
        `Bearer ${sha256('acme-hashed')}`,
        `Bearer ${'x'.repeat(4096)}`,
      ];
      for (const authorization of bad) {
        const { body, headers } = await from(authorization).get(TYPES).expect(401);
        expect(headers['www-authenticate']).toBe('Bearer');
        expect(headers['content-type']).toBe('application/problem+json');
        expect(body).toMatchObject({ type: '/problems/unauthorized', status: 401, code: 'unauthorized' });
      }
    });

    it('answers 401 for an unknown tenant too, before anything else is checked', async () => {
      const nobody = from(undefined);
      await nobody.get('/v1/content/ten_nobody/types').expect(401);
      await nobody.get('/v1/content/nonsense/types?nope=1').expect(401);
      await nobody.post(TYPES).set('Content-Type', 'text/plain').send('{').expect(401);
      await nobody.get(`${TYPES}/not-an-id`).expect(401);
    });

    it('answers 401 when the key is in the query string', async () => {
      await from(undefined).get(`${TYPES}?access_token=acme-all`).expect(401);
    });
  });

  it('a request with a valid key accepts the scheme in any letter case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      await app.client(`${scheme} acme-all`).get(TYPES).expect(200);
    }
  });

  it('answers 403 for every tenant but the key’s own, even for malformed tenant IDs', async () => {
    const answers = new Set<string>();
    for (const tenant of [
      'ten_other',
      'ten_nobody',
      'TEN_ACME',
      'acme',
      'ten_',
      '%20',
      '%F0%9F%98%80',
      "'--",
      '..%2f',
    ]) {
      const { body } = await withKey('acme-all').get(`/v1/content/${tenant}/types`).expect(403);
      expect(body.code).toBe('forbidden');
      answers.add(body.detail);
    }
    // The response does not reveal whether the tenant exists.
    expect(answers.size).toBe(1);
  });

  it('answers 403 for another tenant before the body and the query are validated', async () => {
    const other = withKey('other-all');
    await other.get(`${TYPES}?nope=1`).expect(403);
    await other.post(TYPES).set('Content-Type', 'text/plain').send('{').expect(403);
    await other.get(`${TYPES}/not-an-id`).expect(403);
  });

  describe('scopes', () => {
    it.each([
      ['acme-all', { types: 200, create: 201, forms: 200, createForm: 201 }],
      ['acme-hashed', { types: 200, create: 201, forms: 200, createForm: 201 }],
      ['acme-reader', { types: 200, create: 403, forms: 200, createForm: 403 }],
      ['acme-writer', { types: 403, create: 201, forms: 403, createForm: 201 }],
      ['acme-content-reader', { types: 200, create: 403, forms: 403, createForm: 403 }],
      ['acme-content-writer', { types: 403, create: 201, forms: 403, createForm: 403 }],
      ['acme-forms', { types: 403, create: 403, forms: 200, createForm: 201 }],
    ])('of %s decide which requests it may send', async (key, { types, create, forms, createForm }) => {
      const http = withKey(key);
      await http.get(TYPES).expect(types);
      await http.post(TYPES, TYPE).expect(create);
      await http.get(FORMS).expect(forms);
      await http.post(FORMS, TYPE).expect(createForm);
    });

    it('that are missing are reported differently from a wrong tenant', async () => {
      const { body } = await withKey('acme-reader').post(TYPES, TYPE).expect(403);
      expect(body.detail).toMatch(/scope/);
    });

    it('allow HEAD where they allow GET', async () => {
      await app.client('Bearer acme-reader').get(TYPES).expect(200);
      const response = await fetch(`${app.url}${TYPES}`, { method: 'HEAD', headers: bearer('acme-writer') });
      expect(response.status).toBe(403);
    });
  });

  describe('a webhook', () => {
    const HOOKS = '/v1/webhooks/ten_acme';
    const URL = 'https://hooks.example.com/in';
    const EVENTS = ['entry.created', 'media.uploaded', 'form.submitted'];
    const newHook = async (events = EVENTS) => {
      const { body } = await withKey('acme-all').post(HOOKS, { url: URL, events }).expect(201);
      return `${HOOKS}/${body.data.id}`;
    };
    const expectLacks = (response: { status: number; body: unknown }, scopes: string) => {
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((response.body as { detail: string }).detail).toContain(`${scopes}.`);
    };

    it.each([
      ['acme-all', EVENTS, undefined],
      ['acme-read-write', EVENTS, undefined],
      ['acme-hooks-read', EVENTS, undefined],
      ['acme-hooks-content', ['entry.created', 'entry.updated', 'entry.deleted', 'entry.published'], undefined],
      ['acme-hooks-media', ['media.uploaded', 'media.deleted'], undefined],
      ['acme-hooks-read', ['*'], undefined],
      ['acme-hooks-content', ['entry.created', '*'], 'read'],
      ['acme-writer', ['entry.published'], 'content:read'],
      ['acme-writer', EVENTS, 'content:read, media:read, forms:read'],
      ['acme-hooks', ['entry.deleted'], 'content:read'],
      ['acme-hooks', ['media.deleted'], 'media:read'],
      ['acme-hooks-content', EVENTS, 'media:read, forms:read'],
      // Drafts cause events too.
      ['acme-hooks-published', ['entry.published'], 'content:read'],
      ['acme-hooks-events', ['form.submitted'], 'forms:read'],
    ])('is created with %s for %j only by a key that may read these events', async (key, events, lacks) => {
      const response = await withKey(key).post(HOOKS, { url: URL, events });
      if (lacks === undefined) expect(response.status).toBe(201);
      else expectLacks(response, lacks);
    });

    it('is not created by a key that may read but not write', async () => {
      await withKey('acme-reader').post(HOOKS, { url: URL, events: EVENTS }).expect(403);
    });

    it('is validated before the scopes are checked', async () => {
      await withKey('acme-hooks').post(HOOKS, { url: 'x', events: EVENTS }).expect(422);
    });

    it('gets no new events, URL or activation from a key that may not read its events', async () => {
      const hook = await newHook(['entry.created']);
      const hooks = withKey('acme-hooks');
      expectLacks(await hooks.patch(hook, { url: 'https://evil.example.com/' }), 'content:read');
      expectLacks(await hooks.patch(hook, { events: ['entry.created', 'form.submitted'] }), 'forms:read');
      expectLacks(await hooks.patch(hook, { events: ['media.deleted'], secret: 'x' }), 'media:read');
      await hooks.patch(hook, { active: false }).expect(200);
      expectLacks(await hooks.patch(hook, { active: true }), 'content:read');
      expectLacks(await hooks.patch(hook, { url: 'https://evil.example.com/' }), 'content:read');
      const { body } = await hooks.get(hook).expect(200);
      expect(body.data).toMatchObject({ url: URL, events: ['entry.created'], active: false });
      await withKey('acme-hooks-content').patch(hook, { active: true }).expect(200);
    });

    it('gets no wider filters and payloads from a key that may not read its events', async () => {
      const hook = await newHook(['entry.created']);
      const hooks = withKey('acme-hooks');
      await hooks.patch(hook, { payload: 'thin', description: 'A website' }).expect(200);
      expectLacks(await hooks.patch(hook, { payload: 'full' }), 'content:read');
      const filters = { status: 'published' };
      await withKey('acme-hooks-content').patch(hook, { filters }).expect(200);
      expectLacks(await hooks.patch(hook, { filters: null }), 'content:read');
      expectLacks(await hooks.patch(hook, { filters: { status: 'draft' } }), 'content:read');
      await hooks.patch(hook, { filters, payload: 'thin' }).expect(200);
      await withKey('acme-hooks-content').patch(hook, { payload: 'full', filters: null }).expect(200);
    });

    it('gets no replay from a key that may not read its events', async () => {
      const hook = await newHook(['entry.created', 'media.uploaded']);
      const range = { from: '2026-01-01T00:00:00Z', dry_run: true };
      expectLacks(await withKey('acme-hooks-media').post(`${hook}/replay`, range), 'content:read');
      await withKey('acme-hooks-media')
        .post(`${hook}/replay`, { ...range, types: ['media.uploaded'] })
        .expect(202);
      await withKey('acme-hooks-read').post(`${hook}/replay`, range).expect(202);
    });

    it('can be changed in other ways, tested and deleted without read scopes', async () => {
      const hook = await newHook();
      const hooks = withKey('acme-hooks');
      for (const body of [{}, { url: URL }, { active: true }, { secret: 'new' }, { events: ['entry.created'] }]) {
        await hooks.patch(hook, body).expect(200);
      }
      await hooks.post(`${hook}/test`).expect(202);
      await hooks.delete(hook).expect(200);
    });

    it('never sends events of an earlier subscription to a URL set by a key that may not read them', async () => {
      const hook = await newHook(['entry.created', 'media.uploaded']);
      const type = await withKey('acme-all').post(TYPES, TYPE).expect(201);
      await withKey('acme-all').post(`${TYPES}/${type.body.data.id}/entries`, { fields: {} }).expect(201);
      const media = withKey('acme-hooks-media');
      await media.patch(hook, { events: ['media.uploaded'] }).expect(200);
      // The old URL does not respond, so the delivery of the entry's event is still pending.
      const evil = { url: 'https://evil.example.com/' };
      expectLacks(await media.patch(hook, evil), 'content:read');

      const { body } = await withKey('acme-all').get(`${hook}/deliveries`).expect(200);
      const [delivery] = body.data as { id: string; event_type: string }[];
      expect(delivery).toMatchObject({ event_type: 'entry.created' });
      const finish = `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
        WHERE tenant_id = 'ten_acme' AND webhook_id = (SELECT id FROM webhooks WHERE url = $1)`;
      await withKey('acme-all').patch(hook, { url: 'https://once.example.com/' }).expect(200);
      await app.database.query(finish, ['https://once.example.com/']);
      await media.patch(hook, evil).expect(200);
      expectLacks(await media.post(`${hook}/deliveries/${delivery?.id}/redeliver`), 'content:read');
      expectLacks(await media.post(`${hook}/redeliver`, { since: '2020-01-01T00:00:00Z' }), 'content:read');
      await media.post(`${hook}/redeliver`, { since: '2100-01-01T00:00:00Z' }).expect(202);
      await withKey('acme-all').post(`${hook}/deliveries/${delivery?.id}/redeliver`).expect(202);
    });
  });

  describe('a changed configuration', () => {
    it('accepts the old key and the new one during a rotation, and rejects a removed key', async () => {
      const tenant = (keys: object[]) => JSON.stringify([{ id: 'ten_rotated', name: 'Rotated', api_keys: keys }]);
      const types = '/v1/content/ten_rotated/types';
      const database = app.database;

      const both = await startApp({ TENANTS: tenant([{ key: 'old' }, { key: sha256('new') }]) }, { database });
      await both.client('Bearer old').post(types, TYPE).expect(201);
      await both.client('Bearer new').get(types).expect(200);
      await both.close();

      const after = await startApp({ TENANTS: tenant([{ key: sha256('new') }]) }, { database });
      await after.client('Bearer old').get(types).expect(401);
      const { body } = await after.client('Bearer new').get(types).expect(200);
      expect(body.meta.total).toBe(1);
      await after.close();
    });

    it('keeps the data of a removed tenant, and updates a tenant’s name', async () => {
      const database = app.database;
      const start = (tenants: object[]) => startApp({ TENANTS: JSON.stringify(tenants) }, { database });
      const away = await start([]);
      await away.client('Bearer acme-all').get(TYPES).expect(401);
      await away.close();
      const back = await start([{ id: 'ten_acme', name: 'Acme again', api_keys: [{ key: 'acme-all' }] }]);
      const { body } = await back.client('Bearer acme-all').get(TYPES).expect(200);
      expect(body.meta.total).toBeGreaterThan(0);
      const [row] = await database.query<{ name: string }>('SELECT name FROM tenants WHERE id = $1', ['ten_acme']);
      expect(row).toEqual({ name: 'Acme again' });
      await back.close();
    });
  });

  describe('failed authentication', () => {
    it('answers 429 with Retry-After from the 21st in a minute, while valid keys from the same address still work', async () => {
      const host = '203.0.113.7';
      for (let failure = 1; failure <= 20; failure++) {
        await from(failure % 2 ? undefined : `Bearer guess-${failure}`, host)
          .get(TYPES)
          .expect(401);
      }
      for (const authorization of [undefined, 'Bearer guess']) {
        const { body, headers } = await from(authorization, host).get(TYPES).expect(429);
        expect(body.code).toBe('rate_limited');
        expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      }
      await from('Bearer acme-all', host).get(TYPES).expect(200);
      await from('Bearer other-all', host).get(TYPES).expect(403);
      await from('Bearer guess', '203.0.113.8').get(TYPES).expect(401);
    });

    it('counts per address that the trusted proxy reports, not per address that the client claims', async () => {
      const host = '203.0.113.9';
      for (let failure = 1; failure <= 20; failure++) {
        await from('Bearer guess', `192.0.2.${failure}, ${host}`).get(TYPES).expect(401);
      }
      await from('Bearer guess', `192.0.2.99, ${host}`).get(TYPES).expect(429);
    });

    it('counts an IPv6 client by its /64', async () => {
      for (let failure = 1; failure <= 20; failure++) {
        await from('Bearer guess', `2001:db8:1:2:${failure.toString(16)}::1`)
          .get(TYPES)
          .expect(401);
      }
      await from('Bearer guess', '2001:db8:1:2:ffff::').get(TYPES).expect(429);
      await from('Bearer guess', '2001:db8:1:3::1').get(TYPES).expect(401);
    });
  });

  describe('/metrics', () => {
    const production = {
      NODE_ENV: 'production',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      TENANTS: '[]',
    };
    const metrics = async (started: TestApp, headers: Record<string, string> = {}) =>
      (await started.client(undefined, headers).get('/metrics')).status;

    it('answers only loopback clients without a proxy when no token is set', async () => {
      expect(await metrics(app)).toBe(200);
      expect(await metrics(app, { 'X-Forwarded-For': '198.51.100.1' })).toBe(404);
      expect(await metrics(app, { Forwarded: 'for=198.51.100.1' })).toBe(404);
    });

    it('answers 404 in production when no token is set, even to a local proxy without headers', async () => {
      const started = await startApp(production, { database: app.database });
      expect(await metrics(started)).toBe(404);
      expect(await metrics(started, { Authorization: 'Bearer ' })).toBe(404);
      expect(await metrics(started, { Authorization: 'Bearer undefined' })).toBe(404);
      await started.close();
    });

    it('accepts the token from any address, also in production', async () => {
      const started = await startApp({ ...production, METRICS_TOKEN: 'let-me-see' }, { database: app.database });
      expect(await metrics(started)).toBe(401);
      expect(await metrics(started, { Authorization: 'Bearer let-me-se' })).toBe(401);
      const forwarded = { Authorization: 'Bearer let-me-see', 'X-Forwarded-For': '198.51.100.1' };
      expect(await metrics(started, forwarded)).toBe(200);
      await started.close();
    });
  });

  it('no answer to a request with a key may be stored by a cache', async () => {
    const all = operationsOf(await readDocument(app));
    // Clients keep the contract and the locales, and ask whether they have changed.
    const lists = all.filter(
      ({ method, path, isPublic }) =>
        method === 'get' &&
        !isPublic &&
        /^[^{]*\{tenant_id\}[^{]*$/.test(path) &&
        !/^\/v1\/(contract|locales)\//.test(path),
    );
    expect(lists.length).toBeGreaterThan(9);
    const answers = lists.map(({ path }) =>
      withKey('acme-all').get(path.replace('{tenant_id}', 'ten_acme') + (path.endsWith('/search') ? '?search=a' : '')),
    );
    const type = { name: 'Stored', fields: [{ name: 'title', type: 'text' }] };
    const created = await withKey('acme-all').post(TYPES, type).expect(201);
    const path = `${TYPES}/${created.body.data.id}`;
    const kept = await app
      .client('Bearer acme-all', { 'If-None-Match': String(created.headers['etag']) })
      .get(path)
      .expect(304);
    const text = { 'Content-Type': 'text/plain' };
    const refused = [withKey('acme-reader').post(TYPES, type), app.client('Bearer acme-all', text).post(TYPES)];
    expect(kept.headers['cache-control']).toBe('private, no-cache');
    for (const { headers } of [created, ...(await Promise.all([...answers, ...refused]))]) {
      expect(headers['cache-control']).toBe('no-store');
    }
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  });

  it('a tenant with rate_limit has that limit for each of its keys', async () => {
    const types = '/v1/content/ten_limited/types';
    for (let request = 1; request <= 3; request++) await withKey('limited-1').get(types).expect(200);
    const { body, headers } = await withKey('limited-1').get(types).expect(429);
    expect(body.code).toBe('rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await withKey('limited-2').get(types).expect(200);
    await withKey('acme-all').get(TYPES).expect(200);
  });
});

function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

import { createHash } from 'node:crypto';
import { type Http, startApp, type TestApp } from './support/app.js';

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
  /** Every test has a client address of its own, so that none counts towards another's limit. */
  const from = (authorization: string | undefined, host = `198.51.100.${++address}`): Http =>
    app.client(authorization, { 'X-Forwarded-For': host });
  const withKey = (key: string) => app.client(`Bearer ${key}`);

  describe('without a good key', () => {
    it('answers 401 with WWW-Authenticate, whatever was sent instead', async () => {
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

    it('answers 401 for an unknown tenant too, and before anything else is looked at', async () => {
      const nobody = from(undefined);
      await nobody.get('/v1/content/ten_nobody/types').expect(401);
      await nobody.get('/v1/content/nonsense/types?nope=1').expect(401);
      await nobody.post(TYPES).set('Content-Type', 'text/plain').send('{').expect(401);
      await nobody.get(`${TYPES}/not-an-id`).expect(401);
    });

    it('takes no key from the query string', async () => {
      await from(undefined).get(`${TYPES}?access_token=acme-all`).expect(401);
    });
  });

  it('takes the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      await app.client(`${scheme} acme-all`).get(TYPES).expect(200);
    }
  });

  it('answers 403 for any tenant but the key’s own, whatever it looks like', async () => {
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
    // Whether the tenant exists is not told.
    expect(answers.size).toBe(1);
  });

  it('answers 403 for another tenant before the body and the query are looked at', async () => {
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
    ])('of %s decide what it may do', async (key, { types, create, forms, createForm }) => {
      const http = withKey(key);
      await http.get(TYPES).expect(types);
      await http.post(TYPES, TYPE).expect(create);
      await http.get(FORMS).expect(forms);
      await http.post(FORMS, TYPE).expect(createForm);
    });

    it('are told apart from a foreign tenant in the detail', async () => {
      const { body } = await withKey('acme-reader').post(TYPES, TYPE).expect(403);
      expect(body.detail).toMatch(/scope/);
    });

    it('let a HEAD in where they let a GET in', async () => {
      await app.client('Bearer acme-reader').get(TYPES).expect(200);
      const response = await fetch(`${app.url}${TYPES}`, { method: 'HEAD', headers: bearer('acme-writer') });
      expect(response.status).toBe(403);
    });
  });

  describe('rotation', () => {
    it('knows the old key and the new one at once, and a key that left no more', async () => {
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

    it('keeps the data of a tenant that left the configuration, and takes its name from it', async () => {
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
    it('is 429 with Retry-After from the 21st in a minute; good keys from there still work', async () => {
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

    it('counts for each address that the trusted proxy names, and for none that a client made up', async () => {
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

  it('limits each key of a tenant that has a rate_limit', async () => {
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

import { startApp, type TestApp } from '../support/app.js';
import { files } from '../support/files.js';
import { pathOf, upload } from '../support/upload.js';

const SHOP = 'https://shop.example';
const EVIL = 'https://evil.example';
const EXPOSED = [
  'ETag',
  'Location',
  'Idempotency-Replayed',
  'Retry-After',
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].concat(['Accept-Ranges', 'Content-Range', 'Content-Disposition']);

describe('CORS', () => {
  let app: TestApp;
  beforeAll(async () => {
    const TENANTS = JSON.stringify([
      { id: 'ten_open', name: 'Open', api_keys: [{ key: 'open' }] },
      {
        id: 'ten_choosy',
        name: 'Choosy',
        allowed_origins: [SHOP],
        api_keys: [{ key: 'choosy' }, { name: 'blog', key: 'blog', allowed_origins: ['https://blog.example'] }],
      },
      { id: 'ten_none', name: 'None', allowed_origins: [], api_keys: [{ key: 'none' }] },
      { id: 'ten_any', name: 'Any', allowed_origins: [SHOP, '*'], api_keys: [{ key: 'any' }] },
      { id: 'ten_mixed', name: 'Mixed', api_keys: [{ key: 'mixed', allowed_origins: [SHOP] }] },
    ]);
    app = await startApp({ TENANTS });
  });
  afterAll(() => app.close());

  const preflight = (path: string, origin: string, method = 'GET') =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,traceparent',
      },
    });
  const send = (tenant: string, key: string | undefined, origin?: string, path = `/v1/content/${tenant}/types`) =>
    fetch(app.url + path, {
      headers: { ...(key && { Authorization: `Bearer ${key}` }), ...(origin && { Origin: origin }) },
    });
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  it('every operation with a key answers a preflight', async () => {
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })));
    expect(operations.length).toBeGreaterThan(25);
    for (const { path, method } of operations.filter(({ method }) => method !== 'PARAMETERS')) {
      const response = await preflight(path.replace('{tenant_id}', 'ten_open').replace(/\{\w+\}/g, 'x'), SHOP, method);
      expect(response.status).toBe(204);
      expect(allowed(response)).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toContain(method);
      expect(response.headers.get('access-control-allow-headers')).toBe('authorization,traceparent');
      expect(response.headers.get('access-control-max-age')).toBe('86400');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('pages read responses and refusals, and the headers that they need', async () => {
    const responses = [
      await send('ten_open', 'open', SHOP),
      await send('ten_open', 'nonsense', SHOP),
      await send('ten_open', undefined, SHOP),
      await send('ten_choosy', 'open', SHOP),
      await send('ten_open', 'open', SHOP, '/v1/nothing/ten_open'),
      await send('ten_open', 'open', SHOP, '/v1/content/ten_open/types?nope=1'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 401, 403, 404, 400]);
    for (const response of responses) {
      expect(allowed(response)).toMatch(/^(\*|https:\/\/shop\.example)$/);
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it("a tenant's allowed_origins are the only ones", async () => {
    for (const [tenant, key] of [
      ['ten_choosy', 'choosy'],
      ['ten_none', 'none'],
    ] as const) {
      const mine = await send(tenant, key, SHOP);
      expect(allowed(mine)).toBe(tenant === 'ten_choosy' ? SHOP : null);
      expect(mine.headers.get('vary')).toContain('Origin');
      for (const origin of [EVIL, 'null', `${SHOP}.evil.example`, `${SHOP}:8443`, 'http://shop.example']) {
        expect(allowed(await send(tenant, key, origin))).toBeNull();
        expect(allowed(await preflight(`/v1/content/${tenant}/types`, origin))).toBeNull();
      }
    }
    expect(allowed(await send('ten_any', 'any', EVIL))).toBe('*');
    expect(allowed(await preflight('/v1/content/ten_any/types', EVIL))).toBe('*');
    expect(allowed(await preflight('/v1/content/ten_choosy/types', SHOP))).toBe(SHOP);
  });

  it('an encoded tenant ID has the same origins', async () => {
    const path = '/v1/content/ten%5Fchoosy/types';
    expect(allowed(await send('', 'choosy', EVIL, path))).toBeNull();
    expect(allowed(await preflight(path, EVIL))).toBeNull();
    expect(allowed(await send('', 'choosy', SHOP, path))).toBe(SHOP);
  });

  it("a key's allowed_origins replace those of its tenant", async () => {
    expect(allowed(await send('ten_choosy', 'blog', 'https://blog.example'))).toBe('https://blog.example');
    expect(allowed(await send('ten_choosy', 'blog', SHOP))).toBeNull();
    expect(allowed(await send('ten_choosy', 'choosy', 'https://blog.example'))).toBeNull();
    expect(allowed(await send('ten_mixed', 'mixed', SHOP))).toBe(SHOP);
    expect(allowed(await send('ten_mixed', 'mixed', EVIL))).toBeNull();
    // A preflight does not tell the key.
    expect(allowed(await preflight('/v1/content/ten_choosy/types', 'https://blog.example'))).toBe(
      'https://blog.example',
    );
  });

  it('a response to a request without a key and without an origin can be cached for pages', async () => {
    expect(allowed(await send('ten_open', undefined))).toBe('*');
    const choosy = await send('ten_choosy', undefined);
    expect(allowed(choosy)).toBeNull();
    expect(choosy.headers.get('vary')).toContain('Origin');
  });

  it('a program with a key and other paths get no CORS headers', async () => {
    const responses = [await send('ten_open', 'open'), await send('', undefined, SHOP, '/health/live')];
    for (const { headers } of responses) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  describe('public files', () => {
    let file: string;
    beforeAll(async () => {
      // The tenant allows no origin, but its files are public.
      const media = await upload(app, { id: 'ten_none', key: 'none', http: app.client('Bearer none') }, files.pdf());
      file = pathOf(media.url);
    });

    it.each([
      ['the file', '', {}, 200],
      ['a part of it', '', { Range: 'bytes=0-3' }, 206],
      ['a part beyond its end', '', { Range: 'bytes=999999-' }, 416],
      ['the file that the client has', '', { 'If-None-Match': '*' }, 304],
      ['a variant that it cannot have', '?w=100', {}, 400],
      ['a file that does not exist', '.png', {}, 404],
    ])('are read by pages of any origin, with all headers and refusals: %s', async (_case, rest, headers, status) => {
      for (const more of [{ Origin: EVIL }, {}, { Authorization: 'Bearer none' }] as Record<string, string>[]) {
        for (const method of ['GET', 'HEAD']) {
          const response = await fetch(app.url + file + rest, { method, headers: { ...headers, ...more } });
          expect([response.status, allowed(response)]).toEqual([status, '*']);
          const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
          expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Accept-Ranges', 'Content-Range']));
        }
      }
    });

    it.each(['GET', 'HEAD'])('answer a preflight of %s', async (method) => {
      const headers = { Origin: EVIL, 'Access-Control-Request-Method': method };
      const response = await fetch(app.url + file, {
        method: 'OPTIONS',
        headers: { ...headers, 'Access-Control-Request-Headers': 'if-none-match,range' },
      });
      expect([response.status, allowed(response)]).toEqual([204, '*']);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      expect(response.headers.get('access-control-allow-headers')).toBe('if-none-match,range');
    });

    it('allow no other method', async () => {
      expect(allowed(await preflight(file, EVIL, 'DELETE'))).toBeNull();
    });
  });

  it('the script that embeds forms may be loaded with its integrity', async () => {
    const response = await fetch(`${app.url}/f/embed.js`, { headers: { Origin: EVIL } });
    expect([response.status, allowed(response)]).toEqual([200, '*']);
  });

  it('a plain OPTIONS request gets the methods of the path', async () => {
    const response = await fetch(`${app.url}/v1/content/ten_open/types`, { method: 'OPTIONS' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

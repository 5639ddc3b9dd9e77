import { startApp, type TestApp } from '../support/app.js';
import { makePerson, signIn } from '../support/people.js';

const PUBLIC_URL = 'https://cms.example.com';

describe('the cookie of a session', () => {
  let app: TestApp;
  let cookie: string;
  let tenantId: string;
  beforeAll(async () => {
    app = await startApp({ PUBLIC_URL, CONSOLE_URL: 'https://console.example.com' });
    tenantId = app.tenant().id;
    ({ cookie } = await signIn(app, await makePerson(app, [tenantId])));
  });
  afterAll(() => app.close());

  const send = (method: 'get' | 'post', headers: Record<string, string>) => {
    const http = app.client(undefined, { Cookie: cookie, ...headers });
    const TYPE = { name: `Type ${Math.random()}`, fields: [{ name: 'title', type: 'text' }] };
    return method === 'get' ? http.get(`/v1/usage/${tenantId}`) : http.post(`/v1/content/${tenantId}/types`, TYPE);
  };
  const CONSOLE = { 'X-Trivet-Console': '1' };

  it('belongs to the host alone behind https', () => {
    expect(cookie).toMatch(/^__Host-trivet=tvs_/);
  });

  it.each([
    ['get', {}, 401],
    ['get', { 'X-Trivet-Console': '0' }, 401],
    ['get', CONSOLE, 200],
    ['get', { ...CONSOLE, Origin: PUBLIC_URL }, 200],
    ['get', { ...CONSOLE, Origin: 'https://console.example.com' }, 200],
    ['get', { ...CONSOLE, 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['get', { ...CONSOLE, 'Sec-Fetch-Site': 'same-site' }, 403],
    ['get', { ...CONSOLE, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['get', { ...CONSOLE, Origin: 'https://evil.example.com' }, 403],
    ['get', { ...CONSOLE, Origin: 'null' }, 403],
    ['get', { ...CONSOLE, Origin: 'https://cms.example.com.evil.example' }, 403],
    ['post', {}, 401],
    ['post', CONSOLE, 403],
    ['post', { Origin: PUBLIC_URL }, 401],
    ['post', { ...CONSOLE, Origin: PUBLIC_URL }, 201],
    ['post', { ...CONSOLE, Origin: 'https://console.example.com' }, 201],
    ['post', { ...CONSOLE, Origin: 'http://cms.example.com' }, 403],
    ['post', { ...CONSOLE, Origin: 'https://evil.example.com' }, 403],
  ] as const)('in a %s with %j is answered %d', async (method, headers, status) => {
    await send(method, headers).expect(status);
  });

  it('is looked at only without an Authorization header, which counts alone', async () => {
    await send('get', { ...CONSOLE, Authorization: 'Bearer nope' }).expect(401);
    await send('get', { ...CONSOLE, Authorization: 'Basic eDp5' }).expect(401);
  });

  it('is no credential for assistants, forms, previews, files and pages', async () => {
    const http = app.client(undefined, { Cookie: cookie, ...CONSOLE, Origin: PUBLIC_URL });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    await http.post(`/mcp/${tenantId}`, call).expect(401);
    await http.get('/v1/preview/nope').expect(404);
    const { body: form } = await http
      .post(`/v1/forms/${tenantId}`, { name: 'Contact', fields: [{ name: 'message', type: 'text' }] })
      .expect(201);
    const submission = { fields: { message: 'Hello' } };
    const submissions = `/v1/forms/${tenantId}/${form.data.id}/submissions`;
    // A key may tell the address of a visitor; a session may not.
    await http.post(submissions, submission).set('Trivet-Client-Address', '198.51.100.9').expect(401);
    const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const uploaded = await http.post(`/v1/media/${tenantId}`).attach('file', image, 'dot.gif').expect(201);
    const { pathname } = new URL(uploaded.body.data.url as string);
    for (const path of ['/docs/', pathname, `/f/${tenantId}/${form.data.slug}`]) {
      const [own, anonymous] = [await http.get(path), await app.client().get(path)];
      const shown = ({ status, text, headers }: typeof own) => [status, text, headers['etag'], headers['set-cookie']];
      expect(shown(own)).toEqual(shown(anonymous));
    }
  });

  it('may be sent by the console on an origin of its own, and by no other page', async () => {
    const preflight = (origin: string) =>
      fetch(`${app.url}/v1/usage/${tenantId}`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'x-trivet-console',
        },
      });
    const own = await preflight('https://console.example.com');
    expect(own.headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect(own.headers.get('access-control-allow-credentials')).toBe('true');
    const { headers } = await send('get', { ...CONSOLE, Origin: 'https://console.example.com' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://console.example.com',
      'access-control-allow-credentials': 'true',
    });
    const other = await preflight('https://evil.example.com');
    expect(other.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('does not begin from a page of another origin', async () => {
    const key = app.tenant().key;
    const evil = app.client(undefined, { Origin: 'https://evil.example.com' });
    const { headers } = await evil.post('/v1/sessions', { key }).expect(403);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('that is missing is no failure where somebody asks whether there is a session', async () => {
    const visitor = app.client(undefined, { 'X-Forwarded-For': '198.51.100.77' });
    for (let count = 0; count < 30; count++) await visitor.get('/v1/sessions/current').expect(401);
    const { body } = await visitor.get('/v1/sessions/methods').expect(200);
    expect(body.data).toMatchObject({ password: true, oidc: [] });
  });
});

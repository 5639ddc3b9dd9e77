import { startApp, type TestApp } from '../support/app.js';
import { BROWSER } from '../support/browser.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('the console', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** Asks the service at its own address, by the host that a browser would name. */
  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}, of = app) =>
    fetch(of.url + path, {
      redirect: 'manual',
      ...init,
      headers: { host: hostOf(of), 'x-forwarded-host': hostOf(of), ...headers },
    });
  const hostOf = ({ url }: TestApp) => `localhost:${new URL(url).port}`;

  it.each(['/console', '/console/', '/console/sign-in', '/console/ten_x/content/post/ent_1', '/console/a.js'])(
    'is one page at all of its addresses, which no other page may frame: %s',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      const text = await response.text();
      expect(text).not.toMatch(/<style|\bstyle=|<script(?![^>]* src=)|\bon\w+=/);
      expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^\/console\/assets\/index-[\w-]{8}\.js$/)]),
      );
    },
  );

  it('is not sent again to a browser that has it', async () => {
    const etag = (await ask('/console')).headers.get('etag') ?? '';
    const again = await ask('/console/sign-in', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('answers HEAD as GET, without the page', async () => {
    const response = await ask('/console', {}, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  const assetsOf = async () =>
    [...(await (await ask('/console')).text()).matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);

  it.each(['br', 'gzip'])('has files that caches keep, compressed as %s', async (encoding) => {
    const assets = await assetsOf();
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const response = await ask(path, { 'accept-encoding': encoding });
      expect([path, response.status]).toEqual([path, 200]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': encoding,
        'content-type': expect.stringMatching(/^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/),
      });
      await response.arrayBuffer();
    }
  });

  it('has the same files without compression', async () => {
    const [path = ''] = await assetsOf();
    const texts = await Promise.all(
      ['identity', 'br', 'gzip'].map(async (encoding) => (await ask(path, { 'accept-encoding': encoding })).text()),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it.each([
    '/console/assets/nope.js',
    '/console/assets/index.html',
    '/console/assets/..%2findex.html',
    '/console/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/console/assets/__proto__',
  ])('has no file %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('sends a browser to the host that passkeys and the cookie belong to', async () => {
    const elsewhere = { 'x-forwarded-host': new URL(app.url).host };
    const response = await ask('/console/ten_x/me?a=b', elsewhere);
    expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
      307,
      `http://${hostOf(app)}/console/ten_x/me?a=b&moved=1`,
      'no-store',
    ]);
    // A proxy that hides the host would send it round in circles.
    expect((await ask('/console/ten_x/me?moved=1', elsewhere)).status).toBe(200);
    // Nobody configured an address, and the client may not reach localhost.
    expect((await ask('/console', { 'x-forwarded-host': '192.0.2.1:3000' })).status).toBe(200);
  });

  it('is named by the page at /', async () => {
    const { text } = await app.client(undefined, { Accept: BROWSER }).get('/').expect(200);
    expect(text).toContain('<a href="console">');
  });

  describe('with a configured address', () => {
    it.each([
      [{ PUBLIC_URL: 'https://cms.example.com/api' }, 'https://cms.example.com/api', '/api'],
      [
        { PUBLIC_URL: 'https://cms.example.com/api', CONSOLE_URL: 'https://edit.example.com' },
        'https://edit.example.com',
        '',
      ],
    ])('is served there alone: %j', async (env, url, path) => {
      const other = await startApp(env, { database: app.database });
      try {
        const { host } = new URL(url);
        const moved = await ask('/console/sign-in', {}, {}, other);
        expect([moved.status, moved.headers.get('location')]).toEqual([307, `${url}/console/sign-in?moved=1`]);
        const there = await ask('/console/sign-in', { 'x-forwarded-host': host }, {}, other);
        expect([there.status, await there.text()]).toEqual([200, expect.stringContaining(`"${path}/console/assets/`)]);
      } finally {
        await other.close();
      }
    });
  });

  it('is missing with CONSOLE=false and in a worker, and / does not name it', async () => {
    for (const [name, value] of [
      ['CONSOLE', 'false'],
      ['ROLE', 'worker'],
    ] as const) {
      const other = await startApp({ [name]: value }, { database: app.database });
      try {
        expect((await ask('/console', {}, {}, other)).status).toBe(404);
        expect((await ask('/console/assets/index.js', {}, {}, other)).status).toBe(404);
        const { text } = await other.client(undefined, { Accept: BROWSER }).get('/').expect(200);
        expect(text).not.toContain('"console"');
      } finally {
        await other.close();
      }
    }
  });
});

import { startApp, type TestApp } from '../support/app.js';
import { BROWSER } from '../support/browser.js';

describe('the page at /', () => {
  let app: TestApp;
  let worker: TestApp;
  beforeAll(async () => {
    app = await startApp();
    worker = await startApp({ ROLE: 'worker' }, { database: app.database });
  });
  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  it('tells a browser what runs here, and links to pages that exist', async () => {
    const { text, headers } = await app.client(undefined, { Accept: BROWSER }).get('/').expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
      vary: 'Accept',
    });
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(['console', 'guides', 'docs', 'openapi.json', 'health/ready']);
    for (const link of links) {
      expect([link, (await fetch(new URL(link, `${app.url}/`))).status]).toEqual([link, 200]);
    }
  });

  it('of a worker names no API', async () => {
    const { text } = await worker.client(undefined, { Accept: BROWSER }).get('/').expect(200);
    expect(text).toContain('This process is a worker');
    expect(text).not.toMatch(/docs|guides|openapi/);
  });

  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/problem+json',
    'application/json, text/html;q=0.5',
    'image/png',
  ])('is the problem of an unknown path for Accept: %s', async (accept) => {
    const { body, headers } = await app
      .client(undefined, accept ? { Accept: accept } : {})
      .get('/')
      .expect(404);
    expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('This path does not exist.') });
    expect(headers['content-type']).toBe('application/problem+json');
  });

  it('is no page for other methods and other paths', async () => {
    const browser = app.client(undefined, { Accept: BROWSER });
    await browser.post('/', {}).expect(404);
    await browser.get('/index.html').expect(404);
    await worker.client(undefined, { Accept: BROWSER }).get('/v1').expect(404);
  });
});

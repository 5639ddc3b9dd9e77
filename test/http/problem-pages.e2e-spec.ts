import { PreviewLinksService } from '../../src/content/drafts/preview-links.service.js';
import { Problem } from '../../src/errors/problem.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { BROWSER } from '../support/browser.js';
import { createEntries, createType } from '../support/content.js';
import { expectServerErrors } from '../support/server-errors.js';

const POLICY =
  /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;

describe('a problem', () => {
  let app: TestApp;
  let worker: TestApp;
  let tenant: TestTenant;
  let ended: string;
  beforeAll(async () => {
    app = await startApp({ PUBLIC_RATE_LIMIT: '20', ADMIN_PASSWORD: 'secret', METRICS_TOKEN: 'token' });
    worker = await startApp({ ROLE: 'worker' }, { database: app.database });
    tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const [id = ''] = await createEntries(tenant, type, [{ fields: { title: 'x' }, status: 'draft' }]);
    const links = `${type.entries}/${id}/preview-links`;
    const { body } = await tenant.http.post(links, {}).expect(201);
    ended = new URL(body.data.url).pathname;
    await tenant.http.delete(links).expect(200);
  });
  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  let addresses = 0;
  const open = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}, url = app.url) =>
    fetch(url + path, {
      ...init,
      headers: { Accept: BROWSER, 'X-Forwarded-For': `10.9.0.${++addresses}`, ...headers },
    });

  /** Checks what all pages have in common, and returns the text of the page. */
  const pageOf = async (response: Response, status: number): Promise<string> => {
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toMatch(POLICY);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toContain(response.headers.get('x-request-id'));
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    return text;
  };

  describe('is a page if a browser opens', () => {
    it.each([
      ['an unknown path', '/nothing', 404, 'This path does not exist.'],
      ['an unknown path of the API', '/v1/nothing', 404, 'This path does not exist.'],
      ['a public file that does not exist', '/media/ten_x/med_x.png', 404, 'There is no such file.'],
      ['a page about a problem that does not exist', '/problems/nope', 404, 'There is no such problem.'],
      ['a file of the documentation that does not exist', '/docs/nope.js', 404, 'There is no such file.'],
      ['a list without a key', '/v1/media/ten_x', 401, 'This address is for programs, which send a key'],
      ['the administration without a password', '/admin/queues', 401, 'Send the administration password.'],
      ['metrics without a token', '/metrics', 401, 'Send the metrics token'],
      ['the inbox of a form', '/v1/forms/ten_x/contact/submissions/', 401, 'An API key is required.'],
      ['a preview that was tampered with', '/v1/preview/AAAA', 404, 'Preview links expire, and can be ended earlier.'],
      ['a preview with a wrong parameter', '/v1/preview/AAAA?select=%00', 400, 'select contains a NUL character.'],
    ])('%s', async (_case, path, status, text) => {
      expect(await pageOf(await open(path), status)).toContain(text);
    });

    it('a preview that was ended', async () => {
      expect(await pageOf(await open(ended), 404)).toContain('There is no such preview.');
    });

    it('a path that supports other methods', async () => {
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const response = await open('/v1/preview/AAAA', form, { method: 'POST', body: 'a=b' });
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(await pageOf(response, 405)).toContain('supports only the methods GET, HEAD.');
    });

    it('any path of a worker', async () => {
      expect(await pageOf(await open('/v1/x', {}, {}, worker.url), 404)).toContain('This process is a worker');
    });

    it('more often than is allowed', async () => {
      const address = { 'X-Forwarded-For': '10.9.9.9' };
      for (let sent = 0; sent < 20; sent++) await open('/v1/preview/AAAA', address);
      const response = await open('/v1/preview/AAAA', address);
      const text = await pageOf(response, 429);
      expect(text).toContain(`Wait for ${response.headers.get('retry-after')} s, then load the page again.`);
    });

    it('a page whose work fails, or that cannot be served now, without the cause', async () => {
      expectServerErrors(500, 503);
      const handler = app.get(PreviewLinksService);
      const find = jest.spyOn(handler, 'targetOf');
      find.mockImplementationOnce(() => {
        throw new Error('the cause <b>');
      });
      const text = await pageOf(await open('/v1/preview/AAAA'), 500);
      expect(text).toContain('because of an internal error');
      expect(text).not.toContain('cause <b>');
      find.mockImplementationOnce(() => {
        throw Problem.unavailable('Nothing is possible & <i>.', 7);
      });
      const unavailable = await open('/v1/preview/AAAA');
      expect(unavailable.headers.get('retry-after')).toBe('7');
      expect(await pageOf(unavailable, 503)).toContain('Nothing is possible &amp; &lt;i&gt;.');
    });

    it('with nothing of the address in it that could run', async () => {
      const text = await pageOf(await open('/<script>alert(1)</script>?"><img onerror=alert(1)>'), 404);
      expect(text).not.toMatch(/alert|onerror/);
      const id = { 'X-Request-Id': 'a.b:c' };
      expect(await pageOf(await open('/nothing', id), 404)).toContain('<code>a.b:c</code>');
    });

    it('with the headers only for HEAD', async () => {
      const response = await open('/nothing', {}, { method: 'HEAD' });
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toBe('');
    });
  });

  describe('is JSON', () => {
    it.each<[string, Record<string, string>]>([
      ['everything', { Accept: '*/*' }],
      ['JSON', { Accept: 'application/json' }],
      ['JSON rather than HTML', { Accept: 'application/json, text/html;q=0.9' }],
      ['images', { Accept: 'image/avif,image/webp,*/*;q=0.8' }],
      ['everything, for a script', { Accept: '*/*', 'Sec-Fetch-Mode': 'cors' }],
      ['HTML with a key, as some libraries do', { Accept: BROWSER, Authorization: 'Bearer nonsense' }],
    ])('for a client that asks for %s', async (_case, headers) => {
      for (const path of ['/nothing', '/v1/media/ten_x', ended, '/media/ten_x/med_x.png']) {
        const response = await open(path, headers);
        expect(response.headers.get('content-type')).toBe('application/problem+json');
        expect(await response.json()).toMatchObject({ status: response.status, code: expect.any(String) });
      }
    });
  });
});

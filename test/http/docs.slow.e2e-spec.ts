import { execFile } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';

const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

describe('Swagger UI', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const filesOf = async (path = '/docs/') => {
    const { text } = await app.client().get(path).expect(200);
    return [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
      ([, url = '']) => new URL(url, `${app.url}${path}`).pathname,
    );
  };

  it('is served with a policy that allows only scripts and styles of the service', async () => {
    const { text, headers } = await app.client().get('/docs/').expect(200);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self';");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=/);
    expect(text).toContain('name="viewport"');
  });

  it('is also served without the trailing slash, with the same files', async () => {
    const files = await filesOf('/docs/');
    expect(files).toHaveLength(4);
    expect(await filesOf('/docs')).toEqual(files);
  });

  it('is revalidated, while caches keep its files for a year by their hash', async () => {
    expect((await app.client().get('/docs')).headers['cache-control']).toBe('no-cache');
    for (const file of await filesOf()) {
      expect(file).toMatch(/^\/docs\/[\w-]+\.[0-9a-f]{16}\.(js|css)$/);
      const { headers } = await app.client().get(file).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      await app
        .client(undefined, { 'If-None-Match': headers['etag'] ?? '' })
        .get(file)
        .expect(304);
    }
  });

  it('is compressed as the client accepts it', async () => {
    const [bundle = ''] = (await filesOf()).filter((file) => file.includes('bundle'));
    const plain = await bytesOf(app, bundle, 'identity');
    const [brotli, gzip] = [await bytesOf(app, bundle, 'gzip, deflate, br'), await bytesOf(app, bundle, 'gzip')];
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(plain.body.length / 3);
    for (const { headers } of [plain, brotli, gzip]) expect(headers['vary']).toBe('Accept-Encoding');
    await bytesOf(app, bundle, 'br;q=0, gzip;q=0').then(({ headers }) =>
      expect(headers['content-encoding']).toBeUndefined(),
    );
  });

  it('has no files but those of the page', async () => {
    for (const name of ['swagger-ui-bundle.js', 'index.html', 'package.json', '..%2fpackage.json', '__proto__']) {
      await app.client().get(`/docs/${name}`).expect(404);
    }
  });
});

describe('/openapi.json', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const serverFor = async (headers: Record<string, string>) => {
    const { body } = await app.client(undefined, headers).get('/openapi.json').expect(200);
    return (body as OpenAPIObject).servers?.[0]?.url;
  };

  it('names the origin of the request as the server', async () => {
    expect(await serverFor({})).toBe(app.url);
    expect(await serverFor({ Host: 'cms.example:8080' })).toBe('http://cms.example:8080');
    expect(await serverFor({ Host: 'cms.example', 'X-Forwarded-Proto': 'https' })).toBe('https://cms.example');
  });

  it.each(['a/b', 'a"b', 'a b', 'x'.repeat(300)])('names a relative server for the Host header %s', async (host) => {
    expect(await serverFor({ Host: host })).toBe('/');
  });

  it('names PUBLIC_URL if it is set', async () => {
    const other = await startApp({ PUBLIC_URL: 'https://cms.example/base/' }, { database: app.database });
    const { body } = await other.client().get('/openapi.json').expect(200);
    expect((body as OpenAPIObject).servers?.map(({ url }) => url)).toEqual(['https://cms.example/base']);
    await other.close();
  });

  it('is compressed and revalidated', async () => {
    const { headers } = await app.client(undefined, { 'Accept-Encoding': 'br' }).get('/openapi.json').buffer(false);
    expect(headers['content-encoding']).toBe('br');
    expect(Number(headers['content-length'])).toBeLessThan(60_000);
    expect(headers['cache-control']).toBe('no-cache');
    await app
      .client(undefined, { 'If-None-Match': headers['etag'] ?? '' })
      .get('/openapi.json')
      .expect(304);
  });
});

describeWithBrowser('Swagger UI in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['scripts/guides.mjs']);
    // Requests of the page go to the service that served it, not to PUBLIC_URL.
    [app, browser] = await Promise.all([startApp({ PUBLIC_URL: 'https://cms.example' }), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), app.close()]));

  const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`);

  async function openDocs(options = {}) {
    const opened = await openPage(browser, options);
    await opened.page.goto(`${app.url}/docs`);
    await operation(opened.page, 'listEvents').waitFor();
    return opened;
  }

  async function openOperation(page: Page, id: string) {
    await operation(page, id).locator('.opblock-summary-control').click();
    await operation(page, id).locator('.execute').waitFor();
    return operation(page, id);
  }

  it('lists the operations without an error, and sends requests only to the service', async () => {
    const { page, errors, requests } = await openDocs();
    // Versions 5.33 to 5.35 of Swagger UI leave out operations of documents that have more than 128.
    const { paths, webhooks } = (await app.client().get('/openapi.json')).body as OpenAPIObject;
    const listed = [paths, webhooks ?? {}].flatMap(Object.values<object>).flatMap(Object.keys);
    expect(listed.length).toBeGreaterThan(128);
    expect(await page.locator('.opblock').count()).toBe(listed.length);
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('data:') && !url.startsWith(`${app.url}/`))).toEqual([]);
  });

  it('filters by the names of groups, and by summaries and paths of operations', async () => {
    const { page } = await openDocs();
    const filter = page.locator('.operation-filter-input');
    await filter.fill('restore a VERSION');
    // The webhooks below the groups are not filtered.
    const shown = page.locator('.opblock:not([id^="operations-webhooks-"])');
    await shown.nth(1).waitFor({ state: 'detached' });
    await operation(page, 'restoreEntryVersion').waitFor();
    await filter.fill('events');
    await operation(page, 'listEvents').waitFor();
  });

  it('leads to the guide of each group, and folds long descriptions of parameters', async () => {
    const { page } = await openDocs();
    const guides = await page
      .locator('.opblock-tag a.link')
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
    expect(guides.length).toBeGreaterThan(10);
    for (const url of new Set(guides)) {
      expect(url).toMatch(new RegExp(`^${app.url}/guides/`));
      expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }
    const search = (await openOperation(page, 'listEntries')).locator('[data-param-name="search"] details');
    expect(await search.locator('summary').innerText()).toContain('Full-text search');
    expect(await search.locator('ul').isVisible()).toBe(false);
    await search.locator('summary').click();
    expect(await search.locator('ul').isVisible()).toBe(true);
  });

  it('loads only the page and the document again', async () => {
    const { page } = await openDocs();
    await page.goto(`${app.url}/docs`);
    await operation(page, 'listEvents').waitFor();
    const transferred = await page.evaluate<{ name: string; size: number }[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.startsWith('http'))
        .map(({ name, transferSize }) => ({ name: new URL(name).pathname, size: transferSize }))`,
    );
    const loaded = transferred.filter(({ size }) => size > 0).map(({ name }) => name);
    expect(transferred.length).toBeGreaterThan(4);
    expect(loaded).toEqual(['/openapi.json']);
  });

  it('prefills no page, cursor, search or ID', async () => {
    const { page } = await openDocs();
    const list = await openOperation(page, 'listEntries');
    for (const name of ['page', 'cursor', 'search', 'sort', 'content_type_id']) {
      expect([name, await list.locator(`[data-param-name="${name}"] input`).first().inputValue()]).toEqual([name, '']);
    }
  });

  it('shows a problem response as one line, and a successful one with an example', async () => {
    const { page } = await openDocs();
    const create = await openOperation(page, 'createContentType');
    const row = (status: string) => create.locator(`.response[data-code="${status}"]`);
    expect(await row('201').locator('.example').isVisible()).toBe(true);
    expect(await row('404').count()).toBe(0);
    for (const status of ['400', '401', '409', '422', '503']) {
      expect([status, (await row(status).boundingBox())?.height]).toEqual([status, expect.any(Number)]);
      expect((await row(status).boundingBox())?.height).toBeLessThan(60);
    }
    expect(await create.locator('.opblock-description').innerText()).toContain('rich_text');
  });

  it('sends a request with the key to the service that served the page, and shows the whole response', async () => {
    const tenant = app.tenant();
    const { page, errors, requests } = await openDocs();
    await page.locator('.btn.authorize').click();
    await page.locator('#auth-bearer-value').fill(tenant.key);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    const create = await openOperation(page, 'createContentType');
    await create.locator('[data-param-name="tenant_id"] input').fill(tenant.id);
    await create.locator('.execute').click();
    const response = create.locator('.live-responses-table .response');
    await response.waitFor();
    expect(await response.innerText()).toContain('"slug": "blog-post"');
    await create.locator('.execute').click();
    // The example has no slug, so that it can be sent again.
    await create.locator('.live-responses-table .response:has-text("blog-post-2")').waitFor();
    expect(requests.at(-1)).toBe(`${app.url}/v1/content/${tenant.id}/types`);
    expect(errors).toEqual([]);
  });

  it('fits a phone, closed and with an operation open', async () => {
    const { page, errors } = await openDocs(PHONE);
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await width()).toBe(375);
    for (const id of ['listEntries', 'createContentType', 'getMediaFile']) {
      await openOperation(page, id);
      expect([id, await width()]).toEqual([id, 375]);
    }
    expect(errors).toEqual([]);
  });

  it('is dark where the system is', async () => {
    const background = async (colorScheme: 'dark' | 'light') => {
      const { page } = await openDocs({ colorScheme });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).not.toBe(await background('dark'));
  });
});

/** Sends a GET request, and returns the body as it was transferred. */
async function bytesOf({ url }: TestApp, path: string, encoding: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${path}`, { headers: { 'Accept-Encoding': encoding } }, resolve).on('error', reject);
  });
  return { headers: response.headers, body: await buffer(response) };
}

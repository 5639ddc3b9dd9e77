import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';

/** What a website does: it lists entries and submits a form, with `fetch` from its own origin. */
const PAGE = `<!doctype html>
<meta charset="utf-8"><title>A website</title><link rel="icon" href="data:,">
<ul id="posts"></ul>
<form><input name="email"><button>Send</button></form>
<p id="answer"></p><p id="limits"></p>
<script type="module">
  const { api, tenant, key } = Object.fromEntries(new URLSearchParams(location.search));
  const headers = key ? { Authorization: 'Bearer ' + key } : {};
  const say = (id, text) => (document.getElementById(id).textContent = text);
  try {
    const response = await fetch(api + '/v1/content/' + tenant + '/types/post/entries?sort=title', { headers });
    const { data, detail } = await response.json();
    say('limits', [response.status, response.headers.has('ETag'), response.headers.has('X-Request-Id'), detail ?? ''].join(' '));
    for (const { fields } of data ?? []) {
      const item = document.createElement('li');
      item.textContent = fields.title;
      document.getElementById('posts').append(item);
    }
  } catch (error) {
    say('limits', 'blocked');
  }
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    const response = await fetch(api + '/v1/forms/' + tenant + '/contact/submissions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fields }),
    });
    const { data, errors, detail } = await response.json();
    say('answer', data?.id ?? errors?.[0]?.message ?? detail);
  });
</script>`;

describeWithBrowser('a page on another origin', () => {
  let website: Server;
  let origin: string;
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    website = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(PAGE));
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    const keys = (name: string) => [
      { name: 'admin', key: `${name}-admin` },
      { name: 'website', key: `${name}-website`, scopes: ['content:read:published'] },
    ];
    app = await startApp({
      TRUST_PROXY: '0',
      TENANTS: JSON.stringify([
        { id: 'ten_open', name: 'Open', api_keys: keys('open') },
        { id: 'ten_own', name: 'Own', api_keys: keys('own'), allowed_origins: [origin] },
        { id: 'ten_closed', name: 'Closed', api_keys: keys('closed'), allowed_origins: ['https://shop.example'] },
      ]),
    });
    for (const name of ['open', 'own', 'closed']) {
      const http = app.client(`Bearer ${name}-admin`);
      const types = `/v1/content/ten_${name}/types`;
      const fields = [{ name: 'title', type: 'text' }];
      await http.post(types, { name: 'Post', fields, public: name === 'own' }).expect(201);
      for (const title of ['Tides', 'Engines']) {
        await http.post(`${types}/post/entries`, { fields: { title }, status: 'published' }).expect(201);
      }
      await http.post(`${types}/post/entries`, { fields: { title: 'A draft' } }).expect(201);
      const form = { name: 'Contact', fields: [{ name: 'email', type: 'email', required: true }] };
      await http.post(`/v1/forms/ten_${name}`, form).expect(201);
    }
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
    website.close();
  });

  const open = async (tenant: string, key?: string) => {
    const opened = await openPage(browser);
    const query = new URLSearchParams({ api: app.url, tenant, ...(key && { key }) });
    await opened.page.goto(`${origin}/?${query.toString()}`);
    await opened.page.waitForFunction('document.getElementById("limits").textContent !== ""');
    return opened;
  };
  const posts = 'Array.from(document.querySelectorAll("#posts li"), (item) => item.textContent)';

  it.each([
    ['with a key for published content', 'ten_open', 'open-website'],
    ['without a key, if the content type is public', 'ten_own', undefined],
    ['if its origin is one of the allowed', 'ten_own', 'own-website'],
  ])('lists published entries and submits a form %s', async (_, tenant, key) => {
    const { page, errors } = await open(tenant, key);
    expect(await page.evaluate(posts)).toEqual(['Engines', 'Tides']);
    const hasEtag = key === undefined;
    expect(await page.textContent('#limits')).toBe(`200 ${hasEtag} true `);
    await page.fill('input', 'ada@example.com');
    await page.click('button');
    await page.waitForFunction('document.getElementById("answer").textContent.startsWith("sub_")');
    expect(errors).toEqual([]);
    const list = await app
      .client(`Bearer ${tenant.slice(4)}-admin`)
      .get(`/v1/forms/${tenant}`)
      .expect(200);
    expect(list.body.data[0].submission_count).toBeGreaterThan(0);
    await page.context().close();
  });

  it('reads why a request was refused', async () => {
    const { page } = await open('ten_open');
    expect(await page.textContent('#limits')).toContain('401 false true An API key is required.');
    await page.fill('input', 'nobody');
    await page.click('button');
    await page.waitForFunction('document.getElementById("answer").textContent.includes("email")');
    await page.context().close();
  });

  it('cannot read the entries of a tenant that does not allow its origin, but reads why its submission was refused', async () => {
    const { page } = await open('ten_closed', 'closed-website');
    expect(await page.textContent('#limits')).toBe('blocked');
    expect(await page.evaluate(posts)).toEqual([]);
    await page.fill('input', 'ada@example.com');
    await page.click('button');
    await page.waitForFunction('document.getElementById("answer").textContent.includes("origin")');
    await page.context().close();
  });
});

import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&`;

/** A name that its slug does not tell. */
const TYPE_NAME = 'Café & bar';

describe('a preview link that a browser opens', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    tenant = app.tenant();
    type = await createType(
      tenant,
      [
        { name: 'title', type: 'text', label: `Title ${HOSTILE}` },
        { name: 'body', type: 'rich_text' },
        { name: 'tags', type: 'text', multiple: true },
        { name: 'cover', type: 'media' },
        { name: 'extra', type: 'json' },
        { name: 'seo', type: 'group', fields: [{ name: 'text', type: 'text' }] },
        { name: 'parts', type: 'blocks', blocks: [{ name: 'quote', fields: [{ name: 'by', type: 'text' }] }] },
      ],
      TYPE_NAME,
    );
  });

  const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const linkTo = async (fields: object, draft?: object) => {
    const [id] = await createEntries(tenant, type, [{ fields }]);
    if (draft) await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: draft }).expect(200);
    const { body } = await tenant.http.post(`${type.entries}/${id}/preview-links`, {}).expect(201);
    return new URL(body.data.url).pathname;
  };
  const open = (path: string) => app.client(undefined, BROWSER).get(path);

  it('is a page with the values of the draft', async () => {
    const path = await linkTo({ title: 'Live', tags: ['a'] }, { title: 'New', body: '<p>Text</p>' });
    const { text, headers } = await open(path).expect(200);
    expect(text).toContain('<h1 dir="auto">New</h1>');
    expect(text).toContain('Café &amp; bar, Draft');
    expect(text).toContain('<iframe sandbox="" srcdoc="&lt;p&gt;Text&lt;/p&gt;"');
    expect(text).not.toContain('Live');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' http:\/\/\S+ data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  });

  it('is JSON for programs', async () => {
    const path = await linkTo({ title: 'Live' });
    const { body } = await app.client().get(path).expect(200).expect('Content-Type', /json/);
    expect(body.data.fields).toEqual({ title: 'Live' });
  });

  it('escapes every value and label', async () => {
    const path = await linkTo({
      title: HOSTILE,
      body: HOSTILE,
      tags: [HOSTILE],
      cover: { url: `https://elsewhere.example/?a='onerror`, alt: HOSTILE },
      extra: { [HOSTILE]: HOSTILE },
      seo: { text: HOSTILE },
      parts: [{ block: 'quote', by: HOSTILE }],
    });
    const { text } = await open(path).expect(200);
    expect(text).not.toMatch(/<script|<img/);
    expect(text.match(/<iframe/g)).toHaveLength(1);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  describeWithBrowser('in Chromium', () => {
    it('violates no policy and runs nothing of the entry', async () => {
      const path = await linkTo({ title: HOSTILE, body: '<p>Text</p>', extra: { [HOSTILE]: HOSTILE } });
      const browser = await openBrowser();
      try {
        const { page, errors, requests } = await openPage(browser);
        await page.goto(app.url + path);
        await page.frameLocator('iframe').getByText('Text').waitFor();
        expect(await page.getByRole('heading').textContent()).toBe(HOSTILE);
        expect(errors).toEqual([]);
        expect(requests.filter((url) => !url.startsWith(app.url) && !/^(about|data):/.test(url))).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });

  it('says so if the entry is too large', async () => {
    const { text } = await open(await linkTo({ title: 'Large', extra: 'x'.repeat(600_000) })).expect(200);
    expect(text).toContain('too large for a page');
    expect(text.length).toBeLessThan(10_000);
  });

  it('is a page also if it has ended', async () => {
    const path = await linkTo({ title: 'Live' });
    const { text } = await open(path.replace(/.$/, '_')).expect(404);
    expect(text).toContain('Preview links expire');
  });
});

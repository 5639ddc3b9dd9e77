import type { Browser, Frame, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';
import { consoleUrl, violationsOf } from '../support/console.js';
import { type Site, startSite } from '../support/site.js';
import { until } from '../support/until.js';

/** What a page of the console, and a script in it, can do in the tests: the entry around the preview frame. */
const ENTRY = `(path) => {
  const frame = document.createElement('iframe');
  window.received = [];
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source === frame.contentWindow && origin === location.origin) window.received.push(data);
  });
  window.sendToFrame = (message) => frame.contentWindow.postMessage(message, location.origin);
  frame.title = 'Preview';
  frame.src = path;
  document.body.append(frame);
}`;

describeWithBrowser('the frame of the live preview', () => {
  let app: TestApp;
  let browser: Browser;
  let site: Site;
  let other: Site;
  beforeAll(async () => {
    const places = { console: () => consoleUrl(app), away: () => other.origin };
    [site, other] = await Promise.all([startSite(places), startSite(places)]);
    const tenants = [
      { id: 'ten_site', name: 'Site', api_keys: [], allowed_origins: [site.origin] },
      { id: 'ten_none', name: 'None', api_keys: [] },
    ];
    app = await startApp({ TENANTS: JSON.stringify(tenants) });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
    for (const { server } of [site, other]) server.close();
  });

  const pathOf = (origin: string, id = 'ten_site') =>
    `/console/preview-frame?${new URLSearchParams({ tenant: id, site: origin }).toString()}`;
  const open = async (path: string) => {
    const opened = await openPage(browser);
    await opened.page.goto(consoleUrl(app, '/sign-in'));
    await opened.page.evaluate(`(${ENTRY})(${JSON.stringify(path)})`);
    return opened;
  };
  const send = (page: Page, message: object) => page.evaluate(`window.sendToFrame(${JSON.stringify(message)})`);
  const received = (page: Page) => page.evaluate<{ type: string }[]>('window.received');
  const untilReceived = (page: Page, type: string, times = 1) =>
    until(async () => (await received(page)).filter((message) => message.type === type).length >= times);
  const frameOf = (page: Page, origin: string): Frame | undefined =>
    page.frames().find((frame) => frame.url().startsWith(origin));
  const entry = (title: string) => ({
    type: 'trivet:entry',
    entry: { id: 'ent_1', content_type_id: 'ct_1', status: 'draft', fields: { title } },
  });
  const titleIn = (page: Page) =>
    page.frameLocator('iframe[title="Preview"]').frameLocator('iframe[title="Live preview"]').getByRole('heading');

  it('hands each state of the entry to the site, and what somebody pointed at to the entry', async () => {
    const { page, errors } = await open(pathOf(site.origin));
    await untilReceived(page, 'trivet:ready');
    await send(page, entry('First'));
    await send(page, { type: 'trivet:show', url: `${site.origin}/post?preview=secret` });
    await titleIn(page).filter({ hasText: 'First' }).waitFor();
    await send(page, entry('Second'));
    await titleIn(page).filter({ hasText: 'Second' }).waitFor();
    await titleIn(page).click();
    await untilReceived(page, 'trivet:field');
    expect(await received(page)).toEqual([{ type: 'trivet:ready' }, { type: 'trivet:field', field: 'title' }]);
    // A save shows the site anew.
    await send(page, { type: 'trivet:show', url: `${site.origin}/post?preview=other` });
    await until(() => Promise.resolve(frameOf(page, `${site.origin}/post?preview=other`) !== undefined));
    await titleIn(page).filter({ hasText: 'Second' }).waitFor();
    // The page for signing in has asked for the session.
    expect(errors.filter((error) => !error.includes('status of 401'))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['another origin', () => other.origin, 'ten_site'],
    ['a tenant without allowed origins', () => site.origin, 'ten_none'],
    ['an unknown tenant', () => site.origin, 'ten_unknown'],
  ])('refuses %s with a sentence', async (_title, origin, id) => {
    const { page } = await open(pathOf(origin(), id));
    await untilReceived(page, 'trivet:refused');
    await send(page, { type: 'trivet:show', url: `${origin()}/refused` });
    const sentence = page.frameLocator('iframe[title="Preview"]').getByText(/^\S+ is not shown here/);
    expect(await sentence.textContent()).toContain(`${origin()} is not shown here, because`);
    expect([...site.asked, ...other.asked]).not.toContain('/refused');
    await page.context().close();
  });

  it('shows only pages of the site that its address names', async () => {
    const { page } = await open(pathOf(site.origin));
    await untilReceived(page, 'trivet:ready');
    for (const url of [`${other.origin}/other`, 'javascript:alert(1)', 'not a URL']) {
      await send(page, { type: 'trivet:show', url });
    }
    await untilReceived(page, 'trivet:refused', 3);
    expect(other.asked).not.toContain('/other');
    expect(page.frames()).toHaveLength(2);
    await page.context().close();
  });

  it('refuses a site that leads to another origin', async () => {
    const { page } = await open(pathOf(site.origin));
    await untilReceived(page, 'trivet:ready');
    const before = other.asked.length;
    await send(page, { type: 'trivet:show', url: `${site.origin}/elsewhere` });
    await untilReceived(page, 'trivet:refused');
    expect(other.asked).toHaveLength(before);
    await page.context().close();
  });

  it('ignores messages of other windows, and of the site that are not about a field', async () => {
    const { page } = await open(pathOf(site.origin));
    await untilReceived(page, 'trivet:ready');
    await send(page, entry('First'));
    await send(page, { type: 'trivet:show', url: `${site.origin}/post` });
    await titleIn(page).filter({ hasText: 'First' }).waitFor();
    const inner = frameOf(page, site.origin)!;
    // The site pretends to be the entry, and sends what is no name of a field.
    await inner.evaluate(`for (const message of [
      ${JSON.stringify(entry('Forged'))}, { type: 'trivet:show', url: '${other.origin}/forged' }, { type: 'trivet:field', field: 5 },
      { type: 'trivet:field', field: 'x'.repeat(2000) }, { type: 'trivet:ready' }, null, 'trivet:field',
    ]) window.parent.postMessage(message, '*')`);
    // Another frame of the same site pretends to be the site.
    await page.evaluate(`new Promise((resolve) => {
      const forger = document.createElement('iframe');
      forger.srcdoc = '<p>Forger</p>';
      forger.onload = () => {
        forger.contentWindow.parent.frames[0].postMessage({ type: 'trivet:field', field: 'forged' }, '*');
        resolve();
      };
      document.body.append(forger);
    })`);
    await titleIn(page).click();
    await untilReceived(page, 'trivet:field');
    expect(await received(page)).toEqual([{ type: 'trivet:ready' }, { type: 'trivet:field', field: 'title' }]);
    expect(await titleIn(page).textContent()).toBe('First');
    expect(other.asked).not.toContain('/forged');
    await page.context().close();
  });

  it('is a page that only the console frames, with a policy for one site, and shows nothing by itself', async () => {
    const { page } = await openPage(browser);
    const response = await page.goto(`${new URL(consoleUrl(app)).origin}${pathOf(site.origin)}`);
    expect(response?.headers()).toMatchObject({
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; frame-src ${site.origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    await page.getByText('This page is a part of the live preview').waitFor();
    await page.setContent('<p>A page elsewhere</p>');
    await page.goto(`${other.origin}/around`);
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = resolve;
      frame.src = ${JSON.stringify(`${new URL(consoleUrl(app)).origin}${pathOf(site.origin)}`)};
      document.body.append(frame);
    })`);
    expect(page.frames().some((frame) => frame.url().includes('/console/preview-frame'))).toBe(false);
    await page.context().close();
  });
});

import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from './support/app.js';
import { describeWithBrowser, openBrowser, openPage } from './support/browser.js';

describeWithBrowser('Swagger UI in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), app.close()]));

  it('lists the operations without an error, and sends requests only to the service', async () => {
    const { page, errors, requests } = await openPage(browser);
    await page.goto(`${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBeGreaterThan(20);
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('data:') && !url.startsWith(`${app.url}/`))).toEqual([]);
  });
});

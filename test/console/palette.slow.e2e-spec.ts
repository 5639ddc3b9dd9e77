import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { consoleUrl, namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType } from '../support/content.js';
import { makePerson } from '../support/people.js';
import { until } from '../support/until.js';

const FIELDS = [{ name: 'title', label: 'Title', type: 'text' }];
const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeWithBrowser('the palette of the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const find = (page: Page) => page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox', { name: 'Find' });
  const names = (page: Page, group: string) =>
    page.getByRole('group', { name: group }).getByRole('option').allInnerTexts();
  /** A tenant with an entry, a form and a file. */
  const make = async (title = 'The light at the end of the pier') => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Story');
    const [entry = ''] = await createEntries(tenant, type, [{ fields: { title }, status: 'published' }]);
    const form = { name: 'Letters', fields: [{ name: 'email', type: 'email' }] };
    await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    await tenant.http.post(`/v1/media/${tenant.id}`).attach('file', PIXEL, 'lighthouse.png').expect(201);
    return { tenant, type, entry };
  };
  const open = (
    tenant: TestTenant,
    path = '',
    who: Parameters<typeof openSignedIn>[2] = tenant,
    options: BrowserContextOptions = {},
  ) => openSignedIn(app, browser, who, `/${tenant.id}${path}`, options);
  const openPalette = async (page: Page, keys = 'Control+k') => {
    await by(page)('button', 'Go to').waitFor();
    await page.keyboard.press(keys);
    await find(page).waitFor();
  };

  it('finds pages, types, forms, entries and files, with the keyboard alone', async () => {
    const { tenant, entry } = await make();
    const { page, errors } = await open(tenant);
    await openPalette(page);
    await page.keyboard.type('lighth');
    await page.getByRole('option', { name: 'lighthouse.png' }).waitFor();
    await find(page).fill('light pier');
    await page.getByRole('option', { name: 'The light at the end of the pier' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(consoleUrl(app, `/${tenant.id}/content/story/${entry}`));
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await openPalette(page, 'Meta+k');
    await page.keyboard.type('stor');
    await page.getByRole('option', { name: 'Story', exact: true }).waitFor();
    expect(await names(page, 'Content types')).toEqual(['Story']);
    expect(await names(page, 'Actions')).toEqual(['New entry in Story', 'Edit content type Story']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(consoleUrl(app, `/${tenant.id}/content/story/new`));

    await openPalette(page);
    await page.keyboard.type('letters');
    await page.getByRole('option', { name: 'Letters' }).waitFor();
    await page.keyboard.press('Enter');
    await by(page)('heading', 'Letters').waitFor();
    expect(errors).toEqual([]);
  });

  it.each([
    ['New form', 'dialog', 'New form'],
    ['New webhook', 'dialog', 'New webhook'],
    ['Invite', 'dialog', 'Invite'],
    ['New role', 'dialog', 'New role'],
    ['New key', 'dialog', 'New key'],
    ['New content type', 'heading', 'New content type'],
    ['Audit log', 'heading', 'Audit log'],
  ] as const)('begins at once: %s', async (action, role, name) => {
    const { tenant } = await make();
    const { page } = await open(tenant);
    await openPalette(page);
    await page.keyboard.type(action);
    await page.getByRole('option', { name: action, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole(role, { name }).first().waitFor();
    if (role !== 'dialog') return;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('open=');
    // The same again on the same page. What is typed goes into the dialog.
    await openPalette(page);
    await page.keyboard.type(action);
    await page.getByRole('option', { name: action, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole(role, { name }).waitFor();
    await until(() => page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`));
  });

  it('uploads files, changes the theme and signs out', async () => {
    const { tenant } = await make();
    const { page } = await open(tenant);
    await openPalette(page);
    await page.keyboard.type('dark');
    await page.getByRole('option', { name: 'Theme: dark' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await openPalette(page);
    await page.keyboard.type('upload');
    await page.getByRole('option', { name: 'Upload' }).waitFor();
    const chosen = page.waitForEvent('filechooser');
    // By then, the browser knows that somebody waits for it.
    await page.evaluate('1');
    await page.keyboard.press('Enter');
    const chooser = await chosen;
    await chooser.setFiles({ name: 'pier.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('status').getByText('pier.png was uploaded.').waitFor();
    await by(page)('heading', 'Media').waitFor();
    await openPalette(page);
    await page.keyboard.type('sign out');
    await page.getByRole('option', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Enter');
    await by(page)('textbox', 'Password').waitFor();
  });

  it('begins with where one was last, of this person and tenant only', async () => {
    const { tenant } = await make();
    const ada = await makePerson(app, [tenant.id]);
    const { page } = await open(tenant, '/forms/letters', ada);
    await by(page)('heading', 'Letters').waitFor();
    await by(page)('link', 'Media').click();
    await by(page)('heading', 'Media').waitFor();
    await by(page)('link', 'Overview').click();
    await by(page)('heading', 'Overview').waitFor();
    await by(page)('button', 'Go to').click();
    await page.getByRole('group', { name: 'Recent' }).waitFor();
    expect(await names(page, 'Recent')).toEqual(['Media', 'Letters']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await by(page)('heading', 'Letters').waitFor();
    await until(async () => (await page.evaluate('document.activeElement.id')) === 'main');
    await page.keyboard.press('Control+k');
    await find(page).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const stored = await page.evaluate(
      'Object.keys(localStorage).filter((key) => key.includes("recent places")).join()',
    );
    expect(stored).toContain(ada.email);
    expect(stored).toContain(tenant.id);
  });

  it('offers what the role allows', async () => {
    const { tenant } = await make();
    const { page } = await open(tenant, '', await makePerson(app, [tenant.id], 'author'));
    await openPalette(page);
    await page.keyboard.type('new');
    await page.getByRole('option', { name: 'New entry in Story' }).waitFor();
    expect(await names(page, 'Actions')).toEqual(['New entry in Story']);
    await find(page).fill('letters');
    await page.getByText('Nothing was found.').waitFor();
  });

  it('says that a search failed, and tries again', async () => {
    const { tenant } = await make();
    const { page } = await open(tenant);
    let isDown = true;
    await page.route(/\/search\?/, (route) =>
      isDown
        ? route.fulfill({ status: 503, json: { status: 503, code: 'unavailable', detail: 'Too busy.' } })
        : route.continue(),
    );
    await openPalette(page);
    await page.keyboard.type('pier');
    await page.getByText('Too busy.').waitFor();
    isDown = false;
    await by(page)('button', 'Try again').click();
    await page.getByRole('option', { name: 'The light at the end of the pier' }).waitFor();
  });

  it('stays closed over a dialog', async () => {
    const { tenant } = await make();
    const { page } = await open(tenant, '/forms?open=new');
    await by(page)('dialog', 'New form').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Questions');
    expect(await by(page)('textbox', 'Name').inputValue()).toBe('Questions');
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 375],
    ['dark', 375],
  ] as const)('shows hostile titles as text: %s, at %i pixels', async (colorScheme, width) => {
    const { tenant } = await make(`${HOSTILE} pier`);
    const { page, errors } = await open(tenant, '', tenant, { colorScheme, viewport: { width, height: 800 } });
    await by(page)('button', 'Go to').click();
    await page.getByRole('option', { name: 'Story', exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await find(page).fill('pier');
    await page.getByRole('option', { name: `${HOSTILE} pier` }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.title()).toBe('Overview · Trivet');
    expect(errors.filter((error) => !error.includes('favicon'))).toEqual([]);
  });
});

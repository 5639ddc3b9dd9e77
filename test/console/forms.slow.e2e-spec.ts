import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { join } from '../support/people.js';

const NARROW = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' as const };
const HOSTILE = '"><script>document.title=1</script>';
const FIELDS = [
  { name: 'name', type: 'text', label: 'Your name' },
  { name: 'email', type: 'email', label: 'Email' },
  { name: 'message', type: 'textarea', label: 'Message' },
];

describeWithBrowser('forms in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let address = 0;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp({ TRUST_PROXY: '1' }), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (tenant: TestTenant, path: string, options = {}, key = tenant.key) =>
    (await openSignedIn(app, browser, { key }, `/${tenant.id}/forms${path}`, options)).page;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
  const rows = (page: Page) => page.getByRole('list', { name: 'Submissions' }).getByRole('button');
  async function contactForm(tenant: TestTenant, settings: object = {}): Promise<string> {
    const body = { name: 'Contact', fields: FIELDS, settings };
    const answer = await tenant.http.post(`/v1/forms/${tenant.id}`, body).expect(201);
    return (answer.body as { data: { id: string } }).data.id;
  }
  async function submit(tenant: TestTenant, fields: object): Promise<string> {
    const visitor = app.client(undefined, { 'X-Forwarded-For': `198.51.100.${++address}` });
    const answer = await visitor.post(`/v1/forms/${tenant.id}/contact/submissions`, { fields }).expect(201);
    return (answer.body as { data: { id: string } }).data.id;
  }

  it('are made, get a field, and are put into a website', async () => {
    const tenant = app.tenant();
    const page = await open(tenant, '');
    await page.getByText('There is no form yet').waitFor();
    await by(page)('button', 'New form').click();
    await by(page)('textbox', 'Name').fill('Contact');
    await by(page)('button', 'Create form').click();
    await by(page)('button', 'Add field').click();
    await by(page)('textbox', 'Label').fill('How did you find us?');
    expect(await by(page)('textbox', 'Name').inputValue()).toBe('how_did_you_find_us');
    await by(page)('combobox', 'Type').selectOption('select');
    await by(page)('button', 'Add to the form').click();
    await page.getByText('Enter what can be chosen.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Options').fill('Search\nFriends');
    await by(page)('button', 'Add to the form').click();
    await by(page)('button', 'Remove Name').click();
    await by(page)('button', 'Save fields').click();
    await said(page, 'The fields were saved.');
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('tab', 'Embed').click();
    expect(await page.locator('pre').textContent()).toContain(`data-form="${tenant.id}/contact"`);
    await by(page)('combobox', 'How').selectOption('As HTML of your own');
    expect(await page.locator('pre').textContent()).toContain('<option>Friends</option>');
    await by(page)('button', 'Copy').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('have settings in plain words, and the service’s objections beside them', async () => {
    const tenant = app.tenant();
    const id = await contactForm(tenant, { spam: { require_token: true } });
    const page = await open(tenant, '/contact?tab=settings');
    await by(page)('textbox', 'Send submissions to').fill('not an address');
    await by(page)('textbox', 'Trap').fill('website');
    await by(page)('button', 'Save settings').click();
    await page.locator('input[name=notifyEmail][aria-invalid]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Send submissions to').fill('team@example.com');
    await by(page)('checkbox', 'Closed').check();
    await by(page)('button', 'Save settings').click();
    await said(page, 'The settings were saved.');
    const { body } = await tenant.http.get(`/v1/forms/${tenant.id}/${id}`).expect(200);
    expect((body as { data: object }).data).toMatchObject({
      notify_email: 'team@example.com',
      settings: { spam: { require_token: true, honeypot: 'website' }, closed: true },
    });
  });

  it('show what was sent, mark it as done, and keep a note', async () => {
    const tenant = app.tenant();
    const id = await contactForm(tenant);
    await submit(tenant, { name: 'Ada', email: 'ada@example.com', message: HOSTILE });
    const second = await submit(tenant, { name: HOSTILE, email: 'eve@example.com', message: 'x'.repeat(10_000) });
    const page = await open(tenant, '/contact');
    await tab(page, /^New 2$/).waitFor();
    expect(await rows(page).first().textContent()).toContain('Unread');
    expect(await violationsOf(page)).toEqual([]);
    await rows(page).first().click();
    await page.getByRole('article', { name: 'Submission' }).getByText(HOSTILE).first().waitFor();
    await by(page)('textbox', 'Note').fill('Call back');
    await by(page)('button', 'Save note').click();
    await said(page, 'The note was saved.');
    expect(await violationsOf(page)).toEqual([]);
    const read = await tenant.http.get(`/v1/forms/${tenant.id}/${id}/submissions/${second}`).expect(200);
    expect((read.body as { data: object }).data).toMatchObject({ state: 'read', note: 'Call back' });
    await by(page)('button', 'Mark as done').click();
    await said(page, 'It is done.');
    await tab(page, /^New 1$/).waitFor();
    await page.getByRole('article', { name: 'Submission' }).getByText('ada@example.com').first().waitFor();
    await tab(page, /^Done/).click();
    await rows(page).getByText(HOSTILE).waitFor();
    expect(await page.title()).toBe('Contact · Trivet');
  });

  it('are read with j and k, and searched', async () => {
    const tenant = app.tenant();
    await contactForm(tenant);
    for (const name of ['Ada', 'Grace', 'Hedy'])
      await submit(tenant, { name, email: `${name}@example.com`, message: 'Hi' });
    const page = await open(tenant, '/contact');
    await rows(page).nth(2).waitFor();
    const shown = (name: string) => page.getByRole('article').getByRole('heading', { name }).waitFor();
    await page.keyboard.press('j');
    await shown('Hedy');
    await page.keyboard.press('j');
    await shown('Grace');
    await page.keyboard.press('k');
    await shown('Hedy');
    await by(page)('searchbox', 'Search').fill('grace');
    await rows(page).nth(1).waitFor({ state: 'detached' });
    expect(await rows(page).first().textContent()).toContain('Grace');
  });

  it('keep spam apart, from which a submission is taken out', async () => {
    const tenant = app.tenant();
    await contactForm(tenant, { spam: { max_links: 0 } });
    await submit(tenant, { name: 'Lead', email: 'lead@example.com', message: 'See https://example.com' });
    const page = await open(tenant, '/contact');
    await page.getByText('Nothing is waiting for an answer.').waitFor();
    await tab(page, /^Spam 1$/).click();
    await rows(page).first().click();
    await page.getByText('Taken for spam: it has too many links.').waitFor();
    await by(page)('button', 'Not spam').click();
    await said(page, 'It is in the inbox now');
    await tab(page, /^New 1$/).click();
    await rows(page).first().click();
    await by(page)('button', 'Spam').click();
    await said(page, 'It was moved to spam.');
    await tab(page, /^Spam 1$/).waitFor();
  });

  it('export what the list shows, delete one, and erase a person', async () => {
    const tenant = app.tenant();
    await contactForm(tenant);
    for (const name of ['Ada', 'Grace']) await submit(tenant, { name, email: `${name}@example.com`, message: 'Hi' });
    const page = await open(tenant, '/contact');
    await rows(page).nth(1).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), by(page)('button', 'Export').click()]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(3);
    await by(page)('button', 'Erase a person').click();
    await by(page)('textbox', 'Email').fill('ADA@example.com');
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Erase').click();
    await page.getByText('Done: 1 submission').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await rows(page).nth(1).waitFor({ state: 'detached' });
    await rows(page).first().click();
    await by(page)('button', 'Delete').click();
    await by(page)('button', 'Delete submission').click();
    await said(page, 'The submission was deleted.');
    await page.getByText('Nothing is waiting for an answer.').waitFor();
  });

  it('fit a narrow and dark screen', async () => {
    const tenant = app.tenant();
    await contactForm(tenant);
    await submit(tenant, {
      name: 'ن'.repeat(200),
      email: 'a@example.com',
      message: 'Donaudampfschifffahrtsgesellschaft'.repeat(9),
    });
    const page = await open(tenant, '/contact', NARROW);
    for (const path of ['', '?tab=fields', '?tab=settings', '?tab=embed']) {
      await page.goto(page.url().replace(/\/contact.*/, `/contact${path}`));
      await page.getByRole('tab', { selected: true }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    }
    await page.goto(page.url().replace(/\/contact.*/, '/contact'));
    await rows(page).first().click();
    await by(page)('button', 'Mark as done').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  });

  it('can be read by those who may not change them', async () => {
    const tenant = app.tenant();
    await contactForm(tenant);
    const id = await submit(tenant, { name: 'Ada', email: 'ada@example.com', message: 'Hi' });
    const viewer = await join(app, tenant, { role: 'viewer' });
    const { page } = await openSignedIn(app, browser, viewer, `/${tenant.id}/forms/contact?submission=${id}`);
    await page.getByRole('article', { name: 'Submission' }).getByText('ada@example.com').first().waitFor();
    for (const name of ['Mark as done', 'Spam', 'Delete', 'Erase a person']) {
      expect(await by(page)('button', name).count()).toBe(0);
    }
    expect(await page.getByRole('tab', { name: /^(Fields|Settings)$/ }).count()).toBe(0);
  });
});

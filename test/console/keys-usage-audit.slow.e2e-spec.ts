import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { join } from '../support/people.js';

const NARROW = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' as const };

describeWithBrowser('the settings of the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (tenant: TestTenant, path: string, options = {}) =>
    (await openSignedIn(app, browser, { key: tenant.key }, `/${tenant.id}/settings/${path}`, options)).page;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

  it('make a key, which is shown once, and revoke it', async () => {
    const tenant = app.tenant();
    const page = await open(tenant, 'keys');
    await by(page)('button', 'New key').click();
    await by(page)('button', 'Create key').click();
    await page.getByText('Give the key a name.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Name').fill('Website <b>');
    await by(page)('combobox', 'Rights').selectOption('Chosen rights');
    await by(page)('checkbox', 'Read forms and submissions').check();
    await by(page)('combobox', 'Expires').selectOption('In 30 days');
    await by(page)('button', 'Create key').click();
    const key = await by(page)('textbox', 'Key').inputValue();
    await by(page)('button', 'Copy key').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await app.client(`Bearer ${key}`).get(`/v1/forms/${tenant.id}`).expect(200);
    await by(page)('button', 'I have kept it').click();
    const row = page.getByRole('row').filter({ hasText: 'Website <b>' });
    await row.getByText('Read what is published · Read forms and submissions').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await by(page)('button', 'Revoke key').click();
    await said(page, 'The key Website <b> was revoked.');
    await row.waitFor({ state: 'detached' });
    await app.client(`Bearer ${key}`).get(`/v1/forms/${tenant.id}`).expect(401);
    expect(page.url()).not.toContain(key);
  });

  it('make a key for one content type and language, also on a narrow and dark screen', async () => {
    const tenant = app.tenant();
    for (const name of ['Post', 'Page']) {
      const type = { name, fields: [{ name: 'title', type: 'text' }] };
      await tenant.http.post(`/v1/content/${tenant.id}/types`, type).expect(201);
    }
    const page = await open(tenant, 'keys', NARROW);
    await by(page)('button', 'New key').click();
    await by(page)('textbox', 'Name').fill('Translations');
    await by(page)('combobox', 'Rights').selectOption('Chosen rights');
    const right = 'Write drafts, and ask for review';
    await by(page)('checkbox', 'Read what is published').uncheck();
    await by(page)('checkbox', right).check();
    const types = page.getByRole('group', { name: `${right}: content types` });
    await types.getByRole('checkbox', { name: 'Only some content types' }).check();
    await types.getByRole('checkbox', { name: 'Page' }).uncheck();
    await by(page)('textbox', 'Languages').fill('fr-CA');
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await by(page)('button', 'Create key').click();
    await by(page)('button', 'I have kept it').click();
    const row = page.getByRole('row').filter({ hasText: 'Translations' });
    await row.getByText(`${right} (only of Post)`).waitFor();
    await row.getByText('Only in fr-CA').waitFor();
  });

  it('show what the tenant has, also on a narrow and dark screen', async () => {
    const tenant = app.tenant();
    const type = { name: 'Post', fields: [{ name: 'title', type: 'text' }] };
    await tenant.http.post(`/v1/content/${tenant.id}/types`, type).expect(201);
    const page = await open(tenant, 'usage', NARROW);
    const row = page.getByRole('row').filter({ hasText: 'Content types' });
    await row.getByText('1', { exact: true }).waitFor();
    await row.getByText('No limit').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  });

  it('show who changed what, limited by action and thing, and export it', async () => {
    const tenant = app.tenant();
    const form = { name: 'Contact', fields: [{ name: 'message', type: 'text' }] };
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    const { id } = (body as { data: { id: string } }).data;
    await tenant.http.patch(`/v1/forms/${tenant.id}/${id}`, { name: 'Write to us' }).expect(200);
    await tenant.http.post(`/v1/keys/${tenant.id}`, { name: '=cmd()', scopes: ['read'] }).expect(201);
    const page = await open(tenant, 'audit');
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('rowheader');
    await rows.nth(2).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('combobox', 'Action').selectOption('updated');
    await page.waitForURL(/action=updated/);
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.first().textContent()).toContain('changed the form');
    await by(page)('button', id).click();
    await by(page)('combobox', 'Action').selectOption('');
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    await page.reload();
    await rows.nth(1).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), by(page)('button', 'Export').click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('at,actor,actor_id,action,resource,resource_id,changes,request_id,ip');
    expect(lines[1]).toContain(`,updated,form,${id},name,`);
    await said(page, '2 records exported.');
  });

  it('that the rights do not allow are not there, and their address says so', async () => {
    const tenant = app.tenant();
    const support = await join(app, tenant, { role: 'support' });
    const { page } = await openSignedIn(app, browser, support, `/${tenant.id}/settings/keys`);
    await by(page)('heading', 'You may not open this page').waitFor();
    const viewer = await join(app, tenant, { role: 'viewer' });
    const seen = (await openSignedIn(app, browser, viewer, `/${tenant.id}/settings/usage`)).page;
    await by(seen)('link', 'Audit log').waitFor();
    for (const name of ['Members', 'Roles', 'API keys']) expect(await by(seen)('link', name).count()).toBe(0);
  });
});

import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { freshEmail, invite, join, makePerson, type TestPerson } from '../support/people.js';

describeWithBrowser('the settings of the console', () => {
  let app: TestApp;
  let browser: Browser;
  let tenant: TestTenant;
  let ada: TestPerson;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
    tenant = app.tenant();
    ada = await makePerson(app, [tenant.id]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (path: string, who: Parameters<typeof openSignedIn>[2] = ada, of = tenant) =>
    (await openSignedIn(app, browser, who, `/${of.id}${path}`)).page;
  const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

  it('invite somebody, who can be sent the invitation again and have it withdrawn', async () => {
    const email = freshEmail();
    const page = await open('/settings');
    await by(page)('button', 'Invite').click();
    await by(page)('textbox', 'Email').fill('nobody');
    await by(page)('button', 'Send invitation').click();
    await page.locator('input[aria-invalid]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Email').fill(email);
    await by(page)('combobox', 'Role').and(page.getByRole('dialog').getByRole('combobox')).selectOption('author');
    await by(page)('button', 'Send invitation').click();
    await said(page, `An invitation was sent to ${email}.`);
    const row = rowOf(page, email);
    expect(await row.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('author');
    await row.getByRole('button', { name: 'Send again' }).click();
    await said(page, `The invitation was sent to ${email} again.`);
    await row.getByRole('button', { name: 'Remove' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Withdraw invitation').click();
    await said(page, `${email} was removed.`);
    await row.waitFor({ state: 'detached' });
  });

  it('give a member another role, and remove the member', async () => {
    const member = await join(app, tenant, { name: 'Grace Hopper', role: 'viewer' });
    const page = await open('/settings/members');
    const row = rowOf(page, member.email);
    await row.getByRole('combobox', { name: 'Role' }).selectOption('editor');
    await said(page, 'Grace Hopper has the role editor now.');
    const { body } = await tenant.http.get(`/v1/users/${tenant.id}/${member.id}`);
    expect(body.data.role).toBe('editor');
    await row.getByRole('button', { name: 'Remove' }).click();
    await by(page)('button', 'Remove member').click();
    await said(page, 'Grace Hopper was removed.');
    await row.waitFor({ state: 'detached' });
    await tenant.http.get(`/v1/users/${tenant.id}/${member.id}`).expect(404);
  });

  it('say what cannot be done: here, to invite a member', async () => {
    const page = await open('/settings/members');
    await by(page)('button', 'Invite').click();
    await by(page)('textbox', 'Email').fill(ada.email);
    await by(page)('button', 'Send invitation').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await by(page)('textbox', 'Email').inputValue()).toBe(ada.email);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Invite');
  });

  it('make, change and delete a role', async () => {
    const page = await open('/settings/roles');
    await by(page)('button', 'New role').click();
    await by(page)('button', 'Create role').click();
    await page.getByText('Give the role a name.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Name').fill('Translator');
    await by(page)('checkbox', 'Write drafts, and ask for review').check();
    await by(page)('button', 'Create role').click();
    await said(page, 'The role Translator was made.');
    const row = page.getByRole('listitem').filter({ hasText: 'Translator' });
    await row.getByRole('button', { name: 'Edit' }).click();
    await by(page)('checkbox', 'See files').check();
    await by(page)('button', 'Save role').click();
    await said(page, 'The role Translator was saved.');
    const { body } = await tenant.http.get(`/v1/roles/${tenant.id}`);
    expect((body.data as { name: string }[]).find(({ name }) => name === 'Translator')).toMatchObject({
      scopes: ['content:draft', 'media:read'],
    });
    await row.getByRole('button', { name: 'Delete' }).click();
    await by(page)('button', 'Delete role').click();
    await said(page, 'The role Translator was deleted.');
    await row.waitFor({ state: 'detached' });
  });

  it('limit the rights of a role to content types and languages', async () => {
    const own = app.tenant();
    for (const name of ['Post', 'Page', 'Author']) {
      const type = { name, fields: [{ name: 'title', type: 'text' }] };
      await own.http.post(`/v1/content/${own.id}/types`, type).expect(201);
    }
    const page = await open('/settings/roles', { key: own.key }, own);
    await by(page)('button', 'New role').click();
    await by(page)('textbox', 'Name').fill('German posts');
    await by(page)('checkbox', 'Read entries and drafts').check();
    const right = 'Write and publish entries, change content types';
    await by(page)('checkbox', right).check();
    const types = page.getByRole('group', { name: `${right}: content types` });
    await types.getByRole('checkbox', { name: 'Only some content types' }).check();
    for (const name of ['Page', 'Author']) await types.getByRole('checkbox', { name }).uncheck();
    expect(await types.getByRole('checkbox', { name: 'Post' }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Languages').fill('de_DE');
    await by(page)('button', 'Create role').click();
    await page.locator('input[aria-invalid]').waitFor();
    await by(page)('textbox', 'Languages').fill('de, de-CH');
    await by(page)('button', 'Create role').click();
    await said(page, 'The role German posts was made.');
    const row = page.getByRole('listitem').filter({ hasText: 'German posts' });
    await row.getByText(`${right} (only of Post)`).waitFor();
    await row.getByText('Only in de, de-CH').waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    expect(await by(page)('textbox', 'Languages').inputValue()).toBe('de, de-CH');
    await by(page)('textbox', 'Languages').fill('');
    await types.getByRole('checkbox', { name: 'Page' }).check();
    await by(page)('button', 'Save role').click();
    await row.getByText(`${right} (only of Post, Page)`).waitFor();
    const { body } = await own.http.get(`/v1/roles/${own.id}`).expect(200);
    const role = (body.data as { name: string; scopes: string[]; locales?: string[] }[]).at(-1);
    expect(role?.scopes).toEqual(['content:read', expect.stringMatching(/^content:write@ct_/), expect.any(String)]);
    expect(role).not.toHaveProperty('locales');
  });

  it('are not shown without the right, and their address says who may give it', async () => {
    const editor = await join(app, tenant, { role: 'editor' });
    const page = await open('/settings/members', editor);
    await by(page)('heading', 'You may not open this page').waitFor();
    await page.getByText(/^Ask an owner of /).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('link', 'Settings').click();
    await by(page)('heading', 'Languages').waitFor();
    await by(page)('link', 'Usage').click();
    await by(page)('table', 'Usage').waitFor();
    for (const name of ['Members', 'Roles']) expect(await by(page)('link', name).count()).toBe(0);
  });

  it('of a key that may only read have no buttons', async () => {
    const key = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'audit', scopes: ['users:read'] }).expect(201);
    const page = await open('/settings/members', { key: (key.body as { data: { key: string } }).data.key });
    await by(page)('table', 'Members').waitFor();
    for (const name of ['Invite', 'Remove', 'Send again']) expect(await by(page)('button', name).count()).toBe(0);
    await by(page)('link', 'Roles').click();
    await page.getByText('Built in').first().waitFor();
    expect(await by(page)('button', 'New role').count()).toBe(0);
  });

  it('whose files are gone after an update say so, and can be left and loaded again', async () => {
    const { page } = await openSignedIn(app, browser, ada, `/${tenant.id}/settings/members`);
    await by(page)('table', 'Members').waitFor();
    await page.route(/assets\/roles-/, (route) => route.fulfill({ status: 404 }));
    await by(page)('link', 'Roles').click();
    await by(page)('heading', 'This page failed').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('link', 'Settings').click();
    await by(page)('table', 'Members').waitFor();
    await page.unroute(/assets\/roles-/);
    await by(page)('link', 'Roles').click();
    await by(page)('button', 'Load again').click();
    await by(page)('heading', 'Roles').waitFor();
  });

  it('that cannot be read say why, and are read with Try again', async () => {
    const { page } = await openSignedIn(app, browser, ada, `/${tenant.id}/me`);
    const body = { status: 503, code: 'unavailable', detail: 'The service is busy.', request_id: 'req_1' };
    await page.route(/\/v1\/users\//, (route) => route.fulfill({ status: 503, json: body }));
    await by(page)('link', 'Settings').click();
    await page.getByRole('alert').getByText('The service is busy.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute(/\/v1\/users\//);
    await by(page)('button', 'Try again').click();
    await by(page)('table', 'Members').waitFor();
  });

  it('show what others wrote as text', async () => {
    const hostile = '<img src=x onerror="document.title=1">‮{{7*7}}';
    const { email } = await invite(app, tenant, { name: hostile });
    const { page, errors } = await openSignedIn(app, browser, ada, `/${tenant.id}/settings/members`);
    await rowOf(page, email).getByText(hostile).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('say that nobody is a member, with the button that changes it', async () => {
    const other = app.tenant();
    const page = await open('/settings/members', { key: other.key }, other);
    await by(page)('heading', 'Nobody is a member yet').waitFor();
    expect(await by(page)('button', 'Invite').count()).toBe(1);
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('have no fault that axe finds, in %s at %d pixels', async (colorScheme, width) => {
    for (const path of ['/settings/members', '/settings/roles', '/me']) {
      const { page } = await openSignedIn(app, browser, ada, `/${tenant.id}${path}`, {
        colorScheme,
        viewport: { width, height: 720 },
      });
      await page.locator('main table, main ul').first().waitFor();
      expect([path, await violationsOf(page)]).toEqual([path, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });
});

import type { Browser, Page } from 'playwright-core';
import { Database } from '../../src/database/database.js';
import { issueToken } from '../../src/people/one-time-tokens.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { consoleUrl, enterPassword, namedOn, openConsole, openSignedIn, violationsOf } from '../support/console.js';
import { freshEmail, invite, makePerson, type TestPerson } from '../support/people.js';

describeWithBrowser('signing in to the console', () => {
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
  const isInside = (page: Page) => by(page)('button', 'Account').waitFor();

  it('takes an email address and a password, and leads to the first tenant', async () => {
    const { page, errors } = await openConsole(app, browser);
    await enterPassword(page, ada);
    await isInside(page);
    expect(new URL(page.url()).pathname).toMatch(`/console/${tenant.id}`);
    expect(await by(page)('navigation', 'Main').isVisible()).toBe(true);
    // The first question, whether there is a session, is answered with a 401.
    expect(errors.filter((error) => !error.includes('401'))).toEqual([]);
  });

  it('happens at the address that was asked for', async () => {
    const { page } = await openConsole(app, browser, `/${tenant.id}/settings/roles`);
    await enterPassword(page, ada);
    await by(page)('heading', 'Roles').waitFor();
  });

  it('says what is wrong, and keeps the address', async () => {
    const { page } = await openConsole(app, browser, '/sign-in');
    await by(page)('button', 'Sign in').click();
    await page.getByText('Enter your email address.').waitFor();
    expect(await by(page)('textbox', 'Email').getAttribute('aria-invalid')).toBe('true');
    await enterPassword(page, { ...ada, password: 'wrong horse' });
    expect(await page.getByRole('alert').textContent()).toContain('The email address or the password is wrong.');
    expect(await by(page)('textbox', 'Email').inputValue()).toBe(ada.email);
    expect(await by(page)('textbox', 'Password').inputValue()).toBe('');
    expect(await violationsOf(page)).toEqual([]);
  });

  it('takes an API key, of which nothing stays in the page', async () => {
    const { page } = await openConsole(app, browser, '/sign-in');
    await by(page)('button', 'Use an API key').click();
    await by(page)('textbox', 'API key').fill(tenant.key);
    await by(page)('button', 'Sign in').click();
    await isInside(page);
    const kept = await page.evaluate(
      'JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(tenant.key);
  });

  it('takes a sign-in link once, and removes it from the address', async () => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'link', scopes: ['read'] });
    const subject = `${tenant.id} ${(body as { data: { id: string } }).data.id}`;
    const token = await issueToken(app.get(Database), { purpose: 'link', subject, seconds: 60 });
    const { page } = await openConsole(app, browser, `/sign-in#${token}`);
    await isInside(page);
    expect(page.url()).not.toContain('tvl_');
    const { page: other } = await openConsole(app, browser, `/sign-in#${token}`);
    expect(await other.getByRole('alert').textContent()).toContain('There is no such sign-in link.');
    expect(other.url()).not.toContain('tvl_');
    await by(other)('button', 'Sign in another way').click();
    await by(other)('textbox', 'Email').waitFor();
  });

  it('takes a sign-in link that is opened in a tab with the page, also after one that was used', async () => {
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'link', scopes: ['read'] });
    const subject = `${tenant.id} ${(body as { data: { id: string } }).data.id}`;
    const issue = () => issueToken(app.get(Database), { purpose: 'link', subject, seconds: 60 });
    const { page } = await openConsole(app, browser, '/sign-in');
    await by(page)('textbox', 'Email').waitFor();
    await page.goto(consoleUrl(app, `/sign-in#tvl_${'A'.repeat(49)}`));
    await page.getByRole('alert').getByText('There is no such sign-in link.').waitFor();
    await page.goto(consoleUrl(app, `/sign-in#${await issue()}`));
    await isInside(page);
    expect(page.url()).not.toContain('tvl_');
  });

  it('sends a link for a forgotten password, which sets a new one', async () => {
    const person = await makePerson(app, [tenant.id]);
    const { page } = await openConsole(app, browser, '/sign-in');
    await by(page)('button', 'Forgot password').click();
    await by(page)('textbox', 'Email').fill(person.email);
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Send link').click();
    await page.getByText('an email with a link is on its way').waitFor();
    const token = await issueToken(app.get(Database), { purpose: 'reset', subject: person.id, seconds: 60 });
    await page.goto(consoleUrl(app, `/reset#${token}`));
    await by(page)('textbox', 'Password').fill('password');
    await by(page)('button', 'Save and sign in').click();
    await page.locator('input[aria-invalid]').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Password').fill('four words of my own');
    await by(page)('button', 'Save and sign in').click();
    await isInside(page);
    expect(page.url()).not.toContain('tvr_');
  });

  describe('with an invitation', () => {
    it('makes an account for a new address', async () => {
      const email = freshEmail();
      const { token } = await invite(app, tenant, { email, role: 'editor' });
      const { page } = await openConsole(app, browser, `/invitation#${token}`);
      await by(page)('textbox', 'Name').fill('Grace Hopper');
      await by(page)('textbox', 'Password').fill('four words of my own');
      expect(await page.getByText(email).isVisible()).toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      await by(page)('button', 'Accept invitation').click();
      await isInside(page);
      expect(page.url()).not.toContain('tvi_');
      await page.goto(consoleUrl(app, `/invitation#${token}`));
      await page.getByRole('alert').getByText('There is no such invitation.').waitFor();
    });

    it('asks a person with an account to sign in, and to accept', async () => {
      const other = app.tenant();
      const { token } = await invite(app, other, { email: ada.email });
      const { page } = await openConsole(app, browser, `/invitation#${token}`);
      await by(page)('textbox', 'Password').fill(ada.password);
      await by(page)('button', 'Sign in').click();
      await by(page)('button', 'Accept invitation').click();
      await page.waitForURL(new RegExp(`/console/${other.id}`));
      // Now there are two.
      await by(page)('button', 'Tenant').click();
      await page.getByRole('menuitem', { name: app.config.tenants.find(({ id }) => id === tenant.id)!.name }).click();
      await page.waitForURL(new RegExp(`/console/${tenant.id}`));
    });

    it('is not for somebody else who is signed in', async () => {
      const { token, email } = await invite(app, app.tenant(), { email: (await makePerson(app, [tenant.id])).email });
      const { page } = await openSignedIn(app, browser, ada, `/invitation#${token}`);
      await page.getByText(`The invitation is for ${email}.`).waitFor();
      await by(page)('button', 'Sign in as somebody else').click();
      expect(await by(page)('textbox', 'Email').inputValue()).toBe(email);
    });
  });

  it('ends with Sign out', async () => {
    const { page } = await openSignedIn(app, browser, ada);
    await by(page)('button', 'Account').click();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('menuitem', 'Sign out').click();
    await by(page)('textbox', 'Email').waitFor();
    await page.goto(consoleUrl(app, `/${tenant.id}/me`));
    await by(page)('button', 'Sign in').waitFor();
  });

  it('says which tenant cannot be entered, and leads to another one', async () => {
    const { page } = await openSignedIn(app, browser, ada, '/ten_unknown/settings');
    await by(page)('heading', 'You cannot enter this tenant').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^Open / }).click();
    await isInside(page);
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('has no fault that axe finds, in %s at %d pixels', async (colorScheme, width) => {
    const { page } = await openConsole(app, browser, '/sign-in', { colorScheme, viewport: { width, height: 720 } });
    await by(page)('button', 'Sign in').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Use an API key').click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});

import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { enterPassword, namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { makePerson, signIn, type TestPerson } from '../support/people.js';

describeWithBrowser('what is mine in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let tenant: TestTenant;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
    tenant = app.tenant();
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const openMe = async () => {
    const person = await makePerson(app, [tenant.id]);
    const { page } = await openSignedIn(app, browser, person, `/${tenant.id}/me`);
    return { page, person };
  };
  const meOf = async (person: TestPerson) => (await (await signIn(app, person)).http.get('/v1/me')).body.data;

  it('is found under Account', async () => {
    const { page } = await openSignedIn(app, browser, { key: tenant.key });
    await by(page)('button', 'Account').click();
    await by(page)('menuitem', 'Me').click();
    await by(page)('heading', 'Me').waitFor();
    await page.getByText('You are signed in with the API key test').waitFor();
  });

  it('is my name', async () => {
    const { page, person } = await openMe();
    await by(page)('textbox', 'Name').fill('Ada Lovelace');
    await by(page)('button', 'Save name').click();
    await said(page, 'Your name was saved.');
    expect((await meOf(person)).user.name).toBe('Ada Lovelace');
  });

  it('is my password, whose faults stand beside it', async () => {
    const { page, person } = await openMe();
    await by(page)('textbox', 'Current password').fill('wrong horse battery');
    await by(page)('textbox', 'New password').fill('password');
    await by(page)('button', 'Change password').click();
    await page.getByText('Current password is wrong.').waitFor();
    expect(await page.locator('input[aria-invalid]').count()).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Current password').fill(person.password);
    await by(page)('textbox', 'New password').fill('four words of my own');
    await by(page)('button', 'Change password').click();
    await said(page, 'Your password was changed.');
    await meOf({ ...person, password: 'four words of my own' });
  });

  it('is where I am signed in', async () => {
    const { page, person } = await openMe();
    const elsewhere = await signIn(app, person, { 'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' });
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: 'Firefox on Linux' });
    await row.getByRole('button', { name: 'Sign out' }).click();
    await row.waitFor({ state: 'detached' });
    await elsewhere.http.get('/v1/me').expect(401);
  });

  it('is whether I get emails about reviews', async () => {
    const { page } = await openMe();
    await by(page)('checkbox', 'Email me about reviews').check();
    await said(page, 'Your choice was saved.');
    await page.reload();
    await page.getByRole('checkbox', { name: 'Email me about reviews', checked: true }).waitFor();
  });

  it('is the theme, which the browser keeps', async () => {
    const { page } = await openMe();
    const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await by(page)('combobox', 'Theme').selectOption('dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await by(page)('combobox', 'Theme').waitFor();
    expect(await background()).toBe(dark);
  });

  it('is asked to sign in over the page when the session has ended, and what was typed is saved then', async () => {
    const { page, person } = await openMe();
    await by(page)('textbox', 'Name').fill('Typed before');
    await page.context().clearCookies();
    await by(page)('button', 'Save name').click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(person.email);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await said(page, 'Your name was saved.');
    expect((await meOf(person)).user.name).toBe('Typed before');
  });

  it('is not carried over when somebody else signs in then', async () => {
    const { page } = await openMe();
    const other = app.tenant();
    await by(page)('textbox', 'Name').fill('Not for the other');
    await page.context().clearCookies();
    await by(page)('button', 'Save name').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Use an API key' }).click();
    await dialog.getByRole('textbox', { name: 'API key' }).fill(other.key);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(new RegExp(`/console/${other.id}`));
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.content()).not.toContain('Not for the other');
  });

  it('is asked for when the service cannot be reached, with what was typed still there', async () => {
    const { page } = await openMe();
    await by(page)('textbox', 'Name').fill('Typed offline');
    await page.context().setOffline(true);
    await by(page)('button', 'Save name').click();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    expect(await by(page)('textbox', 'Name').inputValue()).toBe('Typed offline');
    await by(page)('button', 'Save name').click();
    await said(page, 'Your name was saved.');
  });

  it('is each membership, which I can end, unless I am the last owner', async () => {
    const [left, kept] = [app.tenant(), app.tenant()];
    const person = await makePerson(app, [left.id, kept.id]);
    const { page } = await openSignedIn(app, browser, person, `/${left.id}/me`);
    const name = (id: string) => app.config.tenants.find((each) => each.id === id)?.name ?? '';
    const leave = () => page.getByRole('button', { name: `Leave ${name(left.id)}`, exact: true });
    await leave().click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Leave / })
      .click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await makePerson(app, [left.id]);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Leave / })
      .click();
    await page.waitForURL(new RegExp(`/console/${kept.id}`));
    await by(page)('button', 'Account').waitFor();
    expect(await by(page)('button', 'Tenant').count()).toBe(0);
  });

  it('works by keyboard alone', async () => {
    const { page, person } = await openMe();
    await page.context().clearCookies();
    await page.goto(page.url());
    await by(page)('textbox', 'Email').focus();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await by(page)('button', 'Account').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sign-in/);
    await enterPassword(page, person);
  });
});

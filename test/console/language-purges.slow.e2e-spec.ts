import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createType } from '../support/content.js';
import { makePerson, makeTranslator } from '../support/people.js';

const TITLE = { name: 'title', label: 'Title', type: 'text', localized: true };
const LONG = 'Österreichisches Hochdeutsch nach der Rechtschreibreform';
const SIZES = { wide: { width: 1_280, height: 900 }, narrow: { width: 375, height: 800 } };
const LOOKS = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
  ['dark', 'narrow'],
] as const;

describeWithBrowser('the values of a removed language in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = (tenant: TestTenant, options = {}, who: Parameters<typeof openSignedIn>[2] = tenant) =>
    openSignedIn(app, browser, who, `/${tenant.id}/settings/languages`, options);
  const setLocales = (tenant: TestTenant, ...others: object[]) =>
    tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales: [{ code: 'en' }, ...others] }).expect(200);
  /** A tenant with an entry that has German values, and a draft of it. */
  const make = async (name = 'German') => {
    const tenant = app.tenant();
    await setLocales(tenant, { code: 'de', name });
    const type = await createType(tenant, [TITLE]);
    const fields = { title: { en: 'Tides', de: 'Gezeiten' } };
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields, status: 'published' }).expect(201);
    const path = `${type.entries}/${body.data.id}`;
    await tenant.http.patch(`${path}/draft?locale=de`, { fields: { title: 'Ebbe' } }).expect(200);
    return { tenant, path };
  };
  const remove = async (page: Page, name = 'German') => {
    await by(page)('button', `Remove ${name}`).click();
    await page.getByRole('dialog').getByText('The values of 1 entry').waitFor();
    await page.getByRole('dialog').getByRole('button').first().click();
    await by(page)('region', 'Removed language').waitFor();
  };
  const notice = (page: Page) => by(page)('region', 'Values in German');
  const choose = async (page: Page, typed: string) => {
    await by(page)('textbox', 'Language').fill(typed);
    await by(page)('button', 'Continue').click();
  };

  it('are kept out of sight, and deleted for good after a question that says what is lost', async () => {
    const { tenant, path } = await make();
    const { page, errors } = await open(tenant);
    await remove(page);
    await page.getByText('German was removed. Its values are kept out of sight').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Delete its values for good').click();
    const dialog = by(page)('dialog', 'Delete the values in German for good?');
    await dialog.getByText('Everything written in German (de) is deleted from 1 entry').waitFor();
    await dialog.getByText('This cannot be undone.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete the values in German' }).click();
    await notice(page).getByText('The values in German were deleted: in 1 entry, 1 draft and 1 version.').waitFor();
    expect(await by(page)('region', 'Removed language').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await notice(page).getByRole('button', { name: 'Close' }).click();
    await notice(page).waitFor({ state: 'detached' });
    await setLocales(tenant, { code: 'de' });
    const { body } = await tenant.http.get(`${path}?locale=*`).expect(200);
    expect(body.data.fields).toEqual({ title: { en: 'Tides' } });
    expect(errors).toEqual([]);
  });

  it('are there again when the person keeps them, and the language is added again', async () => {
    const { tenant, path } = await make();
    const { page } = await open(tenant);
    await remove(page);
    await by(page)('button', 'Keep them').click();
    await by(page)('region', 'Removed language').waitFor({ state: 'detached' });
    await setLocales(tenant, { code: 'de' });
    const { body } = await tenant.http.get(`${path}?locale=*`).expect(200);
    expect(body.data.fields).toEqual({ title: { en: 'Tides', de: 'Gezeiten' } });
  });

  it('of one that was removed long ago are found by its name or its tag', async () => {
    const { tenant } = await make();
    await setLocales(tenant);
    const { page } = await open(tenant);
    await by(page)('button', 'Delete values for good').click();
    await choose(page, '');
    await page.getByText('Enter the name of a language, or a language tag').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await choose(page, 'not a tag');
    await page.getByText('Enter the name of a language, or a language tag').waitFor();
    await choose(page, 'English');
    await page.getByText('English is one of the languages. Remove it first.').waitFor();
    await choose(page, 'DE');
    await by(page)('button', 'Delete the values in German').click();
    await notice(page).getByText('The values in German were deleted: in 1 entry').waitFor();
    await by(page)('button', 'Delete values for good').click();
    await choose(page, 'french');
    await by(page)('button', 'Delete the values in French').click();
    await by(page)('region', 'Values in French').getByText('Nothing was stored in French.').waitFor();
  });

  it('show how far their deletion is, also to somebody who comes back, and after a failure', async () => {
    const { tenant } = await make();
    await setLocales(tenant);
    const { page } = await open(tenant);
    let answer: 'running' | 'down' = 'running';
    await page.route('**/purges/*', async (route) => {
      if (answer === 'down') return route.abort();
      const counts = { entries: 1_200, drafts: 1, versions: 4_000 };
      return route.fulfill({ json: { data: { id: 'pur_1', code: 'de', state: 'running', ...counts } } });
    });
    await by(page)('button', 'Delete values for good').click();
    await choose(page, 'German');
    await by(page)('button', 'Delete the values in German').click();
    await notice(page).getByText('Until now: 1,200 entries, 1 draft and 4,000 versions.').waitFor();
    await by(page)('progressbar', 'Delete the values in German').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await notice(page).getByText('Until now: 1,200 entries').waitFor();
    answer = 'down';
    await notice(page).getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/purges/*');
    await notice(page).getByRole('button', { name: 'Try again' }).click();
    await notice(page).getByText('The values in German were deleted: in 1 entry').waitFor();
    // One that is not known any more is not shown either.
    await page.route('**/purges/*', (route) =>
      route.fulfill({ status: 404, json: { status: 404, code: 'not_found', detail: 'It is gone.' } }),
    );
    await page.reload();
    await by(page)('button', 'Delete values for good').waitFor();
    await notice(page).waitFor({ state: 'detached' });
  });

  it('are no matter of those who may not change the languages', async () => {
    const { tenant } = await make();
    for (const person of [await makePerson(app, [tenant.id], 'viewer'), await makeTranslator(app, tenant, ['de'])]) {
      const { page } = await open(tenant, {}, person);
      await page.getByRole('listitem').filter({ hasText: 'German' }).waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    }
  });

  it.each(LOOKS)('fit the screen without violations, in %s, %s', async (colorScheme, size) => {
    const { tenant } = await make(LONG);
    const { page } = await open(tenant, { colorScheme, viewport: SIZES[size] });
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
    await remove(page, LONG);
    expect(await violationsOf(page)).toEqual([]);
    expect(await fits()).toBe(true);
    await by(page)('button', 'Delete its values for good').click();
    await by(page)('button', `Delete the values in ${LONG}`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', `Delete the values in ${LONG}`).click();
    await by(page)('region', `Values in ${LONG}`).getByRole('button', { name: 'Close' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await fits()).toBe(true);
  });
});

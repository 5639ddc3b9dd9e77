import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createType } from '../support/content.js';
import { makeTranslator } from '../support/people.js';

const TITLE = { name: 'title', label: 'Title', type: 'text', localized: true };
const LOCALES = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }] };
const AT = '2090-01-31T09:30:00.000Z';
const SIZES = { wide: { width: 1_280, height: 900 }, narrow: { width: 375, height: 800 } };
const LOOKS = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
  ['dark', 'narrow'],
] as const;

describeWithBrowser('a schedule of some languages in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  interface Made {
    tenant: TestTenant;
    path: string;
    page: string;
  }
  const make = async (status = 'published', locales: object = LOCALES): Promise<Made> => {
    const tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, locales).expect(200);
    const type = await createType(tenant, [TITLE]);
    const fields = { title: { en: 'Tides', de: 'Gezeiten' } };
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields, status }).expect(201);
    const { id } = body.data;
    return { tenant, path: `${type.entries}/${id}`, page: `/${tenant.id}/content/article/${id}` };
  };
  const open = async (
    { tenant, page }: Made,
    query = '',
    options = {},
    who: Parameters<typeof openSignedIn>[2] = tenant,
  ) => {
    const opened = await openSignedIn(app, browser, who, page + query, { timezoneId: 'UTC', ...options });
    await by(opened.page)('button', 'Schedule').click();
    await by(opened.page)('dialog', 'Schedule').getByRole('button').first().waitFor();
    return opened;
  };
  const languages = (page: Page) => page.getByRole('group', { name: 'Languages' });
  const box = (page: Page, name: string) => languages(page).getByRole('checkbox', { name, exact: true });
  const fill = (page: Page, label: string) => page.getByLabel(label, { exact: true }).fill(AT.slice(0, 16));
  const save = (page: Page) => by(page)('button', 'Save schedule').click();
  const scheduleOf = async ({ tenant, path }: Made) =>
    (await tenant.http.get(`${path}/schedule`).expect(200)).body.data;

  it('is set for the language that is shown, named above the form, and changed to all', async () => {
    const made = await make();
    const { page, errors } = await open(made, '?locale=de');
    expect(
      await box(page, 'All languages').evaluate(
        (node) => (node as unknown as { indeterminate: boolean }).indeterminate,
      ),
    ).toBe(true);
    expect(await box(page, 'German').isChecked()).toBe(true);
    expect(await box(page, 'English').isChecked()).toBe(false);
    await fill(page, 'Publish at');
    await box(page, 'French').check();
    await save(page);
    await said(page, 'The schedule was saved.');
    expect(await scheduleOf(made)).toMatchObject({ publish_at: AT, locales: ['de', 'fr'] });
    await page.getByText(/^German and French will be published on Jan 31, 2090/).waitFor();
    await by(page)('button', 'Schedule').click();
    expect(await box(page, 'French').isChecked()).toBe(true);
    await box(page, 'All languages').check();
    expect(await box(page, 'English').isChecked()).toBe(true);
    await save(page);
    await page.getByText(/^Will be published on Jan 31, 2090/).waitFor();
    expect((await scheduleOf(made)).locales).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('is of all languages at first on the page of the default one, and stays so unless it is changed', async () => {
    const made = await make();
    const { page } = await open(made);
    for (const name of ['All languages', 'English', 'German', 'French']) {
      expect(await box(page, name).isChecked()).toBe(true);
    }
    await fill(page, 'Unpublish at');
    await save(page);
    await said(page, 'The schedule was saved.');
    expect(await scheduleOf(made)).not.toHaveProperty('locales');
  });

  it('is of one language at least, and does not take the default one off', async () => {
    const made = await make();
    const { page } = await open(made);
    await fill(page, 'Unpublish at');
    await box(page, 'All languages').uncheck();
    await save(page);
    await languages(page).getByText('Choose a language.').waitFor();
    await box(page, 'English').check();
    expect(await languages(page).getByRole('alert').count()).toBe(0);
    await save(page);
    await languages(page).getByText('English is the default language').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await box(page, 'English').uncheck();
    await box(page, 'German').check();
    await save(page);
    await said(page, 'The schedule was saved.');
    expect(await scheduleOf(made)).toMatchObject({ unpublish_at: AT, locales: ['de'] });
    await page.getByText(/^German will be unpublished on/).waitFor();
  });

  it('of an entry that is not public says that the default language comes first', async () => {
    const made = await make('draft');
    const { page } = await open(made, '?locale=de');
    expect(await box(page, 'All languages').isChecked()).toBe(true);
    await box(page, 'English').uncheck();
    await page.getByText('This entry is not public yet.').waitFor();
    await box(page, 'English').check();
    await page.getByText('This entry is not public yet.').waitFor({ state: 'detached' });
  });

  it('is carried out, and the page shows what is public then', async () => {
    const made = await make();
    await made.tenant.http.patch(`${made.path}/draft?locale=de`, { fields: { title: 'Ebbe' } }).expect(200);
    const schedule = { publish_at: new Date(Date.now() + 4_000).toISOString(), locales: ['de'] };
    await made.tenant.http.put(`${made.path}/schedule`, schedule).expect(200);
    const { page } = await openSignedIn(app, browser, made.tenant, `${made.page}?locale=de`);
    await page.getByText('German will be published on').waitFor();
    await page.getByText('German will be published on').waitFor({ state: 'detached' });
    await page.getByText('Published', { exact: true }).first().waitFor();
  });

  it('that failed says of which languages it was', async () => {
    const made = await make();
    await made.tenant.http.put(`${made.path}/schedule`, { publish_at: AT, locales: ['de'] }).expect(200);
    const { page } = await openSignedIn(app, browser, made.tenant, made.page);
    await page.route('**/schedule?*', async (route) => {
      const response = await route.fetch();
      const { data, meta } = (await response.json()) as { data: object[]; meta: object };
      const failed = data.map((each) => ({ ...each, state: 'failed', problem: { detail: 'It was too late.' } }));
      await route.fulfill({ response, json: { data: failed, meta } });
    });
    await page.reload();
    await page.getByText('The schedule of German failed: It was too late.').waitFor();
  });

  it('is set by a translator for own languages, and one of others is only read', async () => {
    const made = await make();
    const translator = await makeTranslator(app, made.tenant, ['de', 'fr']);
    const { page } = await open(made, '', {}, translator);
    expect(await languages(page).getByRole('checkbox').count()).toBe(2);
    expect(await box(page, 'German').isChecked()).toBe(true);
    await fill(page, 'Publish at');
    await box(page, 'French').check();
    await save(page);
    await said(page, 'The schedule was saved.');
    expect((await scheduleOf(made)).locales).toEqual(['de', 'fr']);
    await by(page)('button', 'Schedule').click();
    await by(page)('button', 'Remove schedule').click();
    await said(page, 'The schedule was removed.');
    await made.tenant.http.put(`${made.path}/schedule`, { publish_at: AT }).expect(200);
    await page.reload();
    await by(page)('button', 'Schedule').click();
    const dialog = by(page)('dialog', 'Schedule');
    await dialog.getByText('You may change a schedule of German and French only.').waitFor();
    await dialog.getByText(/^Will be published on Jan 31, 2090/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
  });

  it('is named on the overview with its languages', async () => {
    const made = await make();
    await made.tenant.http.put(`${made.path}/schedule`, { publish_at: AT, locales: ['fr', 'de'] }).expect(200);
    const { page } = await openSignedIn(app, browser, made.tenant, `/${made.tenant.id}`);
    await page.getByText(/^(German and French|French and German) will be published on Jan 31, 2090/).waitFor();
  });

  it.each(LOOKS)('has a dialog that fits the screen without violations, in %s, %s', async (colorScheme, size) => {
    const names = ['Österreichisches Hochdeutsch mit Rechtschreibreform', 'العربية', 'x'.repeat(100)];
    const others = ['de', 'ar', 'fr', 'it', 'nl', 'pl', 'es', 'pt'].map((code, index) => ({
      code,
      name: names[index] ?? code,
    }));
    const made = await make('published', { default: 'en', locales: [{ code: 'en' }, ...others] });
    const { page } = await open(made, '', { colorScheme, viewport: SIZES[size] });
    await box(page, 'العربية').uncheck();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await fill(page, 'Publish at');
    await save(page);
    await page.getByText(/and 5 more will be published/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

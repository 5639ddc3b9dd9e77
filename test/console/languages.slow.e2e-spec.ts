import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType } from '../support/content.js';
import { makePerson } from '../support/people.js';

const SIZES = { wide: { width: 1_280, height: 900 }, narrow: { width: 375, height: 800 } };
const LOOKS = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
  ['dark', 'narrow'],
] as const;
const TITLE = { name: 'title', label: 'Title', type: 'text' };

describeWithBrowser('the languages of a tenant in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const open = async (tenant: TestTenant, path = '/settings/languages', options = {}) =>
    openSignedIn(app, browser, { key: tenant.key }, `/${tenant.id}${path}`, options);
  const localesOf = async (tenant: TestTenant) => (await tenant.http.get(`/v1/locales/${tenant.id}`)).body.data;
  const setLocales = (tenant: TestTenant, ...locales: object[]) =>
    tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales: [{ code: 'en' }, ...locales] }).expect(200);
  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  it('are added by the name of a language or by its tag, and changed', async () => {
    const tenant = app.tenant();
    const { page, errors } = await open(tenant);
    await page.getByText('There is one language').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Add language').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await page.getByText('Choose a language, or enter a language tag.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('combobox', { name: 'Language' }).fill('German');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('German');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await said(page, 'German was added.');
    await row(page, 'German').getByText('falls back to English').waitFor();
    await by(page)('button', 'Add language').click();
    await dialog.getByRole('combobox', { name: 'Language' }).fill('DE');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await page.getByText('This language is there already.').waitFor();
    await dialog.getByRole('combobox', { name: 'Language' }).fill('de-CH');
    await dialog.getByRole('combobox', { name: 'Fallback' }).selectOption('German');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await said(page, 'Swiss High German was added.');
    await by(page)('button', 'Edit German').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Deutsch');
    // What falls back to it is not offered.
    expect(await dialog.getByRole('option').allInnerTexts()).toEqual(['English', 'None: nothing is shown']);
    await dialog.getByRole('combobox', { name: 'Fallback' }).selectOption('None: nothing is shown');
    await dialog.getByRole('button', { name: 'Save language' }).click();
    await said(page, 'Deutsch was saved.');
    expect((await localesOf(tenant)).locales).toEqual([
      { code: 'en', name: 'English', fallback: null },
      { code: 'de', name: 'Deutsch', fallback: null },
      { code: 'de-CH', name: 'Swiss High German', fallback: 'de' },
    ]);
    expect(errors).toEqual([]);
  });

  it('say what the service objects to beside its field', async () => {
    const tenant = app.tenant();
    const { page } = await open(tenant, '/settings/languages?open=new');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Language' }).fill('not a tag');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nothing');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await page.getByText('must be a language tag such as de or fr-CA').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('have another default while nothing is translated, and say what is in the way otherwise', async () => {
    const tenant = app.tenant();
    await setLocales(tenant, { code: 'de' });
    const { page } = await open(tenant);
    await by(page)('button', 'Make default: German').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make German the default' }).click();
    await said(page, 'German is the default language now.');
    expect(await localesOf(tenant)).toMatchObject({ default: 'de', locales: [{ fallback: 'de' }, { fallback: null }] });
    await createType(tenant, [{ ...TITLE, localized: true }]);
    await page.reload();
    await by(page)('button', 'Make default: English').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Article' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Make English the default' }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('are removed after a question that says whose values are hidden', async () => {
    const tenant = app.tenant();
    await setLocales(tenant, { code: 'de' }, { code: 'fr' }, { code: 'de-CH', fallback: 'de' });
    const type = await createType(tenant, [{ ...TITLE, localized: true, required_in: ['fr'] }]);
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields: { title: { en: 'A', de: 'B' } } });
    await createEntries(tenant, type, [{ fields: { title: 'C' } }]);
    const { page } = await open(tenant);
    await by(page)('button', 'Remove French').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Article' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove French' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await by(page)('button', 'Remove German').click();
    await dialog.getByText('The values of 1 entry in German are hidden').waitFor();
    await dialog
      .getByText('Where Swiss High German falls back to German now, it then falls back to English.')
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove German' }).click();
    await said(page, 'German was removed.');
    const { locales } = await localesOf(tenant);
    expect(locales.map(({ code, fallback }: Record<string, unknown>) => [code, fallback])).toEqual([
      ['en', null],
      ['fr', 'en'],
      ['de-CH', 'en'],
    ]);
    await by(page)('button', 'Add language').click();
    await dialog.getByRole('combobox', { name: 'Language' }).fill('de');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await said(page, 'German was added.');
    const read = await tenant.http.get(`${type.entries}/${body.data.id}?locale=de`).expect(200);
    expect(read.body.data.fields).toEqual({ title: 'B' });
  });

  it('are shown without buttons to those who may only read', async () => {
    const tenant = app.tenant();
    await setLocales(tenant, { code: 'de' });
    const viewer = await makePerson(app, [tenant.id], 'viewer');
    const { page } = await openSignedIn(app, browser, viewer, `/${tenant.id}/settings/languages`);
    await row(page, 'German').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });

  it('are chosen for the fields of a content type, and the plan says what is hidden without', async () => {
    const tenant = app.tenant();
    await setLocales(tenant, { code: 'de' }, { code: 'fr' });
    const type = await createType(tenant, [TITLE]);
    const { page } = await open(tenant, '/types/article');
    await by(page)('button', 'Edit Title').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Translated' }).check();
    await dialog.getByRole('group', { name: 'Required in' }).getByRole('checkbox', { name: 'German' }).check();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Change field').click();
    await by(page)('button', 'Review changes').click();
    await dialog.getByText('is translated from now on').waitFor();
    await by(page)('button', 'Apply').click();
    await dialog.waitFor({ state: 'detached' });
    const fields = async () => (await tenant.http.get(type.path).expect(200)).body.data.fields;
    expect(await fields()).toMatchObject([{ localized: true, required_in: ['de'] }]);
    // Another change of the field leaves both.
    await by(page)('button', 'Edit Title').click();
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Headline');
    await by(page)('button', 'Change field').click();
    await by(page)('button', 'Review changes').click();
    await by(page)('button', 'Apply').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await fields()).toMatchObject([{ label: 'Headline', localized: true, required_in: ['de'] }]);
    const title = { en: 'A', de: 'B', fr: 'C' };
    await tenant.http.post(`${type.entries}?locale=*`, { fields: { title } }).expect(201);
    await by(page)('button', 'Edit Headline').click();
    await dialog.getByRole('checkbox', { name: 'Translated' }).uncheck();
    await by(page)('button', 'Change field').click();
    await by(page)('button', 'Review changes').click();
    await dialog.getByText('is not translated any more').waitFor();
    await dialog.getByText('The values in other languages, of 1 entry at least, are hidden.').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
  });

  it.each(LOOKS)('fit the screen without violations, in %s, %s', async (colorScheme, size) => {
    const tenant = app.tenant();
    await setLocales(tenant, { code: 'ar', name: 'العربية' }, { code: 'de', name: 'x'.repeat(100) });
    const { page } = await open(tenant, '/settings/languages', { colorScheme, viewport: SIZES[size] });
    await row(page, 'العربية').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    // Where one is stays in sight, in rows of links that scroll. Places are fractions of a pixel, and scrolling goes by whole ones.
    for (const name of ['Settings', 'Languages']) {
      const { x = NaN, width = NaN } = (await by(page)('link', name).boundingBox()) ?? {};
      expect([x > -1, x + width < SIZES[size].width + 1]).toEqual([true, true]);
    }
  });
});

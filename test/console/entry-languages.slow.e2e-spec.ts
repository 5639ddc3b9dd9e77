import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createType, type TestType } from '../support/content.js';
import { makeTranslator } from '../support/people.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', localized: true, required: true },
  { name: 'body', label: 'Body', type: 'rich_text', localized: true },
  { name: 'price', label: 'Price', type: 'number' },
];
const LOCALES = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }, { code: 'fr', fallback: null }] };
const SIZES = { wide: { width: 1_280, height: 900 }, narrow: { width: 375, height: 800 } };
const LOOKS = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
  ['dark', 'narrow'],
] as const;
const HOSTILE = '<img src=x onerror="window.hit = 1">';

describeWithBrowser('an entry in several languages in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  interface Made {
    tenant: TestTenant;
    type: TestType;
    path: string;
    page: string;
  }
  const make = async (fields: object, status = 'published', definitions: object[] = FIELDS): Promise<Made> => {
    const tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    const type = await createType(tenant, definitions);
    const { body } = await tenant.http.post(`${type.entries}?locale=*`, { fields, status }).expect(201);
    const { id } = body.data;
    return { tenant, type, path: `${type.entries}/${id}`, page: `/${tenant.id}/content/article/${id}` };
  };
  const open = ({ tenant, page }: Made, query = '', options = {}, who: Parameters<typeof openSignedIn>[2] = tenant) =>
    openSignedIn(app, browser, who, page + query, options);
  const fieldsOf = async ({ tenant, path }: Made, query = 'locale=*') =>
    (await tenant.http.get(`${path}?${query}`).expect(200)).body.data.fields;
  const draftOf = async ({ tenant, path }: Made) =>
    (await tenant.http.get(`${path}/draft?locale=*`).expect(200)).body.data.fields;
  const choose = (page: Page, code: string) => by(page)('combobox', 'Language').selectOption(code);
  const titled = (page: Page, title: string) =>
    until(async () => (await by(page)('textbox', 'Title').inputValue()) === title);
  const state = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

  it('is translated beside what the default language says, and published in one language', async () => {
    const made = await make({ title: { en: 'Tides' }, body: { en: '<p>High &amp; low.</p>' }, price: 3 });
    const { page, errors } = await open(made);
    await by(page)('textbox', 'Title').fill('Tides, again');
    await saved(page);
    await choose(page, 'de');
    await state(page, 'Not translated');
    expect(new URL(page.url()).search).toBe('?locale=de');
    await by(page)('region', 'English: Title').getByText('Tides, again').waitFor();
    await by(page)('region', 'English: Body').getByText('High & low.').waitFor();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('');
    await page.getByText('Missing: Title, Body').waitFor();
    await page.getByText('Shared by all languages, and published with English.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(`${new URL(request.url()).search} ${request.postData()}`);
    });
    await by(page)('textbox', 'Title').fill('Gezeiten');
    await saved(page);
    expect(sent).toEqual(['?locale=de {"fields":{"title":"Gezeiten"}}']);
    await by(page)('button', 'Publish').click();
    await state(page, 'Published');
    expect(await fieldsOf(made)).toMatchObject({ title: { en: 'Tides', de: 'Gezeiten' } });
    expect((await draftOf(made)).title).toEqual({ en: 'Tides, again', de: 'Gezeiten' });
    await page.getByText('Missing: Body').waitFor();
    expect(await by(page)('button', 'Publish').isDisabled()).toBe(true);
    await page.reload();
    await titled(page, 'Gezeiten');
    await choose(page, 'en');
    await state(page, 'Published, with changes');
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Tides, again');
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await titled(page, 'Gezeiten');
    expect(errors).toEqual([]);
  });

  it('takes over what the default language says, and has it undone', async () => {
    const made = await make({ title: { en: 'Tides' }, body: { en: '<p>High.</p>' } });
    const { page } = await open(made, '?locale=de');
    await by(page)('button', 'Copy English to Title').click();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Tides');
    await by(page)('button', 'Undo the copy to Title').click();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('');
    await by(page)('button', 'Copy English to Body').click();
    await saved(page);
    expect(await draftOf(made)).toEqual({ title: { en: 'Tides' }, body: { en: '<p>High.</p>', de: '<p>High.</p>' } });
  });

  it('loses a value that is emptied, and shows the fallback then', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' } });
    const { page } = await open(made, '?locale=de');
    await by(page)('textbox', 'Title').fill('');
    await saved(page);
    await by(page)('button', 'Publish').click();
    await state(page, 'Not translated');
    expect(await fieldsOf(made)).toEqual({ title: { en: 'Tides' } });
    // It is called as in the default language.
    await by(page)('heading', 'Tides').waitFor();
  });

  it('that is not public yet becomes public in the default language too', async () => {
    const made = await make({ title: { en: 'Tides' } }, 'draft');
    const { page } = await open(made, '?locale=de');
    await by(page)('textbox', 'Title').fill('Gezeiten');
    await by(page)('button', 'Publish').click();
    const dialog = by(page)('dialog', 'Publish English too?');
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Publish English and German' }).click();
    await state(page, 'Published');
    expect(await fieldsOf(made)).toEqual({ title: { en: 'Tides', de: 'Gezeiten' } });
    await made.tenant.http.get(`${made.path}?translated=de`).expect(200);
  });

  it('that is new is written in two languages, and stays one entry', async () => {
    const tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    const type = await createType(tenant, FIELDS);
    const { page } = await openSignedIn(app, browser, tenant, `/${tenant.id}/content/article/new`);
    await by(page)('textbox', 'Title').fill('Tides');
    await choose(page, 'de');
    await by(page)('region', 'English: Title').getByText('Tides').waitFor();
    await by(page)('textbox', 'Title').fill('Gezeiten');
    await saved(page);
    await by(page)('button', 'Save').click();
    await until(async () => {
      const { body } = await tenant.http.get(`${type.entries}?locale=*`);
      return (
        JSON.stringify(body.data.map(({ fields }: { fields: object }) => fields)) ===
        '[{"title":{"en":"Tides","de":"Gezeiten"}}]'
      );
    });
  });

  it('has a language taken off and brought back, and all published', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' } });
    const { page } = await open(made, '?locale=de');
    await by(page)('button', 'More').click();
    await by(page)('menuitem', 'Take German off').click();
    await said(page, 'German is not public any more.');
    await state(page, 'Not public');
    await made.tenant.http.get(`${made.path}?translated=de`).expect(404);
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Gezeiten');
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'More').click();
    await by(page)('menuitem', 'Bring German back').click();
    await said(page, 'German is public again.');
    await state(page, 'Published');
    await made.tenant.http.patch(`${made.path}/draft?locale=*`, {
      fields: { title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' } },
    });
    await page.reload();
    await by(page)('button', 'More').click();
    await by(page)('menuitem', 'Publish all languages').click();
    await state(page, 'Published');
    await until(async () => JSON.stringify((await fieldsOf(made)).title) === '{"en":"Ebb","de":"Ebbe","fr":"Reflux"}');
  });

  it('has the draft of one language discarded, and restored', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' } });
    await made.tenant.http.patch(`${made.path}/draft?locale=*`, { fields: { title: { en: 'Ebb', de: 'Ebbe' } } });
    const { page } = await open(made, '?locale=de');
    await by(page)('button', 'Discard draft').click();
    await by(page)('region', 'Unsaved text').waitFor();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Gezeiten');
    await until(async () => JSON.stringify((await draftOf(made)).title) === '{"en":"Ebb","de":"Gezeiten"}');
    await by(page)('region', 'Unsaved text').getByRole('button', { name: 'Restore' }).click();
    await until(async () => JSON.stringify((await draftOf(made)).title) === '{"en":"Ebb","de":"Ebbe"}');
  });

  it('asks about a field that somebody else changed in the same language, and about no other', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' } });
    const { page } = await open(made, '?locale=de');
    await by(page)('textbox', 'Title').fill('Meine');
    const theirs = { title: { en: 'Ebb', de: 'Ihre' } };
    await made.tenant.http.patch(`${made.path}/draft?locale=*`, { fields: theirs }).expect(200);
    const dialog = by(page)('dialog', 'Changed by somebody else');
    await dialog.waitFor();
    expect(await dialog.getByRole('group').count()).toBe(1);
    await dialog.getByRole('group', { name: 'Title (German)' }).getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until(async () => JSON.stringify((await draftOf(made)).title) === '{"en":"Ebb","de":"Meine"}');
  });

  it('asks about values of other languages when all are published', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten', fr: 'Marées' } });
    await made.tenant.http.patch(`${made.path}/draft?locale=*`, { fields: { title: { de: 'Ebbe', fr: 'Reflux' } } });
    await made.tenant.http.patch(`${made.path}?locale=*`, { fields: { title: { de: 'Flut', fr: 'Flux' } } });
    const { page } = await open(made, '?locale=de');
    await by(page)('button', 'More').click();
    await by(page)('menuitem', 'Publish all languages').click();
    const dialog = by(page)('dialog', 'Changed by somebody else');
    await dialog.getByRole('group', { name: 'Title (German)' }).getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('group', { name: 'Title (French)' }).getByRole('button', { name: 'Take theirs' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until(async () => JSON.stringify((await fieldsOf(made)).title) === '{"en":"Tides","de":"Ebbe","fr":"Flux"}');
  });

  it('shows the language of each change in its history, and restores one language', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' } });
    await made.tenant.http.patch(`${made.path}?locale=*`, { fields: { title: { en: 'Ebb', de: 'Ebbe' } } }).expect(200);
    const { page } = await open(made, '?locale=de&tab=history');
    await by(page)('heading', 'Title (German)').waitFor();
    await by(page)('heading', 'Title (English)').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Restore').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Only German' }).check();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await said(page, 'Version 1 was restored.');
    expect(await fieldsOf(made)).toEqual({ title: { en: 'Ebb', de: 'Gezeiten' } });
  });

  it('keeps unsaved text by its language', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' } });
    const { page } = await open(made, '?locale=de');
    await page.route(/\/draft\?/, (route) => route.abort());
    await by(page)('textbox', 'Title').fill('Ebbe');
    await page.getByRole('status').getByText('Not saved').waitFor();
    await choose(page, 'en');
    await titled(page, 'Tides');
    expect(await by(page)('region', 'Unsaved text').count()).toBe(0);
    await page.unroute(/\/draft\?/);
    await choose(page, 'de');
    await by(page)('region', 'Unsaved text').getByRole('button', { name: 'Restore' }).click();
    await until(async () => JSON.stringify((await draftOf(made)).title) === '{"en":"Tides","de":"Ebbe"}');
  });

  it('opens in the language of a translator, who reads the others', async () => {
    const made = await make({ title: { en: 'Tides', de: 'Gezeiten' }, price: 3 });
    const person = await makeTranslator(app, made.tenant, ['de']);
    const { page, errors } = await open(made, '', {}, person);
    await titled(page, 'Gezeiten');
    expect(new URL(page.url()).search).toBe('?locale=de');
    expect(await by(page)('textbox', 'Price').getAttribute('readonly')).not.toBeNull();
    await by(page)('textbox', 'Title').fill('Ebbe');
    await saved(page);
    await by(page)('button', 'Publish').click();
    await until(async () => JSON.stringify((await fieldsOf(made)).title) === '{"en":"Tides","de":"Ebbe"}');
    await by(page)('button', 'Discard draft').waitFor({ state: 'detached' });
    await by(page)('button', 'More').click();
    for (const name of ['Unpublish', 'Delete', 'Publish all languages'])
      expect(await by(page)('menuitem', name).count()).toBe(0);
    await page.keyboard.press('Escape');
    await choose(page, 'en');
    await page.getByText('You may read this entry in English, and not change it.').waitFor();
    expect(await by(page)('textbox', 'Title').getAttribute('readonly')).not.toBeNull();
    expect(await by(page)('button', 'Save').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('says what is missing in a language that requires it', async () => {
    const definitions = [{ ...FIELDS[0], required_in: ['de'] }, ...FIELDS.slice(1)];
    const made = await make({ title: { en: 'Tides' } }, 'published', definitions);
    const { page } = await open(made, '?locale=de');
    await by(page)('textbox', 'Body').waitFor();
    await by(page)('button', 'Copy English to Title').click();
    await saved(page);
    await by(page)('textbox', 'Title').fill('');
    await by(page)('region', 'English: Title').waitFor();
    expect(await by(page)('textbox', 'Title').getAttribute('aria-required')).toBe('true');
    await choose(page, 'fr');
    await until(async () => (await by(page)('textbox', 'Title').getAttribute('aria-required')) === null);
  });

  it.each(LOOKS)('shows hostile and long values as text, in %s, %s', async (colorScheme, size) => {
    const long = `${HOSTILE} ${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)} مرحبا`;
    const made = await make({ title: { en: long, de: long }, body: { en: `<p>${HOSTILE}</p>` } });
    const { page } = await open(made, '?locale=de', { colorScheme, viewport: SIZES[size] });
    await by(page)('region', 'English: Body').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });

  describe('in the list', () => {
    const titles = (page: Page) => page.getByRole('rowheader').getByRole('link').allInnerTexts();
    const showing = (page: Page, expected: string[]) =>
      until(async () => JSON.stringify(await titles(page)) === JSON.stringify(expected));

    it('is found by what is translated, missing or behind, and opened and published in that language', async () => {
      const made = await make({ title: { en: 'Ebb', de: 'Ebbe' } });
      const { tenant, type, path } = made;
      await tenant.http.post(type.entries, { fields: { title: 'Flood' }, status: 'published' }).expect(201);
      const { page, errors } = await openSignedIn(app, browser, tenant, `/${tenant.id}/content/article`);
      const translation = by(page)('combobox', 'Translation');
      await translation.selectOption({ label: 'Missing in German (1)' });
      await showing(page, ['Flood']);
      expect(new URL(page.url()).searchParams.get('translation')).toBe('missing:de');
      expect(await violationsOf(page)).toEqual([]);
      await translation.selectOption({ label: 'Translated into German (1)' });
      await showing(page, ['Ebbe']);
      await tenant.http.patch(path, { fields: { title: 'Ebb tide' } }).expect(200);
      await page.reload();
      await translation.selectOption({ label: 'German is behind (1)' });
      await showing(page, ['Ebbe']);
      await tenant.http.patch(`${path}/draft?locale=*`, { fields: { title: { en: 'Neap', de: 'Nipptide' } } });
      await page.reload();
      await page
        .getByRole('checkbox', { name: /^Select / })
        .last()
        .check();
      await by(page)('button', 'Publish').click();
      await page.getByText('Only German is published.').waitFor();
      await by(page)('button', 'Publish 1 entry').click();
      await until(async () => JSON.stringify((await fieldsOf(made)).title) === '{"en":"Ebb tide","de":"Nipptide"}');
      await page.goBack();
      await translation.selectOption('missing:de');
      await by(page)('link', 'Flood').click();
      await by(page)('region', 'English: Title').getByText('Flood').waitFor();
      expect(new URL(page.url()).search).toBe('?locale=de');
      await page.goto(page.url().replace(/\/article\/.*/, ''));
      await page.getByText('German: 1 missing').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(errors).toEqual([]);
    });
  });
});

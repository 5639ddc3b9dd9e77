import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createDrafts, createEntries, createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', required: true },
  { name: 'price', label: 'Price', type: 'number' },
  { name: 'kind', label: 'Kind', type: 'select', options: ['bread', 'cake'] },
  { name: 'sku', type: 'text', unique: true },
];

describeWithBrowser('the entries in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const open = async (tenant: TestTenant, path: string, options = {}) =>
    openSignedIn(app, browser, { key: tenant.key }, `/${tenant.id}${path}`, options);
  const titles = (page: Page) => page.getByRole('rowheader').getByRole('link').allInnerTexts();
  const showing = (page: Page, expected: string[]) =>
    until(async () => JSON.stringify(await titles(page)) === JSON.stringify(expected));
  /** Three loaves, of which the first is published. */
  const bakery = async (): Promise<{ tenant: TestTenant; type: TestType; ids: string[] }> => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Loaf');
    const ids = await createEntries(tenant, type, [
      { fields: { title: 'Soda bread', price: 4.5, kind: 'bread', sku: 'a' }, status: 'published' },
      { fields: { title: 'Rye bread', price: 6, kind: 'bread', sku: 'b' } },
      { fields: { title: 'Honey cake', price: 12, kind: 'cake', sku: 'c' } },
    ]);
    return { tenant, type, ids };
  };

  it('are found by their content type, with its number of entries', async () => {
    const { tenant, ids } = await bakery();
    const { page } = await open(tenant, '/content');
    await by(page)('heading', 'Content').waitFor();
    await page.getByText('3 entries').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('link', 'Loaf').click();
    await by(page)('heading', 'Loaf').waitFor();
    await by(page)('table', 'Entries').waitFor();
    expect(await titles(page)).toEqual(['Honey cake', 'Rye bread', 'Soda bread']);
    const link = await by(page)('link', 'Honey cake').getAttribute('href');
    expect(link).toBe(`/console/${tenant.id}/content/loaf/${ids[2]}`);
  });

  it('are sorted by the headers of their columns, and the browser goes back', async () => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf');
    const header = by(page)('columnheader', 'Price');
    await header.getByRole('button').click();
    await showing(page, ['Soda bread', 'Rye bread', 'Honey cake']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await header.getByRole('button').click();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread']);
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect(new URL(page.url()).search).toBe('?sort=-price');
    await page.goBack();
    await showing(page, ['Soda bread', 'Rye bread', 'Honey cake']);
    await page.goForward();
    await page.reload();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread']);
  });

  it('are searched while somebody types, with marks where they match', async () => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf');
    await by(page)('searchbox', 'Search').fill('rye');
    await showing(page, ['Rye bread']);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['Rye']);
    expect(new URL(page.url()).search).toBe('?search=rye');
    await by(page)('searchbox', 'Search').fill('breed');
    await page.getByText('No entry contains “breed”. These contain “bread”.').waitFor();
    await by(page)('searchbox', 'Search').fill('unheard-of');
    await by(page)('heading', 'Nothing was found').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Show all entries').click();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread']);
    expect(await by(page)('searchbox', 'Search').inputValue()).toBe('');
  });

  it('are filtered by conditions of which all or any hold', async () => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf');
    await by(page)('button', 'Filter').click();
    await by(page)('button', 'Apply').click();
    await page.getByText('Enter a value.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('combobox', 'Field').selectOption('Price');
    await by(page)('combobox', 'Operator').selectOption('gt');
    await by(page)('textbox', 'Value').fill('5');
    await by(page)('button', 'Add condition').click();
    await by(page)('combobox', 'Field').nth(1).selectOption('Kind');
    await by(page)('combobox', 'Value').selectOption('bread');
    await by(page)('button', 'Apply').click();
    await showing(page, ['Rye bread']);
    await page.getByText('Price is more than “5” and Kind is bread').waitFor();
    await by(page)('radio', 'Any').check();
    await by(page)('button', 'Apply').click();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread']);
    expect(JSON.parse(new URL(page.url()).searchParams.get('where')!)).toEqual({
      or: [{ price: { gt: 5 } }, { kind: { eq: 'bread' } }],
    });
    await page.goBack();
    await showing(page, ['Rye bread']);
    await by(page)('button', 'Clear filter').click();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread']);
  });

  it('show whether changes wait, and only what is not published as it is', async () => {
    const { tenant, type, ids } = await bakery();
    await createEntries(tenant, type, [{ fields: { title: 'Toast' }, status: 'published' }]);
    await tenant.http.patch(`${type.entries}/${ids[0]}/draft`, { fields: { title: 'Soda bread, warm' } }).expect(200);
    const { page } = await open(tenant, '/content/loaf');
    await page.getByRole('row', { name: 'Soda bread, warm' }).getByText('Published, with changes').waitFor();
    await by(page)('checkbox', 'Drafts only').check();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread, warm']);
    await by(page)('button', 'Export').click();
    const download = page.waitForEvent('download');
    await by(page)('menuitem', 'NDJSON').click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(new URL(page.url()).search).toBe('?drafts=true');
  });

  it('have columns that are chosen, ordered and widened, and views that keep them', async () => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf');
    const headers = () => page.getByRole('columnheader').allInnerTexts();
    await by(page)('table', 'Entries').waitFor();
    expect(await headers()).toEqual(['', 'Title', 'Status', 'Price', 'Kind', 'Updated']);
    await by(page)('button', 'Columns').click();
    await by(page)('checkbox', 'Status').uncheck();
    await by(page)('checkbox', 'sku').check();
    await by(page)('button', 'Move sku up').click();
    await by(page)('slider', 'Width of sku').fill('30');
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Done').click();
    await page.reload();
    await by(page)('table', 'Entries').waitFor();
    expect(await headers()).toEqual(['', 'Title', 'Price', 'Kind', 'sku', 'Updated']);
    expect((await by(page)('columnheader', 'sku').boundingBox())!.width).toBeGreaterThan(400);

    await by(page)('searchbox', 'Search').fill('bread');
    await showing(page, ['Rye bread', 'Soda bread']);
    await by(page)('button', 'Save view').click();
    await by(page)('button', 'Save').click();
    await page.getByText('Give the view a name.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Name').fill('Breads');
    await by(page)('button', 'Save').click();
    await by(page)('link', 'All entries').click();
    await showing(page, ['Honey cake', 'Rye bread', 'Soda bread']);
    await page.reload();
    await by(page)('link', 'Breads').click();
    await showing(page, ['Rye bread', 'Soda bread']);
    expect(new URL(page.url()).search).toBe('?search=bread&columns=price%2Ckind%2Csku%2Cupdated_at');
  });

  it('are published, unpublished and deleted together, each as by itself', async () => {
    const { tenant, type, ids } = await bakery();
    await tenant.http.patch(`${type.entries}/${ids[0]}/draft`, { fields: { title: 'Soda bread, warm' } }).expect(200);
    const { page } = await open(tenant, '/content/loaf');
    const statusOf = async (id: string | undefined) => (await tenant.http.get(`${type.entries}/${id}`)).body.data;
    await by(page)('checkbox', 'Select Soda bread, warm').check();
    await by(page)('checkbox', 'Select Rye bread').check();
    await page.getByText('2 selected').waitFor();
    await by(page)('button', 'Publish').click();
    await page.getByText('1 entry becomes public. The changes of 1 entry go live.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Publish 2 entries').click();
    await said(page, '2 entries were published.');
    expect(await statusOf(ids[0])).toMatchObject({ status: 'published', fields: { title: 'Soda bread, warm' } });
    expect(await statusOf(ids[1])).toMatchObject({ status: 'published' });

    await by(page)('checkbox', 'Select all').check();
    await page.getByText('3 selected').waitFor();
    await by(page)('button', 'Unpublish').click();
    await by(page)('button', 'Unpublish 3 entries').click();
    await said(page, '3 entries were unpublished.');
    expect(await statusOf(ids[0])).toMatchObject({ status: 'draft' });

    await by(page)('checkbox', 'Select all').check();
    await by(page)('button', 'Delete').click();
    await by(page)('button', 'Delete 3 entries').click();
    await said(page, '3 entries were deleted.');
    await by(page)('heading', 'No entries yet').waitFor();
    await tenant.http.get(`${type.entries}/${ids[0]}`).expect(404);
  });

  it('that could not be published are listed with the reason, and are tried again', async () => {
    const { tenant, type } = await bakery();
    const [incomplete] = await createDrafts(tenant, type, { title: 'Rolls' });
    const fields = FIELDS.map((field) => ({ ...field, ...(field.name === 'sku' && { required: true }) }));
    await tenant.http.put(type.path, { fields }).expect(200);
    const { page } = await open(tenant, '/content/loaf');
    await by(page)('checkbox', 'Select all').check();
    await by(page)('button', 'Publish').click();
    await by(page)('button', 'Publish 4 entries').click();
    const work = by(page)('region', 'Work');
    await work.getByText('3 entries were published. 1 entry was not:').waitFor();
    await work.getByText('sku is required').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await tenant.http.patch(`${type.entries}/${incomplete}`, { fields: { sku: 'd' } }).expect(200);
    await work.getByRole('button', { name: 'Try again' }).click();
    await said(page, '1 entry was published.');
    await work.waitFor({ state: 'detached' });
  });

  it('are imported after a check that shows what is wrong', async () => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf');
    await by(page)('button', 'Import').click();
    await by(page)('button', 'Check').click();
    await page.getByText('Choose a file.').waitFor();
    const text = 'title,price,sku\nBaguette,3,d\nPretzel,dear,e\nSoda bread,5,a\n';
    await page.getByLabel('File').setInputFiles({ name: '<b>x</b>.csv', mimeType: '', buffer: Buffer.from(text) });
    await by(page)('combobox', 'Update entries with the same').selectOption('sku');
    await by(page)('button', 'Check').click();
    await page.getByText('1 entry will be created. 1 entry will be updated.').waitFor();
    await page.getByText('Line 3 price must be a number').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Import 2 entries').click();
    await said(page, '1 entry was created. 1 entry was updated. 1 line was left out.');
    await showing(page, ['Baguette', 'Honey cake', 'Rye bread', 'Soda bread']);
  });

  it.each([
    [
      'CSV',
      'loaf.csv',
      ['title,price,kind,sku,status', 'Rye bread,6,bread,b,draft', 'Soda bread,4.5,bread,a,published'],
    ],
    ['NDJSON', 'loaf.ndjson', [/"Rye bread"/, /"Soda bread"/]],
  ])('are exported as the list shows them, as %s', async (format, name, lines) => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf?search=bread&sort=title');
    await by(page)('table', 'Entries').waitFor();
    await by(page)('button', 'Export').click();
    const download = page.waitForEvent('download');
    await by(page)('menuitem', format).click();
    expect((await download).suggestedFilename()).toBe(name);
    const text = await readFile(await (await download).path(), 'utf8');
    const expected = lines.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));
    expect(text.trim().split(/\r?\n/)).toEqual(expected);
  });

  it('that are selected are exported alone', async () => {
    const { tenant } = await bakery();
    const { page } = await open(tenant, '/content/loaf');
    await by(page)('checkbox', 'Select Honey cake').check();
    await by(page)('button', 'Export').click();
    const download = page.waitForEvent('download');
    await by(page)('menuitem', 'CSV').click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.trim().split(/\r?\n/)).toEqual(['title,price,kind,sku,status', 'Honey cake,12,cake,c,draft']);
  });
});

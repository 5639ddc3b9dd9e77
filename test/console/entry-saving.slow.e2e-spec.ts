import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', required: true, max: 40 },
  { name: 'body', label: 'Body', type: 'text' },
  { name: 'price', label: 'Price', type: 'number' },
];

describeWithBrowser('saving an entry in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = (tenant: TestTenant, path: string, who: Parameters<typeof openSignedIn>[2] = tenant) =>
    openSignedIn(app, browser, who, `/${tenant.id}${path}`);
  const saving = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor();
  const entriesOf = async (tenant: TestTenant, type: TestType) => (await tenant.http.get(type.entries)).body.data;
  const entryOf = async (tenant: TestTenant, type: TestType, id: string) =>
    (await tenant.http.get(`${type.entries}/${id}`).expect(200)).body.data;
  const draftOf = (tenant: TestTenant, type: TestType, id: string) => tenant.http.get(`${type.entries}/${id}/draft`);

  const one = async (status: string, fields: object = { title: 'Soda bread', body: 'Bake it.', price: 4.5 }) => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Loaf');
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    return { tenant, type, id, path: `/content/loaf/${id}` };
  };

  it('creates nothing before the first change, and then an entry without its required values', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Loaf');
    const { page, errors } = await open(tenant, '/content/loaf/new');
    await by(page)('heading', 'New Loaf').waitFor();
    await page.keyboard.press('Control+s');
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Body').pressSequentially('Mix it.');
    expect(await entriesOf(tenant, type)).toEqual([]);
    await saving(page, 'Saving …');
    await saving(page, 'Saved');
    const [entry] = await entriesOf(tenant, type);
    expect(entry).toMatchObject({ status: 'draft', fields: { body: 'Mix it.' } });
    expect(page.url()).toContain(`/content/loaf/${entry.id}`);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    // The page goes on as it is.
    await page.keyboard.type(' Bake it.');
    await saving(page, 'Saved');
    expect((await draftOf(tenant, type, entry.id)).body.data.fields).toEqual({ body: 'Mix it. Bake it.' });
    expect(errors).toEqual([]);
  });

  it('saves what changed in the draft of a published entry, which Publish makes live', async () => {
    const { tenant, type, id, path } = await one('published');
    const { page, errors } = await open(tenant, path);
    await page.getByText('Published', { exact: true }).waitFor();
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postDataJSON()));
    await by(page)('textbox', 'Title').fill('Soda bread, warm');
    await saving(page, 'Saved');
    await page.getByText('Published, with changes').waitFor();
    expect(sent).toEqual([{ fields: { title: 'Soda bread, warm' } }]);
    expect((await entryOf(tenant, type, id)).fields.title).toBe('Soda bread');
    await by(page)('textbox', 'Price').fill('5');
    await by(page)('button', 'Publish').click();
    await page.getByText('Published', { exact: true }).waitFor();
    expect(await entryOf(tenant, type, id)).toMatchObject({
      status: 'published',
      fields: { title: 'Soda bread, warm', body: 'Bake it.', price: 5 },
    });
    await draftOf(tenant, type, id).expect(404);
    expect(errors).toEqual([]);
  });

  it('folds the draft of an entry that is not published into it with Save, and when the page is left', async () => {
    const { tenant, type, id, path } = await one('draft');
    const { page } = await open(tenant, path);
    await by(page)('textbox', 'Title').fill('Rye bread');
    await saving(page, 'Saved');
    expect((await entryOf(tenant, type, id)).fields.title).toBe('Soda bread');
    await by(page)('textbox', 'Title').press('Control+s');
    await until(async () => (await entryOf(tenant, type, id)).fields.title === 'Rye bread');
    await draftOf(tenant, type, id).expect(404);
    await by(page)('textbox', 'Title').fill('Rolls');
    await by(page)('link', 'Content').click();
    await until(async () => (await entryOf(tenant, type, id)).fields.title === 'Rolls');
  });

  it('waits while a value is not valid, and says which', async () => {
    const { tenant, type, id, path } = await one('draft');
    const { page } = await open(tenant, path);
    await by(page)('textbox', 'Title').fill('x'.repeat(41));
    await saving(page, 'Not saved: Title is too long');
    await page.getByText('Title must have at most 40 characters. It has 41.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Price').fill('9007199254740993');
    await by(page)('textbox', 'Title').fill('Short');
    await saving(page, 'Not saved: Price has too many digits');
    await draftOf(tenant, type, id).expect(404);
    await by(page)('textbox', 'Price').fill('12');
    await saving(page, 'Saved');
    expect((await draftOf(tenant, type, id)).body.data.fields).toMatchObject({ title: 'Short', price: 12 });
  });

  it('a key that may not read drafts saves beside a draft that it does not see', async () => {
    const { tenant, type, id, path } = await one('published');
    await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: { price: 9 } }).expect(200);
    const scopes = ['content:read:published', 'content:draft'];
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Blind', scopes }).expect(201);
    const { page, errors } = await open(tenant, path, { key: body.data.key });
    await by(page)('textbox', 'Body').fill('Mix it.');
    await saving(page, 'Saved');
    expect((await draftOf(tenant, type, id)).body.data.fields).toMatchObject({ body: 'Mix it.', price: 9 });
    expect(errors).toEqual([]);
  });

  it('shows what is missing beside its field when it cannot be published, and focuses it', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Loaf');
    const { page } = await open(tenant, '/content/loaf/new');
    await by(page)('button', 'Publish').click();
    await page.getByText('Title is required').first().waitFor();
    await by(page)('textbox', 'Title').and(page.locator(':focus')).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await entriesOf(tenant, type)).toEqual([]);
    await by(page)('textbox', 'Title').fill('Rolls');
    await by(page)('button', 'Publish').click();
    await page.getByText('Published', { exact: true }).waitFor();
    expect(await entriesOf(tenant, type)).toMatchObject([{ status: 'published', fields: { title: 'Rolls' } }]);
  });
});

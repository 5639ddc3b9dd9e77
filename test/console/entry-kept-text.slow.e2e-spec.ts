import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { consoleUrl, namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'body', label: 'Body', type: 'text' },
];
const DRAFT = /\/draft$/;

describeWithBrowser('what was typed into an entry', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const saving = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor();
  const draftOf = async (tenant: TestTenant, type: TestType, id: string) =>
    (await tenant.http.get(`${type.entries}/${id}/draft`).expect(200)).body.data.fields;

  const open = async (status = 'published') => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Note');
    const [id = ''] = await createEntries(tenant, type, [{ fields: { title: 'Tide', body: 'High.' }, status }]);
    const path = `/${tenant.id}/content/note/${id}`;
    return { tenant, type, id, path, ...(await openSignedIn(app, browser, tenant, path)) };
  };

  it('stays while the network is cut, and is saved when it is back', async () => {
    const { tenant, type, id, page } = await open();
    await page.route(DRAFT, (route) => route.abort());
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Not saved');
    await by(page)('button', 'Try again').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Ebb');
    await page.unroute(DRAFT);
    // By itself.
    await saving(page, 'Saved');
    expect(await draftOf(tenant, type, id)).toEqual({ title: 'Ebb', body: 'High.' });
  });

  it('is saved by Try again after the service answered that it is busy', async () => {
    const { tenant, type, id, page } = await open();
    const body = { status: 503, code: 'unavailable', detail: 'The service is busy.', request_id: 'req_1' };
    await page.route(DRAFT, (route) => route.fulfill({ status: 503, json: body }));
    await by(page)('textbox', 'Title').fill('Ebb');
    await page.getByText('The service is busy.').waitFor();
    await page.unroute(DRAFT);
    await by(page)('button', 'Try again').click();
    await saving(page, 'Saved');
    expect(await draftOf(tenant, type, id)).toMatchObject({ title: 'Ebb' });
  });

  it('is offered when the entry is opened again, if it could not be saved before', async () => {
    const { tenant, type, id, page } = await open();
    let tries = 0;
    await page.route(DRAFT, (route) => {
      tries++;
      return route.abort();
    });
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Not saved');
    const before = tries;
    await by(page)('link', 'Note').click();
    await by(page)('link', 'Tide').waitFor();
    await until(() => Promise.resolve(tries > before));
    await page.unroute(DRAFT);
    await by(page)('link', 'Tide').click();
    await by(page)('region', 'Unsaved text').getByRole('button', { name: 'Restore' }).click();
    await saving(page, 'Saved');
    expect(await draftOf(tenant, type, id)).toMatchObject({ title: 'Ebb' });
  });

  it('is not saved twice, or asked about, when only the answer was lost', async () => {
    const { tenant, type, id, page } = await open();
    let isLost = false;
    await page.route(DRAFT, async (route) => {
      if (isLost || route.request().method() !== 'PATCH') return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Not saved');
    await by(page)('textbox', 'Title').fill('Ebb tide');
    await saving(page, 'Saved');
    expect(await draftOf(tenant, type, id)).toMatchObject({ title: 'Ebb tide' });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('does not become two entries when the answer to the first save was lost', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Note');
    const { page } = await openSignedIn(app, browser, tenant, `/${tenant.id}/content/note/new`);
    let isLost = false;
    await page.route(/\/entries\?incomplete/, async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Not saved');
    await by(page)('textbox', 'Body').fill('Low.');
    await by(page)('button', 'Save').click();
    await saving(page, 'Saved');
    const { body } = await tenant.http.get(type.entries);
    expect(body.data.map(({ fields }: { fields: object }) => fields)).toEqual([{ title: 'Ebb', body: 'Low.' }]);
  });

  it('survives that the page is closed, and is offered again to nobody but its author', async () => {
    const { tenant, type, id, path, page } = await open();
    // A page that closes sends its last request past the routes of the browser's driver.
    await page.evaluate(`{
      const { fetch } = window;
      const fail = () => Promise.reject(new TypeError('Failed to fetch'));
      window.fetch = (path, init) => (init?.method === 'PATCH' ? fail() : fetch(path, init));
    }`);
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Not saved');
    const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    const again = await page.context().newPage();
    await again.goto(consoleUrl(app, path));
    await again.getByText('This browser kept changes that were not saved').waitFor();
    expect(await violationsOf(again)).toEqual([]);
    expect(await by(again)('textbox', 'Title').inputValue()).toBe('Tide');
    await by(again)('button', 'Restore').click();
    await saving(again, 'Saved');
    expect(await by(again)('textbox', 'Title').inputValue()).toBe('Ebb');
    expect(await draftOf(tenant, type, id)).toMatchObject({ title: 'Ebb' });
    await again.reload();
    await by(again)('textbox', 'Title').waitFor();
    expect(await by(again)('button', 'Restore').count()).toBe(0);
  });

  it('is saved after signing in again when the session has ended', async () => {
    const { tenant, type, id, page } = await open();
    await by(page)('textbox', 'Title').waitFor();
    await page.context().clearCookies();
    await by(page)('textbox', 'Title').fill('Ebb');
    await by(page)('dialog', 'Your session has ended').waitFor();
    await by(page)('textbox', 'API key').fill(tenant.key);
    await by(page)('button', 'Sign in').click();
    await saving(page, 'Saved');
    expect(await draftOf(tenant, type, id)).toMatchObject({ title: 'Ebb' });
  });

  it('is compared with what somebody else saved, field by field', async () => {
    const { tenant, type, id, page } = await open();
    const draft = `${type.entries}/${id}/draft`;
    await by(page)('textbox', 'Title').fill('My title');
    await saving(page, 'Saved');
    await tenant.http.patch(draft, { fields: { title: 'Their title', body: 'Their body' } }).expect(200);
    await by(page)('textbox', 'Title').fill('My other title');
    await by(page)('textbox', 'Body').fill('My body');
    const dialog = by(page)('dialog', 'Changed by somebody else');
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const title = dialog.getByRole('group', { name: 'Title' });
    await title.getByText('Their title').waitFor();
    await title.getByText('My other title').waitFor();
    await title.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('group', { name: 'Body' }).getByRole('button', { name: 'Take theirs' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await saving(page, 'Saved');
    expect(await by(page)('textbox', 'Body').inputValue()).toBe('Their body');
    expect(await draftOf(tenant, type, id)).toEqual({ title: 'My other title', body: 'Their body' });
  });

  it('is compared as people read it: entries by their titles, blocks by the labels of their fields', async () => {
    const tenant = app.tenant();
    const author = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const [ada, grace] = await createEntries(tenant, author, [
      { fields: { name: 'Ada Lovelace' } },
      { fields: { name: 'Grace Hopper' } },
    ]);
    const fields = [
      { name: 'words', label: 'Words', type: 'text' },
      { name: 'by', label: 'Said by', type: 'reference', content_type: author.id },
    ];
    const sections = { name: 'sections', label: 'Sections', type: 'blocks', blocks: [{ name: 'quote', fields }] };
    const type = await createType(tenant, [sections], 'Note');
    const block = (words: string, by: string | undefined) => ({ sections: [{ block: 'quote', words, by }] });
    const [id = ''] = await createEntries(tenant, type, [{ fields: block('First', ada) }]);
    const { page } = await openSignedIn(app, browser, tenant, `/${tenant.id}/content/note/${id}`);
    await by(page)('textbox', 'Words').waitFor();
    await tenant.http.patch(`${type.entries}/${id}/draft`, { fields: block('Theirs', grace) }).expect(200);
    await by(page)('textbox', 'Words').fill('Mine');
    const group = by(page)('dialog', 'Changed by somebody else').getByRole('group', { name: 'Sections' });
    await group.getByRole('region', { name: 'Mine: Sections' }).getByText('Ada Lovelace').waitFor();
    const theirs = group.getByRole('region', { name: 'Theirs: Sections' });
    await theirs.getByText('Grace Hopper').waitFor();
    expect(await theirs.innerText()).toMatch(/^Words\s+Theirs\s+Said by\s+Grace Hopper$/);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('in two tabs in different fields is brought together without a question', async () => {
    const { tenant, type, id, path, page } = await open();
    const other = await page.context().newPage();
    await other.goto(consoleUrl(app, path));
    await by(other)('textbox', 'Body').fill('Low.');
    await saving(other, 'Saved');
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Saved');
    expect(await by(page)('textbox', 'Body').inputValue()).toBe('Low.');
    expect(await draftOf(tenant, type, id)).toEqual({ title: 'Ebb', body: 'Low.' });
  });

  it('is compared with the entry, if that changed beside the draft, when it is published', async () => {
    const { tenant, type, id, page } = await open();
    await by(page)('textbox', 'Title').fill('Mine');
    await saving(page, 'Saved');
    await tenant.http.patch(`${type.entries}/${id}`, { fields: { title: 'Theirs' } }).expect(200);
    await by(page)('button', 'Publish').click();
    const dialog = by(page)('dialog', 'Changed by somebody else');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    expect((await tenant.http.get(`${type.entries}/${id}`)).body.data.fields.title).toBe('Mine');
  });

  it('can be had back after Discard draft', async () => {
    const { tenant, type, id, page } = await open();
    await by(page)('textbox', 'Title').fill('Ebb');
    await saving(page, 'Saved');
    await by(page)('button', 'Discard draft').click();
    await page.getByText('The draft was discarded.').waitFor();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('Tide');
    await tenant.http.get(`${type.entries}/${id}/draft`).expect(404);
    await by(page)('button', 'Restore').click();
    await saving(page, 'Saved');
    expect(await draftOf(tenant, type, id)).toMatchObject({ title: 'Ebb' });
  });
});

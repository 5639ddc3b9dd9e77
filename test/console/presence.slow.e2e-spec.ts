import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType } from '../support/content.js';
import { makePerson, signIn } from '../support/people.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'body', label: 'Body', type: 'text' },
];

describeWithBrowser('who else has an entry open in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const one = async (status = 'draft') => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Loaf');
    const [id = ''] = await createEntries(tenant, type, [
      { fields: { title: 'Soda bread', body: 'Bake it.' }, status },
    ]);
    const entry = `${type.entries}/${id}`;
    return { tenant, entry, presence: `${entry}/presence`, path: `/${tenant.id}/content/loaf/${id}` };
  };
  const named = async (tenantId: string, name: string, role = 'editor') => {
    const person = await makePerson(app, [tenantId], role);
    const { http } = await signIn(app, person);
    await http.patch('/v1/me', { name }).expect(200);
    return { ...person, http };
  };
  /** What a browser does when a tab is chosen again. */
  const comeBack = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  const present = async ({ tenant, presence }: Awaited<ReturnType<typeof one>>) =>
    (await tenant.http.get(presence).expect(200)).body.data.map(({ name }: { name: string }) => name);

  it('is said in the header, until they leave', async () => {
    const made = await one();
    const [ada, grace] = [await named(made.tenant.id, 'Ada <b>'), await named(made.tenant.id, 'Grace')];
    const first = await openSignedIn(app, browser, ada, made.path);
    await by(first.page)('textbox', 'Title').waitFor();
    await until(async () => (await present(made)).includes('Ada <b>'));
    expect(await first.page.getByText('open, too').count()).toBe(0);
    const second = await openSignedIn(app, browser, grace, made.path);
    const said = second.page.getByRole('status').getByText('Ada <b> has this entry open, too.');
    await said.waitFor();
    expect(await violationsOf(second.page)).toEqual([]);
    await comeBack(first.page);
    await first.page.getByRole('status').getByText('Grace has this entry open, too.').waitFor();
    // Ada goes elsewhere in the console, and Grace closes the page.
    await by(first.page)('link', 'Content').click();
    await until(async () => !(await present(made)).includes('Ada <b>'));
    await comeBack(second.page);
    await said.waitFor({ state: 'detached' });
    await second.page.goto('about:blank');
    await until(async () => (await present(made)).length === 0);
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  it('is said, as whether all is saved is, also while a dialog is open', async () => {
    const made = await one();
    const { page } = await openSignedIn(app, browser, made.tenant, made.path);
    await by(page)('textbox', 'Title').fill('Rolls');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await by(page)('button', 'Schedule').click();
    await by(page)('button', 'Save schedule').waitFor();
    // What else is on the page is hidden from screen readers.
    expect(await by(page)('textbox', 'Title').count()).toBe(0);
    const { http } = await named(made.tenant.id, 'Grace');
    await http.put(made.presence).expect(200);
    await comeBack(page);
    await page.getByRole('status').getByText('Grace has this entry open, too.').waitFor();
    expect(await page.getByRole('status').getByText('Saved', { exact: true }).count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('names at most three, and is not said by those who may only read', async () => {
    const made = await one();
    for (const name of ['Ada', 'Grace', 'Katherine', 'Mary']) {
      const { http } = await named(made.tenant.id, name);
      await http.put(made.presence).expect(200);
    }
    const viewer = await named(made.tenant.id, 'Viewer', 'viewer');
    const { page, errors } = await openSignedIn(app, browser, viewer, made.path);
    await page.getByText('Ada, Grace and 2 others have this entry open, too.').waitFor();
    expect(await present(made)).not.toContain('Viewer');
    expect(errors).toEqual([]);
  });

  it('an entry that is deleted on the page is left without an error', async () => {
    const made = await one();
    const { page, errors } = await openSignedIn(app, browser, made.tenant, made.path);
    await until(async () => (await present(made)).length === 1);
    await by(page)('button', 'More').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await by(page)('button', 'Delete').click();
    await page.getByText('The entry was deleted.').waitFor();
    expect(errors).toEqual([]);
  });

  it('shows what others saved meanwhile to those who come back, and asks only where both changed something', async () => {
    const made = await one('published');
    const { page } = await openSignedIn(app, browser, made.tenant, made.path);
    const title = by(page)('textbox', 'Title');
    await title.waitFor();
    await made.tenant.http.patch(`${made.entry}/draft`, { fields: { title: 'Rye bread' } }).expect(200);
    await comeBack(page);
    await until(async () => (await title.inputValue()) === 'Rye bread');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The network is back, and what is typed here is not saved yet.
    await page.route('**/draft', (route) => route.abort());
    await by(page)('textbox', 'Body').fill('Knead it.');
    await title.fill('Mine');
    await page.getByRole('status').getByText('Not saved').waitFor();
    await made.tenant.http.patch(`${made.entry}/draft`, { fields: { title: 'Theirs' } }).expect(200);
    await page.unroute('**/draft');
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    const dialog = by(page)('dialog', 'Changed by somebody else');
    await by(dialog as never)('group', 'Title')
      .getByRole('button', { name: 'Take theirs' })
      .click();
    expect(await dialog.getByRole('group', { name: 'Body' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await made.tenant.http.get(`${made.entry}/draft`)).body.data.fields.body === 'Knead it.');
    expect(await title.inputValue()).toBe('Theirs');
  });

  it('reads once, and draws nothing anew, where nothing was changed', async () => {
    const made = await one();
    const { page, requests } = await openSignedIn(app, browser, made.tenant, made.path);
    await by(page)('textbox', 'Title').fill('Typed');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await by(page)('button', 'Save').click();
    await until(async () => (await made.tenant.http.get(made.entry)).body.data.fields.title === 'Typed');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    const reads = () => requests.filter((url) => url.endsWith('?preview=true')).length;
    const before = reads();
    await comeBack(page);
    await until(() => Promise.resolve(reads() === before + 1));
    await by(page)('textbox', 'Title').fill('Typed again');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(reads()).toBe(before + 1);
  });
});

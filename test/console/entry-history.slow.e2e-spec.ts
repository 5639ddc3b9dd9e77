import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { makePerson } from '../support/people.js';
import { files } from '../support/files.js';
import { upload } from '../support/upload.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', required: true },
  { name: 'body', label: 'Body', type: 'rich_text' },
  { name: 'price', label: 'Price', type: 'number' },
  { name: 'tags', label: 'Tags', type: 'text', multiple: true },
  { name: 'author', label: 'Author', type: 'reference', content_type: 'author' },
  { name: 'cover', label: 'Cover', type: 'media' },
  { name: 'seo', label: 'Search engines', type: 'group', fields: [{ name: 'hint', label: 'Hint', type: 'text' }] },
  {
    name: 'parts',
    label: 'Parts',
    type: 'blocks',
    blocks: [
      { name: 'quote', label: 'Quote', fields: [{ name: 'words', label: 'Words', type: 'text' }] },
      { name: 'note', label: 'Note', fields: [{ name: 'text', label: 'Text', type: 'text' }] },
    ],
  },
];
const WIDE = { viewport: { width: 1_280, height: 900 } };
const NARROW = { viewport: { width: 375, height: 800 } };

describeWithBrowser('the history of an entry in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  /** Restores in the dialog that the button of the version has opened. */
  const confirm = (page: Page) =>
    page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  const texts = async (page: Page, element: 'ins' | 'del') =>
    (await page.locator(element).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

  interface Made {
    tenant: TestTenant;
    type: TestType;
    id: string;
    authors: string[];
    change: (body: object) => Promise<unknown>;
  }
  const article = async (fields: object, status = 'draft'): Promise<Made> => {
    const tenant = app.tenant();
    const writers = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const authors = await createEntries(tenant, writers, [
      { fields: { name: 'Ada Lovelace' } },
      { fields: { name: 'Grace Hopper' } },
    ]);
    const type = await createType(tenant, FIELDS);
    const [id = ''] = await createEntries(tenant, type, [{ fields, status }]);
    const change = (body: object) => tenant.http.patch(`${type.entries}/${id}`, body).expect(200);
    return { tenant, type, id, authors, change };
  };
  const open = async (
    { tenant, id }: Made,
    options: object = WIDE,
    who: Parameters<typeof openSignedIn>[2] = tenant,
  ) => {
    const opened = await openSignedIn(app, browser, who, `/${tenant.id}/content/article/${id}`, options);
    await by(opened.page)('tab', 'History').click();
    return opened;
  };

  it('shows the newest version first, who made it, and the words that differ', async () => {
    const made = await article({ title: 'How to brew good coffee', price: 3 });
    await made.change({ fields: { title: 'How to brew better coffee', price: 4.5 }, status: 'published' });
    const { page } = await open(made);
    await by(page)('button', 'Version 2').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      expect.stringContaining('Version 2'),
      expect.stringContaining('Version 1'),
    ]);
    await page.getByText(/^Published by .* just now: Title, Price$/).waitFor();
    await page.locator('ins').first().waitFor();
    expect(await texts(page, 'del')).toEqual(['good', '3']);
    expect(await texts(page, 'ins')).toEqual(['better', '4.5']);
    await by(page)('button', 'Version 1').click();
    await until(async () => (await texts(page, 'ins')).join() === 'How to brew good coffee,3');
    expect(await by(page)('button', 'Version 2').getAttribute('aria-expanded')).toBe('false');
  });

  it('compares any two versions, the older one first', async () => {
    const made = await article({ title: 'One' });
    await made.change({ fields: { title: 'Two' } });
    await made.change({ fields: { title: 'Three' } });
    const { page } = await open(made);
    await by(page)('combobox', 'Compare with').selectOption('Version 1');
    await until(async () => (await texts(page, 'del')).join() === 'One');
    expect(await texts(page, 'ins')).toEqual(['Three']);
    await by(page)('button', 'Version 1').click();
    await by(page)('combobox', 'Compare with').selectOption('Version 3');
    await until(async () => (await texts(page, 'ins')).join() === 'Three');
    expect(await texts(page, 'del')).toEqual(['One']);
    await page.reload();
    await until(async () => (await texts(page, 'del')).join() === 'One');
  });

  it('compares rich text as words, blocks one by one, and references and files by their names', async () => {
    const made = await article({ title: 'x' });
    const { tenant, authors } = made;
    const file = await upload(app, tenant, await files.png(), 'cat.png');
    await made.change({
      fields: {
        body: '<p>Beans are <b>roasted</b> at home.</p><p>Then ground.</p>',
        author: authors[0],
        tags: ['tea', 'coffee'],
        seo: { hint: 'old hint' },
        parts: [
          { block: 'quote', words: 'First' },
          { block: 'note', text: 'Second' },
          { block: 'note', text: 'Third' },
        ],
      },
    });
    await made.change({
      fields: {
        body: '<p>Beans are <i>ground</i> at home.</p><p>Then ground.</p>',
        author: authors[1],
        tags: ['tea', 'cocoa'],
        cover: { id: file.id, alt: 'A cat' },
        seo: { hint: 'new hint' },
        parts: [
          { block: 'quote', words: 'First of all' },
          { block: 'note', text: 'Third' },
          { block: 'note', text: 'Second' },
          { block: 'quote', words: 'Last' },
        ],
      },
    });
    const { page } = await open(made);
    await page.getByText('Grace Hopper').waitFor();
    await page.getByText('cat.png').waitFor();
    expect(await texts(page, 'del')).toEqual(['roasted', 'coffee', 'Ada Lovelace', 'old']);
    expect(await texts(page, 'ins')).toEqual([
      'ground',
      'cocoa',
      'Grace Hopper',
      expect.stringContaining('A cat'),
      'new',
      'of all',
      'Last',
    ]);
    await page.getByText(/^Note [23] moved from place [23]$/).waitFor();
    await page.getByText('Quote 4 added').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('says when only the formatting of a text differs', async () => {
    const made = await article({ title: 'x', body: '<p>The same words</p>' });
    await made.change({ fields: { body: '<p>The <b>same</b> words</p>' } });
    const { page } = await open(made);
    await page.getByText('The words are the same. Formatting, links or pictures differ:').waitFor();
    expect((await texts(page, 'ins')).join('')).toContain('<b>');
  });

  it('shows what surrounds a difference in a long text, and all of it on request', async () => {
    const many = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word}${index}`).join(' ');
    const made = await article({ title: 'x', body: `<p>${many('a')} old ${many('b')}</p>` });
    await made.change({ fields: { body: `<p>${many('a')} new ${many('b')}</p>` } });
    const { page } = await open(made);
    await until(async () => (await texts(page, 'ins')).join() === 'new');
    expect(await page.getByRole('tabpanel').innerText()).not.toContain('a1000 ');
    await by(page)('button', 'Show the whole text').click();
    expect(await page.getByRole('tabpanel').innerText()).toContain('a1000 ');
  });

  it('restores a version of an entry that is not published, with what was written in the meantime in the history', async () => {
    const made = await article({ title: 'First' });
    await made.change({ fields: { title: 'Second' } });
    const { page } = await open(made);
    await by(page)('tab', 'Edit').click();
    await by(page)('textbox', 'Title').fill('Typed');
    await by(page)('tab', 'History').click();
    await by(page)('button', 'Restore').click();
    await by(page)('dialog', 'Restore version 1?').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Restore').click();
    await said(page, 'Version 1 was restored.');
    await by(page)('button', 'Version 4').waitFor();
    const { body } = await made.tenant.http.get(`${made.type.entries}/${made.id}/versions`).expect(200);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'restored',
      'updated',
      'updated',
      'created',
    ]);
    await by(page)('tab', 'Edit').click();
    expect(await by(page)('textbox', 'Title').inputValue()).toBe('First');
  });

  it('restores a published entry at once or into its draft, as the person chooses', async () => {
    const made = await article({ title: 'First' }, 'published');
    await made.change({ fields: { title: 'Second' } });
    const { page } = await open(made);
    const live = async () => (await made.tenant.http.get(`${made.type.entries}/${made.id}`)).body.data.fields.title;
    await by(page)('button', 'Restore').click();
    await by(page)('radio', 'Into the draft').check();
    await by(page)('button', 'Restore').click();
    await said(page, 'Version 1 was restored into the draft.');
    expect(await live()).toBe('Second');
    await by(page)('button', 'Draft').waitFor();
    await until(async () => (await texts(page, 'ins')).join() === 'First');
    await by(page)('button', 'Discard draft').click();
    await by(page)('button', 'Draft').waitFor({ state: 'detached' });
    await page.getByRole('tabpanel').getByRole('button', { name: 'Restore' }).click();
    await by(page)('radio', 'Into the entry, which is public').check();
    await by(page)('button', 'Restore').click();
    await said(page, 'Version 1 was restored.');
    expect(await live()).toBe('First');
  });

  it('says that somebody else has changed the draft before it is replaced', async () => {
    const made = await article({ title: 'First' }, 'published');
    const { tenant, type, id } = made;
    await made.change({ fields: { title: 'Second' } });
    const draft = `${type.entries}/${id}/draft`;
    const titleOf = async () => (await tenant.http.get(draft).expect(200)).body.data.fields.title as string;
    await tenant.http.patch(draft, { fields: { title: 'Mine' } }).expect(200);
    const path = `/${tenant.id}/content/article/${id}?tab=history&version=1`;
    const { page } = await openSignedIn(app, browser, tenant, path, WIDE);
    await page.getByRole('tabpanel').getByRole('button', { name: 'Restore' }).click();
    await by(page)('radio', 'Into the draft').check();
    await tenant.http.patch(draft, { fields: { title: 'Theirs' } }).expect(200);
    await by(page)('button', 'Restore').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await titleOf()).toBe('Theirs');
    await by(page)('button', 'Restore').click();
    await said(page, 'Version 1 was restored into the draft.');
    expect(await titleOf()).toBe('First');
  });

  it('restores into the draft for those who may not publish', async () => {
    const made = await article({ title: 'First' }, 'published');
    await made.change({ fields: { title: 'Second' } });
    const author = await makePerson(app, [made.tenant.id], 'author');
    const { page } = await open(made, WIDE, author);
    await by(page)('button', 'Restore').click();
    await page.getByText('The values of this version become a draft.').waitFor();
    await by(page)('button', 'Restore').click();
    await said(page, 'Version 1 was restored into the draft.');
  });

  it('says why a version cannot be restored, and lets it be tried again', async () => {
    const made = await article({ title: 'First' });
    await made.change({ fields: { title: 'Second' } });
    const { page } = await open(made);
    await by(page)('button', 'Restore').click();
    await page.route('**/restore?*', (route) => route.abort());
    await confirm(page);
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/restore?*');
    await confirm(page);
    await said(page, 'Version 1 was restored.');
  });

  it('goes on where the list ends', async () => {
    const made = await article({ title: '0' });
    for (let index = 1; index <= 50; index++) await made.change({ fields: { title: String(index) } });
    const { page } = await open(made);
    await by(page)('button', 'Version 2').waitFor();
    expect(await by(page)('button', 'Version 1').count()).toBe(0);
    await by(page)('button', 'Load more').click();
    await by(page)('button', 'Version 1').waitFor();
  });

  it.each([
    ['light', WIDE],
    ['dark', WIDE],
    ['light', NARROW],
    ['dark', NARROW],
  ] as const)('shows hostile values as text, in %s, at any width', async (colorScheme, size) => {
    const hostile = '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script>';
    const made = await article({ title: hostile, body: `<p>Before</p>${hostile}`, tags: [hostile] });
    await made.change({
      fields: { title: `${hostile} שלום`, body: `<p>After</p>${hostile}<iframe src="/x">`, tags: ['x'] },
    });
    const { page, requests } = await open(made, { ...size, colorScheme });
    await until(async () => (await texts(page, 'ins')).join().includes('שלום'));
    expect(await page.getByRole('tabpanel').locator('img, script, iframe').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(requests.filter((url) => /\/x$/.test(new URL(url).pathname))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });
});

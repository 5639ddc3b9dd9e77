import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { consoleUrl, namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { makePerson } from '../support/people.js';
import { until } from '../support/until.js';

const AUTHOR = [{ name: 'name', label: 'Name', type: 'text' }];
const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', required: true },
  { name: 'author', label: 'Author', type: 'reference', content_type: 'author' },
  {
    name: 'parts',
    label: 'Parts',
    type: 'blocks',
    blocks: [{ name: 'person', fields: [{ name: 'who', label: 'Who', type: 'reference', content_type: 'author' }] }],
  },
];
const SIZES = { wide: { width: 1_280, height: 900 }, narrow: { width: 375, height: 800 } };
const LOOKS = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
  ['dark', 'narrow'],
] as const;
const HOSTILE = '<img src=x onerror="window.hit = 1">';

describeWithBrowser('what is around the form of an entry in the console', () => {
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
    authors: TestType;
    articles: TestType;
    author: string;
    article: string;
  }
  const make = async (status = 'draft', name = 'Ada Lovelace', title = 'Engines'): Promise<Made> => {
    const tenant = app.tenant();
    const authors = await createType(tenant, AUTHOR, 'Author');
    const articles = await createType(tenant, FIELDS);
    const [author = ''] = await createEntries(tenant, authors, [{ fields: { name } }]);
    const parts = [{ block: 'person', who: author }];
    const [article = ''] = await createEntries(tenant, articles, [{ fields: { title, author, parts }, status }]);
    return { tenant, authors, articles, author, article };
  };
  const open = (
    { tenant, article }: Made,
    options: object = {},
    who: Parameters<typeof openSignedIn>[2] = tenant,
    path = `/content/article/${article}`,
  ) => openSignedIn(app, browser, who, `/${tenant.id}${path}`, options);

  describe('references', () => {
    it('are those of other entries by title, type and field, and those of the entry itself', async () => {
      const made = await make();
      const { page } = await open(made, {}, made.tenant, `/content/author/${made.author}?tab=references`);
      const links = page.getByRole('tabpanel').getByRole('link', { name: 'Engines', exact: true });
      await until(async () => (await links.count()) === 2);
      await page.getByText('Article › Author', { exact: true }).waitFor();
      await page.getByText('Article › Parts › Who', { exact: true }).waitFor();
      await page.getByText('This entry refers to no other one.').waitFor();
      await links.first().click();
      await by(page)('heading', 'Engines').waitFor();
      await by(page)('tab', 'References').click();
      await page.getByText('No entry refers to this one.').waitFor();
      await page.getByRole('link', { name: 'Ada Lovelace' }).nth(1).click();
      await by(page)('heading', 'Ada Lovelace').waitFor();
    });

    it('go on where the list ends', async () => {
      const made = await make();
      const { author, articles, tenant } = made;
      const more = Array.from({ length: 60 }, (_, index) => ({ fields: { title: `More ${index}`, author } }));
      await createEntries(tenant, articles, more);
      const { page } = await open(made, {}, tenant, `/content/author/${author}?tab=references`);
      await page.getByRole('link', { name: 'More 59' }).waitFor();
      expect(await page.getByRole('link', { name: 'More 3', exact: true }).count()).toBe(0);
      await by(page)('button', 'Load more').click();
      await page.getByRole('link', { name: 'More 3', exact: true }).waitFor();
    });

    it('that lead nowhere say so', async () => {
      const made = await make();
      await made.tenant.http.delete(`${made.authors.entries}/${made.author}`).expect(200);
      const { page } = await open(made, {}, made.tenant, `/content/article/${made.article}?tab=references`);
      await page.getByText('Field: Author. This entry is gone, or you may not see it.', { exact: true }).waitFor();
      await page.getByText(made.author).first().waitFor();
    });

    it.each(LOOKS)('are text whatever they hold, in %s, %s', async (colorScheme, size) => {
      const made = await make('draft', `${HOSTILE} عربي`, HOSTILE);
      const { page } = await open(made, { colorScheme, viewport: SIZES[size] });
      await by(page)('tab', 'References').click();
      await page
        .getByRole('link', { name: `${HOSTILE} عربي` })
        .first()
        .waitFor();
      expect(await page.evaluate('window.hit')).toBeUndefined();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    });
  });

  describe('a schedule', () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 11) + '09:30';
    const get = ({ tenant, articles, article }: Made) => tenant.http.get(`${articles.entries}/${article}/schedule`);

    it('is set in the zone of the person, shown above the form, changed and removed', async () => {
      const made = await make();
      const { page, errors } = await open(made, { timezoneId: 'America/New_York' });
      await by(page)('button', 'Schedule').click();
      await page.getByText('America/New_York').waitFor();
      await by(page)('button', 'Save schedule').click();
      await page.getByText('Enter when the entry is published or unpublished.').waitFor();
      await page.getByLabel('Publish at', { exact: true }).fill('2020-01-01T09:30');
      await by(page)('button', 'Save schedule').click();
      await page.getByText('Publish at must be in the future.').waitFor();
      await page.getByLabel('Publish at', { exact: true }).fill('2090-01-31T09:30');
      await page.getByLabel('Unpublish at').fill('2090-07-31T09:30');
      await by(page)('button', 'Save schedule').click();
      await said(page, 'The schedule was saved.');
      expect((await get(made).expect(200)).body.data).toMatchObject({
        publish_at: '2090-01-31T14:30:00.000Z',
        unpublish_at: '2090-07-31T13:30:00.000Z',
      });
      await page.getByText(/Will be published on Jan 31, 2090.* and unpublished on Jul 31, 2090/).waitFor();
      await by(page)('button', 'Schedule').click();
      expect(await page.getByLabel('Publish at', { exact: true }).inputValue()).toBe('2090-01-31T09:30');
      await by(page)('button', 'Remove schedule').click();
      await said(page, 'The schedule was removed.');
      await get(made).expect(404);
      await page.getByText(/Will be published/).waitFor({ state: 'detached' });
      // The time that is over, which the service refused.
      expect(errors).toEqual([expect.stringContaining('422')]);
    });

    it('that failed says why, and is set again', async () => {
      const made = await make();
      await made.tenant.http
        .put(`${made.articles.entries}/${made.article}/schedule`, { publish_at: `${at(9)}:00Z` })
        .expect(200);
      const { page } = await open(made);
      const problem = { detail: '1 value is not valid.', errors: [{ message: `title ${HOSTILE}` }] };
      await page.route('**/schedule?*', async (route) => {
        const response = await route.fetch();
        const { data, meta } = (await response.json()) as { data: object[]; meta: object };
        const failed = data.map((schedule) => ({ ...schedule, state: 'failed', problem }));
        await route.fulfill({ response, json: { data: failed, meta } });
      });
      await page.reload();
      await page.getByText('The schedule failed: 1 value is not valid.').waitFor();
      await by(page)('button', 'Schedule').click();
      await page.getByText(`title ${HOSTILE}`).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByLabel('Unpublish at').fill(at(12));
      await by(page)('button', 'Save schedule').click();
      await said(page, 'The schedule was saved.');
    });

    it('that was carried out is gone, and the entry is shown as it is then', async () => {
      const made = await make();
      await made.tenant.http
        .put(`${made.articles.entries}/${made.article}/schedule`, {
          publish_at: new Date(Date.now() + 4_000).toISOString(),
        })
        .expect(200);
      const { page } = await open(made);
      await page.getByText(/Will be published/).waitFor();
      await page.getByText('Published', { exact: true }).first().waitFor();
      await page.getByText(/Will be published/).waitFor({ state: 'detached' });
    });

    it.each(LOOKS)('has a dialog without violations, in %s, %s', async (colorScheme, size) => {
      const made = await make();
      const { page } = await open(made, { colorScheme, viewport: SIZES[size] });
      await by(page)('button', 'Schedule').click();
      await page.getByLabel('Unpublish at').waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  describe('a review', () => {
    it('is asked for with a note, shown to others with who asked, and taken back', async () => {
      const made = await make();
      const author = await makePerson(app, [made.tenant.id], 'author');
      const { page } = await open(made, {}, author);
      await by(page)('button', 'Ask for review').click();
      await by(page)('textbox', 'Note').fill('x'.repeat(2_001));
      await by(page)('button', 'Send').click();
      await page.getByText(/^Note must/).waitFor();
      await by(page)('textbox', 'Note').fill(`The second half is new. ${HOSTILE}`);
      await by(page)('button', 'Send').click();
      await said(page, 'The review was asked for.');
      const { page: other } = await open(made);
      await by(other)('region', 'Review').getByText(`The second half is new. ${HOSTILE}`).waitFor();
      await by(other)('region', 'Review')
        .getByText(/ asked for a review just now/)
        .waitFor();
      expect(await violationsOf(other)).toEqual([]);
      await by(other)('button', 'Take back').click();
      await said(other, 'The review was taken back.');
      await by(other)('region', 'Review').waitFor({ state: 'detached' });
    });

    it('ends when the entry is published', async () => {
      const made = await make();
      const { page } = await open(made);
      await by(page)('button', 'Ask for review').click();
      await by(page)('button', 'Send').click();
      await by(page)('region', 'Review').waitFor();
      await by(page)('button', 'Publish').click();
      await by(page)('region', 'Review').waitFor({ state: 'detached' });
    });

    it.each(LOOKS)('has a dialog without violations, in %s, %s', async (colorScheme, size) => {
      const made = await make();
      const { page } = await open(made, { colorScheme, viewport: SIZES[size] });
      await by(page)('button', 'Ask for review').click();
      await by(page)('textbox', 'Note').waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  it('the ID and the request behind the page are copied, without a key', async () => {
    const made = await make();
    const { tenant, article } = made;
    const { page } = await open(made, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = async (item: string) => {
      await by(page)('button', 'More').click();
      await by(page)('menuitem', item).click();
      await page
        .getByRole('status')
        .getByText(/copied\.$/)
        .waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const origin = new URL(consoleUrl(app)).origin;
    expect(await copied('Copy id')).toBe(article);
    const path = `/v1/content/${tenant.id}/types/article/entries/${article}`;
    expect(await copied('Copy as curl')).toBe(
      `curl -H "Authorization: Bearer $TRIVET_KEY" '${origin}${path}?preview=true'`,
    );
    const text = await copied('Copy as TypeScript');
    expect(text).toContain("import { createClient } from '@trivet/client';");
    expect(text).toContain(`await trivet.entries('article').get('${article}', { preview: true });`);
    expect(text).not.toContain(tenant.key);
  });

  it('the preview shows what was just typed, in a tab of its own', async () => {
    const made = await make();
    const { page } = await open(made);
    await by(page)('textbox', 'Title').fill('Typed a moment ago');
    const [tab] = await Promise.all([page.waitForEvent('popup'), by(page)('button', 'Preview').click()]);
    await tab.getByText('Typed a moment ago').first().waitFor();
    expect(await tab.evaluate('window.opener')).toBeNull();
  });

  it('a preview that cannot be made says so, and is tried again', async () => {
    const made = await make();
    const { page } = await open(made);
    await by(page)('textbox', 'Title').waitFor();
    await page.route('**/preview-links', (route) => route.abort());
    await by(page)('button', 'Preview').click();
    await by(page)('dialog', 'The preview did not open').getByText('The service cannot be reached.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute('**/preview-links');
    const [tab] = await Promise.all([page.waitForEvent('popup'), by(page)('button', 'Try again').click()]);
    await tab.getByText('Engines').first().waitFor();
  });

  it('those who may only read see no button that changes anything', async () => {
    const made = await make();
    const viewer = await makePerson(app, [made.tenant.id], 'viewer');
    const { page } = await open(made, {}, viewer);
    await by(page)('tab', 'History').waitFor();
    for (const name of ['Schedule', 'Ask for review', 'Preview', 'Restore']) {
      expect(await by(page)('button', name).count()).toBe(0);
    }
    await by(page)('button', 'More').click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy id', 'Copy as curl', 'Copy as TypeScript']);
  });
});

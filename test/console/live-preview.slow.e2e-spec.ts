import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { consoleUrl, namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType } from '../support/content.js';
import { type Site, startSite } from '../support/site.js';
import { until } from '../support/until.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', group: 'Text' },
  { name: 'slug', label: 'Slug', type: 'text', group: 'Text' },
  { name: 'price', label: 'Price', type: 'number', group: 'Text' },
  {
    name: 'sections',
    label: 'Sections',
    type: 'blocks',
    group: 'Text',
    blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'text', label: 'Words', type: 'text' }] }],
  },
  { name: 'author', label: 'Author', type: 'text', group: 'Text' },
  {
    name: 'seo',
    label: 'For search',
    type: 'group',
    group: 'For search',
    fields: [{ name: 'description', label: 'Description', type: 'text' }],
  },
];
const VALUES = {
  title: 'Engines',
  slug: 'engines & more',
  price: 3,
  sections: [
    { block: 'quote', text: 'First words' },
    { block: 'quote', text: 'Second words' },
  ],
  author: 'Ada',
  seo: { description: 'About engines' },
};
const PHONE = { viewport: { width: 375, height: 812 } };

describeWithBrowser('the live preview of an entry in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let site: Site;
  let tenant: TestTenant;
  beforeAll(async () => {
    site = await startSite({ console: () => consoleUrl(app) });
    const key = 'live-preview-key';
    const tenants = [
      { id: 'ten_site', name: 'Site', api_keys: [{ name: 'test', key }], allowed_origins: [site.origin] },
      { id: 'ten_none', name: 'None', api_keys: [{ name: 'test', key: `${key}-none` }] },
    ];
    [app, browser] = await Promise.all([startApp({ TENANTS: JSON.stringify(tenants) }), openBrowser()]);
    tenant = { id: 'ten_site', key, http: app.client(`Bearer ${key}`) };
  }, 120_000);
  afterAll(async () => {
    await Promise.all([app.close(), browser.close()]);
    site.server.close();
  });

  const by = (page: Page) => namedOn(page).getByRole;
  const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  let types = 0;
  const make = async (address = '/{slug}?preview={token}', of = tenant, fields: object = VALUES) => {
    const name = `Post ${++types}`;
    const type = await createType(of, FIELDS, name);
    await of.http.put(type.path, { name, fields: FIELDS, preview_url: site.origin + address }).expect(200);
    const [id = ''] = await createEntries(of, type, [{ fields }]);
    return { type, id, path: `/${of.id}/content/post-${types}/${id}`, of };
  };
  type Made = Awaited<ReturnType<typeof make>>;
  const open = (made: Made, options: BrowserContextOptions = {}) =>
    openSignedIn(app, browser, made.of, made.path, options);
  const inSite = (page: Page) =>
    page.frameLocator('iframe[title="Preview of the site"]').frameLocator('iframe[title="Live preview"]');
  const heading = (page: Page, text: string) =>
    inSite(page).getByRole('heading', { name: text, exact: true }).waitFor();
  const shown = (page: Page) => page.frames().at(-1)!.evaluate<{ fields: object }>('window.shown');
  const draftOf = async ({ type, id, of }: Made) => (await of.http.get(`${type.entries}/${id}?preview=true`)).body.data;
  const focused = (page: Page, name: string) =>
    page.getByRole('textbox', { name, exact: true }).and(page.locator(':focus')).first().waitFor();

  it('shows the site beside the form, and each keystroke before it is saved', async () => {
    const made = await make();
    const { page, errors } = await open(made);
    await by(page)('button', 'Preview').click();
    await heading(page, 'Engines');
    const [first = ''] = site.asked.filter((path) => path.startsWith('/engines'));
    expect(first).toMatch(/^\/engines%20%26%20more\?preview=[\w-]{100,}$/);
    const link = (await made.of.http.post(`${made.type.entries}/${made.id}/preview-links`).expect(201)).body.data.url;
    expect(await shown(page)).toEqual((await made.of.http.get(new URL(link).pathname).expect(200)).body.data);
    await page.route('**/draft', (route) => route.abort());
    await by(page)('textbox', 'Title').fill('Engines, unsaved');
    await heading(page, 'Engines, unsaved');
    await by(page)('textbox', 'Price').fill('twelve');
    await by(page)('textbox', 'Author').fill('');
    await until(async () => !('author' in (await shown(page)).fields));
    expect((await shown(page)).fields).toMatchObject({ price: 3, title: 'Engines, unsaved', slug: 'engines & more' });
    expect(errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
  });

  it('loads the site anew at each save, with the same link', async () => {
    const made = await make();
    const { page } = await open(made);
    await by(page)('button', 'Preview').click();
    await heading(page, 'Engines');
    const asked = site.asked.length;
    await by(page)('textbox', 'Title').fill('Engines, again');
    await saved(page);
    await until(() => Promise.resolve(site.asked.length === asked + 1));
    expect(site.asked.at(-1)).toBe(site.asked.at(-2));
    await heading(page, 'Engines, again');
    expect((await draftOf(made)).fields.title).toBe('Engines, again');
    await by(page)('button', 'Reload').click();
    await until(() => Promise.resolve(site.asked.length === asked + 2));
    // None of it is a step back in the history of the browser.
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(3);
  });

  it('moves to the field that is clicked in the site, in groups, blocks, and on another tab', async () => {
    const made = await make();
    const { page } = await open(made);
    await by(page)('button', 'Preview').click();
    await heading(page, 'Engines');
    await inSite(page).getByRole('heading').click();
    await focused(page, 'Title');
    await inSite(page).getByText('Second words').click();
    await focused(page, 'Words');
    expect(await page.locator(':focus').inputValue()).toBe('Second words');
    await inSite(page).getByText('About engines').click();
    await focused(page, 'Description');
    await by(page)('tab', 'History').click();
    await by(page)('button', 'Version 1').waitFor();
    await inSite(page).getByText('First words').click();
    await focused(page, 'Words');
    // A link that is marked leads to its field, and not away.
    await inSite(page).getByRole('link', { name: 'The author' }).click();
    await focused(page, 'Author');
    expect(site.asked).not.toContain('/elsewhere');
  });

  it('says who can allow a site that is not allowed, and opens it in a tab', async () => {
    const none = {
      id: 'ten_none',
      key: 'live-preview-key-none',
      http: app.client('Bearer live-preview-key-none'),
    };
    const made = await make('/{slug}', none, { title: 'Engines', slug: 'refused' });
    const { page } = await open(made);
    await by(page)('button', 'Preview').click();
    const pane = page.getByRole('region', { name: 'Live preview' });
    await pane.getByText('An operator of the service can add it').waitFor();
    expect(await pane.getByRole('alert').textContent()).toContain(site.origin);
    expect(site.asked.filter((path) => path.startsWith('/refused'))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    const [tab] = await Promise.all([page.waitForEvent('popup'), by(page)('link', 'Open in a new tab').click()]);
    await tab.waitForURL(`${site.origin}/refused`);
    expect(await tab.evaluate('window.opener')).toBeNull();
  });

  it('says which value the address of the site needs, and what a new entry needs', async () => {
    const made = await make('/{slug}', tenant, { title: 'Engines' });
    const { page } = await open(made);
    await by(page)('button', 'Preview').click();
    await page.getByText('The address of the site needs a value of Slug').waitFor();
    await by(page)('textbox', 'Slug').fill('given');
    await heading(page, 'Engines');
    expect(site.asked).toContain('/given');
    // The choice is kept: the next entry opens with its site.
    await page.goto(consoleUrl(app, made.path.replace(made.id, 'new')));
    await page.getByText('The site shows the entry as soon as it is saved').waitFor();
    await by(page)('textbox', 'Slug').fill('begun');
    await by(page)('textbox', 'Title').fill('Begun here');
    await heading(page, 'Begun here');
    await by(page)('button', 'Close preview').click();
    await by(page)('button', 'Preview').and(page.locator(':focus')).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await page.reload();
    await by(page)('textbox', 'Title').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('shows the site as a phone, a tablet, and as wide as there is space', async () => {
    const made = await make();
    const { page } = await open(made, { viewport: { width: 1280, height: 800 } });
    await by(page)('button', 'Preview').click();
    await heading(page, 'Engines');
    const width = () => page.frames().at(-1)!.evaluate<number>('innerWidth');
    const full = await width();
    await by(page)('button', 'Phone').click();
    await until(async () => (await width()) === 390);
    await by(page)('button', 'Tablet').click();
    await until(async () => (await width()) === 820);
    await inSite(page).getByRole('heading').click();
    await focused(page, 'Title');
    await page.reload();
    await heading(page, 'Engines');
    expect(await width()).toBe(820);
    await by(page)('button', 'Full width').click();
    await until(async () => (await width()) === full);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
    ['dark', 375],
  ] as const)('has no violation of axe, %s at %i pixels', async (colorScheme, width) => {
    const made = await make();
    const { page, errors } = await open(made, { colorScheme, viewport: { width, height: 812 } });
    await by(page)('button', 'Preview').click();
    await heading(page, 'Engines');
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(errors).toEqual([]);
  });

  it('takes the place of the form on a phone, with a switch', async () => {
    const made = await make();
    const { page } = await open(made, PHONE);
    await by(page)('button', 'Preview').click();
    await heading(page, 'Engines');
    expect(await by(page)('textbox', 'Title').count()).toBe(0);
    await by(page)('button', 'Form').click();
    await by(page)('textbox', 'Title').fill('Typed on a phone');
    await by(page)('button', 'Site').click();
    await heading(page, 'Typed on a phone');
    await inSite(page).getByText('Second words').click();
    await focused(page, 'Words');
    expect(await violationsOf(page)).toEqual([]);
  });
});

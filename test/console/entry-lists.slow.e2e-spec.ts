import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createDrafts, createEntries, createType, type TestType } from '../support/content.js';
import { files } from '../support/files.js';
import { makePerson } from '../support/people.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'price', label: 'Price', type: 'number' },
];

describeWithBrowser('lists of entries in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (
    tenant: TestTenant,
    path: string,
    options = {},
    who: Parameters<typeof openSignedIn>[2] = tenant,
  ) => openSignedIn(app, browser, who, `/${tenant.id}${path}`, options);
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const rowCount = (page: Page) => page.locator('tbody tr').count();

  /** Two entries, of which the first is published. */
  const twoEntries = async (): Promise<{ tenant: TestTenant; type: TestType }> => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Note');
    await createEntries(tenant, type, [
      { fields: { title: 'Live', price: 1234.5 }, status: 'published' },
      { fields: { title: 'Draft one' } },
    ]);
    return { tenant, type };
  };

  it('offer each role what it may do', async () => {
    const { tenant } = await twoEntries();
    const offered = {
      editor: ['New entry', 'Import', 'Export', 'Publish', 'Unpublish', 'Delete'],
      author: ['New entry', 'Import', 'Export', 'Delete'],
      viewer: ['Export'],
    };
    for (const [role, names] of Object.entries(offered)) {
      const person = await makePerson(app, [tenant.id], role);
      const { page } = await open(tenant, '/content/note', {}, person);
      await by(page)('checkbox', 'Select all').check();
      await page.getByText('2 selected').waitFor();
      for (const name of offered.editor) {
        expect([role, name, await by(page)('button', name).count()]).toEqual([
          role,
          name,
          names.includes(name) ? 1 : 0,
        ]);
      }
    }
  });

  it('let an author delete drafts, and say that what is published stays', async () => {
    const { tenant, type } = await twoEntries();
    const { page } = await open(tenant, '/content/note', {}, await makePerson(app, [tenant.id], 'author'));
    await by(page)('checkbox', 'Select all').check();
    await by(page)('button', 'Delete').click();
    await page.getByText('1 entry stays: you may not delete what is published.').waitFor();
    await by(page)('button', 'Delete 1 entry').click();
    await said(page, '1 entry was deleted.');
    await page.getByText('1 entry', { exact: true }).waitFor();
    const { body } = await tenant.http.get(type.entries);
    expect(body.meta.total).toBe(1);
  });

  it('are those of the content types that a key may see', async () => {
    const { tenant, type } = await twoEntries();
    await createType(tenant, FIELDS, 'Secret');
    const scopes = [`content:read@${type.id}`, `content:draft@${type.id}`];
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'narrow', scopes }).expect(201);
    const { page } = await open(tenant, '/content', {}, { key: body.data.key });
    await by(page)('link', 'Note').waitFor();
    expect(await by(page)('link', 'Secret').count()).toBe(0);
    await by(page)('link', 'Note').click();
    await by(page)('checkbox', 'Select Draft one').waitFor();
    expect(await by(page)('button', 'New entry').count()).toBe(1);
    expect(await by(page)('checkbox', 'Drafts only').count()).toBe(1);
  });

  it('show to those who read what is published nothing else', async () => {
    const { tenant } = await twoEntries();
    const { page } = await open(tenant, '/content/note', {}, { key: tenant.publishedKey! });
    await by(page)('link', 'Live').waitFor();
    expect(await rowCount(page)).toBe(1);
    expect(await by(page)('checkbox', 'Drafts only').count()).toBe(0);
  });

  it('of a tenant without content types say what to do', async () => {
    const { page } = await open(app.tenant(), '/content');
    await by(page)('heading', 'No content types yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('of a content type that does not exist say so', async () => {
    const { page } = await open(app.tenant(), '/content/nothing');
    await by(page)('heading', 'There is no such page').waitFor();
  });

  it('go on with Load more, and the rows that are shown stay where they are', async () => {
    const tenant = app.tenant();
    await createType(tenant, FIELDS, 'Note');
    const operations = Array.from({ length: 1000 }, (_, index) => {
      const fields = { title: `Note ${index + 1}`, price: index + 1 };
      return { op: 'create', content_type: 'note', fields };
    });
    await tenant.http.post(`/v1/content/${tenant.id}/bulk`, { operations }).expect(200);
    const { page, requests } = await open(tenant, '/content/note?sort=price');
    await by(page)('link', 'Note 1').waitFor();
    expect(requests.filter((url) => url.includes('/entries?')).length).toBeLessThanOrEqual(3);
    await page.getByText('1,000 entries').waitFor();
    expect(await rowCount(page)).toBe(50);
    const last = by(page)('link', 'Note 50');
    await last.scrollIntoViewIfNeeded();
    await by(page)('button', 'Load more').scrollIntoViewIfNeeded();
    const place = await last.boundingBox();
    await by(page)('button', 'Load more').click();
    await by(page)('link', 'Note 150').waitFor();
    expect(await last.boundingBox()).toEqual(place);
    while ((await by(page)('button', 'Load more').count()) > 0) {
      const count = await rowCount(page);
      await by(page)('button', 'Load more').click();
      await until(async () => (await rowCount(page)) > count);
    }
    expect(await rowCount(page)).toBe(1000);
    await by(page)('checkbox', 'Select all').check();
    await page.getByText('1,000 selected').waitFor();
    await by(page)('button', 'Publish').click();
    await by(page)('button', 'Publish 1,000 entries').click();
    await said(page, '1,000 entries were published.');
    const { body } = await tenant.http.get(`/v1/content/${tenant.id}/types/note/entries?filter[status]=draft`);
    expect(body.meta.total).toBe(0);
  });

  it('are asked for without waiting for what describes their content type', async () => {
    const { tenant } = await twoEntries();
    const { page } = await open(tenant, '/content');
    await by(page)('link', 'Note').waitFor();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/types\/note$/, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/types\/note\/entries\?.*per_page=50/);
    await page.goto(`${page.url()}/note`);
    await asked;
    answer();
    await by(page)('link', 'Live').waitFor();
  });

  it('select the rows between two with Shift', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Note');
    await createDrafts(tenant, type, { title: 'A' }, { title: 'B' }, { title: 'C' }, { title: 'D' });
    const { page } = await open(tenant, '/content/note?sort=title');
    await by(page)('checkbox', 'Select A').click();
    await by(page)('checkbox', 'Select C').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    expect(await by(page)('checkbox', 'Select B').isChecked()).toBe(true);
  });

  it('without an entry have one button to write the first', async () => {
    const tenant = app.tenant();
    await createType(tenant, FIELDS, 'Note');
    const { page } = await open(tenant, '/content/note');
    await by(page)('heading', 'No entries yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'New entry').click();
    expect(new URL(page.url()).pathname).toBe(`/console/${tenant.id}/content/note/new`);
  });

  it('stop work when it is cancelled', async () => {
    const { tenant, type } = await twoEntries();
    await createDrafts(tenant, type, ...Array.from({ length: 60 }, (_, index) => ({ title: `More ${index}` })));
    const { page } = await open(tenant, '/content/note');
    await by(page)('button', 'Load more').click();
    await page.getByText('62 entries').waitFor();
    await until(async () => (await rowCount(page)) === 62);
    await by(page)('checkbox', 'Select all').check();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/bulk$/, async (route) => {
      await held;
      await route.continue();
    });
    await by(page)('button', 'Delete').click();
    await by(page)('button', 'Delete 62 entries').click();
    const work = by(page)('region', 'Work');
    await work.getByRole('progressbar').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    // Work goes on while another page is open.
    await by(page)('link', 'Content').click();
    await by(page)('heading', 'Content').waitFor();
    await work.getByRole('button', { name: 'Cancel' }).click();
    release();
    await said(page, '50 entries were deleted. It was cancelled before the other 12.');
    const { body } = await tenant.http.get(type.entries);
    expect(body.meta.total).toBe(12);
  });

  it('show values of every type as text', async () => {
    const tenant = app.tenant();
    const author = await createType(tenant, [{ name: 'name', type: 'text' }], 'Author');
    const [ada] = await createDrafts(tenant, author, { name: '<b>Ada</b>' });
    const picture = await upload(app, tenant, await files.png());
    const all = [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'rich_text' },
      { name: 'count', type: 'number' },
      { name: 'good', type: 'boolean' },
      { name: 'day', type: 'date' },
      { name: 'at', type: 'datetime' },
      { name: 'cover', type: 'media' },
      { name: 'far', type: 'media' },
      { name: 'authors', type: 'reference', content_type: author.id, multiple: true },
      { name: 'tags', type: 'text', multiple: true },
      { name: 'extra', type: 'json' },
      { name: 'seo', type: 'group', fields: [{ name: 'title', type: 'text' }] },
    ];
    const type = await createType(tenant, all, 'Wide');
    const fields = {
      title: 'All',
      body: '<p>Tide &amp; <img src=x onerror="document.title=1">moon</p>',
      count: 1234567.891,
      good: true,
      day: '2020-02-29',
      at: '2020-02-29T12:00:00Z',
      cover: { id: picture.id, alt: 'A cat' },
      far: { url: 'https://elsewhere.example/x.png', alt: '' },
      authors: [ada],
      tags: ['a', 'b', 'c', 'd', 'e'],
      extra: { a: ['<i>'] },
      seo: { title: 'Found' },
    };
    await createEntries(tenant, type, [{ fields }]);
    const columns = 'body,count,good,day,at,cover,far,authors,tags,extra,seo.title';
    const { page, errors, requests } = await open(tenant, `/content/wide?columns=${columns}`);
    const row = page.getByRole('row', { name: 'All' });
    await row.getByText('<b>Ada</b>').waitFor();
    const texts = await row.getByRole('cell').allInnerTexts();
    expect(texts.slice(1)).toEqual([
      'Tide & moon',
      '1,234,567.891',
      'Yes',
      'Feb 29, 2020',
      'Feb 29, 2020',
      'A cat',
      'https://elsewhere.example/x.png',
      '<b>Ada</b>',
      'a, b, c +2',
      '{"a":["<i>"]}',
      'Found',
    ]);
    expect(await row.locator('img').count()).toBe(1);
    expect(requests.filter((url) => url.includes('elsewhere'))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('show pictures of a tenant that signs their small copies', async () => {
    const own = { id: 'ten_signs', name: 'Signs', media: { signed_variants: true } };
    const api_keys = [{ name: 'test', key: 'test-key-signs' }];
    const signing = await startApp({ TENANTS: JSON.stringify([{ ...own, api_keys }]) }, { database: app.database });
    try {
      const [{ key = '' } = {}] = api_keys;
      const tenant: TestTenant = { id: own.id, key, http: signing.client(`Bearer ${key}`) };
      await createType(
        tenant,
        [
          { name: 'title', type: 'text' },
          { name: 'cover', type: 'media' },
        ],
        'Note',
      );
      const { id } = await upload(signing, tenant, await files.png());
      const fields = { title: 'One', cover: { id, alt: 'A cat' } };
      await tenant.http.post(`/v1/content/${own.id}/types/note/entries`, { fields }).expect(201);
      const { page } = await openSignedIn(signing, browser, tenant, `/${own.id}/content/note`);
      await page.locator('tbody img[src*="s="]').waitFor();
      await until(() => page.evaluate<boolean>(`document.querySelector('tbody img').naturalWidth > 0`));
    } finally {
      await signing.close();
    }
  });

  it('show what others wrote as text, whatever it is', async () => {
    const tenant = app.tenant();
    const script = '<script>document.title="1"</script>';
    const hostile = { name: 'title', label: `<img src=x onerror="document.title=1">${'x'.repeat(60)}`, type: 'text' };
    const type = await createType(tenant, [hostile], script);
    const titles = [script, '\u202eexe.txt', 'مرحبا', 'x'.repeat(10_000), '&lt;b&gt;'];
    await createDrafts(tenant, type, ...titles.map((title) => ({ title })));
    const { page, errors } = await open(tenant, '/content', { viewport: { width: 375, height: 720 } });
    await by(page)('link', script).click();
    await by(page)('heading', script).waitFor();
    await by(page)('link', '&lt;b&gt;').waitFor();
    for (const title of titles.slice(0, 3)) expect(await by(page)('checkbox', `Select ${title}`).count()).toBe(1);
    await by(page)('searchbox', 'Search').fill('script');
    await page.locator('mark').first().waitFor();
    expect(await by(page)('link', script).count()).toBe(1);
    await by(page)('button', 'Filter').click();
    await by(page)('button', 'Columns').click();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toContain(script);
    expect(errors).toEqual([]);
  });

  it('can be used with the keyboard alone', async () => {
    const { tenant } = await twoEntries();
    const { page } = await open(tenant, '/content');
    const name = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    const tabTo = async (wanted: string) => {
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press('Tab');
        if ((await name()) === wanted) return;
      }
      throw new Error(`Tab does not reach ${wanted}.`);
    };
    await by(page)('link', 'Note').waitFor();
    await tabTo('Note');
    await page.keyboard.press('Enter');
    await by(page)('table', 'Entries').waitFor();
    await tabTo('Price');
    await page.keyboard.press('Enter');
    await page.locator('th[aria-sort=ascending]').waitFor();
    await tabTo('Select Draft one');
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await tabTo('Delete');
    await page.keyboard.press('Enter');
    await by(page)('button', 'Delete 1 entry').waitFor();
    await tabTo('Delete 1 entry');
    await page.keyboard.press('Enter');
    await said(page, '1 entry was deleted.');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('that cannot be read say why, and are read with Try again', async () => {
    const { tenant } = await twoEntries();
    const { page } = await open(tenant, '/content');
    const body = { status: 503, code: 'unavailable', detail: 'The service is busy.', request_id: 'req_1' };
    await page.route(/\/entries\?/, (route) => route.fulfill({ status: 503, json: body }));
    await by(page)('link', 'Note').click();
    await page.getByRole('alert').getByText('The service is busy.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute(/\/entries\?/);
    await by(page)('button', 'Try again').click();
    await by(page)('table', 'Entries').waitFor();
  });

  it('keep the rows of before while an answer is slow, and go on where loading more failed', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS, 'Note');
    await createDrafts(tenant, type, ...Array.from({ length: 55 }, (_, index) => ({ title: `Note ${index}` })));
    const { page } = await open(tenant, '/content/note');
    await by(page)('button', 'Load more').waitFor();
    await page.route(/\/entries\?.*cursor=[^&]/, (route) => route.abort());
    await by(page)('button', 'Load more').click();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await rowCount(page)).toBe(50);
    await page.unroute(/\/entries\?.*cursor=[^&]/);
    await by(page)('button', 'Try again').click();
    await by(page)('link', 'Note 0').waitFor();

    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/search=/, async (route) => {
      await held;
      await route.continue();
    });
    await by(page)('searchbox', 'Search').fill('54');
    await page.locator('table[aria-busy=true]').waitFor();
    expect(await rowCount(page)).toBe(55);
    answer();
    await until(async () => (await rowCount(page)) === 1);
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('have no fault that axe finds, in %s at %d pixels', async (colorScheme, width) => {
    const { tenant } = await twoEntries();
    const { page } = await open(tenant, '/content/note', { colorScheme, viewport: { width, height: 720 } });
    const check = async (state: string) => {
      expect([state, await violationsOf(page)]).toEqual([state, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    await by(page)('checkbox', 'Select Live').check();
    await check('the list');
    await by(page)('button', 'Filter').click();
    await check('the filter');
    for (const name of ['Columns', 'Save view', 'Import', 'Publish', 'Unpublish', 'Delete']) {
      await by(page)('button', name).click();
      await page.getByRole('dialog').waitFor();
      await check(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await by(page)('button', 'Export').click();
    await by(page)('menuitem', 'CSV').waitFor();
    await check('Export');
  });
});

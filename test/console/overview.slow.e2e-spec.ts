import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { consoleUrl, namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { makePerson, signIn } from '../support/people.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const FIELDS = [{ name: 'title', label: 'Title', type: 'text' }];
const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">';
const LOOKS: [string, BrowserContextOptions][] = [
  ['light, at 1,280 pixels', { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' }],
  ['dark, at 1,280 pixels', { viewport: { width: 1_280, height: 900 }, colorScheme: 'dark' }],
  ['light, at 375 pixels', { viewport: { width: 375, height: 800 }, colorScheme: 'light' }],
  ['dark, at 375 pixels', { viewport: { width: 375, height: 800 }, colorScheme: 'dark' }],
];

interface Made {
  tenant: TestTenant;
  type: TestType;
  /** An entry that is not published. */
  draft: string;
}

describeWithBrowser('the overview of the console', () => {
  let app: TestApp;
  let browser: Browser;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, browser, receiver] = await Promise.all([startApp(RECEIVER_ENV), openBrowser(), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close(), receiver.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const part = (page: Page, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const open = (tenant: TestTenant, who: Parameters<typeof openSignedIn>[2] = tenant, options = {}) =>
    openSignedIn(app, browser, who, `/${tenant.id}`, options);

  /** A tenant with an entry that is published, and one that is not. */
  const make = async (title = 'Tides'): Promise<Made> => {
    const tenant = app.tenant();
    const type = await createType(tenant, FIELDS);
    const [, draft = ''] = await createEntries(tenant, type, [
      { fields: { title: 'Harbours' }, status: 'published' },
      { fields: { title } },
    ]);
    return { tenant, type, draft };
  };

  /** The same, with something in every part. */
  const makeFull = async (): Promise<Made> => {
    const made = await make(HOSTILE);
    const { tenant, type, draft } = made;
    const entry = `${type.entries}/${draft}`;
    await tenant.http.patch(`${entry}/draft`, { fields: { title: HOSTILE } }).expect(200);
    await tenant.http.put(`${entry}/draft/review`, { note: HOSTILE }).expect(200);
    const times = { publish_at: '2099-01-31T09:30:00Z', unpublish_at: '2099-02-28T09:30:00Z' };
    await tenant.http.put(`${entry}/schedule`, times).expect(200);
    receiver.answer('/gone', () => 410);
    const webhook = { url: receiver.url('/gone'), events: ['entry.created'], description: HOSTILE };
    const { body } = await tenant.http.post(`/v1/webhooks/${tenant.id}`, webhook).expect(201);
    await tenant.http.post(`/v1/webhooks/${tenant.id}/${body.data.id}/test`).expect(202);
    const path = `/v1/webhooks/${tenant.id}?view=full`;
    await until(async () => (await tenant.http.get(path)).body.data[0].disabled_reason === 'gone');
    return made;
  };

  it('counts what the tenant has, and leads to it', async () => {
    const { tenant } = await make();
    const { page } = await open(tenant);
    await by(page)('heading', 'Overview').waitFor();
    expect(await by(page)('link', 'Overview').getAttribute('aria-current')).toBe('page');
    const counts = page.getByRole('list', { name: 'Counts' }).getByRole('link');
    await counts.first().waitFor();
    const words = (await counts.allTextContents()).map((text) => text.trim());
    expect(words).toEqual([
      'Entries 2',
      'Content types 1',
      'Files 0 bytes',
      'Submissions 0',
      'Forms 0',
      'Webhooks 0',
      'Members 0',
    ]);
    await counts.filter({ hasText: 'Forms' }).click();
    await by(page)('heading', 'Forms').waitFor();
    await by(page)('navigation', 'Main').getByRole('link', { name: 'Overview' }).click();
    await by(page)('heading', 'Overview').waitFor();
    expect(page.url()).toBe(consoleUrl(app, `/${tenant.id}`));
  });

  it.each(LOOKS)('has all its parts: %s', async (_, options) => {
    const { tenant, draft } = await makeFull();
    const { page, errors } = await open(tenant, tenant, options);
    for (const title of ['Waiting for review', 'My drafts', 'Scheduled next', 'Failing webhooks']) {
      await part(page, title).getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    }
    await part(page, 'Scheduled next').getByText('Will be published on Jan 31, 2099', { exact: false }).waitFor();
    await part(page, 'Failing webhooks').getByText('Made inactive: its receiver is gone.').waitFor();
    await part(page, 'Recent changes').getByText('test sent a test to the webhook', { exact: false }).waitFor();
    await part(page, 'Last 30 days').getByText('Numbers').nth(2).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
    expect(await violationsOf(page)).toEqual([]);
    await part(page, 'Last 30 days').getByText('Numbers').first().click();
    const table = page.getByRole('table', { name: 'Entries changed by day' });
    expect(await table.getByRole('row').count()).toBe(31);
    expect(await table.getByRole('cell').last().textContent()).toBe('2');
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.title()).toBe('Overview · Trivet');
    expect(errors).toEqual([]);
    await part(page, 'My drafts').getByRole('link', { name: HOSTILE }).click();
    await page.waitForURL(consoleUrl(app, `/${tenant.id}/content/article/${draft}`));
  });

  it('says what to do where there is nothing yet', async () => {
    const { tenant } = await make();
    const { page } = await open(tenant);
    for (const text of [
      'Nothing waits for review.',
      'You have no drafts.',
      'Nothing is scheduled.',
      'There is no webhook yet.',
    ]) {
      await page.getByText(text).waitFor();
    }
    await page.getByText('nothing on any day').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('link', 'Write something').click();
    await by(page)('heading', 'Content').waitFor();
  });

  it('shows its first rows after two requests, one after the other', async () => {
    const { tenant, type, draft } = await make();
    await tenant.http.put(`${type.entries}/${draft}/schedule`, { publish_at: '2099-01-31T09:30:00Z' }).expect(200);
    const { page, requests } = await open(tenant);
    const rows = part(page, 'Scheduled next').getByText('Will be published');
    await rows.waitFor();
    await page.context().close();
    const asked = requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/v1/'));
    expect(asked[0]).toBe('/v1/sessions/current');

    const blocked = (await openSignedIn(app, browser, tenant, '/sign-in')).page;
    // Whatever else is asked for does not come.
    await blocked.route(/\/v1\/(?!sessions\/current|content\/[^/]+\/schedule)/, () => undefined);
    await blocked.goto(consoleUrl(app, `/${tenant.id}`));
    await part(blocked, 'Scheduled next').getByText('Will be published').waitFor();
  });

  it('fails part by part, and tries each again', async () => {
    const { tenant } = await make();
    const { page } = await openSignedIn(app, browser, tenant, '/me');
    let isDown = true;
    await page.route(/\/drafts\?review=true/, (route) =>
      isDown
        ? route.fulfill({ status: 503, json: { status: 503, code: 'unavailable', detail: 'Too busy.' } })
        : route.continue(),
    );
    await page.goto(consoleUrl(app, `/${tenant.id}`));
    const waiting = part(page, 'Waiting for review');
    await waiting.getByText('Too busy.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByText('You have no drafts.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    isDown = false;
    await waiting.getByRole('button', { name: 'Try again' }).click();
    await waiting.getByText('Nothing waits for review.').waitFor();
  });

  it('shows to each role what it works with', async () => {
    const { tenant, type, draft } = await make();
    const shown = async (role: string) => {
      const { page } = await open(tenant, await makePerson(app, [tenant.id], role));
      await page.getByRole('list', { name: 'Counts' }).waitFor();
      const parts = await page.locator('section h2').allTextContents();
      await page.getByText('Numbers').first().waitFor();
      return { parts, charts: await page.locator('section h3').allTextContents() };
    };
    const ada = await makePerson(app, [tenant.id], 'author');
    await (await signIn(app, ada)).http.put(`${type.entries}/${draft}/draft/review`).expect(200);
    expect(await shown('author')).toEqual({
      parts: ['Waiting for review', 'My drafts', 'Scheduled next', 'Last 30 days'],
      charts: ['Entries changed'],
    });
    expect(await shown('support')).toEqual({ parts: ['Last 30 days'], charts: ['Submissions'] });
    expect((await shown('viewer')).parts).toEqual([
      'Waiting for review',
      'Scheduled next',
      'Failing webhooks',
      'Last 30 days',
      'Recent changes',
    ]);
    const { page } = await open(tenant, ada);
    await part(page, 'Waiting for review').getByText('asked by Ada', { exact: false }).waitFor();
  });

  it('is not there for a key that reads published entries only, which begins at the content', async () => {
    const { tenant } = await make();
    const key = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'site', scopes: ['content:read:published'] });
    const { page } = await open(tenant, { key: (key.body as { data: { key: string } }).data.key });
    await by(page)('heading', 'Content').waitFor();
    expect(await by(page)('link', 'Overview').count()).toBe(0);
  });

  it('and the usage are open to support, as the service has it', async () => {
    const { tenant } = await make();
    const { page } = await openSignedIn(
      app,
      browser,
      await makePerson(app, [tenant.id], 'support'),
      `/${tenant.id}/settings`,
    );
    await by(page)('table', 'Usage').waitFor();
    await by(page)('navigation', 'Settings').getByRole('link', { name: 'Usage' }).waitFor();
  });

  describe('of an empty tenant', () => {
    it.each(LOOKS)('offers three starts: %s', async (_, options) => {
      const tenant = app.tenant();
      const { page, errors } = await open(tenant, tenant, options);
      for (const what of ['a content type', 'a magazine', 'an import']) {
        await by(page)('heading', `Start with ${what}`).waitFor();
      }
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
      expect(errors).toEqual([]);
    });

    it.each([
      ['Article', 'Summary'],
      ['Product', 'Price'],
      ['Event', 'Place'],
      ['Page with blocks', 'Content'],
    ])('fills the type editor from the template: %s', async (template, field) => {
      const tenant = app.tenant();
      const { page } = await open(tenant);
      await by(page)('link', template).click();
      await by(page)('heading', 'New content type').waitFor();
      expect(await by(page)('radio', template).isChecked()).toBe(true);
      await by(page)('button', `Edit ${field}`).waitFor();
      await by(page)('button', 'Review changes').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await by(page)('link', 'Overview').click();
      await by(page)('heading', 'Waiting for review').waitFor();
    });

    it('makes the magazine, which can be cancelled and tried again', async () => {
      const tenant = app.tenant();
      const { page } = await open(tenant);
      let isHeld = true;
      const held: (() => void)[] = [];
      await page.route(/\/bulk$/, async (route) => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      });
      await by(page)('button', 'Make the magazine').click();
      await page.getByText('3 of ', { exact: false }).waitFor();
      await until(() => Promise.resolve(held.length === 1));
      expect(await violationsOf(page)).toEqual([]);
      await by(page)('button', 'Cancel').click();
      isHeld = false;
      held.forEach((release) => release());
      await page.getByRole('status').getByText('It was cancelled.').waitFor();
      await by(page)('heading', 'Waiting for review').waitFor();

      await page.goto(consoleUrl(app, `/${tenant.id}`));
      const { body } = await tenant.http.get(`/v1/usage/${tenant.id}`).expect(200);
      expect(body.data).toMatchObject({ content_types: 3, entries: 5 });
    });

    it('makes the magazine again where it failed', async () => {
      const tenant = app.tenant();
      const { page } = await open(tenant);
      let isDown = true;
      await page.route(/\/bulk$/, (route) =>
        isDown
          ? route.fulfill({ status: 503, json: { status: 503, code: 'unavailable', detail: 'Too busy.' } })
          : route.continue(),
      );
      await by(page)('button', 'Make the magazine').click();
      await page.getByText('Too busy.').waitFor();
      isDown = false;
      await by(page)('button', 'Try again').click();
      await page.getByRole('status').getByText('The magazine has 3 content types and', { exact: false }).waitFor();
      const counts = page.getByRole('list', { name: 'Counts' });
      await counts.getByRole('link', { name: 'Content types 3' }).waitFor();
      const { body } = await tenant.http.get(`/v1/content/${tenant.id}/types/magazine-issue/entries?include=articles`);
      expect(body.data).toHaveLength(3);
      expect(Object.keys(body.included)).not.toHaveLength(0);
    });

    it('has no starts for those who may not make anything', async () => {
      const tenant = app.tenant();
      const { page } = await open(tenant, await makePerson(app, [tenant.id], 'viewer'));
      await page.getByText('Nothing waits for review.').waitFor();
      expect(await by(page)('heading', 'Start with a magazine').count()).toBe(0);
    });
  });
});

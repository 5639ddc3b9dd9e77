import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { createClient } from '../../../client/src/index.js';
import { describeWithBrowser, openBrowser, openPage } from '../../support/browser.js';
import { namedOn, violationsOf } from '../../support/console.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { build, Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Schema } from '../../../examples/site/trivet-schema.js';
import { RunningSite, runDemo } from './running-site.js';

const SITE = join(import.meta.dirname, '../../../examples/site');
const FIRST = 'how-to-fold-a-map';

jest.setTimeout(240_000);

describeWithBrowser('the example site', () => {
  let database: TestDatabase;
  let dataDir: string;
  let service: Service;
  let url: string;
  let site: RunningSite;
  let address: string;
  let key: string;
  let browser: Browser;
  beforeAll(async () => {
    await build();
    [database, dataDir] = await Promise.all([createDatabase(), mkdtemp(join(tmpdir(), 'trivet-example-'))]);
    await startService();
    await runDemo({ DATA_DIR: dataDir });
    key = (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim();
    [browser] = await Promise.all([openBrowser(), startSite()]);
  });
  afterAll(async () => {
    await site.stop();
    await Promise.all([browser.close(), service.stop()]);
    await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
  });

  const startService = async (env: Record<string, string> = {}) => {
    service = new Service({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...env });
    url = await service.url();
  };
  const startSite = async () => {
    site = new RunningSite({ DATA_DIR: dataDir });
    address = await site.address();
  };
  const trivet = () => createClient<Schema>({ url, tenant: 'ten_demo', key });
  const articles = () => trivet().entries('magazine-article');
  const open = async (path = '/', options = {}) => {
    const opened = await openPage(browser, options);
    await opened.page.goto(address + path);
    return opened;
  };
  const headings = (page: Page) => page.getByRole('heading', { level: 2 }).allInnerTexts();
  const previewed = async (id: string) => {
    const link = await articles().createPreviewLink(id);
    return `/articles/${FIRST}?preview=${new URL(link.url).pathname.split('/').at(-1)}`;
  };

  it('has fewer than 300 lines', async () => {
    const files = ['src', 'public'].map(async (folder) =>
      (await readdir(join(SITE, folder))).map((name) => join(SITE, folder, name)),
    );
    const texts = await Promise.all((await Promise.all(files)).flat().map((file) => readFile(file, 'utf8')));
    expect(texts.join('').split('\n').length).toBeLessThan(300);
  });

  it('has the types that the service writes for the demo', async () => {
    const response = await fetch(`${url}/v1/contract/ten_demo/types.ts`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(await readFile(join(SITE, 'trivet-schema.ts'), 'utf8')).toBe(await response.text());
  });

  it('lists the newest articles, and older ones on further pages', async () => {
    const { page, errors } = await open();
    const newest = await headings(page);
    expect(newest).toHaveLength(9);
    expect(newest[0]).toContain('How to fold a map');
    await namedOn(page).getByRole('link', 'Older').click();
    await namedOn(page).getByRole('link', 'Newer').waitFor();
    expect(await headings(page)).toHaveLength(9);
    expect((await headings(page)).filter((title) => newest.includes(title))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('has no violations and fits, %s, %s pixels wide', async (colorScheme, width) => {
    for (const path of ['/', `/articles/${FIRST}`, '/letters', '/search?q=bread']) {
      const { page } = await open(path, { colorScheme, viewport: { width, height: 800 } });
      expect([path, await violationsOf(page)]).toEqual([path, []]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
    }
  });

  it('transfers little for its first page', async () => {
    const { page } = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    const finished: Request[] = [];
    page.on('requestfinished', (request) => finished.push(request));
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    const transfers = finished.filter((request) => !request.url().startsWith('data:'));
    const bytes: Record<string, number> = { document: 0, stylesheet: 0, image: 0 };
    for (const request of transfers) {
      const { responseBodySize } = await request.sizes();
      bytes[request.resourceType()] = (bytes[request.resourceType()] ?? 0) + responseBodySize;
    }
    console.log(`The first page: ${transfers.length} requests, ${JSON.stringify(bytes)} bytes.`);
    expect(transfers.length).toBeLessThanOrEqual(12);
    expect(Object.keys(bytes)).toEqual(['document', 'stylesheet', 'image']);
    expect(bytes['document']! + bytes['stylesheet']!).toBeLessThan(30_000);
    expect(bytes['image']).toBeLessThan(500_000);
  });

  it('shows an article with its blocks, and pictures in the width that the page needs', async () => {
    const { page, errors } = await open(`/articles/${FIRST}`, { viewport: { width: 375, height: 800 } });
    await page.getByText('You are not reading. You are steering.').last().waitFor();
    expect(await page.locator('blockquote').innerText()).toBe('You are not reading. You are steering.');
    const cover = `document.querySelector('article > img').currentSrc`;
    expect(await until(async () => (await page.evaluate<string>(cover)) || undefined)).toMatch(/\?w=480$/);
    await page.getByRole('link', { name: 'Every map is a choice' }).click();
    await page.getByRole('heading', { level: 1, name: 'Every map is a choice' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('searches, also for a word with a mistake, and shows where it is', async () => {
    const { page } = await open();
    await page.getByRole('searchbox').fill('lighthouze');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search: lighthouze' }).waitFor();
    expect(await headings(page)).toContain('How a lighthouse says its name');
    expect(await page.locator('mark').first().innerText()).toMatch(/lighthouse/i);
  });

  it('names what is wrong with a letter, and sends it when it is right', async () => {
    const { page } = await open('/letters');
    const { getByRole } = namedOn(page);
    // The browser would find the mistake itself.
    await page.evaluate(`document.querySelector('form[method=post]').noValidate = true`);
    await getByRole('textbox', 'Your email address').fill('ada at example');
    await getByRole('textbox', 'Letter').fill('I read <b>all</b> of it.');
    await getByRole('button', 'Send').click();
    await page.getByRole('alert').getByText(/email/).waitFor();
    expect(await getByRole('textbox', 'Letter').inputValue()).toBe('I read <b>all</b> of it.');
    await getByRole('textbox', 'Your email address').fill('ada@example.com');
    await getByRole('button', 'Send').click();
    await getByRole('heading', 'Thank you').waitFor();
    const { data: form } = await trivet().request('getForm', { path: { form_id: 'magazine-letters' } });
    const { data } = await trivet().request('listSubmissions', { path: { form_id: form.id } });
    expect(data[0]?.fields).toMatchObject({ email: 'ada@example.com', letter: 'I read <b>all</b> of it.' });
  });

  it('shows a draft to those who have the link, and what is typed in the frame of the console', async () => {
    const { id } = await articles().getBy('slug', FIRST);
    await articles().drafts.save(id, { title: 'A draft of the title' });
    const path = await previewed(id);
    const { page } = await open(path);
    await page.getByRole('heading', { level: 1, name: 'A draft of the title' }).waitFor();
    await page.getByRole('status').getByText('This is a draft.').waitFor();
    const console = url.replace('127.0.0.1', 'localhost');
    await page.goto(`${console}/console`);
    const frame = `/console/preview-frame?tenant=ten_demo&site=${encodeURIComponent(address)}`;
    await page.evaluate(`(${FRAMED})(${JSON.stringify(frame)})`);
    const send = (message: object) => page.evaluate(`window.sendToFrame(${JSON.stringify(message)})`);
    await until(() => page.evaluate<boolean>(`window.received.includes('trivet:ready')`));
    await send({ type: 'trivet:show', url: address + path });
    const shown = page.frameLocator('iframe[title="Preview"]').frameLocator('iframe[title="Live preview"]');
    await shown.getByRole('heading', { level: 1, name: 'A draft of the title' }).waitFor();
    await send({ type: 'trivet:entry', entry: { ...(await articles().get(id)), fields: TYPED } });
    await shown.getByRole('heading', { level: 1, name: TYPED.title }).waitFor();
    await shown.getByText('Its text').waitFor();
    await shown.getByRole('heading', { level: 1 }).click();
    await until(() => page.evaluate<boolean>(`window.received.includes('trivet:field title')`));
    await articles().drafts.discard(id);
  });

  it('has no page for what does not exist, and none for a link that has ended', async () => {
    for (const path of ['/articles/none', '/none', `/articles/${FIRST}?preview=none`]) {
      expect([path, (await fetch(address + path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${address}/webhook`, { method: 'POST', body: '{}' })).status).toBe(401);
  });

  const showsChanges = async () => {
    const { id, fields } = await articles().getBy('slug', FIRST);
    const titleAt = async () =>
      /<h1[^>]*>(.*?)<\/h1>/.exec(await (await fetch(`${address}/articles/${FIRST}`)).text())?.[1];
    expect(await titleAt()).toBe(fields.title);
    const title = `${fields.title}!`;
    await articles().update(id, { title });
    await until(async () => (await titleAt()) === title);
  };

  it('shows a change as soon as the service has told it, over events that the command forwards', async () => {
    expect(site.output).toContain('forwards the events');
    await showsChanges();
  });

  it('keeps its pages while the service is away, and undoes what it set up when it ends', async () => {
    const keys = async () => (await trivet().request('listKeys')).data.filter(({ name }) => name === 'Example site');
    expect(await keys()).toHaveLength(1);
    expect(await site.stop()).toBe(0);
    const { preview_url } = (
      await trivet().request('getContentType', { path: { content_type_id: 'magazine-article' } })
    ).data;
    expect([preview_url, await keys()]).toEqual([undefined, []]);
    await startSite();
    await fetch(address);
    await service.stop();
    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(`${address}/search?q=bread`)).status).toBe(502);
    await site.stop();
  });

  it('shows a change over a webhook, where the service may send one to this machine', async () => {
    await startService({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    await startSite();
    expect(site.output).toContain('A webhook tells it');
    await showsChanges();
    await site.stop();
    expect((await trivet().request('listWebhooks')).data.filter((each) => each.url?.startsWith(address))).toEqual([]);
  });
});

const TYPED = { title: 'Typed a moment ago', standfirst: '', body: '<p>Its text</p>' };

/** Puts the preview frame into a page of the console, in place of an entry. */
const FRAMED = `(path) => {
  const frame = document.createElement('iframe');
  window.received = [];
  window.addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow) window.received.push([data.type, data.field].filter(Boolean).join(' '));
  });
  window.sendToFrame = (message) => frame.contentWindow.postMessage(message, location.origin);
  frame.title = 'Preview';
  frame.src = path;
  document.body.append(frame);
}`;

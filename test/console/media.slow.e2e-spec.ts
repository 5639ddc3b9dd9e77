import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { files } from '../support/files.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

const NARROW = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' as const };
const WIDE = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' as const };
const HOSTILE = '"><img src=x onerror="document.title=1">';

describeWithBrowser('media in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (tenant: TestTenant, query = '', options = {}, key = tenant.key) =>
    (await openSignedIn(app, browser, { key }, `/${tenant.id}/media${query}`, options)).page;
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const shown = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('link');
  const dialog = (page: Page, name: string) => by(page)('dialog', name);
  const stored = async (tenant: TestTenant) =>
    (
      (await tenant.http.get(`/v1/media/${tenant.id}`).expect(200)).body as {
        data: { filename: string; alt: string }[];
      }
    ).data;
  const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  async function keyOf(tenant: TestTenant, scope: string): Promise<string> {
    const made = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: scope, scopes: [scope] }).expect(201);
    return (made.body as { data: { key: string } }).data.key;
  }

  async function chooseFiles(page: Page, chosen: { name: string; mimeType: string; buffer: Buffer }[]) {
    const chooser = page.waitForEvent('filechooser');
    await by(page)('button', 'Upload').click();
    await (await chooser).setFiles(chosen);
  }

  /** Makes an entry whose cover is the file. */
  async function use(tenant: TestTenant, id: string, title: string): Promise<void> {
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'cover', type: 'media' },
    ];
    await tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'Post', slug: 'post', fields });
    const entry = { fields: { title, cover: { id } }, status: 'published' };
    await tenant.http.post(`/v1/content/${tenant.id}/types/post/entries`, entry).expect(201);
  }

  it('uploads several files at once, three at a time, each of which can be cancelled', async () => {
    const tenant = app.tenant();
    const page = await open(tenant);
    await page.getByText('No files yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const held: (() => void)[] = [];
    await page.route(`**/v1/media/${tenant.id}`, async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'];
    await chooseFiles(
      page,
      names.map((name) => ({ name, mimeType: 'application/pdf', buffer: files.pdf() })),
    );
    const work = (name: string) => page.getByRole('article').filter({ hasText: `Upload ${name}` });
    await by(page)('progressbar', 'Upload d.pdf').waitFor();
    await work('d.pdf').getByText('Waiting').waitFor();
    await until(() => Promise.resolve(held.length === 3));
    expect(await violationsOf(page)).toEqual([]);
    await work('b.pdf').getByRole('button', { name: 'Cancel' }).click();
    await work('b.pdf').waitFor({ state: 'detached' });
    await work('d.pdf').getByText('Waiting').waitFor({ state: 'detached' });
    for (const release of held) release();
    await page.unroute(`**/v1/media/${tenant.id}`);
    for (const name of ['a.pdf', 'c.pdf', 'd.pdf']) await shown(page).filter({ hasText: name }).waitFor();
    expect((await stored(tenant)).map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'c.pdf', 'd.pdf']);
  });

  it('says what was not uploaded and why, and tries it again', async () => {
    const tenant = app.tenant();
    const page = await open(tenant);
    await chooseFiles(page, [{ name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: files.exe() }]);
    const work = page.getByRole('article').filter({ hasText: 'Upload tool.exe' });
    await work.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await work.getByRole('button', { name: 'Try again' }).click();
    await work.getByRole('alert').waitFor();
    await work.getByRole('button', { name: 'Dismiss' }).click();
    await work.waitFor({ state: 'detached' });
  });

  it('uploads what is dropped on the page or pasted', async () => {
    const tenant = app.tenant();
    const page = await open(tenant);
    await page.getByText('No files yet').waitFor();
    const bytes = JSON.stringify([...(await files.png())]);
    const transfer = (name: string) =>
      `const data = new DataTransfer(); data.items.add(new File([new Uint8Array(${bytes})], '${name}', { type: 'image/png' }));`;
    await page.evaluate(`{ ${transfer('dropped.png')}
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })); }`);
    await shown(page).filter({ hasText: 'dropped.png' }).waitFor();
    await page.evaluate(`{ ${transfer('pasted.png')}
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); }`);
    await shown(page).filter({ hasText: 'pasted.png' }).waitFor();
    expect((await stored(tenant)).map(({ filename }) => filename)).toEqual(['pasted.png', 'dropped.png']);
  });

  it('lists what has no alternative text, and gives it one', async () => {
    const tenant = app.tenant();
    await upload(app, tenant, await files.png(400, 300), 'cat.png');
    await upload(app, tenant, await files.png(), 'dog.png', 'A dog');
    await upload(app, tenant, files.pdf(), 'paper.pdf', 'A paper');
    const page = await open(tenant, '', WIDE);
    await shown(page).nth(2).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('checkbox', 'Without alternative text').check();
    await shown(page).nth(1).waitFor({ state: 'detached' });
    expect(page.url()).toContain('without_alt=true');
    await shown(page).first().click();
    await dialog(page, 'cat.png').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'Alternative text').fill('A cat');
    await dialog(page, 'cat.png').getByText('Not saved').waitFor();
    await by(page)('button', 'Save').click();
    await dialog(page, 'cat.png').getByText('Saved', { exact: true }).waitFor();
    await dialog(page, 'cat.png').getByText('400 × 300').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Every file of these has an alternative text.').waitFor();
    await by(page)('button', 'Show all files').click();
    await by(page)('combobox', 'Kind').selectOption('Documents and archives');
    await shown(page).nth(1).waitFor({ state: 'detached' });
    expect(await shown(page).first().textContent()).toContain('PDF');
    await by(page)('combobox', 'Kind').selectOption('All kinds');
    await by(page)('searchbox', 'Search').fill('cat');
    await shown(page).nth(1).waitFor({ state: 'detached' });
    expect((await stored(tenant)).find(({ filename }) => filename === 'cat.png')?.alt).toBe('A cat');
  });

  it('saves what was typed when a file is closed, and stays open if that fails', async () => {
    const tenant = app.tenant();
    const { id } = await upload(app, tenant, files.pdf(), 'paper.pdf');
    const page = await open(tenant, `?file=${id}`);
    const alternative = by(page)('textbox', 'Alternative text');
    await alternative.waitFor();
    // Before it is typed: what was typed is saved by itself after a moment.
    await page.route(`**/v1/media/${tenant.id}/${id}`, (route) => route.abort());
    await alternative.fill('A paper');
    await page.keyboard.press('Escape');
    await dialog(page, 'paper.pdf').getByRole('alert').waitFor();
    expect(await alternative.inputValue()).toBe('A paper');
    await page.unroute(`**/v1/media/${tenant.id}/${id}`);
    await by(page)('button', 'Close').click();
    await dialog(page, 'paper.pdf').waitFor({ state: 'detached' });
    expect((await stored(tenant))[0]?.alt).toBe('A paper');
  });

  it('says where a file is used, and deletes it only after that', async () => {
    const tenant = app.tenant();
    const { id, url } = await upload(app, tenant, files.pdf(), 'paper.pdf', 'A paper');
    await use(tenant, id, HOSTILE);
    await use(tenant, id, 'Second');
    const page = await open(tenant, `?file=${id}`);
    const link = by(page)('link', 'Open');
    expect(await link.getAttribute('href')).toBe(url);
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer']);
    await by(page)('link', HOSTILE).waitFor();
    expect(await by(page)('link', 'Second').getAttribute('href')).toContain(`/${tenant.id}/content/post/ent_`);
    await by(page)('button', 'Delete').click();
    await dialog(page, 'Delete paper.pdf?').getByText('2 entries use it').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await stored(tenant)).toHaveLength(1);
    await by(page)('button', 'Delete although it is used').click();
    await said(page, 'paper.pdf was deleted.');
    await page.getByText('No files yet').waitFor();
    expect(await stored(tenant)).toHaveLength(0);
  });

  it('downloads a file under its name', async () => {
    const tenant = app.tenant();
    const { id } = await upload(app, tenant, files.svg(), 'drawing.svg');
    const page = await open(tenant, `?file=${id}`);
    const download = page.waitForEvent('download');
    await by(page)('button', 'Download').click();
    expect((await download).suggestedFilename()).toBe('drawing.svg');
  });

  it('shows hostile names as text, and no file that may hold code', async () => {
    const tenant = app.tenant();
    const script = '<script>document.title = 1</script>';
    const { id } = await upload(app, tenant, files.svg(script), HOSTILE.replaceAll('"', "'"), HOSTILE);
    await upload(app, tenant, files.pdf(), `${'W'.repeat(140)}.pdf`);
    const page = await open(tenant, '', NARROW);
    await shown(page).filter({ hasText: 'SVG' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shown(page).filter({ hasText: 'SVG' }).click();
    expect(await by(page)('textbox', 'Alternative text').inputValue()).toBe(HOSTILE);
    expect(await page.locator(`img[src*="${id}"], iframe, object, embed`).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    expect(await page.title()).toBe('Media · Trivet');
  });

  it('shows pictures of a tenant that serves signed copies only', async () => {
    const signed = {
      id: 'ten_signed',
      name: 'Signed',
      media: { signed_variants: true },
      api_keys: [{ key: 'signed-key' }],
    };
    const other = await startApp({ TENANTS: JSON.stringify([signed]) });
    try {
      const tenant = { id: signed.id, key: 'signed-key', http: other.client('Bearer signed-key') };
      const { id } = await upload(other, tenant, await files.png(400, 300), 'cat.png');
      const { page } = await openSignedIn(other, browser, tenant, `/${tenant.id}/media`);
      const picture = page.locator(`img[src*="${id}"][src*="&s="]`).first();
      await picture.waitFor();
      await until(() =>
        picture.evaluate((image: unknown) => {
          const { complete, naturalWidth } = image as { complete: boolean; naturalWidth: number };
          return complete && naturalWidth > 0;
        }),
      );
    } finally {
      await other.close();
    }
  });

  it('shows what the rights allow', async () => {
    const tenant = app.tenant();
    const { id } = await upload(app, tenant, files.pdf(), 'paper.pdf', 'A paper');
    const reader = await keyOf(tenant, 'media:read');
    const page = await open(tenant, `?file=${id}`, {}, reader);
    await dialog(page, 'paper.pdf').waitFor();
    expect(await by(page)('textbox', 'Alternative text').getAttribute('readonly')).not.toBeNull();
    expect(await by(page)('button', 'Save').count()).toBe(0);
    expect(await by(page)('button', 'Delete').count()).toBe(0);
    await by(page)('button', 'Close').click();
    await shown(page).first().waitFor();
    expect(await by(page)('button', 'Upload').count()).toBe(0);
    const other = await open(tenant, '', {}, await keyOf(tenant, 'forms:read'));
    await other.getByText('media:read').waitFor();
    expect(await by(other)('link', 'Media').count()).toBe(0);
  });
});

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { createDrafts, createType } from '../support/content.js';

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

describeWithBrowser('the page of an entry in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;

  const open = async (options: BrowserContextOptions) => {
    const tenant = app.tenant();
    const fields = [
      { name: 'title', label: SCRIPT, help: SCRIPT, placeholder: SCRIPT, type: 'text' },
      { name: 'body', label: 'Text', type: 'rich_text' },
      { name: 'cover', label: 'Cover', type: 'media' },
      {
        name: 'parts',
        label: 'Parts',
        type: 'blocks',
        blocks: [{ name: 'quote', label: SCRIPT, fields: [{ name: 'text', label: 'Words', type: 'text' }] }],
      },
    ];
    const type = await createType(tenant, fields, SCRIPT);
    const [id = ''] = await createDrafts(tenant, type, {
      title: SCRIPT,
      body: `<p>Tide</p>${SCRIPT}`,
      cover: { url: 'https://elsewhere.example/x.png', alt: SCRIPT },
      parts: [
        { block: 'quote', text: '\u202eexe.txt' },
        { block: 'quote', text: 'x'.repeat(3_000) },
      ],
    });
    const path = `/${tenant.id}/content/${type.id}/${id}`;
    return { tenant, type, id, ...(await openSignedIn(app, browser, tenant, path, options)) };
  };

  it.each<[string, BrowserContextOptions]>([
    ['light, at 1,280 pixels', { viewport: { width: 1280, height: 800 } }],
    ['dark, at 375 pixels', { viewport: { width: 375, height: 740 }, colorScheme: 'dark' }],
  ])('shows hostile values as text: %s', async (_, options) => {
    const { tenant, type, id, page, errors, requests } = await open(options);
    await by(page)('textbox', SCRIPT).waitFor();
    await by(page)('textbox', 'Text').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'As shown').click();
    const frame = page.locator('iframe');
    await frame.waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('');
    await by(page)('button', 'More').click();
    await by(page)('menuitem', 'Delete').click();
    await by(page)('button', 'Delete').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Cancel').click();
    expect(await page.title()).toContain('<img');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(options.viewport!.width);
    expect(requests.filter((url) => url.includes('elsewhere'))).toEqual([]);
    expect(await page.locator('main img').count()).toBe(0);
    // The policy of the page stops the script of the frame too, and says so.
    expect(errors.filter((error) => !/script|sandbox|Content Security Policy|frame|ERR_/i.test(error))).toEqual([]);
    await by(page)('button', 'More').click();
    await by(page)('menuitem', 'Delete').click();
    await by(page)('button', 'Delete').click();
    await page.getByText('The entry was deleted.').waitFor();
    await tenant.http.get(`${type.entries}/${id}`).expect(404);
  });

  it('can be used with the keyboard alone', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', label: 'Title', type: 'text', required: true }], 'Note');
    const { page } = await openSignedIn(app, browser, tenant, `/${tenant.id}/content/note/new`);
    await by(page)('textbox', 'Title').waitFor();
    const tabTo = async (role: Parameters<Page['getByRole']>[0], name: string, key = 'Tab') => {
      const wanted = by(page)(role, name).and(page.locator(':focus'));
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press(key);
        if ((await wanted.count()) > 0) return;
      }
      throw new Error(`Tab does not reach ${name}.`);
    };
    await tabTo('textbox', 'Title');
    await page.keyboard.type('Tide');
    await tabTo('button', 'Publish', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Published', { exact: true }).waitFor();
    expect((await tenant.http.get(type.entries)).body.data).toMatchObject([{ status: 'published' }]);
    await tabTo('button', 'More', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await by(page)('menuitem', 'Unpublish').waitFor();
    await page.keyboard.press('u');
    await page.keyboard.press('Enter');
    await by(page)('button', 'Unpublish').waitFor();
    await tabTo('button', 'Unpublish');
    await page.keyboard.press('Enter');
    await page.getByText('Draft', { exact: true }).waitFor();
  });
});

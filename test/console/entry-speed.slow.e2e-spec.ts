import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn } from '../support/console.js';
import { createDrafts, createType } from '../support/content.js';

const KEYSTROKES = 40;

describeWithBrowser('typing into a long form in the console', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const open = async (count: number): Promise<Page> => {
    const tenant = app.tenant();
    const fields = Array.from({ length: count }, (_, index) => ({ name: `f${index}`, type: 'text' }));
    const type = await createType(tenant, fields, 'Long');
    const values = Object.fromEntries(fields.map(({ name }) => [name, 'x'.repeat(200)]));
    const [id] = await createDrafts(tenant, type, values);
    const { page } = await openSignedIn(app, browser, tenant, `/${tenant.id}/content/long/${id}`);
    await namedOn(page).getByRole('textbox', 'f0').click();
    return page;
  };

  /** Milliseconds of script of a keystroke, at the median: from the event until React has drawn what follows from it. */
  const scriptPerKey = async (page: Page): Promise<number> => {
    await page.evaluate(`
      window.taken = [];
      let began = 0;
      addEventListener('input', () => (began = performance.now()), true);
      // React handles it at its root, below the window, before the event bubbles up to here.
      addEventListener('input', () => window.taken.push(performance.now() - began));
    `);
    for (let key = 0; key < KEYSTROKES; key++) await page.keyboard.press('a');
    const taken = await page.evaluate<number[]>('window.taken');
    expect(taken.length).toBe(KEYSTROKES);
    return taken.sort((one, other) => one - other)[KEYSTROKES / 2]!;
  };

  it('takes hardly longer with 100 fields than with one', async () => {
    const [short, long] = [await open(1), await open(100)];
    const [one, hundred] = [await scriptPerKey(short), await scriptPerKey(long)];
    process.stdout.write(`A keystroke: ${one.toFixed(2)} ms with 1 field, ${hundred.toFixed(2)} ms with 100.\n`);
    // If all fields were drawn again, it would take a hundred times as long.
    expect(hundred).toBeLessThan(10 * Math.max(one, 0.5));
  });

  it('draws no other field again', async () => {
    const page = await open(100);
    await page.evaluate(`
      window.changed = new Set();
      new MutationObserver((records) => {
        for (const { target } of records) window.changed.add(target.closest?.('textarea')?.id ?? target.nodeName);
      }).observe(document.querySelector('[role=tabpanel]'), { subtree: true, childList: true, attributes: true });
    `);
    for (let key = 0; key < 5; key++) await page.keyboard.press('a');
    expect(await page.evaluate<number>('window.changed.size')).toBeLessThanOrEqual(1);
  });
});

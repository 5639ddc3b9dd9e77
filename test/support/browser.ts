import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFailure } from './test-failure.js';

/** The Chromium of the tests: `CHROMIUM`, or that of a package of Debian's. The shell, which has no windows, takes much less time. */
const CHROMIUM =
  process.env['CHROMIUM'] ||
  (['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? '/usr/bin/chromium');

/** For what a page does by itself. A busy machine takes long. */
const PATIENCE_MS = 60_000;

/** What a browser accepts for a page that it opens. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** Chromium must not contact its maker's services. */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** A page in a profile of its own, and what happened on it. */
export interface ObservedPage {
  page: Page;
  /** Uncaught errors, and errors on the console: these include violations of the content security policy and failed requests. */
  errors: string[];
  /** The URLs of all requests, in their order. */
  requests: string[];
}

/** The pages that are open, in the order in which they were opened. */
const opened: ObservedPage[] = [];

/**
 * Defines tests that need a Chromium. Without one they are skipped and listed by name, or fail in CI. Pages that a test opens are closed
 * when it ends, because they would go on to work. The message of a failure says what they showed.
 */
export function describeWithBrowser(name: string, tests: () => void): void {
  const isInstalled = existsSync(CHROMIUM);
  (isInstalled ? describe : describe.skip)(name, () => {
    let before = 0;
    beforeEach(() => {
      before = opened.length;
      onTestFailure(() => Promise.all(opened.map(descriptionOf)));
    });
    afterEach(() => Promise.all(opened.splice(before).map(({ page }) => page.context().close())));
    afterAll(() => {
      onTestFailure(undefined);
      opened.length = 0;
    });
    tests();
  });
  if (isInstalled || process.env['CI'] !== 'true') return;
  it(`${name}: a Chromium at ${CHROMIUM}`, () => {
    throw new Error('No Chromium is installed, and in CI one must be.');
  });
}

/** Starts a Chromium without windows. The caller closes it: `await browser.close()`. */
export function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root and in most containers. The tests only open pages of this project.
  return chromium.launch({ executablePath: CHROMIUM, chromiumSandbox: false, args: FLAGS });
}

/** Opens an empty page in a new profile, so that it shares no cache, storage or cookies with other pages. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<ObservedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('request', (request) => requests.push(request.url()));
  const observed = { page, errors, requests };
  opened.push(observed);
  return observed;
}

/** What is seen on a page, for the message of a failure. */
async function descriptionOf({ page, errors, requests }: ObservedPage): Promise<string> {
  const seen = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
  return [`The page ${page.url()} shows:`, seen, ...errors, ...requests.slice(-10)].join('\n').slice(0, 6_000);
}

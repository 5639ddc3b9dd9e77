import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The Chromium of the tests: `CHROMIUM`, or that of Debian's package. */
const CHROMIUM = process.env['CHROMIUM'] || '/usr/bin/chromium';

/** For what a page does by itself. A busy machine takes long. */
const PATIENCE_MS = 8_000;

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

/** Defines tests that need a Chromium. Without one they are skipped and listed by name, or fail in CI. */
export function describeWithBrowser(name: string, tests: () => void): void {
  const isInstalled = existsSync(CHROMIUM);
  (isInstalled ? describe : describe.skip)(name, tests);
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
  return { page, errors, requests };
}

import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestApp } from './app.js';
import { type ObservedPage, openPage } from './browser.js';
import type { TestPerson } from './people.js';

/** The address of a page of the console, with the host that the cookie belongs to. */
export function consoleUrl({ url }: Pick<TestApp, 'url'>, path = ''): string {
  return `http://localhost:${new URL(url).port}/console${path}`;
}

/** Opens a page of the console in a new profile. */
export async function openConsole(
  app: TestApp,
  browser: Browser,
  path = '',
  options: BrowserContextOptions = {},
): Promise<ObservedPage> {
  const opened = await openPage(browser, options);
  await opened.page.goto(consoleUrl(app, path));
  return opened;
}

/** Signs in on the page that is shown. */
export async function enterPassword(page: Page, { email, password }: Pick<TestPerson, 'email' | 'password'>) {
  const { getByRole } = namedOn(page);
  await getByRole('textbox', 'Email').fill(email);
  await getByRole('textbox', 'Password').fill(password);
  await getByRole('button', 'Sign in').click();
}

/** Opens a page of the console as this person, or with this key. */
export async function openSignedIn(
  app: TestApp,
  browser: Browser,
  who: Pick<TestPerson, 'email' | 'password'> | { key: string },
  path = '',
  options: BrowserContextOptions = {},
): Promise<ObservedPage> {
  const opened = await openPage(browser, options);
  const credentials = 'key' in who ? { key: who.key } : { email: who.email, password: who.password };
  const { origin } = new URL(consoleUrl(app));
  const response = await opened.page.request.post(`${origin}/v1/sessions`, {
    data: credentials,
    headers: { Origin: origin },
  });
  if (response.status() !== 201) throw new Error(`Signing in answers ${response.status()} ${await response.text()}`);
  await opened.page.goto(consoleUrl(app, path));
  return opened;
}

type Role = Parameters<Page['getByRole']>[0];

/** Finds elements by role and exact name. */
export function namedOn(page: Pick<Page, 'getByRole'>) {
  return { getByRole: (role: Role, name: string) => page.getByRole(role, { name, exact: true }) };
}

/** Returns what axe finds wrong with the page as it is shown. */
export async function violationsOf(page: Page): Promise<string[]> {
  // A colour that is fading in would be measured too early. What shows that something goes on has no end.
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => undefined)),
  )`);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';
import { consoleUrl, namedOn, openConsole, openSignedIn, violationsOf } from '../support/console.js';
import { startOidcProvider } from '../support/oidc-provider.js';
import { providerSetting } from '../support/oidc-flows.js';
import { freePort, startProxy } from '../support/proxy.js';
import { freshEmail, invite, makePerson } from '../support/people.js';

/** An authenticator of the browser, whose passkeys answer without being asked. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describeWithBrowser('passkeys in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let tenant: TestTenant;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
    tenant = app.tenant();
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const signOut = async (page: Page) => {
    await by(page)('button', 'Account').click();
    await by(page)('menuitem', 'Sign out').click();
  };

  it('are added under Me, sign in, and are removed', async () => {
    const person = await makePerson(app, [tenant.id]);
    const { page } = await openSignedIn(app, browser, person, `/${tenant.id}/me`);
    await addAuthenticator(page);
    await page.getByText('You have no passkeys.').waitFor();
    await by(page)('button', 'Add passkey').click();
    const row = page.getByRole('listitem').filter({ hasText: /^.*Added / });
    await row.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await signOut(page);
    await by(page)('button', 'Sign in with a passkey').click();
    await by(page)('button', 'Account').waitFor();
    await page.goto(consoleUrl(app, `/${tenant.id}/me`));
    await row.getByRole('button', { name: 'Remove' }).click();
    await by(page)('button', 'Remove passkey').click();
    await page.getByText('You have no passkeys.').waitFor();
  });

  it('accept an invitation in the place of a password', async () => {
    const { token } = await invite(app, tenant, { email: freshEmail() });
    const { page } = await openConsole(app, browser, `/invitation#${token}`);
    await addAuthenticator(page);
    await by(page)('textbox', 'Name').fill('Grace Hopper');
    await by(page)('button', 'Use a passkey instead').click();
    await by(page)('button', 'Account').waitFor();
    await signOut(page);
    await by(page)('button', 'Sign in with a passkey').click();
    await by(page)('button', 'Account').waitFor();
  });

  it('that are not there leave the page as it was, and say so', async () => {
    const { page } = await openConsole(app, browser, '/sign-in');
    await by(page)('button', 'Sign in with a passkey').waitFor();
    await page.evaluate('navigator.credentials.get = () => Promise.reject(new DOMException("", "NotAllowedError"))');
    await by(page)('button', 'Sign in with a passkey').click();
    await page.getByRole('alert').getByText('No passkey was used.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

describeWithBrowser('a provider of OpenID Connect in the console', () => {
  let browser: Browser;
  let app: TestApp;
  let url: string;
  let stop: () => Promise<unknown>;
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  beforeAll(async () => {
    browser = await openBrowser();
    // The provider must know the address of the service before the service starts.
    const port = await freePort();
    url = `http://localhost:${port}`;
    provider = await startOidcProvider([`${url}/v1/oidc/acme/callback`]);
    provider.signInAs({ id: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' } });
    const oidcProviders = ([id]: string[]) => [
      { ...providerSetting('acme', provider.issuer, [{ id, default_role: 'viewer' }]), name: 'Acme' },
      { ...providerSetting('down', 'http://localhost:9', [{ id, default_role: 'viewer' }]), name: 'Nobody' },
    ];
    app = await startApp({ PUBLIC_URL: url }, { oidcProviders });
    const proxy = await startProxy(port, { host: '127.0.0.1', port: Number(new URL(app.url).port) });
    stop = async () => {
      await app.close();
      await provider.close();
      proxy.close();
    };
  });
  afterAll(async () => {
    await browser.close();
    await stop();
  });

  it('signs in, and leads back to the page that was asked for', async () => {
    const { page } = await openPage(browser);
    const { id } = app.tenant();
    await page.goto(`${url}/console/${id}/me?a=b&c=%2F%2Fevil.example`);
    await namedOn(page).getByRole('button', 'Sign in with Acme').click();
    await namedOn(page).getByRole('heading', 'Me').waitFor();
    expect(page.url()).toBe(`${url}/console/${id}/me?a=b&c=%2F%2Fevil.example`);
    await page.getByText('ada@example.com').first().waitFor();
  });

  it('leads back to an invitation, whose token no request has', async () => {
    const email = freshEmail();
    await makePerson(app, [app.config.tenants[0]!.id], 'viewer', email);
    provider.signInAs({ id: 'grace', claims: { email, email_verified: true, name: 'Grace Hopper' } });
    const { token } = await invite(app, app.tenant(), { email });
    const { page } = await openPage(browser);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).search));
    await page.goto(`${url}/console/invitation#${token}`);
    await namedOn(page).getByRole('button', 'Sign in with Acme').click();
    await namedOn(page).getByRole('button', 'Accept invitation').waitFor();
    expect(requests.some((search) => search.includes('return_to'))).toBe(true);
    expect(requests.join()).not.toContain('tvi_');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('signs in beside a page whose session has ended, which then goes on', async () => {
    provider.signInAs({ id: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' } });
    const { page } = await openPage(browser);
    await page.goto(`${url}/console/${app.config.tenants[0]!.id}/me`);
    await namedOn(page).getByRole('button', 'Sign in with Acme').click();
    await namedOn(page).getByRole('textbox', 'Name').fill('Typed before');
    await page.context().clearCookies({ name: 'trivet' });
    await namedOn(page).getByRole('button', 'Save name').click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Sign in with Acme' }).click(),
    ]);
    await other.waitForURL(/\/console\//);
    await namedOn(other).getByRole('button', 'Tenant').or(other.getByRole('heading').first()).first().waitFor();
    await page.bringToFront();
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Your name was saved.').first().waitFor();
    expect(page.url()).toContain('/me');
  });

  it('that does not answer is named as the cause, and another way is left', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${url}/console/sign-in`);
    await namedOn(page).getByRole('button', 'Sign in with Nobody').click();
    await page.getByRole('alert').getByText('The provider does not answer.').waitFor();
    await namedOn(page).getByRole('textbox', 'Email').waitFor();
  });
});

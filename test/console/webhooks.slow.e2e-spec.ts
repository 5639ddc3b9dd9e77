import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { namedOn, openSignedIn, violationsOf } from '../support/console.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';

const NARROW = { viewport: { width: 375, height: 800 } };
const HOSTILE = '<img src=x onerror="document.title=\'hacked\'">';

describeWithBrowser('webhooks in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, browser, receiver] = await Promise.all([startApp(RECEIVER_ENV), openBrowser(), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), browser.close(), receiver.close()]));

  const by = (page: Page) => namedOn(page).getByRole;
  const open = async (tenant: TestTenant, path: string, key = tenant.key) =>
    openSignedIn(app, browser, { key }, `/${tenant.id}${path}`);
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const webhookOf = async (tenant: TestTenant, path: string, body: object = {}) => {
    const values = { url: receiver.url(path), events: ['entry.created'], ...body };
    const answer = await tenant.http.post(`/v1/webhooks/${tenant.id}`, values).expect(201);
    return (answer.body as { data: { id: string } }).data.id;
  };

  it('are made with headers, filters and a secret that is shown once', async () => {
    const tenant = app.tenant();
    const { page } = await open(tenant, '/webhooks');
    await page.getByText('There is no webhook yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'New webhook').click();
    await by(page)('button', 'Create webhook').click();
    await page.getByText('Enter the URL that receives events.').waitFor();
    await by(page)('textbox', 'URL').fill('http://not-secure.example.com/');
    await page.getByRole('checkbox', { name: 'entry.published' }).check();
    await by(page)('button', 'Add header').click();
    await by(page)('textbox', 'Header').fill('Authorization');
    await by(page)('textbox', 'Value').fill('Bearer 123');
    await by(page)('button', 'Create webhook').click();
    await page.locator('input[name=url][aria-invalid]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('textbox', 'URL').fill(receiver.url('/made'));
    await by(page)('button', 'Create webhook').click();
    expect(await by(page)('textbox', 'Secret').inputValue()).toMatch(/^whsec_/);
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'I have kept it').click();
    await by(page)('heading', new URL(receiver.url('/made')).host).waitFor();
    const { body } = await tenant.http.get(`/v1/webhooks/${tenant.id}?view=full`);
    expect((body as { data: object[] }).data).toMatchObject([
      { url: receiver.url('/made'), events: ['entry.published'], headers: { Authorization: '***' }, signed: true },
    ]);
  });

  it('are sent a test, whose delivery shows its attempts, and which is sent again', async () => {
    const tenant = app.tenant();
    receiver.answer('/test', () => ({ status: 500, body: HOSTILE }));
    const id = await webhookOf(tenant, '/test', { description: HOSTILE });
    const { page } = await open(tenant, `/webhooks/${id}`);
    await page.getByText('Nothing was sent yet').waitFor();
    await by(page)('button', 'Send test').click();
    await said(page, 'A test event is on its way.');
    await page.getByRole('button', { name: /^webhook\.test/ }).click();
    await page.getByText('Status 500').first().waitFor();
    await page.getByText(HOSTILE).last().waitFor();
    expect(await page.title()).toBe(`${HOSTILE} · Trivet`);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('say which deliveries failed, and send them again', async () => {
    const tenant = app.tenant();
    receiver.answer('/gone', (_, count) => (count === 0 ? 410 : 200));
    const id = await webhookOf(tenant, '/gone');
    await tenant.http.post(`/v1/webhooks/${tenant.id}/${id}/test`).expect(202);
    await receiver.until('/gone', 1);
    const { page } = await open(tenant, `/webhooks/${id}`);
    await page.getByText('The receiver answered that it is gone (410).').waitFor();
    await by(page)('combobox', 'State').selectOption('succeeded');
    await page.getByText('No delivery is delivered.').waitFor();
    await by(page)('combobox', 'State').selectOption('failed');
    await page.getByRole('button', { name: /^webhook\.test/ }).waitFor();
    await by(page)('tab', 'Settings').click();
    await page.getByRole('checkbox', { name: 'Active' }).check();
    await by(page)('button', 'Save webhook').click();
    await said(page, 'The webhook was saved.');
    await by(page)('tab', 'Deliveries').click();
    await by(page)('button', 'Redeliver').click();
    await said(page, 'The event is sent again.');
    await receiver.until('/gone', 2);
  });

  it('keep to some languages', async () => {
    const tenant = app.tenant();
    const locales = [
      { code: 'en', name: 'English' },
      { code: 'de', name: 'German' },
    ];
    await tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
    const id = await webhookOf(tenant, '/languages');
    const { page } = await open(tenant, `/webhooks/${id}`);
    await by(page)('tab', 'Settings').click();
    await page.getByText('Only some of them').click();
    await page.getByRole('checkbox', { name: 'German' }).check();
    await by(page)('button', 'Save webhook').click();
    await said(page, 'The webhook was saved.');
    const { body } = await tenant.http.get(`/v1/webhooks/${tenant.id}/${id}?view=full`).expect(200);
    expect((body as { data: object }).data).toMatchObject({ filters: { locales: ['de'] } });
  });

  it('replay the events of a time, which are counted first', async () => {
    const tenant = app.tenant();
    const type = { name: 'Post', fields: [{ name: 'title', type: 'text' }] };
    await tenant.http.post(`/v1/content/${tenant.id}/types`, type).expect(201);
    const entries = `/v1/content/${tenant.id}/types/post/entries`;
    for (const title of ['One', 'Two']) await tenant.http.post(entries, { fields: { title } }).expect(201);
    const id = await webhookOf(tenant, '/replay');
    const { page } = await open(tenant, `/webhooks/${id}`);
    await by(page)('button', 'Replay').click();
    await by(page)('textbox', 'From').fill('2020-01-01T00:00');
    await by(page)('button', 'Count').click();
    await by(page)('button', 'Replay 2 events').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await by(page)('button', 'Replay 2 events').click();
    await said(page, '2 events will be sent again.');
    expect((await receiver.until('/replay', 2)).map(({ body }) => body.type)).toEqual([
      'entry.created',
      'entry.created',
    ]);
  });

  it('show events as they happen', async () => {
    const tenant = app.tenant();
    const { page } = await open(tenant, '/webhooks');
    await by(page)('tab', 'Events').click();
    await page.getByText('Waiting for events').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const form = { name: HOSTILE, slug: 'contact', fields: [{ name: 'message', type: 'text' }] };
    await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
    await page.getByText('form.created').click();
    await page.getByText(JSON.stringify(HOSTILE)).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(page.url()).toContain('?tab=events');
  });

  it('fit a narrow and dark screen, and are deleted after a question', async () => {
    const tenant = app.tenant();
    const id = await webhookOf(tenant, `/${'long'.repeat(100)}`);
    const who = { key: tenant.key };
    const { page } = await openSignedIn(app, browser, who, `/${tenant.id}/webhooks`, {
      ...NARROW,
      colorScheme: 'dark',
    });
    await page.getByText('Nothing sent yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await page.goto(page.url() + `/${id}`);
    await page.getByText('Nothing was sent yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await by(page)('button', 'Delete').click();
    await by(page)('button', 'Delete webhook').click();
    await said(page, 'The webhook was deleted.');
    await page.getByText('There is no webhook yet').waitFor();
  });

  it('have no buttons for those who may only read', async () => {
    const tenant = app.tenant();
    const id = await webhookOf(tenant, '/read');
    const key = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'r', scopes: ['webhooks:read'] }).expect(201);
    const { page } = await open(tenant, `/webhooks/${id}`, (key.body as { data: { key: string } }).data.key);
    await page.getByText('Nothing was sent yet').waitFor();
    for (const name of ['Send test', 'Replay', 'Delete', 'Redeliver what failed']) {
      expect(await by(page)('button', name).count()).toBe(0);
    }
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Deliveries']);
  });
});

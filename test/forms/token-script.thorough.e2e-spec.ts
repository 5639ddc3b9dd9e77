import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';
import { until } from '../support/until.js';

describeWithBrowser('a page of another site with a form of its own', () => {
  let website: Server;
  let origin: string;
  let page: string;
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    website = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(page));
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    app = await startApp();
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
    website.close();
  });

  it('sends a time token with the script of the service, to forms of the service only', async () => {
    const tenant = app.tenant();
    const { body } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, {
        name: 'Contact',
        fields: [{ name: 'email', type: 'email' }],
        settings: { spam: { min_seconds: 86_400, require_token: true } },
      })
      .expect(201);
    const submissions = `/v1/forms/${tenant.id}/contact/submissions`;
    page = `<!doctype html><meta charset="utf-8"><title>A website</title><link rel="icon" href="data:,">
      <script src="${app.url}/f/token.js"></script>
      <form id="ours" method="post" action="${app.url}${submissions}"><input name="email"><button>Send</button></form>
      <form id="other" method="post" action="${submissions}"><input name="action"></form>`;
    const { page: opened, errors, requests } = await openPage(browser);
    await opened.goto(origin);
    await opened.waitForFunction('document.querySelector("#ours input[name=_t]")?.value');
    expect(await opened.evaluate('document.querySelector("#other input[name=_t]")')).toBeNull();
    expect(requests.filter((url) => url.endsWith('/challenge'))).toEqual([
      `${app.url}/v1/forms/${tenant.id}/contact/challenge`,
    ]);
    await opened.fill('#ours input[name=email]', 'ada@example.com');
    await opened.click('#ours button');
    const [submission] = await until(async () => {
      const path = `/v1/forms/${tenant.id}/${body.data.id}/submissions?verdict=any&view=full`;
      const { data } = (await tenant.http.get(path).expect(200)).body;
      return data.length > 0 && data;
    });
    // It arrived before the day had passed, which only a valid token tells.
    expect(submission.reasons).toEqual(['too_fast']);
    expect(errors).toEqual([]);
    await opened.context().close();
  });

  it('solves the challenge of a form with the script of the service, also for a page that sends it by itself', async () => {
    const tenant = app.tenant();
    const { body } = await tenant.http
      .post(`/v1/forms/${tenant.id}`, {
        name: 'Contact',
        fields: [{ name: 'email', type: 'email' }],
        settings: { spam: { challenge: true } },
      })
      .expect(201);
    const submissions = `${app.url}/v1/forms/${tenant.id}/contact/submissions`;
    page = `<!doctype html><meta charset="utf-8"><title>A website</title><link rel="icon" href="data:,">
      <form method="post" action="${submissions}"><input name="email"><button>Send</button></form>
      <p></p>
      <script>
        document.querySelector('form').addEventListener('submit', (event) => {
          if (!location.search) return;
          event.preventDefault();
          const fields = Object.fromEntries(new FormData(event.target));
          const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ fields }) };
          fetch(event.target.action, request).then(() => { document.querySelector('p').textContent += 'sent '; });
        });
      </script>
      <script src="${app.url}/f/token.js"></script>`;
    const list = async () => {
      const path = `/v1/forms/${tenant.id}/${body.data.id}/submissions?verdict=any&view=full&sort=created_at`;
      return (await tenant.http.get(path).expect(200)).body.data as { fields: { email: string }; reasons: string[] }[];
    };
    const { page: opened, errors } = await openPage(browser);
    const ready = () => opened.waitForFunction('document.querySelector("input[name=_altcha]")');

    await opened.goto(origin);
    await ready();
    await opened.fill('input[name=email]', 'ada@example.com');
    await opened.click('button');
    await opened.waitForURL(submissions);

    await opened.goto(`${origin}/?by=fetch`);
    await ready();
    for (const email of ['eve@example.com', 'bob@example.com']) {
      await opened.fill('input[name=email]', email);
      await opened.click('button');
      await opened.waitForFunction(
        `document.querySelector("p").textContent === "sent ".repeat(${email[0] === 'e' ? 1 : 2})`,
      );
    }
    expect((await list()).map(({ fields, reasons }) => [fields.email, reasons])).toEqual([
      ['ada@example.com', []],
      ['eve@example.com', []],
      ['bob@example.com', []],
    ]);
    expect(errors).toEqual([]);

    // Without a challenge, the form is sent as it is, so that nothing that a visitor wrote is lost.
    await opened.goto(origin);
    await ready();
    await opened.route('**/challenge', (route) => route.abort());
    await opened.fill('input[name=email]', 'kim@example.com');
    await opened.click('button');
    await opened.waitForURL(submissions);
    expect((await list()).at(-1)).toMatchObject({ fields: { email: 'kim@example.com' }, reasons: ['challenge'] });
    await opened.context().close();
  });
});

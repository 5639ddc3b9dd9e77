import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApp, type Http, type TestApp } from '../support/app.js';
import { files } from '../support/files.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';

const EVIL = '"><img src=x onerror=alert(1)></textarea></script><script>alert(2)</script>\'`{{7*7}}';

const FIELDS = [
  { name: 'name', type: 'text', required: true, label: 'Your name', help: 'As on your passport.', max: 40 },
  { name: 'email', type: 'email', required: true, label: 'Email' },
  { name: 'phone', type: 'tel', label: 'Telephone' },
  { name: 'site', type: 'url', label: 'Website' },
  { name: 'age', type: 'number', label: 'Age', min: 18, max: 120 },
  { name: 'day', type: 'date', label: 'Day' },
  { name: 'topic', type: 'select', label: 'Topic', options: ['Press', 'Sales'] },
  { name: 'colours', type: 'select', label: 'Colours', multiple: true, options: ['red', 'green', 'dark blue'] },
  {
    name: 'many',
    type: 'select',
    label: 'Many',
    multiple: true,
    options: Array.from({ length: 20 }, (_, i) => `o${i}`),
  },
  { name: 'message', type: 'textarea', label: 'Message', min: 3 },
  { name: 'terms', type: 'checkbox', required: true, label: 'I agree' },
  { name: 'source', type: 'hidden', default: 'page' },
];

describe('the page of a form', () => {
  let app: TestApp;
  let website: Server;
  let origin: string;
  beforeAll(async () => {
    // Its path is the form, its query `?base=` the service.
    website = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://website');
      const script = `${searchParams.get('base')}/f/embed.js`;
      const theme = searchParams.get('theme');
      const attribute = theme === null ? '' : ` data-theme="${theme}"`;
      const tag =
        pathname === '/thanks' ? '' : `<script src="${script}" data-form="${pathname.slice(1)}"${attribute}></script>`;
      const style = searchParams.get('style') ?? '';
      const page = `<!doctype html><html lang="en" style="${style}"><title>Website</title><link rel="icon" href="data:,"><main><h1>Website</h1>${tag}</main>`;
      response.setHeader('Content-Type', 'text/html').end(page);
    });
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    const keys = (name: string) => [{ name: 'admin', key: `${name}-admin` }];
    app = await startApp({
      TRUST_PROXY: '0',
      PUBLIC_RATE_LIMIT: '10000',
      TENANTS: JSON.stringify([
        { id: 'ten_open', name: 'Open', api_keys: keys('open') },
        { id: 'ten_own', name: 'Own', api_keys: keys('own'), allowed_origins: [origin] },
        { id: 'ten_closed', name: 'Closed', api_keys: keys('closed'), allowed_origins: ['https://shop.example'] },
      ]),
    });
  });
  afterAll(async () => {
    await app.close();
    website.close();
  });

  const admin = (tenant: string): Http => app.client(`Bearer ${tenant.slice(4)}-admin`);
  let forms = 0;
  async function newForm(tenant: string, body: object = {}) {
    const form = { name: 'Contact', slug: `form-${++forms}`, fields: FIELDS, ...body };
    const settings = { rate_limit: 600, ...(body as { settings?: object }).settings };
    const { data } = (
      await admin(tenant)
        .post(`/v1/forms/${tenant}`, { ...form, settings })
        .expect(201)
    ).body;
    return {
      url: `/f/${tenant}/${data.slug}`,
      path: `/v1/forms/${tenant}/${data.id}`,
      name: `${tenant}/${data.slug}`,
      submissions: async () =>
        (await admin(tenant).get(`/v1/forms/${tenant}/${data.id}/submissions`).expect(200)).body.data.map(
          ({ fields }: { fields: Record<string, string> }) => fields,
        ) as Record<string, string>[],
    };
  }
  const get = (path: string) => app.client().get(path).set('Accept', 'text/html');
  const policyOf = (headers: Record<string, string>) =>
    Object.fromEntries(
      (headers['content-security-policy'] ?? '').split('; ').map((directive): [string, string] => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
    );

  it('runs no script and is shown in no frame unless it is embedded', async () => {
    const { url } = await newForm('ten_own', {
      settings: { redirect_origins: ['https://acme.example', 'https://a;b.example'] },
    });
    const { text, headers } = await get(url).expect(200);
    expect(text).not.toContain('<script');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(policyOf(headers)).toEqual({
      'default-src': "'none'",
      'style-src': expect.stringMatching(/^'sha256-/),
      'img-src': 'data:',
      'base-uri': "'none'",
      'form-action': `'self' https://acme.example ${origin}`,
      'frame-ancestors': "'none'",
    });
    const embedded = await get(`${url}?embed=1`).expect(200);
    expect(embedded.text).toContain('/f/page.js');
    expect(policyOf(embedded.headers)).toMatchObject({
      'frame-ancestors': `'self' ${origin}`,
      'script-src': expect.stringMatching(/^'nonce-[\w+/=]{24}'$/),
    });
    const { url: open } = await newForm('ten_open');
    expect(policyOf((await get(`${open}?embed=1`)).headers)['frame-ancestors']).toBe("'self' *");
  });

  it('follows changes, closing and deletion of the form at once', async () => {
    const { url, path } = await newForm('ten_open');
    await get(url).expect(200);
    await admin('ten_open')
      .patch(path, { name: 'New name', settings: { closed: true } })
      .expect(200);
    const closed = await get(url).expect(200);
    expect(closed.text).toContain('This form is closed.');
    expect(closed.text).not.toContain('<form');
    await admin('ten_open').delete(path).expect(200);
    const gone = await get(url).expect(404);
    expect([gone.headers['content-type'], gone.text]).toEqual([
      'text/html; charset=utf-8',
      expect.stringContaining('There is no such form'),
    ]);
  });

  it('of an unknown form is 404, and JSON if the request asks for it', async () => {
    for (const path of [
      '/f/ten_open/nothing',
      '/f/ten_nobody/form-1',
      '/f/ten_open/No%20slug',
      '/f/ten_open/%3Cb%3E',
    ]) {
      const { text } = await get(path).expect(404);
      expect(text).toContain('There is no such form');
      const { headers } = await app.client().get(path).set('Accept', 'application/json').expect(404);
      expect(headers['content-type']).toBe('application/problem+json');
    }
    expect((await get(`${(await newForm('ten_open')).url}?embed=2`)).status).toBe(400);
    expect((await get(`${(await newForm('ten_open')).url}?theme=pink`)).status).toBe(400);
  });

  describe('speaks the language', () => {
    const inLanguage = (path: string, language: string) => get(path).set('Accept-Language', language).expect(200);

    it.each([
      ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Absenden'],
      ['pt-BR', 'pt', 'Enviar'],
      ['xx, fr;q=0.3, it;q=0.7', 'it', 'Invia'],
      ['ja', 'ja', '送信する'],
      ['zh-CN, *;q=0.1', 'en', 'Send'],
      ['!', 'en', 'Send'],
    ])('that the visitor prefers: %s', async (preferred, language, button) => {
      const { url } = await newForm('ten_open');
      const { text, headers } = await inLanguage(url, preferred);
      expect(text).toContain(`<html lang="${language}" dir="ltr">`);
      expect(text).toContain(`<button>${button}</button>`);
      expect(headers['vary']).toMatch(/Accept-Language/);
    });

    it('of the form, with its own words', async () => {
      const texts = { submit: 'Los <b>', choose: 'Bitte', required: 'Fehlt', thanks_title: 'Danke!' };
      const { url, path } = await newForm('ten_open', { settings: { language: 'de', texts } });
      const { text } = await inLanguage(url, 'ja');
      expect(text).toContain('<html lang="de" dir="ltr">');
      expect(text).toContain('<button>Los &lt;b&gt;</button>');
      expect(text).toContain('<option value="">Bitte</option>');
      const post = (body: string) =>
        app
          .client()
          .post(`${path}/submissions`)
          .set({ Accept: 'text/html', 'Accept-Language': 'ja' })
          .type('form')
          .ok(() => true)
          .send(body);
      const wrong = await post('age=7');
      expect(wrong.text).toContain('<a href="#f-name">Your name: Fehlt</a>');
      expect(wrong.text).toContain('Bitte geben Sie eine Zahl ein, die mindestens 18 ist.');
      const thanks = await post('name=Ada&email=ada@example.com&terms=on');
      expect(thanks.text).toContain('<h1><bdi>Danke!</bdi></h1>');
      expect(thanks.text).toContain('Ihre Angaben sind eingegangen.');
    });

    it('from right to left', async () => {
      const { url } = await newForm('ten_open');
      expect((await inLanguage(url, 'ar')).text).toContain('<html lang="ar" dir="rtl">');
    });

    it('on pages about problems, and of closed forms', async () => {
      const { path, url } = await newForm('ten_open', { settings: { closed: true } });
      expect((await inLanguage(url, 'nl')).text).toContain('Dit formulier is gesloten.');
      const german = { Accept: 'text/html', 'Accept-Language': 'de' };
      const closed = await app.client().post(`${path}/submissions`).set(german).type('form').send('').expect(403);
      expect(closed.text).toContain('Dieses Formular ist geschlossen.');
      const unknown = await get('/f/ten_open/nothing').set('Accept-Language', 'es').expect(404);
      expect(unknown.text).toContain('Este formulario no existe');
    });

    it('is checked in the settings', async () => {
      const settings = {
        language: 'tlh',
        texts: { submit: '', other: 'x', back: 'x'.repeat(201) },
        time_zone: '+02:00',
      };
      const { body } = await admin('ten_open')
        .post('/v1/forms/ten_open', { name: 'Wrong', fields: FIELDS, settings })
        .expect(422);
      expect(body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
        'settings.language',
        'settings.texts.back',
        'settings.texts.other',
        'settings.texts.submit',
        'settings.time_zone',
      ]);
    });
  });

  it('has labels that are made of names, and choices with none chosen', async () => {
    const fields = [
      { name: 'first_name', type: 'text', max: 4 },
      { name: 'topic', type: 'select', options: ['a'] },
    ];
    const { url, path, submissions } = await newForm('ten_open', { fields });
    const { text } = await get(url).expect(200);
    expect(text).toContain('<label for="f-first_name"><bdi>First name</bdi></label>');
    expect(text).toContain('<option value="">Choose …</option>');
    // A character may have two units of UTF-16, which browsers count.
    expect(text).toMatch(/name="first_name" [^>]*maxlength="8"/);
    const values = new URLSearchParams({ first_name: '😀'.repeat(4), topic: '' });
    await app.client().post(`${path}/submissions`).type('form').send(values.toString()).expect(201);
    expect(await submissions()).toEqual([{ first_name: '😀'.repeat(4) }]);
  });

  it('leads back to the page that the visitor came from, if the form may lead there', async () => {
    const { path, url } = await newForm('ten_own', { fields: FIELDS.slice(0, 1) });
    const back = async (referer: string, query = '') => {
      const request = app.client().post(`${path}/submissions${query}`).set('Accept', 'text/html').type('form');
      const { text } = await request.set('Referer', referer).send('name=Ada').expect(200);
      return /<a href="([^"]*)">([^<]*)</.exec(text)?.slice(1);
    };
    const own = `/f/ten_own/${path.split('/').at(-1)}`;
    expect(await back(`${origin}/contact?a=1`)).toEqual([`${origin}/contact?a=1`, 'Back to the website']);
    expect(await back(app.url + url)).toEqual([own, 'Back to the form']);
    for (const referer of ['https://evil.example/x', 'javascript:alert(1)', 'https://user@acme.example', '']) {
      expect(await back(referer)).toEqual([own, 'Back to the form']);
    }
    expect(await back(`${origin}/contact`, '?embed=1&theme=dark')).toEqual([
      `${own}?embed=1&amp;theme=dark`,
      'Back to the form',
    ]);
  });

  it('tells the owner, and not the visitor, what is wrong with the page itself', async () => {
    const { path } = await newForm('ten_own', { fields: FIELDS.slice(0, 1) });
    const request = app
      .client()
      .post(`${path}/submissions`)
      .set({ Accept: 'text/html', 'Accept-Language': 'de' })
      .type('form');
    const { text } = await request.send('name=Ada&_redirect=https://evil.example/&colour=red').expect(422);
    const [visible, details] = text.split('<details>');
    expect(visible).toContain('Das ist nicht Ihr Fehler.');
    expect(visible).not.toMatch(/_redirect|colour/);
    expect(details).toContain('_redirect must lead to an origin that the form allows.');
    expect(details).toContain('There is no field colour.');
    expect(text).toContain('value="Ada"');
  });

  it('ignores parameters that were added to its link', async () => {
    const { url } = await newForm('ten_open');
    expect((await get(`${url}?utm_source=letter&utm_source=again&fbclid=%ff`)).status).toBe(200);
    expect((await get(`${url}?embed=1&utm_source=letter`)).status).toBe(200);
  });

  it('escapes every value, name and setting', async () => {
    const types = ['text', 'email', 'tel', 'url', 'number', 'date', 'textarea', 'checkbox', 'hidden', 'select'];
    const evil = types.map((type) => ({
      name: `f_${type}`,
      type,
      label: EVIL,
      help: EVIL,
      ...(type === 'select' && { options: [EVIL, 'x'] }),
      ...(['text', 'textarea', 'hidden', 'select'].includes(type) && { default: EVIL }),
    }));
    const boxes = { name: 'boxes', type: 'select', multiple: true, options: [EVIL], label: EVIL, default: EVIL };
    const { url, path } = await newForm('ten_open', {
      name: EVIL,
      fields: [...evil, boxes],
      settings: { thanks: EVIL },
    });
    const values = new URLSearchParams([...evil, boxes].map(({ name }): [string, string] => [name, EVIL]));
    values.set('f_select', 'none');
    const post = (body: string) =>
      app
        .client()
        .post(`${path}/submissions`)
        .set('Accept', 'text/html')
        .type('form')
        .ok(() => true)
        .send(body);
    const sent = await post(values.toString());
    expect(sent.status).toBe(422);
    const unknown = await post(new URLSearchParams([[EVIL, EVIL]]).toString());
    expect(unknown.status).toBe(422);
    const thanks = await post('');
    expect(thanks.status).toBe(200);
    for (const { text } of [await get(url), sent, unknown, thanks]) {
      expect(text).toContain('&lt;img');
      expect(text).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    }
  });

  it('is not in the document of the API', async () => {
    const { paths } = (await app.client().get('/openapi.json').expect(200)).body;
    expect(Object.keys(paths).filter((path) => path.startsWith('/f'))).toEqual([]);
  });

  describeWithBrowser('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    }, 120_000);
    afterAll(() => browser.close());

    const open = async (path: string, options: BrowserContextOptions = {}) => {
      const opened = await openPage(browser, options);
      await opened.page.goto(path.startsWith('http') ? path : app.url + path);
      return opened;
    };
    const violations = async (page: Page) =>
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
    const isNarrow = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
    const fill = async (page: Pick<Page, 'fill' | 'check' | 'selectOption'>) => {
      await page.fill('#f-name', 'Ada');
      await page.fill('#f-email', 'ada@example.com');
      await page.fill('#f-message', 'One\nTwo');
      await page.check('[id="f-colours.2"]');
      await page.check('#f-colours');
      await page.selectOption('#f-many', ['o1', 'o3']);
      await page.check('#f-terms');
    };
    const SENT = {
      name: 'Ada',
      email: 'ada@example.com',
      colours: 'red, dark blue',
      many: 'o1, o3',
      message: 'One\nTwo',
      terms: 'true',
      source: 'page',
    };

    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 375],
      ['dark', 375],
    ] as const)('is accessible in %s colours at a width of %i, also with errors', async (colorScheme, width) => {
      const { url } = await newForm('ten_open');
      const { page, errors } = await open(url, { colorScheme, viewport: { width, height: 800 } });
      expect([await violations(page), await isNarrow(page)]).toEqual([[], true]);
      await page.evaluate('document.querySelector("form").noValidate = true');
      await page.click('button');
      await page.waitForSelector('.summary');
      expect([await violations(page), await isNarrow(page)]).toEqual([[], true]);
      expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
      await page.context().close();
    });

    it('is accessible with `embed=1` outside of a frame, also its thanks', async () => {
      const { url } = await newForm('ten_open');
      const { page } = await open(`${url}?embed=1`);
      expect(await violations(page)).toEqual([]);
      await fill(page);
      await page.click('button');
      await page.waitForSelector('text=Thank you');
      expect(await violations(page)).toEqual([]);
      await page.context().close();
    });

    it('is sent without a script, and says thanks', async () => {
      const { url, submissions } = await newForm('ten_closed', { settings: { thanks: 'Merci!' } });
      const { page, requests } = await open(url, { javaScriptEnabled: false });
      await fill(page);
      await page.click('button');
      await page.waitForSelector('text=Merci!');
      expect(await submissions()).toEqual([SENT]);
      expect(requests.every((request) => request.startsWith(app.url))).toBe(true);
      await page.context().close();
    });

    it('can be sent under another name of this machine, also if the tenant has `allowed_origins`', async () => {
      const { url, submissions } = await newForm('ten_closed');
      const { page } = await open(app.url.replace('127.0.0.1', 'localhost') + url);
      await fill(page);
      await page.click('button');
      await page.waitForSelector('text=Thank you');
      expect(await submissions()).toEqual([SENT]);
      await page.context().close();
    });

    it('keeps what was typed if something is wrong', async () => {
      const { url, submissions } = await newForm('ten_open', {
        fields: [...FIELDS.slice(0, 11), { name: 'code', type: 'text', pattern: '^x' }],
      });
      const { page } = await open(url, { javaScriptEnabled: false });
      await fill(page);
      await page.fill('#f-code', 'y');
      await page.click('button');
      await page.waitForSelector('.summary');
      expect(await page.title()).toBe('Error: Contact');
      expect(await page.textContent('[id="f-code.error"]')).toContain('Please enter the value in the expected format.');
      await page.fill('#f-code', 'x');
      await page.click('button');
      await page.waitForSelector('text=Thank you');
      expect(await submissions()).toEqual([{ ...SENT, source: undefined, code: 'x' }]);
      await page.context().close();
    });

    it('sends files, which are chosen again if something is wrong', async () => {
      const fields = [
        { name: 'cv', type: 'file', required: true, label: 'Your CV', accept: ['application/pdf'] },
        { name: 'more', type: 'file', multiple: true, help: 'References' },
      ];
      const { url, submissions } = await newForm('ten_open', { fields });
      const { page } = await open(url);
      expect([await violations(page), await isNarrow(page)]).toEqual([[], true]);
      const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
      await page.setInputFiles('#f-cv', file('note.pdf', Buffer.from('A note.')));
      await page.click('button');
      await page.waitForSelector('.summary');
      expect(await page.textContent('.summary')).toContain('Files are not kept. Please choose them again.');
      expect(await page.textContent('[id="f-cv.error"]')).toContain('Accepted types: application/pdf.');
      expect(await violations(page)).toEqual([]);
      await page.setInputFiles('#f-cv', file('cv.pdf', files.pdf()));
      await page.setInputFiles('#f-more', [file('a.txt', Buffer.from('a')), file('b.txt', Buffer.from('b'))]);
      await page.click('button');
      await page.waitForSelector('text=Thank you');
      expect(await submissions()).toEqual([{ cv: 'cv.pdf', more: 'a.txt, b.txt' }]);
      await page.context().close();
    });

    it('leads to another site', async () => {
      const { url, submissions } = await newForm('ten_open', {
        settings: { redirect: `${origin}/thanks`, redirect_origins: [origin] },
      });
      const { page, errors } = await open(url);
      await fill(page);
      await page.click('button');
      await page.waitForURL(`${origin}/thanks`);
      expect(await submissions()).toHaveLength(1);
      expect(errors).toEqual([]);
      await page.context().close();
    });

    it('can be filled in with the keyboard alone', async () => {
      const fields = FIELDS.filter(({ name }) => ['name', 'email', 'colours', 'terms'].includes(name));
      const { url, submissions } = await newForm('ten_open', { fields });
      const { page } = await open(url);
      const { keyboard } = page;
      const keys = [
        'Tab',
        'Ada',
        'Tab',
        'ada@example.com',
        'Tab',
        'Tab',
        'Space',
        'Tab',
        'Tab',
        'Space',
        'Tab',
        'Enter',
      ];
      for (const key of keys) {
        if (/^(Tab|Space|Enter)$/.test(key)) await keyboard.press(key);
        else await keyboard.type(key);
      }
      await page.waitForSelector('text=Thank you');
      expect(await submissions()).toEqual([{ name: 'Ada', email: 'ada@example.com', colours: 'green', terms: 'true' }]);
      await page.context().close();
    });

    describe('with a challenge', () => {
      const GUARDED = { spam: { challenge: true }, rate_limit: 600 };
      const fields = [
        { name: 'action', type: 'text', required: true },
        { name: 'code', type: 'text', pattern: '^x' },
      ];
      const CHECKED = '[role="status"]:text("Your browser was checked.")';
      const guarded = () => newForm('ten_open', { fields, settings: GUARDED });
      /** Makes the visitor's browser look as it does on a page without https. */
      const withoutCrypto = `Object.defineProperty(crypto, 'subtle', { value: undefined })`;

      it.each(['with', 'without'])('solves it %s Web Crypto, also on the page with errors', async (crypto) => {
        const { url, submissions } = await guarded();
        const { page, errors } = await openPage(browser, {});
        if (crypto === 'without') await page.addInitScript(withoutCrypto);
        await page.goto(app.url + url);
        expect(await violations(page)).toEqual([]);
        await page.fill('#f-action', 'Ada');
        await page.waitForSelector(CHECKED);
        expect(await violations(page)).toEqual([]);
        await page.fill('#f-code', 'y');
        await page.click('button');
        await page.waitForSelector('.summary');
        expect(await page.inputValue('[name="_altcha"]')).toBe('');
        await page.fill('#f-code', 'x');
        // It is sent when the proof is there.
        await page.click('button');
        await page.waitForSelector('text=Thank you');
        expect(await submissions()).toEqual([{ action: 'Ada', code: 'x' }]);
        expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
        await page.context().close();
      });

      it('solves another one before the form is sent if the first has expired or was used', async () => {
        const { url, submissions } = await guarded();
        const { page, requests } = await open(url);
        const challenges = () => requests.filter((request) => request.endsWith('/challenge')).length;
        const send = async () => {
          await page.fill('#f-action', 'Ada');
          await page.click('button');
          await page.waitForSelector('text=Thank you');
        };
        await page.fill('#f-action', 'Ada');
        await page.waitForSelector(CHECKED);
        expect(challenges()).toBe(1);
        // As if eleven minutes had passed.
        await page.evaluate('{ const { now } = Date; Date.now = () => now() + 660000; }');
        await send();
        expect(challenges()).toBe(2);
        await page.goBack();
        await send();
        expect(challenges()).toBe(3);
        expect(await submissions()).toHaveLength(2);
        await page.context().close();
      });

      it('is sent by a click on the button, if that is the first thing that the visitor does', async () => {
        const { url, submissions } = await newForm('ten_open', { fields: fields.slice(1), settings: GUARDED });
        const { page } = await open(url);
        await page.hover('button');
        await page.mouse.down();
        // Between pressing and releasing the button, the page says that it checks the browser.
        await page.waitForSelector('[role="status"]:not(:empty)');
        await page.mouse.up();
        await page.waitForSelector('text=Thank you');
        expect(await submissions()).toHaveLength(1);
        await page.context().close();
      });

      it('says so if it cannot be solved, and solves it at the next attempt', async () => {
        const { url, submissions } = await guarded();
        const { page } = await open(url);
        await page.route('**/challenge', (route) => route.abort());
        await page.fill('#f-action', 'Ada');
        await page.click('button');
        await page.waitForSelector('text=The form was not sent');
        expect(await submissions()).toEqual([]);
        await page.unroute('**/challenge');
        await page.click('button');
        await page.waitForSelector('text=Thank you');
        expect(await submissions()).toHaveLength(1);
        await page.context().close();
      });

      it('says so without a script', async () => {
        const { url } = await guarded();
        const { page } = await open(url, { javaScriptEnabled: false });
        expect(await page.textContent('noscript')).toContain('may be treated as spam');
        await page.context().close();
        const { headers } = await get(url).expect(200);
        expect(policyOf(headers)).toMatchObject({
          'default-src': "'none'",
          'script-src': expect.stringMatching(/^'nonce-[\w+/=]{24}'$/),
          'connect-src': "'self'",
          'frame-ancestors': "'none'",
        });
      });

      it('solves it in a frame', async () => {
        const { name, submissions } = await guarded();
        const { page, errors } = await open(`${origin}/${name}?base=${encodeURIComponent(app.url)}`);
        await page.waitForFunction(`document.querySelector('iframe')?.title === 'Contact'`);
        const [, frame] = page.frames();
        await frame?.fill('#f-action', 'Ada');
        await frame?.click('button');
        await frame?.waitForSelector('text=Thank you');
        expect(await submissions()).toHaveLength(1);
        expect(errors).toEqual([]);
        await page.context().close();
      });
    });

    describe('embedded in another site', () => {
      const embed = (name: string) => open(`${origin}/${name}?base=${encodeURIComponent(app.url)}`);
      const heights = `(() => {
        const frame = document.querySelector('iframe');
        return [frame.getBoundingClientRect().height, frame.title].join(' ');
      })()`;

      it('is as high as its content, and can be sent', async () => {
        const { name, submissions } = await newForm('ten_own');
        const { page, errors } = await embed(name);
        await page.waitForFunction(`document.querySelector('iframe')?.title === 'Contact'`);
        const [, frame] = page.frames();
        if (!frame) throw new Error('There is no frame.');
        const inner = await frame.evaluate<number>('document.documentElement.getBoundingClientRect().height');
        expect(await page.evaluate(heights)).toBe(`${Math.ceil(inner)} Contact`);
        expect(await violations(page)).toEqual([]);
        await fill(frame);
        await frame.click('button');
        await frame.waitForSelector('text=Thank you');
        expect(await submissions()).toEqual([SENT]);
        expect(errors).toEqual([]);
        await page.context().close();
      });

      it('is as high as the page about errors, the thanks, and the page about a problem', async () => {
        const { name, path } = await newForm('ten_own', { fields: FIELDS.slice(0, 1) });
        const { page } = await embed(name);
        const fits = async (title: string) => {
          await page.waitForFunction(`document.querySelector('iframe')?.title === '${title}'`);
          const inner = await page
            .frames()[1]
            ?.evaluate<number>('document.documentElement.getBoundingClientRect().height');
          expect(await page.evaluate(heights)).toBe(`${Math.ceil(inner ?? 0)} ${title}`);
          return inner ?? 0;
        };
        const form = await fits('Contact');
        const frame = page.frames()[1];
        await frame?.evaluate('document.querySelector("form").noValidate = true');
        await frame?.click('button');
        expect(await fits('Error: Contact')).toBeGreaterThan(form);
        await frame?.fill('#f-name', 'Ada');
        await frame?.click('button');
        expect(await fits('Thank you')).toBeLessThan(form);
        const { page: again } = await embed(name);
        await again.waitForFunction(`document.querySelector('iframe')?.title === 'Contact'`);
        await admin('ten_own').delete(path).expect(200);
        await again.frames()[1]?.fill('#f-name', 'Ada');
        await again.frames()[1]?.click('button');
        await again.waitForFunction(`document.querySelector('iframe')?.title === 'There is no such form'`);
        await page.context().close();
        await again.context().close();
      });

      it.each([
        ['light', '', undefined, 'light'],
        ['light by its background', 'background: #fff', undefined, 'light'],
        ['dark by its background', 'background: oklch(20% 0 0)', undefined, 'dark'],
        ['dark by its color scheme', 'color-scheme: dark', undefined, 'dark'],
        ['as the visitor prefers', 'color-scheme: light dark', undefined, null],
        ['dark, but names a theme', 'background: #000', 'light', 'light'],
        ['dark, but names the theme of the visitor', 'background: #000', 'auto', null],
      ])('has the colours of a page that is %s', async (_, style, theme, expected) => {
        const { name } = await newForm('ten_own', { fields: FIELDS.slice(0, 1) });
        const query = new URLSearchParams({ base: app.url, style, ...(theme && { theme }) });
        const { page } = await open(`${origin}/${name}?${query.toString()}`, { colorScheme: 'dark' });
        await page.waitForFunction(`document.querySelector('iframe')?.title === 'Contact'`);
        const shown = () => page.frames()[1]?.getAttribute('html', 'data-theme');
        expect(await shown()).toBe(expected);
        await page.frames()[1]?.fill('#f-name', 'Ada');
        await page.frames()[1]?.click('button');
        await page.frames()[1]?.waitForSelector('text=Thank you');
        expect(await shown()).toBe(expected);
        await page.context().close();
      });

      it('tells its height to nobody but the page that embeds it, and that page listens to nobody else', async () => {
        const { name } = await newForm('ten_own');
        const { page } = await embed(name);
        await page.waitForFunction(`document.querySelector('iframe')?.title === 'Contact'`);
        await page.evaluate(`window.postMessage({ trivet: 'size', height: 7, title: 'Evil' }, '*')`);
        await page.evaluate(
          `new Promise((done) => { window.addEventListener('message', done, { once: true }); window.postMessage(0, '*') })`,
        );
        expect(await page.evaluate(heights)).toMatch(/^(?!7 ).* Contact$/);
        await page.context().close();
      });

      it('is refused if the tenant does not allow the origin', async () => {
        const { name } = await newForm('ten_closed');
        const { page, errors } = await embed(name);
        await page.waitForFunction('document.querySelector("iframe") !== null');
        for (let tries = 0; tries < 200 && errors.length === 0; tries++)
          await page.evaluate('new Promise(requestAnimationFrame)');
        expect(errors.join()).toContain('frame-ancestors');
        await page.context().close();
      });
    });
  });
});

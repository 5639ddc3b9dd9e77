import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { BOUNDARY, multipart, type Part } from '../support/upload.js';

const URLENCODED = 'application/x-www-form-urlencoded';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Sent {
  accept?: string;
  mode?: string;
  origin?: string;
  key?: string;
  query?: string;
}

type Values = Record<string, string | string[]> | [string, string][];

describe('a form that a browser sends', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const FIELDS = [
    { name: 'name', type: 'text', required: true, label: 'Your name' },
    { name: 'email', type: 'email' },
    { name: 'message', type: 'textarea' },
    { name: 'news', type: 'checkbox' },
  ];

  async function newForm(tenant: TestTenant, fields: object[] = FIELDS, settings?: object) {
    const body = { name: 'Contact', fields, ...(settings && { settings }) };
    const { data } = (await tenant.http.post(`/v1/forms/${tenant.id}`, body).expect(201)).body;
    const path = `/v1/forms/${tenant.id}/${data.id}`;
    return { id: data.id as string, slug: data.slug as string, form: path, path: `${path}/submissions` };
  }
  let addresses = 0;
  const visitor = (): Http =>
    app.client(undefined, { 'X-Forwarded-For': `10.9.${++addresses >> 8}.${addresses & 255}` });
  const pairs = (values: Values) => {
    const all = Array.isArray(values) ? values : Object.entries(values);
    return new URLSearchParams(all.flatMap(([n, v]) => [v].flat().map((one): [string, string] => [n, one]))).toString();
  };
  const raw = (path: string, text: string, { accept, mode, origin, key, query = '' }: Sent = {}, http = visitor()) => {
    const request = http
      .post(path + query)
      .set('Content-Type', URLENCODED)
      .set('Accept', accept ?? '*/*');
    if (mode) request.set('Sec-Fetch-Mode', mode);
    if (origin) request.set('Origin', origin);
    if (key) request.set('Idempotency-Key', key);
    return request
      .redirects(0)
      .ok(() => true)
      .send(text);
  };
  const post = (path: string, values: Values, sent: Sent = {}) => raw(path, pairs(values), sent);
  const page = (path: string, values: Values, sent: Sent = {}) => post(path, values, { accept: BROWSER, ...sent });
  const upload = (path: string, parts: Part[], accept = '*/*') => {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return visitor()
      .post(path)
      .set('Content-Type', type)
      .set('Accept', accept)
      .ok(() => true)
      .send(multipart(parts));
  };
  const faults = (body: { errors?: { path: string; code: string }[] }) =>
    (body.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  const stored = async (tenant: TestTenant, path: string) =>
    (await tenant.http.get(path).expect(200)).body.data.map(({ fields }: { fields: object }) => fields);

  describe('has values', () => {
    it('that are read from both encodings', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const values = { name: 'Ada & Löwe=💬', email: 'ada@example.com', message: 'One\r\nTwo' };
      const kept = { name: 'Ada & Löwe=💬', email: 'ada@example.com', message: 'One\nTwo', news: 'false' };
      const encoded = await post(path, values);
      expect([encoded.status, encoded.body.data?.fields]).toEqual([201, kept]);
      const parts = Object.entries(values).map(([name, data]) => ({ name, data }));
      const multi = await upload(path, parts);
      expect([multi.status, multi.body.data?.fields]).toEqual([201, kept]);
      expect(await stored(tenant, path)).toEqual([kept, kept]);
    });

    it.each(['on', '1', 'yes', 'true', 'TRUE'])('in which %s ticks a box', async (value) => {
      const { path } = await newForm(app.tenant());
      expect((await post(path, { name: 'Ada', news: value })).body.data.fields.news).toBe('true');
    });

    it('in which a box that is not sent is "false", and a required one must be ticked', async () => {
      const { path } = await newForm(app.tenant(), [{ name: 'terms', type: 'checkbox', required: true }]);
      for (const values of [{}, { terms: '' }, { terms: 'false' }] as Values[]) {
        expect(faults((await post(path, values)).body)).toEqual(['fields.terms required']);
      }
      expect(faults((await post(path, { terms: 'maybe' })).body)).toEqual(['fields.terms format']);
      expect((await post(path, { terms: 'on' })).body.data.fields).toEqual({ terms: 'true' });
      await visitor()
        .post(path, { fields: { terms: 'false' } })
        .expect(201);
    });

    it('that are refused at their fields if sent twice, unknown, or files', async () => {
      const { path } = await newForm(app.tenant());
      const twice = await post(path, { name: ['Ada', 'Bob'] });
      expect([twice.status, faults(twice.body)]).toEqual([422, ['fields.name duplicate']]);
      const unknown = await post(path, { name: 'Ada', x: '1', constructor: '2' });
      expect(faults(unknown.body)).toEqual(['fields.x unknown_property', 'fields.constructor unknown_property']);
      const proto = await raw(path, 'name=Ada&__proto__=1');
      expect([proto.status, proto.body.data.fields]).toEqual([201, { name: 'Ada', news: 'false' }]);
      const file = await upload(path, [
        { name: 'name', data: 'Ada' },
        { name: 'email', filename: 'a.png', type: 'image/png', data: Buffer.alloc(600_000, 1) },
      ]);
      expect([file.status, faults(file.body)]).toEqual([422, ['fields.email type']]);
    });

    it.each([
      [
        'Rails',
        'utf8=%E2%9C%93&authenticity_token=x&name=Ada&news=0&news=1&commit=Send',
        { name: 'Ada', news: 'true' },
      ],
      ['Rails, with a box that is not ticked', 'name=Ada&news=0', { name: 'Ada', news: 'false' }],
      [
        'Formspree',
        'name=Ada&_replyto=ada@example.com&_subject=Hi&_next=%2Fthanks&_gotcha=&_charset_=UTF-8&_format=plain',
        { name: 'Ada', email: 'ada@example.com', news: 'false' },
      ],
      [
        'Netlify',
        'form-name=contact&bot-field=&name=Ada&g-recaptcha-response=x&news=off',
        { name: 'Ada', news: 'false' },
      ],
      ['Django', 'csrfmiddlewaretoken=x&name=Ada&news=on&submit=Send', { name: 'Ada', news: 'true' }],
    ])('that are read from a form made for %s', async (_, text, fields) => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const { status } = await raw(path, text);
      expect([status, await stored(tenant, path)]).toEqual([201, [fields]]);
    });

    it('of which none that a visitor may have typed is lost', async () => {
      const { path } = await newForm(app.tenant(), [{ name: 'name', type: 'text' }]);
      const refused = await post(path, { _replyto: 'ada@example.com' });
      expect([refused.status, faults(refused.body)]).toEqual([422, ['fields._replyto unknown_property']]);
      expect(faults((await post(path, { name: ['0', '1'] })).body)).toEqual(['fields.name duplicate']);
      const { path: boxes } = await newForm(app.tenant(), [{ name: 'news', type: 'checkbox' }]);
      for (const news of [
        ['1', '1'],
        ['1', '0'],
        ['0', '0', '1'],
      ]) {
        expect(faults((await post(boxes, { news })).body)).toEqual(['fields.news duplicate']);
      }
    });

    it.each(['_gotcha', 'bot-field'])('that are spam if %s is filled in, at every door', async (name) => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      expect((await post(path, { name: 'Ada', [name]: 'x' })).status).toBe(201);
      await visitor()
        .post(path, { fields: { name: 'Bob', [name]: 'x' } })
        .expect(201);
      await visitor()
        .post(path, { fields: { name: 'Eve', [name]: '' } })
        .expect(201);
      const { body } = await tenant.http.get(`${path}?verdict=spam&view=full`).expect(200);
      expect(body.data.map((one: { reasons: string[] }) => one.reasons)).toEqual([['honeypot'], ['honeypot']]);
      expect((await stored(tenant, path)).map((fields: { name: string }) => fields.name)).toEqual(['Eve']);
    });

    it('beside files that were not chosen', async () => {
      const { path } = await newForm(app.tenant());
      const parts = [
        { name: 'name', data: 'Ada' },
        { name: 'photo', filename: '', type: 'application/octet-stream', data: '' },
      ];
      expect((await upload(path, parts)).status).toBe(201);
    });

    it('that are refused if they cannot be stored', async () => {
      const { path } = await newForm(app.tenant());
      expect(faults((await raw(path, 'name=a%00b')).body)).toEqual(['fields.name text']);
      expect(faults((await raw(path, 'name=%ff')).body)).toEqual(['fields.name text']);
      expect((await raw(path, 'name=%EF%BF%BD')).status).toBe(201);
      const utf16 = (name: string, text: string): Part => {
        return { name, type: 'text/plain; charset=utf-16le', data: Buffer.from(text, 'utf16le') };
      };
      const refused = await upload(path, [utf16('name', 'a\ud800'), utf16('message', '\0')]);
      expect([refused.status, faults(refused.body)]).toEqual([422, ['fields.name text', 'fields.message text']]);
      const bytes = await upload(path, [{ name: 'name', data: Buffer.from('Jos\xe9', 'latin1') }]);
      expect([bytes.status, faults(bytes.body)]).toEqual([422, ['fields.name text']]);
      expect((await upload(path, [{ name: 'name', data: 'Ada \ufffd' }])).status).toBe(201);
      expect((await upload(path, [utf16('name', 'Ada 💬')])).body.data.fields.name).toBe('Ada 💬');
    });
  });

  describe('a select with multiple', () => {
    const choices = { name: 'topics', type: 'select', multiple: true, options: ['red', 'green', 'dark blue'] };

    it('is stored as one text at every door', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant, [choices]);
      const text = { topics: 'red, dark blue' };
      expect((await post(path, { topics: ['red', 'dark blue'] })).body.data.fields).toEqual(text);
      for (const topics of ['red, dark blue', ['red', 'dark blue']]) {
        const { body } = await visitor().post(path, { fields: { topics } }).expect(201);
        expect(body.data.fields).toEqual(text);
      }
      expect((await post(path, {})).body.data.fields).toEqual({});
      expect((await visitor().post(path, { fields: { topics: [] } })).body.data.fields).toEqual({});
      expect(await stored(tenant, `${path}?sort=topics`)).toHaveLength(5);
    });

    it('has a row in the index for each value, and none after the deletion', async () => {
      const tenant = app.tenant();
      const { path, id } = await newForm(tenant, [choices]);
      const { body } = await post(path, { topics: ['red', 'dark blue'] });
      const rows = async () =>
        (
          await app.database.query<{ field: string; sort_key: string }>(
            'SELECT field, sort_key FROM submission_values WHERE tenant_id = $1 ORDER BY 1, 2',
            [tenant.id],
          )
        ).map(({ field, sort_key }) => `${field}=${sort_key}`);
      expect(await rows()).toEqual(['topics=dark blue', 'topics[]=dark blue', 'topics[]=red']);
      await tenant.http
        .patch(`/v1/forms/${tenant.id}/${id}`, { fields: [{ ...choices, multiple: false }] })
        .expect(200);
      await tenant.http.patch(`/v1/forms/${tenant.id}/${id}`, { fields: [choices] }).expect(200);
      await tenant.http.delete(`${path}/${body.data.id}`).expect(200);
      expect((await rows()).filter((row) => row.includes('~3'))).toEqual([]);
    });

    it('refuses values that are no options, and options with commas', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant, [{ ...choices, required: true }]);
      expect(faults((await post(path, { topics: ['red', 'pink'] })).body)).toEqual(['fields.topics.1 options']);
      expect(faults((await post(path, {})).body)).toEqual(['fields.topics required']);
      expect(faults((await visitor().post(path, { fields: { topics: [1] } })).body)).toEqual(['fields.topics.0 type']);
      const fields = [{ ...choices, options: ['a, b', 'c'] }];
      const refused = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'X', fields }).expect(422);
      expect(faults(refused.body)).toEqual(['fields.0.options.0 format']);
      await tenant.http
        .post(`/v1/forms/${tenant.id}`, { name: 'X', fields: [{ ...fields[0], multiple: false }] })
        .expect(201);
    });
  });

  describe('gets', () => {
    it.each([
      ['a page for a browser', { accept: BROWSER }, 'text/html; charset=utf-8'],
      ['a page if the browser leaves its page', { mode: 'navigate' }, 'text/html; charset=utf-8'],
      ['JSON from fetch', { mode: 'cors' }, 'application/json; charset=utf-8'],
      ['JSON if it asks for it', { accept: 'application/json', mode: 'navigate' }, 'application/json; charset=utf-8'],
      ['JSON if it prefers it', { accept: 'application/json, text/html;q=0.5' }, 'application/json; charset=utf-8'],
      ['JSON without any hint', {}, 'application/json; charset=utf-8'],
    ])('%s', async (_, sent, type) => {
      const { path } = await newForm(app.tenant());
      const { status, headers } = await post(path, { name: 'Ada' }, sent);
      expect([status, headers['content-type']]).toEqual([type.startsWith('text') ? 200 : 201, type]);
      const wrong = await post(path, {}, sent);
      const problem = type.startsWith('text') ? type : 'application/problem+json';
      expect([wrong.status, wrong.headers['content-type']]).toEqual([422, problem]);
    });

    it('JSON for a JSON body, whatever it accepts', async () => {
      const { path } = await newForm(app.tenant());
      const { headers } = await visitor().post(path, { fields: {} }).set('Accept', BROWSER).expect(422);
      expect(headers['content-type']).toBe('application/problem+json');
    });

    it('the thanks of the form', async () => {
      const { path } = await newForm(app.tenant(), FIELDS, { thanks: 'Merci <b>beaucoup</b>' });
      const { text } = await page(path, { name: 'Ada' });
      expect(text).toContain('Merci &lt;b&gt;beaucoup&lt;/b&gt;');
      expect(text).not.toContain('<script');
    });

    it('the form filled in again, with each message beside its field', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant, FIELDS, { redirect_origins: ['https://acme.example'] });
      const values = { email: 'no"><script>alert(1)</script>', message: '</textarea>\r\n<b>', news: 'on' };
      const { status, text, headers } = await page(path, { ...values, _redirect: 'https://acme.example/thanks' });
      expect(status).toBe(422);
      expect(text).toContain('value="no&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
      expect(text).toContain('&lt;/textarea&gt;\n&lt;b&gt;</textarea>');
      expect(text).toMatch(/<input type="checkbox" id="f-news" name="news" value="true" checked/);
      expect(text).toContain('Your name: Please fill in this field.');
      expect(text).toMatch(/id="f-name" name="name" required aria-describedby="f-name.error" aria-invalid="true"/);
      expect(text).toContain('name="_redirect" value="https://acme.example/thanks"');
      expect(text).not.toMatch(/<script/);
      expect(headers['content-security-policy']).toContain("form-action 'self' https://acme.example;");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    });

    it.each([
      ['404', 404, 'There is no such form'],
      ['403 of a closed form', 403, 'This form is closed.'],
      ['413', 413, 'The form is too large'],
    ])('a page that explains a %s', async (_, status, text) => {
      const tenant = app.tenant();
      const { path, id } = await newForm(tenant, FIELDS, { closed: status === 403 });
      const message = status === 413 ? 'x'.repeat(300_000) : 'x';
      const sent = await page(status === 404 ? path.replace(id, 'nothing') : path, { name: 'Ada', message });
      expect([sent.status, sent.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
      expect(sent.text).toContain(text);
      expect(sent.headers['cache-control']).toBe('no-store');
    });

    it('a page that explains the rate limit', async () => {
      const { path } = await newForm(app.tenant(), FIELDS, { rate_limit: 1 });
      const http = visitor();
      await raw(path, 'name=Ada', { accept: BROWSER }, http);
      const { status, headers, text } = await raw(path, 'name=Ada', { accept: BROWSER }, http);
      expect([status, headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(text).toContain('Too many submissions');
    });

    it('the same answer again for the same Idempotency-Key', async () => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant, FIELDS, { redirect_origins: ['https://acme.example'] });
      for (const values of [{ name: 'Ada' }, { name: 'Ada', _redirect: 'https://acme.example/' }] as Values[]) {
        const key = `key-${Object.keys(values).length}`;
        const first = await page(path, values, { key });
        const again = await page(path, values, { key });
        expect([again.status, again.text, again.headers['location']]).toEqual([
          first.status,
          first.text,
          first.headers['location'],
        ]);
        expect(again.headers['idempotency-replayed']).toBe('true');
        expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
        expect((await page(path, { name: 'Bob' }, { key })).status).toBe(422);
      }
      expect(await stored(tenant, path)).toHaveLength(2);
    });
  });

  it('as multipart is stored once if it is sent again with the same key', async () => {
    const tenant = app.tenant();
    const { path } = await newForm(tenant);
    const send = (name: string, key: string) =>
      visitor()
        .post(path)
        .set('Content-Type', `multipart/form-data; boundary=${BOUNDARY}`)
        .set('Idempotency-Key', key)
        .ok(() => true)
        .send(multipart([{ name: 'name', data: name }]));
    const first = await send('Ada', 'one');
    const again = await send('Ada', 'one');
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    expect((await send('Bob', 'one')).status).toBe(422);
    expect((await send('Bob', 'two')).status).toBe(201);
    expect(await stored(tenant, path)).toHaveLength(2);
  });

  describe('arrives slowly:', () => {
    const bodies: [string, string, string][] = [
      [URLENCODED, 'urlencoded', 'name=Ada&message=slow'],
      [
        `multipart/form-data; boundary=${BOUNDARY}`,
        'multipart',
        multipart([
          { name: 'name', data: 'Ada' },
          { name: 'message', data: 'slow' },
        ]).toString(),
      ],
    ];
    const begin = (path: string, type: string, body: string) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      const address = `10.19.0.${++addresses % 250}`;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${type}\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
      );
      socket.on('error', () => undefined);
      return socket;
    };

    it.each(bodies)('%s in small pieces is stored, and others are not delayed', async (type, _name, body) => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const sockets = Array.from({ length: 20 }, () => begin(path, type, body));
      for (const socket of sockets) socket.write(body.slice(0, 5));
      // They are in progress, and another visitor is answered meanwhile.
      expect((await post(path, { name: 'Bob' })).status).toBe(201);
      const answers = sockets.map((socket) => buffer(socket));
      for (let at = 5; at < body.length; at += 7) {
        for (const socket of sockets) socket.write(body.slice(at, at + 7));
        await new Promise(setImmediate);
      }
      for (const answer of await Promise.all(answers)) expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /);
      expect(await stored(tenant, path)).toHaveLength(21);
    });

    it.each(bodies)('%s that breaks off is not stored', async (type, _name, body) => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant);
      const socket = begin(path, type, body);
      socket.write(body.slice(0, -1));
      expect((await post(path, { name: 'Bob' })).status).toBe(201);
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
      expect((await post(path, { name: 'Eve' })).status).toBe(201);
      expect((await stored(tenant, path)).map(({ name }: { name: string }) => name).sort()).toEqual(['Bob', 'Eve']);
    });
  });

  describe('is led', () => {
    const settings = { redirect_origins: ['https://acme.example', 'https://xn--bcher-kva.example'] };

    it.each([
      ['https://acme.example/thanks?a=1#b', 'https://acme.example/thanks?a=1#b'],
      ['HTTPS://ACME.example', 'https://acme.example/'],
      ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ])('to %s', async (redirect, location) => {
      const { path } = await newForm(app.tenant(), FIELDS, settings);
      const { status, headers } = await page(path, { name: 'Ada', _redirect: redirect });
      expect([status, headers['location']]).toEqual([303, location]);
    });

    it('to a page of the service itself', async () => {
      const { path } = await newForm(app.tenant());
      const { status } = await page(path, {
        name: 'Ada',
        _redirect: `${app.config.publicUrl.replace(/:0$/, '')}:${new URL(app.url).port}/f`,
      });
      expect(status).toBe(303);
    });

    it.each([
      ['localhost', 303],
      ['[::1]', 303],
      ['127.0.0.2', 422],
      ['localhost.evil.example', 422],
    ])('to a page of the service under another name of this machine: %s', async (host, expected) => {
      const { path } = await newForm(app.tenant());
      const { port } = new URL(app.url);
      expect((await page(path, { name: 'Ada', _redirect: `http://${host}:${port}/f` })).status).toBe(expected);
      expect((await page(path, { name: 'Ada', _redirect: `http://${host}:1/f` })).status).toBe(422);
      expect((await page(path, { name: 'Ada', _redirect: `https://${host}:${port}/f` })).status).toBe(422);
    });

    it.each([
      '//evil.example',
      '/local',
      'https:evil.example',
      'https:\\\\evil.example',
      'https://acme.example\\@evil.example',
      'https://acme.example@evil.example',
      'https://user:pass@acme.example',
      'https://acme.example.evil.example',
      'https://acme.example:444',
      'http://acme.example',
      'https://ａcme.example.evil.example',
      'https://acme.example\r\nSet-Cookie: a=b',
      'https://acme.example/\nx',
      '\thttps://acme.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://',
      `https://acme.example/${'x'.repeat(3_000)}`,
    ])('nowhere by %j', async (redirect) => {
      const tenant = app.tenant();
      const { path } = await newForm(tenant, FIELDS, settings);
      const { status, body, headers } = await post(path, { name: 'Ada', _redirect: redirect });
      expect([status, body.errors?.[0]?.path, headers['location']]).toEqual([422, '_redirect', undefined]);
      const html = await page(path, { name: 'Ada', _redirect: redirect });
      expect([html.status, html.headers['location'], html.headers['set-cookie']]).toEqual([422, undefined, undefined]);
      expect(html.text).not.toContain('name="_redirect"');
      expect(await stored(tenant, path)).toEqual([]);
    });
  });

  describe('is bounded:', () => {
    it('10,000 parts are refused', async () => {
      const { path } = await newForm(app.tenant());
      const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `a${index}`, data: '' }));
      const encoded = await post(
        path,
        many.map(({ name }): [string, string] => [name, '']),
      );
      expect([encoded.status, encoded.body.errors.some(({ code }: { code: string }) => code === 'too_many')]).toEqual([
        422,
        true,
      ]);
      const multi = await upload(path, many.slice(0, 3_000));
      expect([multi.status, multi.body.errors.some(({ code }: { code: string }) => code === 'too_many')]).toEqual([
        422,
        true,
      ]);
      const huge = await upload(
        path,
        many.map(({ name }) => ({ name, data: 'x'.repeat(100) })),
      );
      expect([413, 422]).toContain(huge.status);
    });

    it('256 KiB of text are accepted as form, however they are encoded', async () => {
      const fields = Array.from({ length: 14 }, (_, index) => ({ name: `t${index}`, type: 'textarea' }));
      const { path } = await newForm(app.tenant(), fields);
      const values = Object.fromEntries(fields.slice(0, 13).map(({ name }) => [name, 'ä'.repeat(10_000)]));
      expect((await post(path, values)).status).toBe(201);
      const more = Object.fromEntries(fields.map(({ name }) => [name, 'ä'.repeat(10_000)]));
      expect((await post(path, more)).status).toBe(413);
      expect(
        (
          await upload(
            path,
            Object.entries(more).map(([name, data]) => ({ name, data })),
          )
        ).status,
      ).toBe(413);
    });

    it('a broken multipart body is 400, a compressed one 415, and another type 415', async () => {
      const { path } = await newForm(app.tenant());
      const send = (type: string, text: string, encoding?: string) => {
        const request = visitor()
          .post(path)
          .set('Content-Type', type)
          .ok(() => true);
        if (encoding) request.set('Content-Encoding', encoding);
        return request.send(text);
      };
      expect((await send('multipart/form-data', 'x')).body.code).toBe('malformed_multipart');
      expect((await send('multipart/form-data; boundary=x', 'y')).body.code).toBe('malformed_multipart');
      expect((await send('multipart/form-data; boundary=x', '--x--\r\n', 'gzip')).status).toBe(415);
      expect((await send('text/plain', 'name=Ada')).status).toBe(415);
    });
  });
});

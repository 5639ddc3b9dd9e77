import { connect } from 'node:net';
import { PROBLEMS } from '../../src/errors/problem.js';
import { VALUE_ERRORS } from '../../src/errors/value-errors.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';

const FIELDS = [{ name: 'title', type: 'text', required: true }];

describe('problems', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  let types: string;
  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    types = `/v1/content/${tenant.id}/types`;
    type = await createType(tenant, FIELDS);
  });
  afterAll(() => app.close());

  /** Sends requests that supertest cannot: any bytes as the body, any method, any path. */
  const send = async (
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(app.url + path, {
      method,
      body,
      headers: { Authorization: `Bearer ${tenant.key}`, ...headers },
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text;
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
  };
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  /** Checks what all problem responses have in common, and returns the body. */
  const expectProblem = (
    { status, headers, body }: { status: number; headers: Headers; body: Record<string, unknown> },
    code: keyof typeof PROBLEMS,
  ) => {
    expect({ status, body }).toEqual({
      status: PROBLEMS[code].status,
      body: {
        type: `/problems/${code}`,
        title: PROBLEMS[code].title,
        status: PROBLEMS[code].status,
        code,
        detail: expect.any(String),
        ...(body['errors'] !== undefined && { errors: expect.any(Array) }),
        request_id: headers.get('x-request-id'),
      },
    });
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    return body;
  };

  describe('the body', () => {
    it.each([
      ['', 'is empty'],
      ['{"name":', 'is cut off'],
      ["{'name': 1}", 'is not JSON'],
      ['{"a":1}{"b":2}', 'is more than one value'],
      ['[]', 'is a list'],
      ['"text"', 'is a string'],
      ['1', 'is a number'],
      ['null', 'is null'],
      ['true', 'is a boolean'],
      ['\ufeff{}x', 'has trailing text'],
    ])('%j is malformed_json: it %s', async (body) => {
      expectProblem(await send('POST', types, body, JSON_TYPE), 'malformed_json');
      expectProblem(
        await send('PATCH', `${type.entries}/ent_01h455vb4pex5vsknk084sn02q`, body, JSON_TYPE),
        'malformed_json',
      );
    });

    it('that is not UTF-8 is malformed_json', async () => {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]);
      expectProblem(await send('POST', types, body, JSON_TYPE), 'malformed_json');
    });

    it('that does not match its Content-Encoding is malformed_json', async () => {
      expectProblem(
        await send('POST', types, 'not gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
        'malformed_json',
      );
    });

    it.each([
      ['text/plain'],
      ['application/x-www-form-urlencoded'],
      ['multipart/form-data; boundary=x'],
      ['application/json; charset=utf-16'],
      ['application/vnd.api+json'],
      ['application/jsonp'],
      ['json'],
    ])('of the type %s is unsupported_media_type', async (contentType) => {
      expectProblem(await send('POST', types, '{}', { 'Content-Type': contentType }), 'unsupported_media_type');
    });

    it.each([
      ['application/json'],
      ['Application/JSON'],
      ['application/json; charset=utf-8'],
      ['application/json;charset="UTF-8"'],
    ])('of the type %s is accepted', async (contentType) => {
      expectProblem(await send('POST', types, '{}', { 'Content-Type': contentType }), 'validation_failed');
    });

    it('without a type is unsupported_media_type', async () => {
      expectProblem(await send('POST', types, Buffer.from('{}')), 'unsupported_media_type');
    });

    it('in an unknown encoding is unsupported_media_type', async () => {
      expectProblem(
        await send('POST', types, '{}', { ...JSON_TYPE, 'Content-Encoding': 'rot13' }),
        'unsupported_media_type',
      );
    });

    it('of more than 1 MiB is payload_too_large, of exactly 1 MiB is not', async () => {
      const padded = (length: number) => {
        const head = '{"fields":{"title":"';
        return `${head}${'x'.repeat(length - head.length - 3)}"}}`;
      };
      const fits = await send('POST', type.entries, padded(1024 * 1024), JSON_TYPE);
      expect(fits.status).toBe(201);
      expectProblem(await send('POST', type.entries, padded(1024 * 1024 + 1), JSON_TYPE), 'payload_too_large');
    });

    it('that is larger than 1 MiB after decompression is payload_too_large', async () => {
      const { gzipSync } = await import('node:zlib');
      const bomb = gzipSync(Buffer.from(`{"name":"${'x'.repeat(4 * 1024 * 1024)}"}`));
      expect(bomb.length).toBeLessThan(10_000);
      expectProblem(await send('POST', types, bomb, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), 'payload_too_large');
    });

    it('with a NUL, a lone surrogate, a number out of range or too many levels is validation_failed', async () => {
      const bodies = [
        '{"name":"a\\u0000b","fields":[]}',
        '{"name":"a\\ud800b","fields":[]}',
        '{"a\\u0000":1}',
        '{"name":1e999}',
        `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
      ];
      for (const body of bodies) expectProblem(await send('POST', types, body, JSON_TYPE), 'validation_failed');
    });

    it('with text that cannot be stored has one error for it, beside those of other values', async () => {
      const { body } = await send('POST', types, '{"name":"a\\u0000","slug":"\\ud800","fields":5}', JSON_TYPE);
      expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
        'name text',
        'slug text',
        'fields type',
      ]);
    });

    it('with thousands of unknown properties gets a response of limited length', async () => {
      const body = JSON.stringify(
        Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, index])),
      );
      const { status, text } = await send('POST', types, body, JSON_TYPE);
      expect(status).toBe(422);
      expect(text.length).toBeLessThan(4 * 1024 * 1024);
    });

    it('with names of JavaScript’s own properties is validation_failed, and has no other effect', async () => {
      for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
        const { body } = await send('POST', types, `{"${name}":{"polluted":true},"name":"x"}`, JSON_TYPE);
        expect(body.errors).toContainEqual({ path: name, code: 'unknown_property', message: expect.any(String) });
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  describe('the route', () => {
    it.each([
      ['/'],
      ['/v1'],
      ['/v2/content'],
      ['/v1/content'],
      ['/nope'],
      ['/v1/forms'],
      ['/v1/nope/ten_x'],
      ['/favicon.ico'],
    ])('%s is not_found', async (path) => {
      expectProblem(await send('GET', path), 'not_found');
      expectProblem(await send('POST', path, '{', JSON_TYPE), 'not_found');
    });

    it.each([
      ['PUT', () => types, ['GET', 'HEAD', 'POST']],
      ['DELETE', () => types, ['GET', 'HEAD', 'POST']],
      ['PATCH', () => type.path, ['DELETE', 'GET', 'HEAD', 'PUT']],
      ['POST', () => type.path, ['DELETE', 'GET', 'HEAD', 'PUT']],
      ['PUT', () => `${type.entries}/x`, ['DELETE', 'GET', 'HEAD', 'PATCH']],
      ['DELETE', () => `/v1/forms/${tenant.id}`, ['GET', 'HEAD', 'POST']],
      ['POST', () => '/health/live', ['GET', 'HEAD']],
      ['DELETE', () => '/problems/not_found', ['GET', 'HEAD']],
      ['POST', () => '/openapi.json', ['GET', 'HEAD']],
    ])('%s without a handler is method_not_allowed, with Allow', async (method, path, allowed) => {
      const answer = await send(method, path());
      expectProblem(answer, 'method_not_allowed');
      const allow = answer.headers.get('allow')?.split(', ');
      expect(allow).toEqual(expect.arrayContaining(allowed));
      expect(allow).not.toContain(method);
    });

    it.each([['TRACE'], ['PROPFIND'], ['PURGE'], ['SEARCH']])('%s is method_not_allowed', async (method) => {
      const answer = await raw(app.url, `${method} ${types} HTTP/1.1`, `Authorization: Bearer ${tenant.key}`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(/\r\nAllow: GET, HEAD, POST/);
    });

    it('longer than the parser’s limit is a problem too', async () => {
      const answer = await raw(
        app.url,
        `GET ${types}?search=${'x'.repeat(70_000)} HTTP/1.1`,
        `Authorization: Bearer ${tenant.key}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 431 /);
      expect(answer).toMatch(/\r\nX-Request-Id: \S+/);
      expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json/);
    });

    it('treats malformed percent-encoding as plain text', async () => {
      expectProblem(await send('GET', `/v1/content/%ZZ/types`), 'forbidden');
      expectProblem(await send('GET', `${types}/%E0%A4%A`), 'not_found');
      expectProblem(await send('GET', `/v1/forms/${tenant.id}/%ff/submissions`), 'not_found');
      expectProblem(await send('GET', `${types}?page=%ff`), 'invalid_parameter');
    });

    it('with a NUL, a slash or other unusual characters in an ID is not_found', async () => {
      for (const id of [
        '%00',
        'ct_%00',
        '%2F',
        '..%2F..',
        '%F0%9F%92%A9',
        `ct_${'0'.repeat(5000)}`,
        "ct_'--",
        'null',
      ]) {
        expectProblem(await send('GET', `${types}/${id}`), 'not_found');
        expectProblem(await send('GET', `${types}/${id}/entries`), 'not_found');
      }
    });

    it('is accepted with and without a trailing slash', async () => {
      expect((await send('GET', `${types}/`)).status).toBe(200);
    });
  });

  describe('the query', () => {
    it('with unknown parameters is unknown_parameter, and lists all of them', async () => {
      const body = expectProblem(await send('GET', `${types}?nope=1&page=1&more=2`), 'unknown_parameter');
      expect(body['errors']).toEqual([
        { path: 'nope', code: 'unknown_parameter', message: expect.any(String) },
        { path: 'more', code: 'unknown_parameter', message: expect.any(String) },
      ]);
    });

    it('with names of JavaScript’s own properties is unknown_parameter', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', '__proto__[page]']) {
        expectProblem(await send('GET', `${types}?${encodeURIComponent(name)}=1`), 'unknown_parameter');
      }
    });

    it('with a parameter twice, as a list or as an object answers 400', async () => {
      expectProblem(await send('GET', `${types}?page=1&page=2`), 'invalid_parameter');
      expectProblem(await send('GET', `${types}?page[]=1`), 'unknown_parameter');
      expectProblem(await send('GET', `${type.entries}?sort[a]=title`), 'unknown_parameter');
      expectProblem(await send('GET', `${type.entries}?filter[title][]=x`), 'invalid_parameter');
      expectProblem(await send('GET', `${type.entries}?filter[title][eq][x]=x`), 'invalid_parameter');
      expectProblem(await send('GET', `${type.entries}?filter=x`), 'unknown_parameter');
    });

    it('with a NUL in any parameter is invalid_parameter', async () => {
      for (const query of ['page=%00', 'search=a%00b', 'filter[title]=%00', 'sort=%00', 'cursor=%00']) {
        expectProblem(await send('GET', `${type.entries}?${query}`), 'invalid_parameter');
      }
      expect((await send('GET', `${type.entries}?filter[%00]=a`)).status).toBe(400);
    });

    it('with a field that the type does not have is unknown_field', async () => {
      expectProblem(await send('GET', `${type.entries}?sort=nope`), 'unknown_field');
      expectProblem(await send('GET', `${type.entries}?filter[nope]=1`), 'unknown_field');
    });

    it('with thousands of parameters answers 400', async () => {
      const query = Array.from({ length: 2000 }, (_, index) => `p${index}=1`).join('&');
      expectProblem(await send('GET', `${types}?${query}`), 'unknown_parameter');
    });

    it('with invalid percent-encoding is read as browsers read it', async () => {
      expect((await send('GET', `${type.entries}?search=100%`)).status).toBe(200);
    });
  });

  it('conflict, precondition_failed and validation_failed have their own responses', async () => {
    const other = { name: 'Taken', slug: 'taken', fields: FIELDS };
    expect((await send('POST', types, JSON.stringify(other), JSON_TYPE)).status).toBe(201);
    const conflict = expectProblem(await send('POST', types, JSON.stringify(other), JSON_TYPE), 'conflict');
    expect(conflict['errors']).toEqual([{ path: 'slug', code: 'taken', message: expect.any(String) }]);

    const created = await send('POST', type.entries, '{"fields":{"title":"a"}}', JSON_TYPE);
    const stale = { ...JSON_TYPE, 'If-Match': '"v9"' };
    expectProblem(await send('PATCH', `${type.entries}/${created.body.data.id}`, '{}', stale), 'precondition_failed');

    const invalid = expectProblem(
      await send('POST', type.entries, '{"fields":{},"x":1}', JSON_TYPE),
      'validation_failed',
    );
    expect(invalid['errors']).toHaveLength(2);
  });

  describe('X-Request-Id', () => {
    it('is the client’s own if it is valid, also in the problem', async () => {
      for (const id of ['abc', '0190-A_b.c:d', 'x'.repeat(128)]) {
        const { headers, body } = await send('GET', '/nope', undefined, { 'X-Request-Id': id });
        expect(headers.get('x-request-id')).toBe(id);
        expect(body.request_id).toBe(id);
      }
    });

    it('is a new one otherwise', async () => {
      for (const id of ['', 'a b', 'x'.repeat(129), '<script>', 'ünï', 'a,b']) {
        const { headers } = await send('GET', types, undefined, {
          'X-Request-Id': encodeURI(id) === id ? id : encodeURI(id),
        });
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
      }
    });

    it('is in every response', async () => {
      for (const path of [
        types,
        '/nope',
        '/health/live',
        '/problems',
        '/problems/not_found',
        '/guides',
        '/openapi.json',
        '/docs',
        '/metrics',
        '/%',
      ]) {
        const { headers } = await send('GET', path);
        expect(headers.get('x-request-id')).toBeTruthy();
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('x-powered-by')).toBeNull();
      }
    });
  });

  describe('HEAD and OPTIONS', () => {
    it('HEAD responds as GET does, without the body', async () => {
      const get = await send('GET', types);
      const head = await send('HEAD', types);
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
      const missing = await send('HEAD', '/nope');
      expect(missing.status).toBe(404);
      expect(missing.headers.get('content-type')).toBe('application/problem+json');
    });

    it('HEAD needs a key where GET does', async () => {
      expect((await fetch(app.url + types, { method: 'HEAD' })).status).toBe(401);
    });

    it('OPTIONS lists the methods of a path', async () => {
      const response = await fetch(app.url + types, { method: 'OPTIONS' });
      expect(response.headers.get('allow')?.split(/, ?/).sort()).toEqual(['GET', 'HEAD', 'POST']);
      expect(response.status).toBeLessThan(300);
    });
  });

  describe('the problem pages', () => {
    it.each(Object.keys(PROBLEMS))('/problems/%s explains the code', async (code) => {
      const { status, text, headers } = await send('GET', `/problems/${code}`);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).toContain(code);
      expect(text).not.toContain('undefined');
    });

    it.each(['/problems', '/problems/'])('are listed at %s, with the codes of invalid values', async (path) => {
      const { status, text } = await send('GET', path);
      expect(status).toBe(200);
      for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`problems/${code}"><code>${code}</code>`);
      for (const code of Object.keys(VALUE_ERRORS)) expect(text).toContain(`<dt id="${code}">`);
      for (const [, href = ''] of text.matchAll(/href="([^"#:]+)"/g)) {
        expect([href, (await fetch(new URL(href, app.url + path))).status]).toEqual([href, 200]);
      }
    });

    it('of an unknown code are not_found', async () => {
      for (const code of ['nope', 'toString', '__proto__', '%3Cscript%3E']) {
        expectProblem(await send('GET', `/problems/${code}`), 'not_found');
      }
    });
  });

  it('a request that is not HTTP only closes the connection', async () => {
    expect(await raw(app.url, 'NONSENSE', '')).toMatch(/^HTTP\/1\.1 400 /);
    const expecting = await raw(app.url, `GET ${types} HTTP/1.1`, 'Expect: miracles');
    expect(expecting).toMatch(/^HTTP\/1\.1 417 [^]*X-Request-Id: [^]*"code":"invalid_parameter"/);
    const hostless = await exchange(app.url, `GET ${types} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(hostless).toMatch(/^HTTP\/1\.1 400 [^]*X-Request-Id: [^]*"code":"invalid_parameter"/);
    expect((await send('GET', types)).status).toBe(200);
  });

  it('paths are case-sensitive', async () => {
    expect((await send('GET', types.replace('content', 'Content'))).status).toBe(404);
  });

  it('a header that is too large answers 431', async () => {
    const answer = await raw(app.url, `GET ${types} HTTP/1.1`, `X-Large: ${'x'.repeat(40_000)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

/** The response to a request line and a header, as text. */
function raw(url: string, requestLine: string, header: string): Promise<string> {
  const { host } = new URL(url);
  return exchange(url, `${requestLine}\r\nHost: ${host}\r\n${header ? `${header}\r\n` : ''}Connection: close\r\n\r\n`);
}

/** The response to a raw request, as text. */
function exchange(url: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(request);
    });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

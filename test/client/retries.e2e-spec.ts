import { createClient, TrivetError } from '../../client/src/index.js';
import { createRequest } from '../../client/src/request/index.js';
import { hang, hangUp, json, type ScriptedServer, startScriptedServer } from './scripted-server.js';

const ENTRY = { id: 'ent_1', content_type_id: 'ct_1', fields: { title: 'Tides' }, status: 'draft' };
const BUSY = { 'Retry-After': '0' };

describe('the client', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server.close());

  const clientWith = (options: object = {}) =>
    createClient({ url: server.url, tenant: 'ten_acme', key: 'tvt_key', ...options });
  const posts = (options?: object) => clientWith(options).entries('post');
  const failureOf = (promise: Promise<unknown>): Promise<TrivetError> =>
    promise.then(
      () => Promise.reject(new Error('It did not fail.')),
      (error: TrivetError) => error,
    );

  describe('sends again', () => {
    it.each([
      ['a connection that broke', hangUp],
      ['503', json(503, {}, BUSY)],
      ['429', json(429, {}, BUSY)],
    ])('a GET after %s', async (_name, answer) => {
      server.script(answer, json(200, { data: ENTRY }, { ETag: '"v1"' }));
      expect(await posts().get('ent_1')).toEqual({ ...ENTRY, etag: '"v1"' });
      expect(server.received).toHaveLength(2);
    });

    it('a write with the same idempotency key and body, also while an earlier attempt is in progress', async () => {
      const inProgress = json(409, { code: 'conflict' }, BUSY);
      server.script(hangUp, inProgress, json(201, { data: ENTRY }, { ETag: '"v1"' }));
      await posts().create({ title: 'Tides' });
      expect(server.received.map(({ body }) => body)).toEqual(Array(3).fill('{"fields":{"title":"Tides"}}'));
      const keys = server.received.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      await posts().create({ title: 'Tides' });
      expect(server.received.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
    });

    it('an answer that broke off', async () => {
      server.script(
        (response) => {
          response.writeHead(200, { 'Content-Length': '100' });
          response.write('{"data":', () => response.socket?.destroy());
        },
        json(200, { data: [], meta: {} }),
      );
      expect(await posts().list()).toEqual({ data: [], meta: {} });
    });

    it('at most as often as maxRetries says', async () => {
      server.script(json(503, { code: 'unavailable', detail: 'Busy.' }, BUSY));
      const error = await failureOf(posts({ maxRetries: 3 }).list());
      expect([error.status, error.message, server.received.length]).toEqual([503, 'Busy.', 4]);
      await failureOf(posts({ maxRetries: 0 }).list());
      expect(server.received).toHaveLength(5);
    });
  });

  describe('does not send again', () => {
    it.each([400, 401, 403, 404, 409, 412, 422, 500, 502, 504])('what was answered with %i', async (status) => {
      server.script(json(status, {}));
      expect((await failureOf(posts().list())).status).toBe(status);
      expect(server.received).toHaveLength(1);
    });

    it('a write without an idempotency key', async () => {
      server.script(hangUp);
      const error = await failureOf(posts().create({ title: 'Tides' }, { idempotencyKey: false }));
      expect([error.status, error.code, server.received.length]).toEqual([0, 'network', 1]);
      expect(server.received[0]?.headers['idempotency-key']).toBeUndefined();
    });

    it('an upload, for which the API takes no key, and the body of a stream', async () => {
      server.script(hangUp);
      const request = createRequest({ url: server.url, tenant: 'ten_acme' });
      await failureOf(request('uploadMedia', { body: { file: new Blob(['x']) } }));
      expect(server.received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      const body = new Blob(['{}\n']).stream() as ReadableStream;
      await failureOf(request('importEntries', { path: { content_type_id: 'post' }, body }));
      expect(server.received).toHaveLength(2);
      expect(server.received[1]).toMatchObject({ body: '{}\n', headers: { 'content-type': 'application/x-ndjson' } });
    });

    it('what is to wait for longer than maxRetryWait: the error says how long', async () => {
      server.script(json(429, { code: 'rate_limited' }, { 'Retry-After': '11' }));
      const error = await failureOf(posts().list());
      expect([error.code, error.retryAfter, server.received.length]).toEqual(['rate_limited', 11, 1]);
      const date = new Date(Date.now() + 60_000).toUTCString();
      server.script(json(503, {}, { 'Retry-After': date }));
      expect((await failureOf(posts().list())).retryAfter).toBeGreaterThan(55);
    });
  });

  describe('ends', () => {
    it('with the reason of the signal while it waits to send again, and while an answer is missing', async () => {
      server.script(json(503, {}, { 'Retry-After': '9' }));
      const [controller, reason] = [new AbortController(), new Error('Gone')];
      const waiting = posts().list({ signal: controller.signal });
      while (server.received.length === 0) await new Promise(setImmediate);
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);

      server.script(hang);
      const other = new AbortController();
      const hanging = posts().list({ signal: other.signal });
      while (server.received.length === 0) await new Promise(setImmediate);
      other.abort(reason);
      await expect(hanging).rejects.toBe(reason);
      await expect(posts().list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(server.received).toHaveLength(1);
    });

    it('after the time-out, also in the middle of a body, and with a fetch that ignores signals', async () => {
      server.script((response) => response.writeHead(200).write('{"data":'));
      const slow = await failureOf(posts({ timeout: 50, maxRetries: 0 }).list());
      expect([slow.status, slow.code]).toEqual([0, 'timeout']);
      const deaf = { fetch: () => new Promise<Response>(() => undefined), timeout: 20, maxRetries: 1 };
      expect((await failureOf(posts(deaf).list())).code).toBe('timeout');
    });
  });

  describe('throws', () => {
    it('the whole problem of the service', async () => {
      const errors = [{ path: 'fields.title', code: 'required', message: 'title is required.' }];
      const problem = {
        code: 'validation_failed',
        detail: '1 value is not valid.',
        errors,
        request_id: 'req_1',
        limit: 'x',
      };
      server.script(json(422, problem, { 'X-Request-Id': 'req_1' }));
      const error = await failureOf(posts().create({}));
      expect(error).toBeInstanceOf(TrivetError);
      expect(error).toMatchObject({
        name: 'TrivetError',
        status: 422,
        code: 'validation_failed',
        errors,
        requestId: 'req_1',
      });
      expect([error.message, error.problem?.['limit']]).toEqual(['1 value is not valid.', 'x']);
    });

    it('an error with the status for the page of a proxy, and with the ID that was sent', async () => {
      server.script((response) => response.writeHead(502, 'Bad Gateway').end('<h1>Bad gateway</h1>'));
      const error = await failureOf(posts().list());
      expect(error).toMatchObject({ status: 502, code: 'http_502', errors: [] });
      expect(error.requestId).toBe(server.received[0]?.headers['x-request-id']);
      expect(error.message).toContain('502 (Bad Gateway)');
    });

    it('an error for a success that is not JSON', async () => {
      server.script((response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1>'));
      expect(await failureOf(posts().list())).toMatchObject({ status: 200, code: 'invalid_response' });
      expect(server.received).toHaveLength(1);
    });

    it('an error for a redirect, and sends the key to no other place', async () => {
      const other = await startScriptedServer();
      other.script(json(200, { data: [] }));
      server.script((response) => response.writeHead(302, { Location: other.url }).end());
      expect(await failureOf(posts().list())).toMatchObject({ status: 302, code: 'redirected' });
      expect(other.received).toEqual([]);
      await other.close();
    });
  });

  it('sends what it was created with: the key, headers of its own, and the tenant', async () => {
    server.script(json(200, { data: [], meta: {} }));
    let count = 0;
    await posts({ url: `${server.url}/below/`, headers: () => ({ 'X-Count': String(++count) }) }).list({ per_page: 5 });
    const [{ url, headers } = { url: '', headers: {} }] = server.received;
    expect(url).toBe('/below/v1/content/ten_acme/types/post/entries?per_page=5');
    expect(headers).toMatchObject({ authorization: 'Bearer tvt_key', 'x-count': '1' });
  });

  it('reads without a key with no header that would need a preflight', async () => {
    server.script(json(200, { data: [], meta: {} }));
    await createClient({ url: server.url, tenant: 'ten_acme' }).entries('post').list();
    const own = Object.keys(server.received[0]?.headers ?? {}).filter((name) => /^(x-|auth|idem|content)/.test(name));
    expect(own).toEqual([]);
  });

  it('submits forms without its key, unless it tells the address of the visitor', async () => {
    server.script(json(201, { data: { id: 'sub_1' } }));
    await clientWith().forms.submit('contact', { email: 'a@example.com' });
    await clientWith().forms.submit('contact', { email: 'a@example.com' }, { clientAddress: '192.0.2.1' });
    expect(server.received.map(({ headers }) => [headers.authorization, headers['trivet-client-address']])).toEqual([
      [undefined, undefined],
      ['Bearer tvt_key', '192.0.2.1'],
    ]);
  });
});

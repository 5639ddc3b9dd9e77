import { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { AddressInfo, createServer as createTcpServer, Server, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { parseCidrs } from './address.js';
import { OutboundClient, OutboundOptions, PostOptions } from './outbound-client.js';
import { codeOf, OUTBOUND_MESSAGES, OutboundError } from './outbound-error.js';
import { PUBLIC_NEEDS_HTTPS } from './target-url.js';

const cert = readFileSync('test/support/tls/cert.pem');
const expired = readFileSync('test/support/tls/expired.pem');
const key = readFileSync('test/support/tls/key.pem');
const loopback = { allowPrivateNetworks: false, allow: parseCidrs('127.0.0.1, ::1') };
const toLoopback = (): Promise<LookupAddress[]> => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const opened: { server: Server; sockets: Set<Socket> }[] = [];
const clients: OutboundClient[] = [];

/** Listens on a free port of 127.0.0.1 (or `host`) and collects its sockets, so that a test can count and destroy them. */
async function listen(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  opened.push({ server, sockets });
  const { port } = server.address() as AddressInfo;
  return { port, url: `https://receiver.test:${port}/hook`, sockets, connections: () => connections };
}

const https = (handler: Handler, host?: string) => listen(createHttpsServer({ key, cert }, handler), host);
const raw = (answer: (socket: Socket) => void) =>
  listen(createTlsServer({ key, cert }, (socket) => socket.once('data', () => answer(socket))));

function client(options: Partial<OutboundOptions> = {}): OutboundClient {
  const made = new OutboundClient({ ...loopback, ca: cert, resolve: toLoopback, ...options });
  clients.push(made);
  return made;
}

const post = (to: OutboundClient, url: string, options: Partial<PostOptions> = {}) =>
  to.post(url, { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5_000, ...options });

/** Waits until the sender has closed every socket. A receiver that does not read would not notice, so this resumes the sockets. */
async function expectNoSockets(sockets: Set<Socket>) {
  for (const socket of sockets) socket.resume();
  for (let i = 0; i < 1_000 && sockets.size > 0; i++) await wait(10);
  expect(sockets.size).toBe(0);
}

/** The result of a complete response: it has no error. */
const answered = (status: number, body = '') => ({ status, body, durationMs: expect.any(Number) as number });

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.close()));
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('a delivered request', () => {
  it('arrives with its headers and body, and returns status, body and Retry-After', async () => {
    let seen: unknown;
    const { url } = await https((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url: path, headers, httpVersion } = request;
        seen = { method, path, headers, httpVersion, body: Buffer.concat(chunks).toString() };
        response.writeHead(503, { 'retry-after': '7' }).end('später');
      });
    });
    const result = await post(client(), `${url}?a=1`, { body: '{"ü":1}', headers: { 'webhook-id': 'evt_1' } });

    expect(result).toEqual({ status: 503, body: 'später', retryAfter: '7', durationMs: expect.any(Number) });
    expect(seen).toMatchObject({
      method: 'POST',
      path: '/hook?a=1',
      httpVersion: '1.1',
      headers: { 'webhook-id': 'evt_1', 'accept-encoding': 'identity', 'content-length': '8' },
      body: '{"ü":1}',
    });
    expect((seen as { headers: { host: string } }).headers.host).toMatch(/^receiver\.test:\d+$/);
  });

  it('names the host in the TLS handshake', async () => {
    const server = createHttpsServer({ key, cert }, (request, response) =>
      response.end((request.socket as { servername?: string }).servername),
    );
    const { url } = await listen(server);
    expect((await post(client(), url)).body).toBe('receiver.test');
  });

  it('reaches an allowed literal IPv4 or IPv6 address without name resolution', async () => {
    const resolve = jest.fn(toLoopback);
    const v4 = await https((_, response) => response.end('4'));
    const v6 = await https((_, response) => response.end('6'), '::1');
    expect(await post(client({ resolve }), `https://127.0.0.1:${v4.port}/`)).toEqual(answered(200, '4'));
    expect(await post(client({ resolve }), `https://[::1]:${v6.port}/`)).toEqual(answered(200, '6'));
    expect(resolve).not.toHaveBeenCalled();
  });

  it('tries the next allowed address when one does not respond', async () => {
    const { url } = await https((_, response) => response.end('6'), '::1');
    const resolve = () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    expect(await post(client({ resolve }), url)).toEqual(answered(200, '6'));
  });

  it('resolves names of the hosts file when ranges are allowed', async () => {
    const { port } = await https((_, response) => response.end());
    const result = await post(client({ resolve: undefined }), `https://localhost:${port}/`, { timeoutMs: 15_000 });
    expect(result.status).toBe(200);
  });

  it('does not follow a redirect', async () => {
    const paths: unknown[] = [];
    const { url } = await https((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await post(client(), url)).toEqual(answered(307));
    expect(paths).toEqual(['/hook']);
  });

  it('skips informational responses', async () => {
    const { url } = await raw((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    );
    expect(await post(client(), url)).toEqual(answered(204));
  });
});

describe('the body of a response', () => {
  it('is cut off at maxBytes, and its connection is closed', async () => {
    let sent = 0;
    const { url, sockets } = await https((_, response) => {
      const chunk = Buffer.alloc(65_536, 'a');
      const more = () => {
        while (sent < 10_485_760) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const result = await post(client(), url);
    expect(result).toEqual(answered(200, expect.any(String) as string));
    expect(result.body === 'a'.repeat(16_384)).toBe(true);
    await expectNoSockets(sockets);
    expect(sent).toBeLessThan(10_485_760);
  });

  it('is not awaited beyond maxBytes', async () => {
    const { url } = await https((_, response) => response.write('1234'));
    expect(await post(client(), url, { maxBytes: 4 })).toEqual(answered(200, '1234'));
  });

  it('is text: invalid UTF-8 and NUL are replaced, and a character that was cut is left out', async () => {
    const { url } = await https((request, response) =>
      response.end(request.url === '/hook' ? Buffer.from([0x61, 0xff, 0x00, 0x62]) : 'aü'),
    );
    expect((await post(client(), url)).body).toBe('a\uFFFD\uFFFDb');
    expect((await post(client(), `${url}/cut`, { maxBytes: 2 })).body).toBe('a');
  });

  it('is never decompressed', async () => {
    const { url } = await https((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    );
    const { body, error } = await post(client(), url);
    expect(error).toBeUndefined();
    expect(body.length).toBeLessThanOrEqual(1_200);
  });
});

describe('addresses', () => {
  const resolvingTo =
    (...addresses: string[]) =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fd00::1',
    'nonsense',
  ])('that are not public get no connection: %s', async (address) => {
    const { port, connections } = await https((_, response) => response.end());
    const closed = client({ allow: [], resolve: resolvingTo(address) });
    const result = await post(closed, `https://receiver.test:${port}/`);
    expect(result).toMatchObject({ error: 'address_not_public', message: OUTBOUND_MESSAGES.address_not_public });
    expect(result.cause?.message).toContain(address);
    expect(connections()).toBe(0);
  });

  it('that are not allowed are skipped in favour of allowed ones', async () => {
    const { url } = await https((request, response) => response.end(request.socket.localAddress));
    const some = client({ resolve: resolvingTo('10.255.255.1', '127.0.0.2', '127.0.0.1', '169.254.169.254') });
    expect(await post(some, url)).toEqual(answered(200, '127.0.0.1'));
  });

  it('are checked again for each connection, so that DNS rebinding has no effect', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolve = jest.fn(() => resolvingTo(answers.shift() ?? '')());
    const { url, connections } = await https((_, response) => response.writeHead(200, { connection: 'close' }).end());
    const rebound = client({ resolve });
    expect((await post(rebound, url)).status).toBe(200);
    expect((await post(rebound, url)).error).toBe('address_not_public');
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(connections()).toBe(1);
  });

  it('are resolved once for each connection, so that the checked address is used', async () => {
    const resolve = jest.fn(toLoopback);
    const { url } = await https((_, response) => response.end());
    await post(client({ resolve }), url);
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://localhost',
  ])('and names in the URL itself are checked too: %s', async (origin) => {
    const { port, connections } = await https((_, response) => response.end());
    const result = await post(client({ allow: [] }), `${origin}:${port}/`);
    expect(result).toMatchObject({ error: 'address_not_allowed', message: OUTBOUND_MESSAGES.address_not_allowed });
    expect(connections()).toBe(0);
  });

  it('are not resolved when the URL is not https', async () => {
    expect((await post(client(), 'http://receiver.test/')).error).toBe('address_not_allowed');
    expect((await post(client(), 'nonsense')).error).toBe('address_not_allowed');
  });

  it('of private names, unknown names and a DNS failure have different sentences, which contain no address', async () => {
    const missing = await post(
      client({
        resolve: () => Promise.reject(new OutboundError('name_unknown', 'DNS has no address for vault.corp.')),
      }),
      'https://vault.corp/',
    );
    const secret = await post(client({ resolve: resolvingTo('10.0.0.7') }), 'https://vault.corp/');
    const failed = await post(client({ resolve: () => Promise.reject(new Error('ESERVFAIL')) }), 'https://vault.corp/');
    expect([missing.error, secret.error, failed.error]).toEqual(['name_unknown', 'address_not_public', 'dns']);
    for (const { message, body } of [missing, secret, failed]) {
      expect(message).not.toMatch(/vault|10\.0/);
      expect(body).toBe('');
    }
  });
});

describe('http', () => {
  const open = (options: Partial<OutboundOptions> = {}) =>
    client({ allow: [], allowPrivateNetworks: true, resolve: undefined, ...options });
  const resolvingTo = (address: string) => () => Promise.resolve([{ address, family: 4 }]);

  it('reaches a private address and localhost when private networks are allowed, over a connection that is kept', async () => {
    const { port, connections } = await listen(createPlainServer((request, response) => response.end(request.method)));
    const sender = open();
    expect(await post(sender, `http://127.0.0.1:${port}/`)).toEqual(answered(200, 'POST'));
    expect(await post(sender, `HTTP://localhost:${port}/`)).toEqual(answered(200, 'POST'));
    expect(await post(sender, `http://localhost:${port}/`)).toEqual(answered(200, 'POST'));
    expect(connections()).toBe(2);
  });

  it('never reaches a public address', async () => {
    const { port, connections } = await listen(createPlainServer((_, response) => response.end()));
    const literal = await post(open(), 'http://8.8.8.8/');
    expect(literal).toMatchObject({ error: 'address_not_allowed', cause: { message: PUBLIC_NEEDS_HTTPS } });
    const named = await post(open({ resolve: resolvingTo('8.8.8.8') }), `http://receiver.test:${port}/`);
    expect(named).toMatchObject({ error: 'address_public', message: OUTBOUND_MESSAGES.address_public });
    expect(connections()).toBe(0);
  });

  it('reaches nothing unless all private networks are allowed', async () => {
    const { port, connections } = await listen(createPlainServer((_, response) => response.end()));
    for (const host of ['127.0.0.1', 'receiver.test', 'localhost']) {
      expect((await post(client(), `http://${host}:${port}/`)).error).toBe('address_not_allowed');
    }
    expect(connections()).toBe(0);
  });

  it('to a new name is refused if the name has only public addresses now', async () => {
    const check = (resolve: OutboundOptions['resolve'], url = 'http://receiver.test/') =>
      open({ resolve }).checkNewTarget(url);
    expect(await check(resolvingTo('8.8.8.8'))).toBe(PUBLIC_NEEDS_HTTPS);
    expect(await check(resolvingTo('10.0.0.1'))).toBeUndefined();
    expect(await check(() => Promise.reject(new Error('ENOTFOUND')))).toBeUndefined();
    expect(await check(() => new Promise(() => undefined))).toBeUndefined();
    expect(await check(() => Promise.reject(new Error('ENOTFOUND')), 'http://example.com/')).toBe(PUBLIC_NEEDS_HTTPS);
    expect(await check(resolvingTo('8.8.8.8'), 'https://receiver.test/')).toBeUndefined();
    expect(await check(resolvingTo('10.0.0.1'), 'http://8.8.8.8/')).toBe(PUBLIC_NEEDS_HTTPS);
  });
});

describe('a time-out', () => {
  it.each<[string, Handler]>([
    ['before the headers', () => undefined],
    [
      'in the middle of the body',
      (_, response) => void response.writeHead(200, { 'content-length': '10' }).write('12345'),
    ],
    [
      'while headers arrive slowly',
      (request) => {
        request.socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => request.socket.write('a: b\r\n'), 20);
        request.socket.on('close', () => clearInterval(drip));
      },
    ],
    [
      'while the body arrives slowly',
      (_, response) => {
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('ends a request whose receiver hangs %s', async (_, handler) => {
    const { url, sockets } = await https(handler);
    const result = await post(client(), url, { timeoutMs: 200 });
    expect(result).toMatchObject({ error: 'timeout', message: OUTBOUND_MESSAGES.timeout });
    expect(result.durationMs).toBeGreaterThanOrEqual(190);
    expect(result.durationMs).toBeLessThan(1_000);
    await expectNoSockets(sockets);
  });

  it('keeps the status and the part of the body that arrived', async () => {
    const { url } = await https((_, response) => response.writeHead(410).write('gone'));
    expect(await post(client(), url, { timeoutMs: 200 })).toMatchObject({
      status: 410,
      body: 'gone',
      error: 'timeout',
    });
  });

  it('covers the TLS handshake', async () => {
    const { url, sockets } = await listen(createTcpServer());
    expect((await post(client(), url, { timeoutMs: 200 })).error).toBe('timeout');
    await expectNoSockets(sockets);
  });

  it('covers name resolution, and a late result opens no connection', async () => {
    const { url, connections } = await https((_, response) => response.end());
    const late = client({ resolve: () => wait(150).then(toLoopback) });
    expect((await post(late, url, { timeoutMs: 50 })).error).toBe('timeout');
    await wait(200);
    expect(connections()).toBe(0);
  });

  it('covers sending to a receiver that never reads', async () => {
    const paused: Socket[] = [];
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => undefined);
      paused.push(socket.pause());
    });
    const { url, sockets } = await listen(server);
    const result = await post(client(), url, { timeoutMs: 200, body: Buffer.alloc(20_000_000) });
    expect(result.error).toBe('timeout');
    // The receiver must read the sent bytes before it sees the end.
    for (const socket of paused) socket.resume();
    await expectNoSockets(sockets);
  });
});

describe('a failure', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['a reset', (socket) => socket.destroy(), 'connection'],
    ['an end without a response', (socket) => socket.end(), 'connection'],
    ['a response that is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'protocol'],
    ['a broken status line', (socket) => socket.end('HTTP/1.1 abc\r\n\r\n'), 'protocol'],
    ['endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(40_000)}\r\n`), 'protocol'],
    [
      'two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      'protocol',
    ],
    [
      'a switch of protocols',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: ws\r\n\r\n'),
      'protocol',
    ],
    [
      'a broken chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
      'protocol',
    ],
    ['an interrupted body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'), 'connection'],
  ])('caused by %s has a code and a fixed sentence', async (_, answer, error) => {
    const { url, sockets, connections } = await raw(answer);
    const result = await post(client(), url);
    expect(result).toMatchObject({ error, message: OUTBOUND_MESSAGES[error as 'connection'] });
    expect(connections()).toBe(1);
    await expectNoSockets(sockets);
  });

  it('to connect does not reveal the address', async () => {
    const { url, port } = await https(() => undefined);
    const last = opened.pop();
    await new Promise((resolve) => last?.server.close(resolve));
    const result = await post(client(), url);
    expect(result).toMatchObject({ error: 'connection', message: OUTBOUND_MESSAGES.connection, body: '' });
    expect(result.cause?.message).toContain(String(port));
    expect(JSON.stringify({ ...result, cause: undefined })).not.toMatch(/127|ECONN/);
  });

  it('to connect to any of several addresses is one failure', async () => {
    const { port } = await https(() => undefined);
    const last = opened.pop();
    await new Promise((resolve) => last?.server.close(resolve));
    const resolve = () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    expect((await post(client({ resolve }), `https://receiver.test:${port}/`)).error).toBe('connection');
  });

  it('of TLS says why: unknown issuer, wrong name, expired, no TLS at all', async () => {
    const { url, port } = await https((_, response) => response.end());
    const old = await listen(createHttpsServer({ key, cert: expired }, (_, response) => response.end()));
    const plain = await listen(createPlainServer((_, response) => response.end()));
    const other = client();
    const failures: [OutboundClient, string, string][] = [
      [client({ ca: undefined }), url, 'certificate_issuer'],
      [other, `https://other.test:${port}/`, 'certificate_name'],
      [client({ ca: expired }), old.url, 'certificate_time'],
      [other, plain.url, 'tls_missing'],
    ];
    for (const [sender, target, error] of failures) {
      expect(await post(sender, target)).toMatchObject({ error, message: OUTBOUND_MESSAGES[error as 'tls'] });
    }
    expect((await post(other, url)).status).toBe(200);
  });

  it('of TLS is a certificate of an unknown authority in a chain too', () => {
    const failed = (code: string) => codeOf(Object.assign(new Error(), { code }));
    expect(failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toBe('certificate_issuer');
    expect(failed('SELF_SIGNED_CERT_IN_CHAIN')).toBe('certificate_issuer');
    expect(failed('CERT_REVOKED')).toBe('tls');
  });

  it('of TLS is not prevented by NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const { url } = await https((_, response) => response.end());
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect((await post(client({ ca: undefined }), url)).error).toBe('certificate_issuer');
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
});

describe('connections', () => {
  it('are kept open and reused', async () => {
    const { url, connections } = await https(
      (request, response) => void request.resume().on('end', () => response.end('ok')),
    );
    const kept = client();
    for (let i = 0; i < 20; i++) expect((await post(kept, url)).status).toBe(200);
    expect(connections()).toBe(1);
  });

  it('that the receiver closed are replaced without a failure', async () => {
    let requests = 0;
    const { url, sockets, connections } = await https((request, response) => {
      // The second request finds its pooled connection closed, as after an idle time-out of the receiver.
      if (++requests === 2) return request.socket.destroy();
      request.resume().on('end', () => response.end('ok'));
    });
    const kept = client();
    expect((await post(kept, url)).status).toBe(200);
    expect(await post(kept, url)).toEqual(answered(200, 'ok'));
    expect(connections()).toBe(2);
    await expectNoSockets(sockets);
  });

  it('are not reused when the response arrives before the request was read', async () => {
    const { url, sockets } = await raw((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    expect((await post(client(), url, { body: Buffer.alloc(20_000_000) })).status).toBe(200);
    await expectNoSockets(sockets);
  });

  it('serve many requests at once', async () => {
    const { url, connections } = await https(
      (request, response) => void request.resume().on('end', () => response.end('ok')),
    );
    const busy = client();
    const results = await Promise.all(Array.from({ length: 300 }, () => post(busy, url, { timeoutMs: 15_000 })));
    expect(results.every(({ status }) => status === 200)).toBe(true);
    expect(connections()).toBeLessThanOrEqual(256);
  });

  it('are closed by close, after the requests in progress', async () => {
    const { url, sockets } = await https((_, response) => void setTimeout(() => response.end('late'), 150));
    const closing = client();
    const running = post(closing, url);
    await wait(50);
    await closing.close();
    expect(await running).toEqual(answered(200, 'late'));
    await expectNoSockets(sockets);
    expect((await post(closing, url)).error).toBe('aborted');
  });

  it('are closed when the caller aborts', async () => {
    const { url, sockets } = await https(() => undefined);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    const result = await post(client(), url, { signal: abort.signal });
    expect(result).toMatchObject({ error: 'aborted', message: OUTBOUND_MESSAGES.aborted });
    await expectNoSockets(sockets);
    expect((await post(client(), url, { signal: abort.signal })).error).toBe('aborted');
  });
});

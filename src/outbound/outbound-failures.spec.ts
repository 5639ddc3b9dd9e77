import { createServer as createPlainServer } from 'node:http';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import {
  cert,
  expectNoSockets,
  expired,
  type Handler,
  key,
  post,
  toLoopback,
  useOutbound,
} from '../../test/support/outbound.js';
import type { OutboundClient } from './outbound-client.js';
import { codeOf, OUTBOUND_MESSAGES } from './outbound-error.js';

const { client, https, listen, raw, refusing } = useOutbound();

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
    let isOver = false;
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => undefined);
      // On a busy machine, the handshake may end after the time-out.
      if (!isOver) paused.push(socket.pause());
    });
    const { url, sockets } = await listen(server);
    const result = await post(client(), url, { timeoutMs: 200, body: Buffer.alloc(20_000_000) });
    expect(result.error).toBe('timeout');
    // The receiver must read the sent bytes before it sees the end.
    isOver = true;
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
    const { url, port } = await refusing();
    const result = await post(client(), url);
    expect(result).toMatchObject({ error: 'refused', message: OUTBOUND_MESSAGES.refused, body: '' });
    expect(result.cause?.message).toContain(String(port));
    expect(JSON.stringify({ ...result, cause: undefined })).not.toMatch(/127|ECONN/);
  });

  it('to connect to any of several addresses is one failure', async () => {
    const { port } = await refusing();
    const resolve = () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    expect((await post(client({ resolve }), `https://receiver.test:${port}/`)).error).toBe('refused');
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

  it('of a receiver that supports only HTTP/2 says so', async () => {
    const settings = Buffer.from('000006040000000000000400400000', 'hex');
    const receivers = [
      await listen(createHttp2Server({ key, cert })),
      // One that ignores what the client supports.
      await listen(createTlsServer({ key, cert }, (socket) => socket.on('error', () => undefined).write(settings))),
    ];
    for (const { url } of receivers) {
      expect(await post(client(), url)).toMatchObject({ error: 'http2_only', message: OUTBOUND_MESSAGES.http2_only });
    }
    const both = await listen(createHttp2Server({ key, cert, allowHTTP1: true }, (_, response) => response.end()));
    expect((await post(client(), both.url)).status).toBe(200);
  });

  it('to find a way to the receiver is not a refusal', () => {
    expect(codeOf(Object.assign(new Error(), { code: 'EHOSTUNREACH' }))).toBe('unreachable');
    expect(codeOf(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBe('refused');
    expect(codeOf(Object.assign(new Error(), { code: 'ECONNRESET' }))).toBe('connection');
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

import { createServer as createHttpsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { answered, cert, expectNoSockets, key, post, toLoopback, useOutbound } from '../../test/support/outbound.js';

const { client, https, listen, raw } = useOutbound();

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

  it('may be a GET, and returns the headers of the response', async () => {
    let seen: unknown;
    const { url } = await https(({ method, headers }, response) => {
      seen = { method, length: headers['content-length'], accept: headers.accept };
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const result = await client().request(url, { headers: { accept: 'application/json' }, timeoutMs: 5_000 });
    expect(result).toMatchObject({ status: 200, body: '{}', headers: { 'content-type': 'application/json' } });
    expect(seen).toEqual({ method: 'GET', length: undefined, accept: 'application/json' });
    expect(await client().request('https://receiver.test:1/', { headers: {}, timeoutMs: 5_000 })).toMatchObject({
      error: 'refused',
      headers: {},
    });
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

import { createServer } from 'node:https';
import { createServer as createPlainServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { filesBelow } from '../support/files-below.js';
import { cert, key } from '../support/outbound.js';
import { makeKey } from '../support/make-key.js';
import { RECEIVER_ENV } from '../support/receiver.js';

const MAX_BYTES = 300_000;

describe('files that the service fetches', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let server: Server;
  let base: string;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  let requests: string[];
  beforeAll(async () => {
    server = createServer({ key, cert }, (request, response) => {
      requests.push(request.url ?? '');
      handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `https://localhost:${(server.address() as AddressInfo).port}`;
    // Only this machine is allowed, as an operator would allow one range.
    app = await startApp({
      OUTBOUND_ALLOW: '127.0.0.1/32,::1/128',
      OUTBOUND_CA_FILE: RECEIVER_ENV.OUTBOUND_CA_FILE,
      MEDIA_MAX_BYTES: String(MAX_BYTES),
    });
  });
  beforeEach(() => {
    tenant = app.tenant();
    requests = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.close();
  });

  const ask = (body: object, own = tenant) => own.http.post(`/v1/media/${own.id}`, body);
  const refused = async (url: unknown) => {
    const { body } = await ask({ url }).expect(422);
    expect(await app.database.query('SELECT 1 FROM media WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    return body.errors.map(({ path, code, message }: Record<string, string>) => `${path} ${code} ${message}`).join();
  };
  const answer = (status: number, headers: Record<string, string> = {}, body: Buffer | string = '') => {
    handle = (_request, response) => void response.writeHead(status, headers).end(body);
  };

  it('are stored with the name that the URL has, and checked as uploads are', async () => {
    const png = await files.png();
    answer(200, { 'content-type': 'text/html' }, png);
    const { body } = await ask({ url: `${base}/2024/05/caf%C3%A9.png?size=large`, alt: 'A cup' }).expect(201);
    expect(body.data).toMatchObject({ filename: 'café.png', mime_type: 'image/png', size: png.length, alt: 'A cup' });
    expect(requests).toEqual(['/2024/05/caf%C3%A9.png?size=large']);
    answer(200, {}, files.exe());
    expect(await refused(`${base}/program.png`).catch(() => 'stored')).not.toContain('url ');
  });

  it('need the scope media:write, and a body with a url', async () => {
    const reader = await makeKey(tenant, ['media:read']);
    await app
      .client(`Bearer ${reader}`)
      .post(`/v1/media/${tenant.id}`, { url: `${base}/x` })
      .expect(403);
    for (const body of [
      {},
      { url: 5 },
      { url: `${base}/x`, name: 'y' },
      { url: `${base}/x`, alt: 'x'.repeat(1_001) },
    ]) {
      expect((await ask(body).expect(422)).body.code).toBe('validation_failed');
    }
    expect(requests).toEqual([]);
  });

  it('are not fetched from places that are not public, and the problem does not tell what is there', async () => {
    for (const url of [
      'https://10.0.0.1/x.png',
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/x',
      'https://0x7f000001.example.localhost.internal:1/x',
      'http://example.com/x.png',
      'ftp://example.com/x',
      'file:///etc/passwd',
      'https://user:password@example.com/x',
      'not a url',
      `https://example.com/${'x'.repeat(3_000)}`,
    ]) {
      expect(await refused(url)).toMatch(/^url url /);
    }
    expect(requests).toEqual([]);
  });

  it('are followed over redirects, but not into places that are not public, and not in circles', async () => {
    const png = await files.png();
    handle = (request, response) => {
      if (request.url === '/final.png') response.writeHead(200).end(png);
      else response.writeHead(302, { location: request.url === '/a' ? '/b?x=1#part' : '/final.png' }).end();
    };
    const { body } = await ask({ url: `${base}/a` }).expect(201);
    expect(body.data.filename).toBe('final.png');
    expect(requests).toEqual(['/a', '/b?x=1', '/final.png']);
    const other = app.tenant();
    tenant = other;
    for (const location of [
      'https://10.0.0.1/x',
      'http://localhost/x',
      'https://[::ffff:10.0.0.1]/',
      'file:///etc/passwd',
    ]) {
      answer(302, { location });
      expect(await refused(`${base}/out`)).toMatch(/^url url The file could not be fetched/);
    }
    handle = (_request, response) => void response.writeHead(301, { location: '/round' }).end();
    requests = [];
    expect(await refused(`${base}/round`)).toContain('too many redirects');
    expect(requests).toHaveLength(6);
  });

  it('fail with a clear problem if there is no file', async () => {
    answer(404, {}, 'gone');
    expect(await refused(`${base}/gone`)).toContain('the status 404');
    answer(302);
    expect(await refused(`${base}/nowhere`)).toContain('the status 302');
    answer(200);
    expect(await refused(`${base}/empty`)).toBe('url empty The file at the URL is empty.');
    handle = (request) => void request.socket.destroy();
    expect(await refused(`${base}/reset`)).toContain('closed the connection');
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await refused(`${base}/half`)).toContain('closed the connection');
    expect(await refused('https://localhost:1/x')).toContain('refused the connection');
  });

  it('have at most MEDIA_MAX_BYTES, whether or not the server says how many there are', async () => {
    const large = Buffer.alloc(MAX_BYTES + 1, 'x');
    answer(200, { 'content-length': String(large.length) }, large);
    await ask({ url: `${base}/large` }).expect(413);
    let sent = 0;
    handle = (_request, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && sent < 100 * MAX_BYTES) {
          sent += 65_536;
          if (!response.write(large.subarray(0, 65_536))) return void response.once('drain', write);
        }
      };
      write();
    };
    await ask({ url: `${base}/endless` }).expect(413);
    expect(sent).toBeLessThan(50 * MAX_BYTES);
    const paths = await filesBelow(app.config.dataDir);
    expect(paths.filter((path) => path.includes('upload'))).toEqual([]);
  });

  it('of one tenant that hang leave places for those of another', async () => {
    const waiting: ServerResponse[] = [];
    const png = await files.png();
    handle = (request, response) => {
      if (request.url === '/hang') waiting.push(response);
      else response.writeHead(200).end(png);
    };
    const hanging = Array.from({ length: 20 }, () => ask({ url: `${base}/hang` }).then(({ status }) => status));
    const other = app.tenant();
    expect((await ask({ url: `${base}/quick.png` }, other)).status).toBe(201);
    expect(waiting.length).toBeLessThanOrEqual(8);
    const end = () => {
      for (const response of waiting.splice(0)) response.writeHead(404).end();
    };
    const timer = setInterval(end, 20);
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([422]));
    clearInterval(timer);
  });

  it('are fetched over http only from private addresses, and only if the operator allows them', async () => {
    const png = await files.png();
    const plain = createPlainServer((_request, response) => void response.writeHead(200).end(png));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/x.png`;
    await ask({ url }).expect(422);
    const open = await startApp({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    const own = open.tenant();
    await own.http.post(`/v1/media/${own.id}`, { url }).expect(201);
    await open.close();
    await new Promise((resolve) => plain.close(resolve));
  });
});

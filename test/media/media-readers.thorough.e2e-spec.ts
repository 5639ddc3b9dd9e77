import { readdir, readlink } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBudget } from '../../src/admission/byte-budget.js';
import { MediaStorage } from '../../src/media/storage/media-storage.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { expectServerErrors } from '../support/server-errors.js';
import { pathOf, upload } from '../support/upload.js';
import { until } from '../support/until.js';

/** More than the operating system buffers for a client that does not read. */
const LARGE_BYTES = 12_000_000;

describe('clients that request a file and do not read it', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let large: string;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    app = await startApp({ MAX_BYTES_IN_FLIGHT: '16777216' });
    [tenant, other] = [app.tenant(), app.tenant()];
    large = pathOf((await upload(app, tenant, Buffer.alloc(LARGE_BYTES, 'text '))).url);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    sockets.splice(0).forEach((socket) => socket.destroy());
    await until(() => Promise.resolve(budget().used === 0));
  });
  afterAll(() => app.close());

  const budget = () => app.get(ByteBudget);

  /** Sends requests on one connection and reads only the status of the first answer. */
  const ask = async (path: string, { times = 1 } = {}): Promise<string> => {
    const { port } = app.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
    const head = await new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(chunk.toString('latin1'))),
    );
    socket.pause();
    return head;
  };
  const statusOf = (head: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);

  /** The number of stored files that this process has open. */
  const openFiles = async (): Promise<number> => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(app.config.dataDir)).length;
  };

  it('are rejected before they use up the memory, while others are served', async () => {
    expectServerErrors(503);
    const statuses: number[] = [];
    let refused = '';
    for (let count = 0; count < 80; count++) {
      const head = await ask(large);
      statuses.push(statusOf(head));
      if (statuses.at(-1) === 503) refused = head;
    }
    const accepted = statuses.filter((status) => status === 200).length;
    // An address has a third of 16 MiB, at 160 KiB each.
    expect(accepted).toBeGreaterThan(30);
    expect(accepted).toBeLessThanOrEqual(35);
    expect(statuses.slice(accepted)).toEqual(Array<number>(80 - accepted).fill(503));
    expect(refused).toMatch(/Retry-After: 1/i);
    expect(budget().used).toBeLessThanOrEqual(8_388_608);

    await tenant.http.get(`/v1/media/${tenant.id}`).expect(200);
    const media = await upload(app, other, await files.jpeg(400, 300));
    await app.client().get(pathOf(media.url)).expect(200);
    await app
      .client()
      .get(`${pathOf(media.url)}?w=128`)
      .expect(200);

    sockets.splice(0).forEach((socket) => socket.destroy());
    await until(() => Promise.resolve(budget().used === 0));
    await app.client().get(large).expect(200);
    if (process.platform === 'linux') await until(async () => (await openFiles()) === 0);
  });

  it('reserve no more memory than a small file needs', async () => {
    const small = pathOf((await upload(app, tenant, Buffer.alloc(20_000, 'text '))).url);
    const reserve = jest.spyOn(budget(), 'reserve');
    await app.client().get(small).expect(200);
    await app.client(undefined, { Range: 'bytes=0-9' }).get(large).expect(206);
    await app.client().get(large).expect(200);
    const share = `public/${tenant.id}/127.0.0.1`;
    expect(reserve.mock.calls).toEqual([20_000, 16_384, 163_840].map((bytes) => [share, bytes]));
    await until(() => Promise.resolve(budget().used === 0));
  });

  it('reserve no memory for a response without a body', async () => {
    const reserve = jest.spyOn(budget(), 'reserve');
    expect((await fetch(app.url + large, { method: 'HEAD' })).status).toBe(200);
    const { headers } = await fetch(app.url + large, { method: 'HEAD' });
    await app
      .client(undefined, { 'If-None-Match': headers.get('etag') ?? '' })
      .get(large)
      .expect(304);
    await app
      .client(undefined, { Range: `bytes=${LARGE_BYTES}-` })
      .get(large)
      .expect(416);
    expect(reserve).not.toHaveBeenCalled();
  });

  it('leave no file open when they close, even with pipelined requests', async () => {
    await ask(large, { times: 12 });
    await until(() => Promise.resolve(budget().used >= 12 * 163_840));
    sockets.splice(0).forEach((socket) => socket.destroy());
    await until(() => Promise.resolve(budget().used === 0));
    if (process.platform === 'linux') await until(async () => (await openFiles()) === 0);
  });

  it('leave no file open when they close before the file is opened', async () => {
    const storage = app.app.get(MediaStorage);
    const read = storage.read.bind(storage);
    let opened = 0;
    jest.spyOn(storage, 'read').mockImplementation(async (...args) => {
      sockets.forEach((socket) => socket.destroy());
      await sleep(100);
      opened++;
      return read(...args);
    });
    void ask(large);
    await until(() => Promise.resolve(opened === 1 && budget().used === 0));
    if (process.platform === 'linux') await until(async () => (await openFiles()) === 0);
  });
});

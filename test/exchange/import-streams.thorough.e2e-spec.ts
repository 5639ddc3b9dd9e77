import type { Socket } from 'node:net';
import { Stopping } from '../../src/admission/stopping.js';
import { StreamedImports } from '../../src/lists/exchange/streamed-import.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createType, type TestType } from '../support/content.js';
import { SlowReader } from '../support/slow-reader.js';
import { until } from '../support/until.js';

/** A line is committed after a pause of the client, so that tests need not send a whole batch. */
const line = (title: string) => `${JSON.stringify({ fields: { title } })}\n`;

/** The lines of a response so far. */
const parsed = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one) as Record<string, unknown>);

describe('an import that takes long', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function scene(on = app) {
    const tenant = on.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text', required: true }], 'Post');
    return { tenant, type };
  }

  /** Begins an import whose body stays open. */
  function begin(on: TestApp, tenant: TestTenant, type: TestType) {
    let send: (text: string) => void = () => undefined;
    let end: () => void = () => undefined;
    const body = new ReadableStream({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/x-ndjson' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const lines = fetch(`${on.url}${type.entries}/import`, init).then(async (answer) => parsed(await answer.text()));
    return { send, end, lines };
  }

  const total = async (tenant: TestTenant, type: TestType): Promise<number> =>
    (await tenant.http.get(`${type.entries}?per_page=1`).expect(200)).body.meta.total;
  const counted = (created: number) => ({ created, updated: 0, unchanged: 0, failed: 0 });

  it('ends with what is committed when the service stops', async () => {
    const own = await startApp();
    try {
      own.get(StreamedImports).progressMs = 20;
      const { tenant, type } = await scene(own);
      const { send, lines } = begin(own, tenant, type);
      send(line('One'));
      await until(async () => (await total(tenant, type)) === 1);
      own.get(Stopping).begin();
      send(line('Two'));
      expect((await lines).at(-1)).toMatchObject({
        done: false,
        ...counted(1),
        problem: {
          status: 503,
          code: 'unavailable',
          detail: 'The service is stopping. What was reported is committed.',
        },
      });
      expect(await total(tenant, type)).toBe(1);
    } finally {
      await own.close();
    }
  });

  it('is not cut by the time-out of the server for whole requests', async () => {
    const { tenant, type } = await scene();
    const server = app.app.getHttpServer();
    const sockets: Socket[] = [];
    const note = (socket: Socket) => void sockets.push(socket);
    server.on('connection', note);
    // A connection of its own.
    const reader = await SlowReader.send(
      app.url,
      `POST ${type.entries}/import HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${tenant.key}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${2 * line('One').length}\r\n\r\n${line('One')}`,
    );
    await until(async () => (await total(tenant, type)) === 1);
    const { localPort } = reader.socket;
    const socket = sockets.find(({ remotePort }) => remotePort === localPort);
    server.off('connection', note);
    // What Node.js reports of a request that takes longer than `requestTimeout`.
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    reader.socket.write(line('Two'));
    const { status, body } = await reader.answer();
    expect([status, parsed(body)]).toEqual([200, [{ done: true, ...counted(2) }]]);
  });

  it('reports its progress', async () => {
    const own = await startApp();
    try {
      own.get(StreamedImports).progressMs = 20;
      const { tenant, type } = await scene(own);
      const { send, end, lines } = begin(own, tenant, type);
      send(line('One'));
      await until(async () => (await total(tenant, type)) === 1);
      send(line('Two'));
      await until(async () => (await total(tenant, type)) === 2);
      end();
      const all = await lines;
      expect(all.at(-1)).toEqual({ done: true, ...counted(2) });
      const processed = all.slice(0, -1).map((one) => one['processed']);
      expect(processed).toContain(1);
      expect(processed).toEqual([...processed].sort());
    } finally {
      await own.close();
    }
  });

  it('goes on if the client does not read, and only counts the bad lines beyond 1 MiB', async () => {
    const { tenant, type } = await scene();
    const count = 60_000;
    const body = line('One') + 'x\n'.repeat(count) + line('Two');
    const reader = await SlowReader.send(
      app.url,
      `POST ${type.entries}/import HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${tenant.key}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until(async () => (await total(tenant, type)) === 2, 30_000);
    const lines = parsed((await reader.answer()).body);
    expect(lines.at(-1)).toEqual({ done: true, ...counted(2), failed: count });
    expect(lines.length).toBeLessThan(count);
    expect(lines[0]).toMatchObject({ line: 2, problem: { code: 'malformed_json' } });
  }, 240_000);

  it('waits if the tenant has four in progress, and those of another tenant do not', async () => {
    const { tenant, type } = await scene();
    // A key alone may have two, and each further one less.
    const colleague = async (name: string): Promise<TestTenant> => {
      const body = { name, scopes: ['content:write'] };
      return { ...tenant, key: (await tenant.http.post(`/v1/keys/${tenant.id}`, body).expect(201)).body.data.key };
    };
    const callers = [tenant, tenant, await colleague('nightly'), await colleague('weekly')];
    const running: ReturnType<typeof begin>[] = [];
    // In turn: if the other keys came first, this one might have only one.
    for (const caller of callers) {
      running.push(begin(app, caller, type));
      running.at(-1)?.send(line('One'));
      await until(async () => (await total(tenant, type)) === running.length);
    }
    const fifth = begin(app, tenant, type);
    fifth.send(line('Five'));
    fifth.end();
    const other = await scene();
    const begun = begin(app, other.tenant, other.type);
    begun.send(line('One'));
    begun.end();
    expect(await begun.lines).toEqual([{ done: true, ...counted(1) }]);
    expect(await total(tenant, type)).toBe(4);
    for (const { end } of running.slice(0, 2)) end();
    expect(await fifth.lines).toEqual([{ done: true, ...counted(1) }]);
    for (const { end } of running.slice(2)) end();
    for (const { lines } of running) expect((await lines).at(-1)).toEqual({ done: true, ...counted(1) });
  });

  it('leaves other tenants their share', async () => {
    const { tenant, type } = await scene();
    const other = await scene();
    await other.tenant.http.post(other.type.entries, { fields: { title: 'x' } }).expect(201);
    const { send, end, lines } = begin(app, tenant, type);
    send(Array.from({ length: 2_000 }, (_, index) => line(`Title ${index}`)).join(''));
    end();
    let isDone = false;
    const ended = lines.then((all) => {
      isDone = true;
      return all;
    });
    let reads = 0;
    while (!isDone) {
      await other.tenant.http.get(other.type.entries).expect(200);
      reads++;
    }
    expect((await ended).at(-1)).toEqual({ done: true, ...counted(2_000) });
    expect(reads).toBeGreaterThan(10);
  }, 240_000);
});

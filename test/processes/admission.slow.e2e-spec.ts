import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { ByteBudget } from '../../src/admission/byte-budget.js';
import { Connections } from '../../src/admission/connections.js';
import { Database } from '../../src/database/database.js';
import { type NoParameters, statement } from '../../src/database/statements/statement.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';

const REQUEST = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n';

/** A connection that records what it receives. */
class Client {
  received = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.received += chunk.toString()));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  static async open(app: TestApp): Promise<Client> {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const client = new Client(socket);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return client;
  }

  /** The number of responses received so far. */
  get answers(): number {
    return this.received.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
  }
}

const LOCK_TYPES = statement<NoParameters, never>()(
  'test.lock_types',
  'SELECT FROM content_types WHERE tenant_id = :tenantId FOR UPDATE',
);

describe('connections', () => {
  let app: TestApp;
  const clients: Client[] = [];
  const open = async () => {
    const client = await Client.open(app);
    clients.push(client);
    return client;
  };
  const load = () => app.get(Connections).load;

  beforeAll(async () => {
    const limits = { MAX_CONNECTIONS: '20', MAX_CONNECTIONS_PER_ADDRESS: '15' };
    app = await startApp({ TRUST_PROXY: '0', ...limits }, { keepAlive: false });
  });
  afterAll(() => app.close());
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await until(() => Promise.resolve(load().open === 0));
  });

  it('that pipeline thousands of requests and then close leave no request unfinished', async () => {
    for (let times = 0; times < 3; times++) {
      const client = await open();
      client.socket.write(REQUEST.repeat(2_600));
      client.socket.destroy();
    }
    await until(() => Promise.resolve(load().open === 0));
    expect(load().unfinished).toBe(0);
    await app.client().get('/health/live').expect(200);
    await app.client().get('/nope').expect(404);
  });

  it('that pipeline requests get the responses in order', async () => {
    const client = await open();
    const ids = Array.from({ length: 20 }, (_, index) => `request-${index}`);
    client.socket.write(
      ids.map((id) => `GET /health/live HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`).join(''),
    );
    await until(() => Promise.resolve(client.answers === ids.length));
    expect(client.received.match(/X-Request-Id: \S+/g)?.map((header) => header.slice(14))).toEqual(ids);
    expect(client.isClosed).toBe(false);
  });

  it('are closed after the maximum number of pipelined responses', async () => {
    const client = await open();
    client.socket.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    await until(() => Promise.resolve(client.isClosed));
    expect(client.answers).toBe(32);
    expect(client.received.match(/Connection: close/g)).toHaveLength(1);
  });

  it('that pipeline thousands of requests have only the answered ones made', async () => {
    const server = app.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    let requests = 0;
    const count = () => requests++;
    server.on('request', count);
    const client = await open();
    client.socket.write(REQUEST.repeat(2_600));
    await until(() => Promise.resolve(client.isClosed));
    server.off('request', count);
    expect(client.answers).toBe(32);
    expect(requests).toBe(32);
    // The parser is used again for other connections.
    await app.client().get('/health/live').expect(200);
  });

  it('over the limit of an address replace the one that has been idle for longest', async () => {
    const idle = [];
    for (let count = 0; count < 15; count++) idle.push(await open());
    await until(() => Promise.resolve(load().open === 15));
    const [oldest, ...others] = idle;
    // A connection can be replaced only after it has been idle for a second.
    await until(async () => {
      const client = await open();
      client.socket.write(REQUEST);
      await until(() => Promise.resolve(client.answers === 1 || client.isClosed));
      return client.answers === 1;
    });
    expect(oldest?.isClosed).toBe(true);
    expect(others.filter(({ isClosed }) => isClosed)).toEqual([]);
    expect(load().open).toBe(15);
  });

  it('with a request in progress are not replaced', async () => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const busy = await open();
    const lock = app.get(Database).transaction(tenant.id, async (transaction) => {
      await transaction.query(tenant.id, LOCK_TYPES, {});
      const body = JSON.stringify({ fields: { title: 'a' } });
      busy.socket.write(
        `POST ${type.entries} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      await until(() => Promise.resolve(load().unfinished === 1));
      for (let count = 0; count < 14; count++) await open();
      await until(async () => !(await open()).isClosed && load().replaced > 0);
    });
    await lock;
    await until(() => Promise.resolve(busy.received.startsWith('HTTP/1.1 201 ')));
  });
});

describe('a tenant with very many statements', () => {
  let app: TestApp;
  let greedy: TestTenant;
  let other: TestTenant;
  let type: TestType;
  let path: string;
  beforeAll(async () => {
    app = await startApp({ DATABASE_POOL_SIZE: '4' });
    [greedy, other] = [app.tenant(), app.tenant()];
    type = await createType(greedy, [{ name: 'title', type: 'text' }]);
    const otherType = await createType(other, [{ name: 'title', type: 'text' }]);
    const [id] = await createEntries(other, otherType, [{ fields: { title: 'a' } }]);
    path = `${otherType.entries}/${id}`;
  });
  afterAll(() => app.close());

  let flooded: { end: () => Promise<unknown> } | undefined;
  afterEach(() => flooded?.end());

  /** Runs transactions of the greedy tenant that stay open until `end` is called, or until the test ends. */
  function occupy(count: number): { end: () => Promise<unknown> } {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const database = app.get(Database);
    const transactions = Array.from({ length: count }, () => database.transaction(greedy.id, () => released));
    const settled = Promise.allSettled(transactions);
    flooded = {
      end: () => {
        release();
        return settled;
      },
    };
    return flooded;
  }

  it('leaves connections to other tenants and to health checks', async () => {
    const flood = occupy(100);
    // A statement of the service's own work may run for a moment, which is why the numbers are awaited.
    await until(() => Promise.resolve(app.get(Database).load.waiting === 98 && app.get(Database).load.running === 2));
    for (let times = 0; times < 20; times++) await other.http.get(path).expect(200);
    await other.http.patch(path, { fields: { title: 'b' } }).expect(200);
    await app.client().get('/health/ready').expect(200);
    await flood.end();
  });

  it('gets 503 with Retry-After once hundreds of its statements wait', async () => {
    expectServerErrors(503);
    const flood = occupy(510);
    const { body, headers } = await greedy.http.get(type.entries).expect(503);
    expect(body).toMatchObject({ code: 'unavailable', detail: 'This tenant has too many requests in progress.' });
    expect(headers['retry-after']).toBe('1');
    await other.http.get(path).expect(200);
    await flood.end();
    await greedy.http.get(type.entries).expect(200);
  });
});

describe('stalled clients', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp({ CLIENT_TIMEOUT: '1s' });
    tenant = app.tenant();
    type = await createType(tenant, [{ name: 'note', type: 'text' }]);
  });
  afterAll(() => app.close());

  it('are disconnected when they do not read the response', async () => {
    await createEntries(
      tenant,
      type,
      Array.from({ length: 16 }, () => ({ fields: { note: 'x'.repeat(1_000_000) } })),
    );
    const client = await Client.open(app);
    client.socket.pause();
    client.socket.write(`GET ${type.entries} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`);
    await until(() => Promise.resolve(app.get(Connections).load.stalled === 1));
    client.socket.destroy();
  });

  it('are disconnected when they do not send the rest of the body', async () => {
    const client = await Client.open(app);
    client.socket.write(
      `POST ${type.entries} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: 100\r\n\r\n{`,
    );
    await until(() => Promise.resolve(client.isClosed));
    expect(client.received).toBe('');
  });

  it('stay connected while no request is in progress', async () => {
    const client = await Client.open(app);
    client.socket.write(REQUEST);
    await until(() => Promise.resolve(client.answers === 1));
    const before = app.get(Connections).load.stalled;
    const since = Date.now();
    await until(() => Promise.resolve(Date.now() - since > 2_500));
    expect([client.isClosed, app.get(Connections).load.stalled]).toEqual([false, before]);
    client.socket.destroy();
  });
});

describe('request bodies', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ MAX_BYTES_IN_FLIGHT: String(16 * 1024 * 1024) });
  });
  afterAll(() => app.close());

  it('over the tenant’s share of the bytes in flight get 503, while other tenants’ bodies are accepted', async () => {
    expectServerErrors(503);
    const [greedy, other] = [app.tenant(), app.tenant()];
    const types = await Promise.all([greedy, other].map((one) => createType(one, [{ name: 'note', type: 'text' }])));
    const clients: Client[] = [];
    const budget = app.get(ByteBudget);
    for (let count = 0; count < 2; count++) {
      const client = await Client.open(app);
      clients.push(client);
      const { used } = budget;
      client.socket.write(
        `POST ${types[0]?.entries} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy.key}\r\nContent-Type: application/json\r\n` +
          `Content-Length: 1000000\r\n\r\n{`,
      );
      await until(() => Promise.resolve(budget.used > used));
    }
    const big = { fields: { note: 'x'.repeat(900_000) } };
    await until(async () => (await greedy.http.post(types[0]?.entries ?? '', big)).status === 503);
    await other.http.post(types[1]?.entries ?? '', big).expect(201);
    for (const { socket } of clients) socket.destroy();
    await until(async () => (await greedy.http.post(types[0]?.entries ?? '', big)).status === 201);
  });
});

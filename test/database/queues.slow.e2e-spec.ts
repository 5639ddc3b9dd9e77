import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { QUEUE_NAMES } from '../../src/queues/job.js';
import { startApp, type TestApp } from '../support/app.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';
import { Subscription } from '../support/subscription.js';
import { until } from '../support/until.js';

const ENV = { ...RECEIVER_ENV, ENCRYPTION_KEY: randomBytes(32).toString('base64') };

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Makes one event and waits until its receiver has it. */
async function deliver(app: TestApp, to?: Subscription): Promise<Subscription> {
  const webhook = to ?? (await Subscription.create(app, receiver));
  const before = receiver.received(webhook.path).length;
  await webhook.happen();
  await receiver.until(webhook.path, before + 1);
  return webhook;
}

describe('queues without their Redis', () => {
  it('let the service start, work and stop', async () => {
    const app = await startApp({ ...ENV, REDIS_URL: 'redis://127.0.0.1:1' });
    await deliver(app);
    const started = Date.now();
    await app.close();
    expect(Date.now() - started).toBeLessThan(8_000);
  });
});

interface Proxy {
  url: string;
  cut(): void;
  restore(): void;
  /** Whether a client sent the text since the last call. */
  hasSent(text: string): boolean;
  close(): void;
}

/** A proxy to the Redis whose connection can be cut. */
async function startProxy(database = 12): Promise<Proxy> {
  const target = new URL(TEST_REDIS_URL);
  const sockets = new Set<Socket>();
  let isCut = false;
  let sent = '';
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const upstream = connect(Number(target.port || 6379), target.hostname);
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.on('data', (chunk: Buffer) => (sent += chunk.toString('latin1')));
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    cut,
    restore: () => (isCut = false),
    hasSent(text) {
      const found = sent.includes(text);
      sent = '';
      return found;
    },
    close() {
      cut();
      server.close();
    },
  };
}

describeWithRedis('queues on Redis', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(`${TEST_REDIS_URL}/12`);
  });
  afterAll(() => redis.disconnect());

  it('carry only IDs, one job per tenant, and nothing after the job is done', async () => {
    const api = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12`, ROLE: 'api' });
    const webhook = await Subscription.create(api, receiver);
    const key = `{trivet}:events:${webhook.tenant.id}`;
    await webhook.happen();
    await until(async () => (await redis.exists(key)) === 1);
    await webhook.happen();
    expect(JSON.parse((await redis.hget(key, 'data')) ?? '')).toEqual({ tenantId: webhook.tenant.id });
    const waiting = await redis.lrange('{trivet}:events:wait', 0, -1);
    expect(waiting.filter((id) => id === webhook.tenant.id)).toHaveLength(1);

    const worker = await startApp(
      { ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12`, ROLE: 'worker' },
      { database: api.database },
    );
    await receiver.until(webhook.path, 2);
    await until(async () => (await redis.exists(key)) === 0);
    await worker.close();
    await api.close();
  });

  it('lose no event when they are flushed', async () => {
    const app = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12` });
    const webhook = await deliver(app);
    for (let round = 0; round < 5; round++) {
      await webhook.happen();
      await redis.flushdb();
    }
    await receiver.until(webhook.path, 6);
    await deliver(app, webhook);
    await app.close();
  });

  it('continue without Redis at any time, and use it again when it returns', async () => {
    const proxy = await startProxy();
    const app = await startApp({ ...ENV, REDIS_URL: proxy.url });
    const webhook = await deliver(app);
    proxy.cut();
    await deliver(app, webhook);
    proxy.hasSent('');
    proxy.restore();
    // A job names the tenant.
    await until(async () => {
      await deliver(app, webhook);
      return proxy.hasSent(webhook.tenant.id);
    });
    proxy.close();
    await app.close();
  });

  describe('the admin page of the queues', () => {
    const PATH = '/admin/queues';
    const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

    it('is not found without a password', async () => {
      const app = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12` });
      await deliver(app);
      for (const path of [PATH, `${PATH}/bull`]) await app.client(basic('open sesame')).get(path).expect(404);
      await app.close();
    });

    it('needs the password, and limits guesses', async () => {
      const app = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12`, ADMIN_PASSWORD: 'open sesame' });
      const challenge = await app.client().get(PATH).expect(401);
      expect(challenge.headers['www-authenticate']).toMatch(/^Basic /);
      const page = await app.client(basic('open sesame')).get(PATH).expect(200);
      expect(page.text).toContain('Trivet');
      await app.client().get(`${PATH}/bull`).expect(401);
      await app.client().get(`${PATH}/bull/api/queues`).expect(401);
      const api = await app.client(basic('open sesame')).get(`${PATH}/bull/api/queues`).expect(200);
      expect(api.body.queues.map(({ name }: { name: string }) => name).sort()).toEqual([...QUEUE_NAMES].sort());
      const from = { 'X-Forwarded-For': '203.0.113.7' };
      for (let guess = 0; guess < 10; guess++)
        await app
          .client(basic(`guess ${guess}`), from)
          .get(PATH)
          .expect(401);
      const limited = await app.client(basic('open sesame'), from).get(PATH).expect(429);
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
      await app.client(basic('open sesame')).get(PATH).expect(200);
      await app.close();
    });

    /** Whether Bull's pages show a worker of each queue. */
    const workersOf = async (app: TestApp): Promise<Record<string, boolean>> => {
      const { body } = await app.client(basic('open sesame')).get(`${PATH}/bull/api/queues`).expect(200);
      const queues = body.queues as { name: string; hasWorkers: boolean }[];
      return Object.fromEntries(queues.map(({ name, hasWorkers }) => [name, hasWorkers]));
    };

    it('shows the workers of every queue, and none for a process that only serves the API', async () => {
      // No other test has workers in this database.
      const proxy = await startProxy(13);
      const env = { ...ENV, REDIS_URL: proxy.url, ADMIN_PASSWORD: 'open sesame' };
      const api = await startApp({ ...env, ROLE: 'api' });
      const workers = (has: boolean) => Object.fromEntries(QUEUE_NAMES.map((name) => [name, has]));
      expect(await workersOf(api)).toEqual(workers(false));
      expect((await api.client(basic('open sesame')).get(PATH).expect(200)).text).toMatch(
        /<td>mail<\/td><td class="number">0</,
      );
      const worker = await startApp({ ...env, ROLE: 'worker' }, { database: api.database });
      const isWorking = async () => Object.values(await workersOf(api)).every((has) => has);
      await until(isWorking);
      // The names of the connections are set again after a reconnection.
      proxy.cut();
      proxy.restore();
      await until(isWorking);
      const page = await worker.client(basic('open sesame')).get(PATH).expect(200);
      expect(page.text).toMatch(/<td>mail<\/td><td class="number">1</);
      await worker.close();
      await until(async () => !(await workersOf(api))['mail']);
      await api.close();
      proxy.close();
    });

    it('loads nothing from other hosts, and can change nothing', async () => {
      const app = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12`, ADMIN_PASSWORD: 'open sesame' });
      const http = app.client(basic('open sesame'));
      const { text, headers } = await http.get(`${PATH}/bull/`).expect(200);
      expect(text).not.toMatch(/(href|src)="(https?:)?\/\//);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
      const assets = [...text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path!);
      expect(assets.length).toBeGreaterThan(3);
      for (const asset of assets) await http.get(`${PATH}/bull/${asset}`).expect(200);
      const styles = await http.get(`${PATH}/bull/${assets.find((asset) => asset.endsWith('.css'))}`).expect(200);
      expect(styles.text).not.toMatch(/url\(["']?(https?:)?\/\//);
      expect((await http.put(`${PATH}/bull/api/queues/mail/pause`, {})).status).toBe(405);
      await app.close();
    });

    it('says that Redis does not respond', async () => {
      const app = await startApp({ ...ENV, REDIS_URL: 'redis://127.0.0.1:1', ADMIN_PASSWORD: 'open sesame' });
      const { text } = await app.client(basic('open sesame')).get(PATH).expect(200);
      expect(text).toContain('Redis does not respond');
      await app.close();
    });
  });
});

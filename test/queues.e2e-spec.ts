import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { QUEUE_NAMES } from '../src/queues/job.js';
import { startApp, type TestApp } from './support/app.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from './support/receiver.js';
import { describeWithRedis, TEST_REDIS_URL } from './support/redis.js';
import { Subscription } from './support/subscription.js';
import { until } from './support/until.js';

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

/** A proxy to the Redis whose connection can be cut. */
async function startProxy(): Promise<{ url: string; cut(): void; restore(): void; close(): void }> {
  const target = new URL(TEST_REDIS_URL);
  const sockets = new Set<Socket>();
  let isCut = false;
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
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/12`,
    cut,
    restore: () => (isCut = false),
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
    const key = `trivet:events:${webhook.tenant.id}`;
    await webhook.happen();
    await until(async () => (await redis.exists(key)) === 1);
    await webhook.happen();
    expect(JSON.parse((await redis.hget(key, 'data')) ?? '')).toEqual({ tenantId: webhook.tenant.id });
    const waiting = await redis.lrange('trivet:events:wait', 0, -1);
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
    proxy.restore();
    // The monitor sees the job only if it went through Redis.
    // Without a database number and without a ready check the client sends no other command, whose reply would disturb the monitor.
    const monitor = await new Redis(TEST_REDIS_URL, { lazyConnect: true, enableReadyCheck: false }).monitor();
    let jobs = 0;
    monitor.on('monitor', (_time: string, args: string[]) => {
      if (args.some((argument) => argument === webhook.tenant.id)) jobs++;
    });
    await until(async () => {
      await deliver(app, webhook);
      return jobs > 0;
    });
    monitor.disconnect();
    proxy.close();
    await app.close();
  });

  describe('the admin page of the queues', () => {
    const PATH = '/admin/queues';
    const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

    it('is not found without a password or without Redis', async () => {
      const withoutPassword = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12` });
      await deliver(withoutPassword);
      const withoutRedis = await startApp({ ...ENV, ADMIN_PASSWORD: 'open sesame' });
      for (const app of [withoutPassword, withoutRedis]) {
        await app.client(basic('open sesame')).get(PATH).expect(404);
        await app.close();
      }
    });

    it('needs the password, and limits guesses', async () => {
      const app = await startApp({ ...ENV, REDIS_URL: `${TEST_REDIS_URL}/12`, ADMIN_PASSWORD: 'open sesame' });
      const challenge = await app.client().get(PATH).expect(401);
      expect(challenge.headers['www-authenticate']).toMatch(/^Basic /);
      const page = await app.client(basic('open sesame')).get(PATH).expect(200);
      expect(page.text).toContain('Trivet');
      const api = await app.client(basic('open sesame')).get(`${PATH}/api/queues`).expect(200);
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
  });
});

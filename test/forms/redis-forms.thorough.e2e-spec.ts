import { randomBytes } from 'node:crypto';
import Bull from 'bull';
import { RateLimitStorage } from '../../src/access/rate-limit-storage.js';
import type { Config } from '../../src/config/config.js';
import { BullQueue } from '../../src/queues/bull-queue.js';
import { PREFIX, RedisClients } from '../../src/queues/redis-clients.js';
import { LoggedOutage } from '../../src/redis/logged-outage.js';
import { startApp } from '../support/app.js';
import { describeWithRedisServer, RedisServers } from '../support/redis-servers.js';
import { until } from '../support/until.js';

const outage = () => new LoggedOutage({ log: () => undefined, warn: () => undefined });

/** A queue and the rate limits of a process that uses the Redis at the URL. */
class User {
  readonly outage = outage();
  readonly limits: RateLimitStorage;
  readonly queue: BullQueue;
  readonly carriedOut: string[] = [];

  constructor(redisUrl: string) {
    this.limits = new RateLimitStorage({ redisUrl } as Config, this.outage);
    const clients = new RedisClients(redisUrl, 'mail');
    this.queue = new BullQueue(
      new Bull('mail', { prefix: PREFIX, createClient: clients.create, defaultJobOptions: { removeOnComplete: true } }),
      clients,
      this.outage,
    );
  }

  work(): void {
    this.queue.process(
      ({ tenantId }) => Promise.resolve(void this.carriedOut.push(tenantId)),
      () => undefined,
    );
  }

  async hits(key: string): Promise<number> {
    return (await this.limits.increment(key, 60_000, 10)).totalHits;
  }

  async end(): Promise<void> {
    await this.queue.close();
    this.limits.onApplicationShutdown();
    this.outage.onApplicationShutdown();
  }
}

/** Adds jobs with one user until the other carries one out. */
async function pass(from: User, to: User): Promise<void> {
  const tenantId = `ten_${randomBytes(4).toString('hex')}`;
  await until(() => {
    from.queue.add({ tenantId });
    return Promise.resolve(to.carriedOut.includes(tenantId));
  });
}

/** Counts with both users until they count together. */
async function countTogether(users: readonly [User, User]): Promise<void> {
  await until(async () => {
    const key = randomBytes(8).toString('hex');
    return (await users[0].hits(key)) === 1 && (await users[1].hits(key)) === 2;
  });
}

describeWithRedisServer('REDIS_URL', () => {
  let servers: RedisServers;
  let users: [User, User];
  beforeEach(async () => {
    servers = await RedisServers.create();
  });
  afterEach(async () => {
    for (const user of users) await user.end();
    await servers.end();
  });

  const use = (url: string): void => {
    users = [new User(url), new User(url)];
    users[1].work();
  };

  it('may name a cluster, whose keys are on all nodes', async () => {
    const url = await servers.cluster();
    use(url);
    await countTogether(users);
    for (let number = 0; number < 50; number++) {
      const key = randomBytes(8).toString('hex');
      expect([await users[0].hits(key), await users[1].hits(key)]).toEqual([1, 2]);
    }
    for (let number = 0; number < 10; number++) await pass(...users);
    await until(async () => (await users[0].queue.bull.getWorkers()).length === 1);
    expect(await users[0].queue.bull.getJobCounts()).toMatchObject({ waiting: 0, failed: 0 });

    const app = await startApp({ REDIS_URL: url, ADMIN_PASSWORD: 'open sesame' });
    const authorization = `Basic ${Buffer.from('admin:open sesame').toString('base64')}`;
    const page = await until(async () => {
      const { text } = await app.client(authorization).get('/admin/queues').expect(200);
      return /<td>mail<\/td><td class="number">2</.test(text) && text;
    });
    expect(page).toContain('mail');
    await app.client(authorization).get('/admin/queues/bull/api/queues').expect(200);
    await app.close();
  });

  it('may name sentinels, which lead to the next master when one is lost', async () => {
    const { url, master } = await servers.sentinel();
    use(url);
    await countTogether(users);
    await pass(...users);
    await servers.kill(master);
    await pass(...users);
    await countTogether(users);
  });
});

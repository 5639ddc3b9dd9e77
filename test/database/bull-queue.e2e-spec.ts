import Bull from 'bull';
import { BullQueue } from '../../src/queues/bull-queue.js';
import { PREFIX, RedisClients } from '../../src/queues/redis-clients.js';
import { LoggedOutage } from '../../src/redis/logged-outage.js';
import { describeWithRedis, TEST_REDIS_URL } from '../support/redis.js';
import { until } from '../support/until.js';

describeWithRedis('a queue on Redis', () => {
  it('logs an error once, and logs the recovery when it accepts a job again', async () => {
    const logged: unknown[] = [];
    const keep = (message: unknown) => void logged.push(message);
    const outage = new LoggedOutage({ warn: keep, log: keep });
    const clients = new RedisClients(TEST_REDIS_URL, 'mail');
    const queue = new BullQueue(new Bull('mail', { prefix: PREFIX, createClient: clients.create }), clients, outage);
    try {
      await until(() => Promise.resolve(queue.bull.client.status === 'ready'));
      // Bull reports this after FLUSHALL, when the active job is gone. The connection remains.
      queue.bull.emit('error', new Error('Missing key'));
      queue.bull.emit('error', new Error('Missing key'));
      expect(queue.add({ tenantId: 'ten_queue' })).toBe(true);
      await until(() => Promise.resolve(logged.length > 1));
      expect(logged).toEqual([
        expect.stringMatching(/^REDIS_URL: Redis cannot be used \(Missing key\)\. /),
        expect.stringMatching(/^Redis can be used again, after \d+ s$/),
      ]);
    } finally {
      await (await queue.bull.getJob('ten_queue'))?.remove();
      await queue.close();
      outage.onApplicationShutdown();
    }
  });
});

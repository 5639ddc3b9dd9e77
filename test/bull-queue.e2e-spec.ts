import { Logger } from '@nestjs/common';
import Bull from 'bull';
import { BullQueue } from '../src/queues/bull-queue.js';
import { RedisClients } from '../src/queues/redis-clients.js';
import { describeWithRedis, TEST_REDIS_URL } from './support/redis.js';
import { until } from './support/until.js';

describeWithRedis('a queue on Redis', () => {
  it('logs an error once, and logs the recovery when it accepts a job again', async () => {
    const logged: unknown[] = [];
    const keep = (message: unknown) => void logged.push(message);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(keep);
    jest.spyOn(Logger.prototype, 'log').mockImplementation(keep);
    const clients = new RedisClients(TEST_REDIS_URL, 'mail');
    const queue = new BullQueue(new Bull('mail', { prefix: 'trivet', createClient: clients.create }), clients);
    try {
      await until(() => Promise.resolve(queue.bull.client.status === 'ready'));
      // Bull reports this after FLUSHALL, when the active job is gone. The connection remains.
      queue.bull.emit('error', new Error('Missing key'));
      queue.bull.emit('error', new Error('Missing key'));
      expect(queue.add({ tenantId: 'ten_queue' })).toBe(true);
      await until(() => Promise.resolve(logged.length > 1));
      expect(logged).toEqual([
        'The queue "mail" cannot use Redis (Missing key); its jobs continue from the database tables',
        'The queue "mail" uses Redis again',
      ]);
    } finally {
      await (await queue.bull.getJob('ten_queue'))?.remove();
      await queue.close();
      jest.restoreAllMocks();
    }
  });
});

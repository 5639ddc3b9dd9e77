import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import type Bull from 'bull';
import { BullQueue } from './bull-queue.js';
import { type Job, QUEUE_NAMES } from './job.js';
import { QUEUES } from './queue.js';
import { RedisOutage } from '../redis/redis-outage.js';
import { PREFIX, RedisClients } from './redis-clients.js';

/** How long a job of a crashed process stays locked. */
const LOCK_MS = 10_000;

/** Creates all queues in Redis. Workers register with `Queues`, with and without Redis. */
@Module({})
export class BullQueuesModule {
  static on(redisUrl: string): DynamicModule {
    const queues = QUEUE_NAMES.map((name) => ({ name, clients: new RedisClients(redisUrl, name) }));
    return {
      module: BullQueuesModule,
      imports: [
        BullModule.registerQueue(
          ...queues.map(({ name, clients }) => ({
            name,
            prefix: PREFIX,
            createClient: clients.create,
            settings: { lockDuration: LOCK_MS, stalledInterval: LOCK_MS, retryProcessDelay: 500 },
            defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
          })),
        ),
      ],
      providers: [
        {
          provide: QUEUES,
          inject: [RedisOutage, ...queues.map(({ name }) => getQueueToken(name))],
          useFactory: (outage: RedisOutage, ...bulls: Bull.Queue<Job>[]) =>
            new Map(queues.map(({ name, clients }, index) => [name, new BullQueue(bulls[index]!, clients, outage)])),
        },
      ],
      exports: [QUEUES],
    };
  }
}

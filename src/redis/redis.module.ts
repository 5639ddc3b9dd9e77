import cluster from 'node:cluster';
import { Global, Logger, Module } from '@nestjs/common';
import { LoggedOutage } from './logged-outage.js';
import { RedisOutage } from './redis-outage.js';
import { ReportedOutage } from './reported-outage.js';

/** Reports outages of Redis, which the queues and the rate limits share. */
@Global()
@Module({
  providers: [
    {
      provide: RedisOutage,
      useFactory: () => (cluster.isWorker ? new ReportedOutage() : new LoggedOutage(new Logger())),
    },
  ],
  exports: [RedisOutage],
})
export class RedisModule {}

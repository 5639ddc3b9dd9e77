import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { QUEUE_NAMES } from './job.js';
import { LocalQueue } from './local-queue.js';
import { QUEUES } from './queue.js';
import { QueueMetrics } from './queue-metrics.js';
import { Queues } from './queues.js';
import { SharedQueue } from './shared-queue.js';
import { SharedSweeps } from './shared-sweeps.js';

const LOCAL_QUEUES: Provider = {
  provide: QUEUES,
  useFactory: () => new Map(QUEUE_NAMES.map((name) => [name, new LocalQueue()])),
};

/**
 * Wakes the workers, whose work is stored in the database. Global because the module is built for a configuration, so that no other module
 * can import it by its class.
 */
@Global()
@Module({
  imports: [ObservabilityModule],
  providers: [Queues, QueueMetrics, SharedQueue, SharedSweeps],
  exports: [Queues, SharedQueue],
})
export class QueuesModule {
  static async of({ redisUrl }: Config): Promise<DynamicModule> {
    if (!redisUrl) return { module: QueuesModule, providers: [LOCAL_QUEUES] };
    // Load Bull only for Redis, because it takes memory and time.
    const { BullQueuesModule } = await import('./bull-queues.module.js');
    return { module: QueuesModule, imports: [BullQueuesModule.on(redisUrl)] };
  }
}

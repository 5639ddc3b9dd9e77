import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Job } from '../../queues/job.js';
import type { QueueWorker } from '../../queues/queue-worker.js';
import { Queues } from '../../queues/queues.js';
import { WorkLoop } from '../../work/work-loop.js';
import { Deliver } from './deliver.js';
import type { ClaimedDelivery } from './delivery-claims.js';
import { TENANTS_WITH_DUE } from './delivery-claims.sql.js';
import type { DeliveryResult } from './delivery-result.js';
import { DeliverySemaphore } from './delivery-semaphore.js';

/** Maximum number of attempts at once to one webhook without `max_concurrency`. The processes of this machine share them. */
const CONCURRENCY = 20;
const MIN_BATCH = 10;
const MAX_BATCH = 100;
/** Maximum time that running attempts may delay the end of the process. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

/** Sends due deliveries when it is woken, as `Deliver` says. */
@Injectable()
export class DeliveryWorker implements QueueWorker, OnModuleInit, OnModuleDestroy {
  readonly queue = 'webhooks';
  private readonly loop: WorkLoop<ClaimedDelivery, DeliveryResult>;

  constructor(
    { webConcurrency }: Config,
    private readonly deliver: Deliver,
    private readonly database: Database,
    private readonly queues: Queues,
  ) {
    this.loop = new WorkLoop<ClaimedDelivery, DeliveryResult>(deliver, {
      name: 'deliveries',
      semaphore: new DeliverySemaphore(database),
      restrictedTenants: database,
      concurrency: Math.max(1, Math.floor(CONCURRENCY / webConcurrency)),
      minBatch: MIN_BATCH,
      maxBatch: MAX_BATCH,
    });
  }

  onModuleInit(): void {
    this.queues.register(this);
  }

  onModuleDestroy(): void {
    // `Queues` waits for the runs.
    void this.loop.stop(SHUTDOWN_TIMEOUT_MS);
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.loop.work(tenantId);
  }

  stopClaiming(): void {
    this.loop.stopClaiming();
  }

  /**
   * Begins no attempt that was claimed before a change of the webhook: it may be inactive or deleted now, or have another URL. Other processes
   * notice with their next claims.
   */
  async giveBack(webhookId: string): Promise<void> {
    await this.loop.giveBack(webhookId);
  }

  async due(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_DUE, {});
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.deliver.groups(tenantId)).length > 0;
  }
}

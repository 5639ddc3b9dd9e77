import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import type { Job } from './job.js';
import type { QueueWorker } from './queue-worker.js';
import { Queues } from './queues.js';

/** Work that shares the queue `subscribers`. `name` identifies it in the log. */
export type SharedWorker = Omit<QueueWorker, 'queue'> & { readonly name: string };

/**
 * The worker of the queue `subscribers`, which any number of workers share. A job of a tenant lets each of them look for work. One that
 * fails or hangs does not affect the others.
 */
@Injectable()
export class SharedQueue implements QueueWorker, OnModuleInit {
  readonly queue = 'subscribers';
  private readonly logger = new Logger('Queues');
  private readonly workers: SharedWorker[] = [];
  private stopping = false;

  constructor(private readonly queues: Queues) {}

  onModuleInit(): void {
    this.queues.register(this);
  }

  get finds(): readonly string[] {
    return this.workers.flatMap(({ name, finds = [] }) => [name, ...finds]);
  }

  add(worker: SharedWorker): void {
    this.workers.push(worker);
  }

  /** Announces work of the tenant. */
  wake(tenantId: string): void {
    this.queues.wake(this.queue, { tenantId });
  }

  async work(job: Job): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.attempt(worker, () => worker.work(job))));
  }

  stopClaiming(): void {
    this.stopping = true;
    for (const worker of this.workers) worker.stopClaiming();
  }

  async due(): Promise<Job[]> {
    const found = await Promise.all(
      this.workers.map((worker) => this.attempt(worker, () => this.queues.dueOf(worker))),
    );
    const tenants = new Set(found.flatMap((jobs) => jobs ?? []).map(({ tenantId }) => tenantId));
    return [...tenants].map((tenantId) => ({ tenantId }));
  }

  async isDue(job: Job): Promise<boolean> {
    const found = await Promise.all(this.workers.map((worker) => this.attempt(worker, () => worker.isDue(job))));
    return found.includes(true);
  }

  /** Logs an error instead of throwing it. The work is still due, so the next sweep finds it. */
  private async attempt<Result>({ name }: SharedWorker, task: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await task();
    } catch (error) {
      if (!this.stopping) this.logger.error({ err: error, worker: name }, 'A worker failed; it will be tried again');
      return undefined;
    }
  }
}

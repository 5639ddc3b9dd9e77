import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { PeriodicTask } from './periodic-task.js';

const EVERY_MS = 60_000;

/** Deletes what is too old, every minute in small batches. Tenants take turns, so that none waits for another with very many rows. */
export abstract class Pruning implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.prune());
  private stopping = false;

  constructor(protected readonly config: Config) {}

  /** Returns the tenants that have something to delete. */
  protected abstract tenants(): Promise<readonly { tenantId: string }[]>;

  /** Deletes a batch of a tenant. Returns whether it may have more. */
  protected abstract pruneBatch(tenantId: string): Promise<boolean>;

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.rounds.start();
  }

  /** Returns when the batch in progress has ended. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.rounds.stop();
  }

  /** Runs one round. */
  async prune(): Promise<void> {
    let tenants = await this.tenants();
    while (tenants.length > 0) {
      const left: { tenantId: string }[] = [];
      for (const { tenantId } of tenants) {
        if (this.stopping) return;
        if (await this.pruneBatch(tenantId)) left.push({ tenantId });
      }
      tenants = left;
    }
  }
}

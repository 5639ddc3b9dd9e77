import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { isPartAway } from '../errors/database-problem.js';
import { forEachTenant } from './each-tenant.js';
import { PeriodicTask } from './periodic-task.js';

const EVERY_MS = 60_000;

/** Deletes what is too old, every minute in small batches. Tenants take turns, so that none waits for another with very many rows. */
export abstract class Pruning implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.prune());
  private stopping = false;

  constructor(
    protected readonly config: Config,
    protected readonly database: Database,
  ) {}

  /** Returns the tenants that have something to delete, found by one query over all tenants. */
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

  /** Runs one round. A tenant that fails waits for the next one. */
  async prune(): Promise<void> {
    const work = { name: this.constructor.name, database: this.database, isStopping: () => this.stopping };
    let tenantIds = await this.tenantIds();
    while (tenantIds.length > 0) {
      const left: string[] = [];
      await forEachTenant(work, tenantIds, async (tenantId) => {
        if (await this.pruneBatch(tenantId)) left.push(tenantId);
      });
      tenantIds = this.stopping ? [] : left;
    }
  }

  /** If one of several database servers is away, nothing can be asked for all tenants at once: these are all that may have something to delete. */
  private async tenantIds(): Promise<string[]> {
    try {
      return (await this.tenants()).map(({ tenantId }) => tenantId);
    } catch (error) {
      if (!isPartAway(error)) throw error;
      return this.config.tenants.map(({ id }) => id);
    }
  }
}

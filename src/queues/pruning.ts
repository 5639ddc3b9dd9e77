import { PeriodicTask } from './periodic-task.js';

const EVERY_MS = 60_000;

export interface PruningOptions {
  /** Returns the tenants that have something to delete. */
  tenants: () => Promise<readonly { tenantId: string }[]>;
  /** Deletes a batch of a tenant. Returns whether it may have more. */
  prune: (tenantId: string) => Promise<boolean>;
}

/** Deletes what is too old, every minute in small batches. Tenants take turns, so that none waits for another with very many rows. */
export class Pruning {
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.run());
  private stopping = false;

  constructor(private readonly options: PruningOptions) {}

  start(): void {
    this.rounds.start();
  }

  /** Returns when the batch in progress has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.rounds.stop();
  }

  /** Runs one round. */
  async run(): Promise<void> {
    let tenants = await this.options.tenants();
    while (tenants.length > 0) {
      const left: { tenantId: string }[] = [];
      for (const { tenantId } of tenants) {
        if (this.stopping) return;
        if (await this.options.prune(tenantId)) left.push({ tenantId });
      }
      tenants = left;
    }
  }
}

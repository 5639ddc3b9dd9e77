import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { PeriodicTask } from '../queues/periodic-task.js';
import { KeptAnswers } from './kept-answers.js';

const EVERY_MS = 60_000;
/** An answer has up to 256 KiB. */
const BATCH = 100;

/** Deletes expired answers in small batches. Tenants take turns. */
@Injectable()
export class KeptAnswerRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new PeriodicTask(EVERY_MS, () => this.prune());
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly answers: KeptAnswers,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.rounds.stop();
  }

  /** Deletes the answers that have expired. */
  async prune(): Promise<void> {
    let tenants = await this.answers.tenantsWithExpired();
    while (tenants.length > 0) {
      const left: string[] = [];
      for (const tenantId of tenants) {
        if (this.stopping) return;
        if ((await this.answers.prune(tenantId, BATCH)) === BATCH) left.push(tenantId);
      }
      tenants = left;
    }
  }
}

import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Pruning } from '../queues/pruning.js';
import { KeptAnswers } from './kept-answers.js';

/** An answer has up to 256 KiB. */
const BATCH = 100;

/** Deletes expired answers. */
@Injectable()
export class KeptAnswerRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pruning = new Pruning({
    tenants: () => this.answers.tenantsWithExpired(),
    prune: async (tenantId) => (await this.answers.prune(tenantId, BATCH)) === BATCH,
  });

  constructor(
    private readonly config: Config,
    private readonly answers: KeptAnswers,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.pruning.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.pruning.stop();
  }

  /** Deletes the answers that have expired. */
  async prune(): Promise<void> {
    await this.pruning.run();
  }
}

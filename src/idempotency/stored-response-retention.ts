import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Pruning } from '../queues/pruning.js';
import { StoredResponses } from './stored-responses.js';

/** An answer has up to 256 KiB. */
const BATCH = 100;

/** Deletes expired answers. */
@Injectable()
export class StoredResponseRetention extends Pruning {
  constructor(
    config: Config,
    database: Database,
    private readonly answers: StoredResponses,
  ) {
    super(config, database);
  }

  protected tenants(): Promise<{ tenantId: string }[]> {
    return this.answers.tenantsWithExpired();
  }

  protected async pruneBatch(tenantId: string): Promise<boolean> {
    return (await this.answers.prune(tenantId, BATCH)) === BATCH;
  }
}

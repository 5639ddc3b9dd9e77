import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { RestrictedTenants } from '../database/database.js';
import { SoftSemaphore } from '../queues/soft-semaphore.js';
import type { ClaimedItem, Settled, WorkSource } from './work-item.js';

/** Maximum number of statements that a process runs at once, because requests need connections too. */
const CONCURRENCY = 2;
const BATCH = 100;
/** A short outage of the database is bridged by retries. After a longer one, the claims expire and other workers take over. */
const TRIES = 30;
const RETRY_MS = 500;

interface Batch<Item, Result> {
  results: Settled<Item, Result>[];
  written: Promise<void>;
}

/**
 * Stores the results of attempts. While one statement of a tenant waits or runs, further results of the tenant are collected for the next
 * one.
 */
export class ResultWriter<Item extends ClaimedItem, Result> {
  private readonly logger = new Logger('Work');
  private readonly gate = new SoftSemaphore(CONCURRENCY);
  /** The open batch of each tenant. */
  private readonly open = new Map<string, Batch<Item, Result>>();

  constructor(
    private readonly source: Pick<WorkSource<Item, Result>, 'store'>,
    private readonly options: { name: string; restrictedTenants: Pick<RestrictedTenants, 'isRestricted'> },
  ) {}

  /** Resolves when the result is stored or given up. Never rejects. */
  add(tenantId: string, result: Settled<Item, Result>): Promise<void> {
    let batch = this.open.get(tenantId);
    if (!batch || batch.results.length >= BATCH) {
      const results: Settled<Item, Result>[] = [];
      const write = () => this.write(tenantId, results);
      // Results that may not be stored for long take no turn of others.
      const written = this.options.restrictedTenants.isRestricted(tenantId) ? write() : this.gate.run(write);
      this.open.set(tenantId, (batch = { results, written }));
    }
    batch.results.push(result);
    return batch.written;
  }

  private async write(tenantId: string, results: Settled<Item, Result>[]): Promise<void> {
    // Wait for one iteration of the event loop, so that results that arrive at the same time join the batch.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.open.get(tenantId)?.results === results) this.open.delete(tenantId);
    for (let tries = 1; ; tries++) {
      try {
        await this.source.store(tenantId, results);
        return;
      } catch (error) {
        this.logger.error(
          { err: error, tenant_id: tenantId, work: this.options.name, results: results.length },
          'The results of attempts could not be stored',
        );
        if (tries === TRIES) return;
        await sleep(RETRY_MS);
      }
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { SetBacks } from '../database/database.js';
import { Gate } from '../queues/gate.js';

/** Maximum number of statements that a process runs at once, because requests need connections too. */
const CONCURRENCY = 2;
const BATCH = 100;
/** A short outage of the database is bridged by retries. After a longer one, the claims expire and other workers take over. */
const TRIES = 30;
const RETRY_MS = 500;

interface Batch<Result> {
  results: Result[];
  written: Promise<void>;
}

/**
 * Stores the results of attempts. While one statement of a tenant waits or runs, further results of the tenant are collected for the next
 * one.
 */
export class ResultWriter<Result> {
  private readonly logger = new Logger('Work');
  private readonly gate = new Gate(CONCURRENCY);
  /** The open batch of each tenant. */
  private readonly open = new Map<string, Batch<Result>>();

  /** @param work names the results in the log. */
  constructor(
    private readonly work: string,
    private readonly setBacks: Pick<SetBacks, 'isSetBack'>,
    private readonly store: (tenantId: string, results: Result[]) => Promise<void>,
  ) {}

  /** Resolves when the result is stored or given up. Never rejects. */
  add(tenantId: string, result: Result): Promise<void> {
    let batch = this.open.get(tenantId);
    if (!batch || batch.results.length >= BATCH) {
      const results: Result[] = [];
      const write = () => this.write(tenantId, results);
      // Results that may not be stored for long take no turn of others.
      const written = this.setBacks.isSetBack(tenantId) ? write() : this.gate.through(write);
      this.open.set(tenantId, (batch = { results, written }));
    }
    batch.results.push(result);
    return batch.written;
  }

  private async write(tenantId: string, results: Result[]): Promise<void> {
    // Wait for one iteration of the event loop, so that results that arrive at the same time join the batch.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.open.get(tenantId)?.results === results) this.open.delete(tenantId);
    for (let tries = 1; ; tries++) {
      try {
        await this.store(tenantId, results);
        return;
      } catch (error) {
        this.logger.error(
          { err: error, tenant_id: tenantId, work: this.work, results: results.length },
          'The results of attempts could not be stored',
        );
        if (tries === TRIES) return;
        await sleep(RETRY_MS);
      }
    }
  }
}

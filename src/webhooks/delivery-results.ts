import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import { Gate } from '../queues/gate.js';
import type { AttemptResult } from './attempt.js';
import { RECORD_RESULTS } from './deliveries.sql.js';
import { WebhookDeactivation } from './webhook-deactivation.js';

/** Statements of one process at once: requests need connections too. */
const CONCURRENCY = 2;
const BATCH = 100;
/** A database that is away mostly comes back; then the claims run out and others take over. */
const TRIES = 30;
const RETRY_MS = 500;

interface Settled {
  webhookId: string;
  delivery: { id: string; claimedUntil: string };
  result: AttemptResult;
}

interface Batch {
  results: Settled[];
  written: Promise<void>;
}

/** Writes what attempts came to: while one statement of a tenant is under way, its further results gather for the next. */
@Injectable()
export class DeliveryResults {
  private readonly logger = new Logger(DeliveryResults.name);
  private readonly gate = new Gate(CONCURRENCY);
  /** Of each tenant the batch that is still open. */
  private readonly open = new Map<string, Batch>();

  constructor(
    private readonly database: Database,
    private readonly deactivation: WebhookDeactivation,
  ) {}

  /** Resolves when the result is written, or given up; never rejects. */
  add(tenantId: string, settled: Settled): Promise<void> {
    let batch = this.open.get(tenantId);
    if (!batch || batch.results.length >= BATCH) {
      const results: Settled[] = [];
      const written = this.gate.through(() => this.write(tenantId, results));
      this.open.set(tenantId, (batch = { results, written }));
    }
    batch.results.push(settled);
    return batch.written;
  }

  private async write(tenantId: string, results: Settled[]): Promise<void> {
    // One turn of the event loop, in which whatever ended at the same time joins.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.open.get(tenantId)?.results === results) this.open.delete(tenantId);
    const parameters = columnsOf(results);
    for (let tries = 1; ; tries++) {
      try {
        const webhooks = await this.database.query(tenantId, RECORD_RESULTS, parameters);
        await this.deactivate(tenantId, results, webhooks);
        return;
      } catch (error) {
        this.logger.error(
          { err: error, tenant_id: tenantId, results: results.length },
          'Results of deliveries could not be written',
        );
        if (tries === TRIES) return;
        await sleep(RETRY_MS);
      }
    }
  }

  private async deactivate(
    tenantId: string,
    results: Settled[],
    webhooks: { id: string; isFailing: boolean }[],
  ): Promise<void> {
    for (const { webhookId, result } of results) {
      if (result.gone) await this.deactivation.disable(tenantId, webhookId, 'gone');
    }
    for (const { id, isFailing } of webhooks) {
      if (isFailing) await this.deactivation.disable(tenantId, id, 'failing');
    }
  }
}

/** The parameters of `RECORD_RESULTS`: one array for each column. */
function columnsOf(results: readonly Settled[]) {
  return {
    deliveryIds: results.map(({ delivery }) => delivery.id),
    webhookIds: results.map(({ webhookId }) => webhookId),
    claimedUntil: results.map(({ delivery }) => delivery.claimedUntil),
    statuses: results.map(({ result }) => result.status),
    pausesMs: results.map(({ result }) => result.pauseMs),
    attemptIds: results.map(() => newUuid()),
    attemptedAt: results.map(({ result }) => result.at.toISOString()),
    durationsMs: results.map(({ result }) => result.durationMs),
    answerStatuses: results.map(({ result }) => result.answerStatus),
    errors: results.map(({ result }) => result.error),
    responses: results.map(({ result }) => result.response),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import { Gate } from '../queues/gate.js';
import type { AttemptResult } from './attempt.js';
import { RECORD_RESULTS } from './deliveries.sql.js';
import { WebhookDeactivation } from './webhook-deactivation.js';

/** Maximum number of statements that a process runs at once, because requests need connections too. */
const CONCURRENCY = 2;
const BATCH = 100;
/** A short outage of the database is bridged by retries. After a longer one, the claims expire and other workers take over. */
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

/**
 * Stores the results of attempts. While one statement of a tenant waits or runs, further results of the tenant are collected for the next
 * one.
 */
@Injectable()
export class DeliveryResults {
  private readonly logger = new Logger(DeliveryResults.name);
  private readonly gate = new Gate(CONCURRENCY);
  /** The open batch of each tenant. */
  private readonly open = new Map<string, Batch>();

  constructor(
    private readonly database: Database,
    private readonly deactivation: WebhookDeactivation,
  ) {}

  /** Resolves when the result is stored or given up. Never rejects. */
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
    // Wait for one iteration of the event loop, so that results that arrive at the same time join the batch.
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
    responseStatuses: results.map(({ result }) => result.responseStatus),
    errors: results.map(({ result }) => result.error),
    responses: results.map(({ result }) => result.response),
  };
}

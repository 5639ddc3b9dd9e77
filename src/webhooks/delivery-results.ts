import { Injectable } from '@nestjs/common';
import { Database, type Executor } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import type { Settled } from '../work/work-item.js';
import type { AttemptResult } from './attempt.js';
import type { ClaimedDelivery } from './claim.js';
import { lockChains, promote } from './delivery-chains.js';
import { RECORD_RESULTS } from './deliveries.sql.js';
import { WebhookFailures } from './webhook-failures.js';
import { WebhookDeactivation } from './webhook-deactivation.js';

/** After this many failed attempts at a delivery, the tenant is told. */
const MANY_ATTEMPTS = 5;

/** The result of an attempt at a delivery of the webhook `group`. */
export type SettledDelivery = Settled<
  Pick<ClaimedDelivery, 'id' | 'claimedUntil' | 'resource' | 'attempts'>,
  AttemptResult
>;

/** Stores the results of attempts, and deactivates webhooks whose receivers are gone or keep failing. */
@Injectable()
export class DeliveryResults {
  constructor(
    private readonly database: Database,
    private readonly deactivation: WebhookDeactivation,
    private readonly failures: WebhookFailures,
  ) {}

  /** Returns whether other deliveries became due. */
  async store(tenantId: string, results: readonly SettledDelivery[]): Promise<boolean> {
    const { webhooks, promoted } = await this.record(tenantId, results);
    for (const id of failingOf(results)) await this.failures.tell(tenantId, id);
    for (const { group, result } of results) {
      if (result.gone) await this.deactivation.disable(tenantId, group, 'gone');
    }
    for (const { id, isFailing } of webhooks) {
      if (isFailing) await this.deactivation.disable(tenantId, id, 'failing');
    }
    return promoted;
  }

  /** In the commit of a result that ends a delivery, the next one of its resource becomes due. */
  private async record(tenantId: string, results: readonly SettledDelivery[]) {
    const record = (executor: Executor) => executor.query(tenantId, RECORD_RESULTS, columnsOf(results));
    const chains = results.flatMap(({ group, item: { resource }, result }) =>
      resource !== null && result.status !== 'pending' ? [{ webhookId: group, resource }] : [],
    );
    if (chains.length === 0) return { webhooks: await record(this.database), promoted: false };
    return this.database.transaction(tenantId, async (transaction) => {
      await lockChains(
        transaction,
        tenantId,
        results.map(({ group }) => group),
      );
      return { webhooks: await record(transaction), promoted: await promote(transaction, tenantId, chains) };
    });
  }
}

/** The webhooks with a delivery that has failed, or failed often. */
function failingOf(results: readonly SettledDelivery[]): Set<string> {
  const failing = results.filter(
    ({ item, result: { status } }) =>
      status === 'failed' || (status === 'pending' && item.attempts + 1 >= MANY_ATTEMPTS),
  );
  return new Set(failing.map(({ group }) => group));
}

/** The parameters of `RECORD_RESULTS`: one array for each column, in the order of the deliveries' IDs. */
function columnsOf(unordered: readonly SettledDelivery[]) {
  const results = [...unordered].sort((a, b) => (a.item.id < b.item.id ? -1 : 1));
  return {
    deliveryIds: results.map(({ item }) => item.id),
    webhookIds: results.map(({ group }) => group),
    claimedUntil: results.map(({ item }) => item.claimedUntil),
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

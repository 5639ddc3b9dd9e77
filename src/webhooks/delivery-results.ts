import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { newUuid } from '../ids/type-id.js';
import type { Settled } from '../work/work-item.js';
import type { AttemptResult } from './attempt.js';
import type { ClaimedDelivery } from './claim.js';
import { RECORD_RESULTS } from './deliveries.sql.js';
import { WebhookDeactivation } from './webhook-deactivation.js';

/** The result of an attempt at a delivery of the webhook `group`. */
export type SettledDelivery = Settled<Pick<ClaimedDelivery, 'id' | 'claimedUntil'>, AttemptResult>;

/** Stores the results of attempts, and deactivates webhooks whose receivers are gone or keep failing. */
@Injectable()
export class DeliveryResults {
  constructor(
    private readonly database: Database,
    private readonly deactivation: WebhookDeactivation,
  ) {}

  async store(tenantId: string, results: readonly SettledDelivery[]): Promise<void> {
    const webhooks = await this.database.query(tenantId, RECORD_RESULTS, columnsOf(results));
    for (const { group, result } of results) {
      if (result.gone) await this.deactivation.disable(tenantId, group, 'gone');
    }
    for (const { id, isFailing } of webhooks) {
      if (isFailing) await this.deactivation.disable(tenantId, id, 'failing');
    }
  }
}

/** The parameters of `RECORD_RESULTS`: one array for each column. */
function columnsOf(results: readonly SettledDelivery[]) {
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

import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { EventRecorder } from '../../events/event-recorder.js';
import { formatId } from '../../ids/type-id.js';
import { Queues } from '../../queues/queues.js';
import { FAILING } from '../job-kinds.js';
import { DISABLE, FAILS_FOR_LONG, NOTE_NOTIFIED } from './webhook-failures.sql.js';
import type { SettledDelivery } from '../deliveries/record-results.js';
import { type DisabledReason, Webhook } from '../webhook.entity.js';
import type { WEBHOOK_EVENTS } from '../subscriptions/subscribed-events.js';
import { presentWebhookDetail } from '../webhook-presenter.js';

/** After this many failed attempts at a delivery, the tenant is told. */
const MANY_ATTEMPTS = 5;

/** Whether a delivery has failed, or failed often. */
export function isFailing({ item, result: { status } }: SettledDelivery): boolean {
  return status === 'failed' || (status === 'pending' && item.attempts + 1 >= MANY_ATTEMPTS);
}

/**
 * Tells tenants of webhooks that fail, with `webhook.failing`, once until the webhook succeeds again. Makes webhooks inactive whose receivers
 * are gone or keep failing; the tenant can make them active again.
 */
@Injectable()
@HandlesScheduledJobs([FAILING])
export class WebhookFailures implements ScheduledJobHandler {
  private readonly logger = new Logger(WebhookFailures.name);

  constructor(
    private readonly database: Database,
    private readonly recorder: EventRecorder,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly queues: Queues,
  ) {}

  /** Tells the tenant that the webhook is failing, unless it was told already. */
  async notify(tenantId: string, webhookId: string): Promise<void> {
    await this.database.transaction(tenantId, (transaction) => this.notifyIn(transaction, tenantId, webhookId));
  }

  /** An hour after the first failure: it may have succeeded since, and failed again later. */
  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    const webhookId = item.id;
    await this.database.transaction(tenantId, async (transaction) => {
      const [failing] = await transaction.query(tenantId, FAILS_FOR_LONG, { webhookId });
      if (failing?.isOver) await this.notifyIn(transaction, tenantId, webhookId);
      await this.scheduledJobs.settle(transaction, tenantId, item, failing?.isOver === false ? failing.at : undefined);
    });
  }

  async disable(tenantId: string, webhookId: string, reason: DisabledReason): Promise<void> {
    const isChanged = await this.database.transaction(tenantId, async (transaction) => {
      const changed = await transaction.query(tenantId, DISABLE, { webhookId, reason });
      if (changed.length > 0) await this.record(transaction, tenantId, webhookId, 'webhook.disabled');
      return changed.length > 0;
    });
    if (!isChanged) return;
    this.logger.warn(
      { tenant_id: tenantId, webhook: formatId('wh', webhookId), reason },
      'A webhook was made inactive',
    );
    // The worker cancels the pending deliveries.
    this.queues.wake('webhooks', { tenantId });
  }

  private async notifyIn(transaction: Transaction, tenantId: string, webhookId: string): Promise<void> {
    const noted = await transaction.query(tenantId, NOTE_NOTIFIED, { webhookId });
    if (noted.length > 0) await this.record(transaction, tenantId, webhookId, 'webhook.failing');
  }

  /** Records an event about a webhook, with its present state, in the transaction of the change, which has counted it (`notices`). */
  private async record(
    transaction: Transaction,
    tenantId: string,
    webhookId: string,
    type: (typeof WEBHOOK_EVENTS)[number],
  ): Promise<void> {
    const webhook = await transaction.repository(Webhook).findOne(tenantId, { id: webhookId });
    if (!webhook) return;
    const data = JSON.stringify(presentWebhookDetail(webhook));
    await this.recorder.record(transaction, tenantId, [{ type, data, at: new Date(), version: webhook.notices }]);
  }
}

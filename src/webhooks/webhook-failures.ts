import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { type DueHandler, type DueItem, DueWork, HandlesDueWork } from '../due/due-work.js';
import { EventRecorder } from '../events/event-recorder.js';
import { FAILING } from './due-kinds.js';
import { FAILS_FOR_LONG, TELL_FAILING } from './failing.sql.js';
import { Webhook } from './webhook.entity.js';
import type { WEBHOOK_EVENTS } from './webhook-events.js';
import { presentWebhookDetail } from './webhook-presenter.js';

/** Records `webhook.failing`, once until the webhook succeeds again. */
@Injectable()
@HandlesDueWork([FAILING])
export class WebhookFailures implements DueHandler {
  constructor(
    private readonly database: Database,
    private readonly recorder: EventRecorder,
    private readonly dueWork: DueWork,
  ) {}

  /** Tells the tenant that the webhook is failing, unless it was told already. */
  async tell(tenantId: string, webhookId: string): Promise<void> {
    await this.database.transaction(tenantId, (transaction) => this.tellIn(transaction, tenantId, webhookId));
  }

  /** An hour after the first failure: it may have succeeded since, and failed again later. */
  async carryOut(tenantId: string, item: DueItem): Promise<void> {
    const webhookId = item.id;
    await this.database.transaction(tenantId, async (transaction) => {
      const [failing] = await transaction.query(tenantId, FAILS_FOR_LONG, { webhookId });
      if (failing?.isOver) await this.tellIn(transaction, tenantId, webhookId);
      await this.dueWork.settle(transaction, tenantId, item, failing?.isOver === false ? failing.at : undefined);
    });
  }

  /** Records an event about a webhook, with its present state, in the transaction of the change, which has counted it (`notices`). */
  async record(
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

  private async tellIn(transaction: Transaction, tenantId: string, webhookId: string): Promise<void> {
    const told = await transaction.query(tenantId, TELL_FAILING, { webhookId });
    if (told.length > 0) await this.record(transaction, tenantId, webhookId, 'webhook.failing');
  }
}

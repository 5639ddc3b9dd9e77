import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import type { Caller } from '../../http/caller.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { cursorPage, isNumbered, type ListMeta, offsetOf, type Page, keysetOf } from '../../lists/page.js';
import { Queues } from '../../queues/queues.js';
import {
  countOfDeliveries,
  type DeliveryFilter,
  FAILED_TYPES,
  FIND_DELIVERY,
  pageOfDeliveries,
  REDELIVER,
  REDELIVER_FAILED,
  SEND_TEST,
} from './deliveries-list.sql.js';
import type { DeliveryRow } from './delivery-presenter.js';
import { TEST_EVENT } from './delivery-status.js';
import { assertMayReadEvents } from '../event-scopes.js';
import { presentWebhook } from '../webhook-presenter.js';
import { changeOfWebhook, WebhooksService } from '../webhooks.service.js';

/** Lists the deliveries of a webhook and sends them again. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  /** Returns a page of the webhook's deliveries, newest event first. */
  async list(
    caller: Caller,
    webhookId: string,
    filter: DeliveryFilter,
    page: Page,
  ): Promise<{ rows: DeliveryRow[]; meta: ListMeta }> {
    const { perPage } = page;
    const list = `deliveries ${webhookId} ${filter.status ?? ''} ${filter.type ?? ''}`;
    // Read the cursor before the webhook, so that a wrong parameter is reported first.
    const place = isNumbered(page) ? undefined : keysetOf(page, list);
    const { tenantId } = await this.webhooks.get(caller, webhookId);
    if (isNumbered(page)) {
      const rows = await this.rows(tenantId, webhookId, filter, { limit: perPage, offset: offsetOf(page) });
      const [count] = await this.database.reads.queryComposed<{ total: number }>(
        tenantId,
        countOfDeliveries(webhookId, filter),
      );
      return { rows, meta: { page: page.page, per_page: perPage, total: count?.total ?? 0 } };
    }
    const after = place?.[0] ?? undefined;
    const found = await this.rows(tenantId, webhookId, filter, { after, limit: perPage + 1 });
    return cursorPage(found, perPage, list, ({ place }) => [place]);
  }

  /**
   * Sends the same event again, with the same `webhook-id`. Throws a 403 if the key may not read the event, and a 409 if the webhook is
   * inactive or the event no longer exists.
   */
  async redeliver(caller: Caller, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    const { tenantId } = caller;
    const webhook = await this.assertActive(caller, webhookId);
    const [delivery] = await this.database.query(tenantId, FIND_DELIVERY, { webhookId, deliveryId });
    if (!delivery) throw Problem.notFound('delivery');
    assertMayReadEvents(caller, [delivery.type]);
    const audit = auditOf(caller, changeOfWebhook('redelivered', webhookId));
    const [row] = await this.database.query(tenantId, REDELIVER, { webhookId, deliveryId, audit });
    if (!row) throw new Problem('conflict', 'The event of this delivery is no longer stored.');
    this.queues.wake('webhooks', { tenantId });
    await this.webhooks.checkOrder(webhook);
    return row;
  }

  /**
   * Sends every delivery again that failed or was canceled at `since` or later, and returns their number. Throws a 403 if the key may not
   * read all of their events, and a 409 if the webhook is inactive.
   */
  async redeliverFailed(caller: Caller, webhookId: string, since: Date): Promise<number> {
    const { tenantId } = caller;
    await this.assertActive(caller, webhookId);
    // A delivery that fails again during this request is not sent a third time.
    const failures = { webhookId, since, until: new Date() };
    const failed = await this.database.query(tenantId, FAILED_TYPES, failures);
    const types = failed.map(({ type }) => type);
    assertMayReadEvents(caller, types);
    let count = 0;
    for (;;) {
      // The first part has the record of the whole request.
      const audit = count === 0 ? auditOf(caller, changeOfWebhook('redelivered', webhookId)) : null;
      const { length } = await this.database.query(tenantId, REDELIVER_FAILED, { ...failures, audit });
      if (length === 0) return count;
      count += length;
      this.queues.wake('webhooks', { tenantId });
    }
  }

  /** Sends a `webhook.test` event to this webhook only. Throws a 409 if it is inactive. */
  async sendTest(caller: Caller, webhookId: string): Promise<DeliveryRow> {
    const { tenantId } = caller;
    const webhook = await this.assertActive(caller, webhookId);
    const eventId = newUuid();
    const [row] = await this.database.query(tenantId, SEND_TEST, {
      webhookId,
      deliveryId: newUuid(),
      eventId,
      type: TEST_EVENT,
      data: JSON.stringify(presentWebhook(webhook)),
      occurredAt: timeOf(eventId),
      audit: auditOf(caller, changeOfWebhook('tested', webhookId)),
    });
    if (!row) throw new Error('The insert of a delivery returned no row.');
    this.queues.wake('webhooks', { tenantId });
    return row;
  }

  private async assertActive(caller: Caller, webhookId: string) {
    const webhook = await this.webhooks.get(caller, webhookId);
    if (!webhook.active) throw new Problem('conflict', 'The webhook is inactive. Set active to true first.');
    return webhook;
  }

  private async rows(
    tenantId: string,
    webhookId: string,
    filter: DeliveryFilter,
    page: { after?: string; limit: number; offset?: number },
  ): Promise<DeliveryRow[]> {
    return this.database.reads.queryComposed(tenantId, pageOfDeliveries(webhookId, filter, page));
  }
}

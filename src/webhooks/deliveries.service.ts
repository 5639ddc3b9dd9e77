import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { Database, type Statement, type Value } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { cursorMeta, type ListMeta } from '../lists/newest-first.js';
import { isNumbered, offsetOf, type Page } from '../lists/page.js';
import { Queues } from '../queues/queues.js';
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
import { type DeliverableType, TEST_EVENT } from './delivery-status.js';
import { assertMayRead } from './event-scopes.js';
import { presentWebhook } from './webhook-presenter.js';
import { WebhooksService } from './webhooks.service.js';

/** What was sent to a webhook, and sending it again. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  /** Newest event first; `list` names it in its cursors. */
  async list(
    caller: Caller,
    webhookId: string,
    filter: DeliveryFilter,
    page: Page,
    list: string,
  ): Promise<{ rows: DeliveryRow[]; meta: ListMeta }> {
    const { tenantId } = await this.webhooks.get(caller, webhookId);
    const { perPage } = page;
    if (isNumbered(page)) {
      const rows = await this.rows(tenantId, webhookId, filter, { limit: perPage, offset: offsetOf(page) });
      const { statement, values } = countOfDeliveries(webhookId, filter);
      const [count] = await this.database.query<{ total: number }>(tenantId, statement, values);
      return { rows, meta: { page: page.page, per_page: perPage, total: count?.total ?? 0 } };
    }
    const after = page.after?.[0] ?? undefined;
    const found = await this.rows(tenantId, webhookId, filter, { after, limit: perPage + 1, offset: 0 });
    const rows = found.slice(0, perPage);
    const last = found.length > rows.length ? rows.at(-1) : undefined;
    return { rows, meta: cursorMeta(perPage, list, last && [last.event_id]) };
  }

  /**
   * Sends the same event once more, with the same `webhook-id`. 403 unless the key may read the event, 409 when the webhook is inactive or the
   * event no longer kept.
   */
  async redeliver(caller: Caller, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    const { tenantId } = caller;
    await this.assertActive(caller, webhookId);
    const types = await this.types(tenantId, FIND_DELIVERY, [webhookId, deliveryId]);
    if (types.length === 0) throw Problem.notFound('delivery');
    assertMayRead(caller, types);
    const [row] = await this.database.query<DeliveryRow>(tenantId, REDELIVER, [webhookId, deliveryId]);
    if (!row) throw new Problem('conflict', 'The event of this delivery is no longer kept.');
    this.queues.wake('webhooks', { tenantId });
    return row;
  }

  /**
   * Sends everything once more that failed or was canceled since then; answers how many. 403 unless the key may read all of it, 409 when the
   * webhook is inactive.
   */
  async redeliverFailed(caller: Caller, webhookId: string, since: Date): Promise<number> {
    const { tenantId } = caller;
    await this.assertActive(caller, webhookId);
    // What fails once more meanwhile is not sent a third time.
    const until = new Date();
    assertMayRead(caller, await this.types(tenantId, FAILED_TYPES, [webhookId, since, until]));
    let count = 0;
    for (;;) {
      const { length } = await this.database.query(tenantId, REDELIVER_FAILED, [webhookId, since, until]);
      if (length === 0) return count;
      count += length;
      this.queues.wake('webhooks', { tenantId });
    }
  }

  /** Sends a `webhook.test` event to this webhook alone. 409 when it is inactive. */
  async sendTest(caller: Caller, webhookId: string): Promise<DeliveryRow> {
    const { tenantId } = caller;
    const webhook = await this.assertActive(caller, webhookId);
    const eventId = newUuid();
    const data = JSON.stringify(presentWebhook(webhook));
    const values = [webhookId, newUuid(), eventId, TEST_EVENT, data, timeOf(eventId)];
    const [row] = await this.database.query<DeliveryRow>(tenantId, SEND_TEST, values);
    if (!row) throw new Error('The insert of a delivery answered no row.');
    this.queues.wake('webhooks', { tenantId });
    return row;
  }

  private async assertActive(caller: Caller, webhookId: string) {
    const webhook = await this.webhooks.get(caller, webhookId);
    if (!webhook.active) throw new Problem('conflict', 'The webhook is inactive: set active to true first.');
    return webhook;
  }

  private async types(tenantId: string, statement: Statement, values: readonly Value[]): Promise<DeliverableType[]> {
    const rows = await this.database.query<{ type: DeliverableType }>(tenantId, statement, values);
    return rows.map(({ type }) => type);
  }

  private async rows(
    tenantId: string,
    webhookId: string,
    filter: DeliveryFilter,
    page: { after?: string; limit: number; offset: number },
  ): Promise<DeliveryRow[]> {
    const { statement, values } = pageOfDeliveries(webhookId, filter, page);
    return this.database.query<DeliveryRow>(tenantId, statement, values);
  }
}

import { Injectable, OnModuleInit } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { type RelayedEvent, type RelaySubscriber, Subscribers } from '../events/subscriber.js';
import { newUuid } from '../ids/type-id.js';
import { Queues } from '../queues/queues.js';
import { ADD_DELIVERIES, OLDEST_PENDING_EVENT, PRUNE_DELIVERIES, SUBSCRIPTIONS } from './deliveries.sql.js';

const CHUNK = 5_000;
/** Maximum number of batches in one round of the retention. The next round deletes the rest. */
const MAX_PRUNED_BATCHES = 100;

interface Delivery {
  webhookId: string;
  eventId: string;
  type: string;
}

/** Adds a delivery of each event for every active webhook that subscribes to its type. */
@Injectable()
export class WebhookSubscriber implements RelaySubscriber, OnModuleInit {
  readonly name = 'webhooks';
  /** Tenants for which deliveries were added. */
  private readonly addressed = new Set<string>();

  constructor(
    private readonly subscribers: Subscribers,
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.subscribers.addToRelay(this);
  }

  async accept(transaction: Transaction, tenantId: string, events: readonly RelayedEvent[]): Promise<void> {
    const webhooks = await transaction.query(tenantId, SUBSCRIPTIONS, {});
    let deliveries: Delivery[] = [];
    // Insert in chunks, because the number of events times that of webhooks may be too large for one statement.
    for (const { id: eventId, type } of events) {
      for (const webhook of webhooks) {
        if (webhook.events.includes(type)) deliveries.push({ webhookId: webhook.id, eventId, type });
        if (deliveries.length < CHUNK) continue;
        await this.add(transaction, tenantId, deliveries);
        deliveries = [];
      }
    }
    if (deliveries.length > 0) await this.add(transaction, tenantId, deliveries);
  }

  private async add(transaction: Transaction, tenantId: string, deliveries: readonly Delivery[]): Promise<void> {
    await transaction.query(tenantId, ADD_DELIVERIES, {
      ids: deliveries.map(() => newUuid()),
      webhookIds: deliveries.map(({ webhookId }) => webhookId),
      eventIds: deliveries.map(({ eventId }) => eventId),
      eventTypes: deliveries.map(({ type }) => type),
    });
    this.addressed.add(tenantId);
  }

  committed(tenantId: string): void {
    if (this.addressed.delete(tenantId)) this.queues.wake('webhooks', { tenantId });
  }

  async oldestNeeded(tenantId: string): Promise<string | undefined> {
    const [row] = await this.database.query(tenantId, OLDEST_PENDING_EVENT, {});
    return row?.eventId;
  }

  async prune(tenantId: string, before: string): Promise<void> {
    for (let batch = 0; batch < MAX_PRUNED_BATCHES; batch++) {
      if ((await this.database.query(tenantId, PRUNE_DELIVERIES, { before })).length === 0) return;
    }
  }
}

import { Injectable, OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type EventAbout,
  type RelayedEvent,
  type RelaySubscriber,
  Subscribers,
} from '../../events/subscribers/subscriber.js';
import { formatId, newUuid } from '../../ids/type-id.js';
import { Queues } from '../../queues/queues.js';
import {
  ADD_DELIVERIES,
  OLDEST_PENDING_EVENT,
  PRUNE_DELIVERIES,
  type Subscription,
  SUBSCRIPTIONS,
  UNFINISHED_EVENTS,
} from './subscriptions.sql.js';
import { addToChains, lockChains, type OrderedDelivery } from '../ordering/delivery-chains.js';
import { readFacts } from './event-facts.js';
import { subscribesTo } from './subscribed-events.js';
import { isAboutWebhook } from './subscribed-events.js';
import { type EventFacts, fits, type WebhookFilters } from '../options/webhook-filters.js';

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
    const receivers = webhooks.map(receiverOf);
    const facts = await factsFor(transaction, tenantId, events, receivers);
    const ordered: OrderedDelivery[] = [];
    let deliveries: Delivery[] = [];
    // Insert in chunks, because the number of events times that of webhooks may be too large for one statement.
    for (const { id: eventId, type } of events) {
      for (const receiver of receivers) {
        if (!subscribesTo(receiver.events, type)) continue;
        const { resource, ...others } = facts.get(eventId) ?? {};
        if (isAboutWebhook(type) && resource === formatId('wh', receiver.id)) continue;
        if (receiver.filters && !fits(receiver.filters, others)) continue;
        const delivery = { webhookId: receiver.id, eventId, type };
        if (receiver.isOrdered && resource !== undefined) ordered.push({ ...delivery, resource });
        else deliveries.push(delivery);
        if (deliveries.length < CHUNK) continue;
        await this.add(transaction, tenantId, deliveries);
        deliveries = [];
      }
    }
    if (deliveries.length > 0) await this.add(transaction, tenantId, deliveries);
    if (ordered.length > 0) await this.addOrdered(transaction, tenantId, ordered);
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

  private async addOrdered(
    transaction: Transaction,
    tenantId: string,
    deliveries: readonly OrderedDelivery[],
  ): Promise<void> {
    await lockChains(
      transaction,
      tenantId,
      deliveries.map(({ webhookId }) => webhookId),
    );
    for (let start = 0; start < deliveries.length; start += CHUNK) {
      await addToChains(transaction, tenantId, deliveries.slice(start, start + CHUNK));
    }
    this.addressed.add(tenantId);
  }

  committed(tenantId: string): void {
    if (this.addressed.delete(tenantId)) this.queues.wake('webhooks', { tenantId });
  }

  async oldestNeeded(tenantId: string): Promise<string | undefined> {
    const [row] = await this.database.query(tenantId, OLDEST_PENDING_EVENT, {});
    return row?.eventId;
  }

  async unfinished(tenantId: string, events: readonly EventAbout[]): Promise<string[]> {
    const eventIds = events.map(({ id }) => id);
    return (await this.database.query(tenantId, UNFINISHED_EVENTS, { eventIds })).map(({ id }) => id);
  }

  async prune(tenantId: string, before: string): Promise<void> {
    for (let batch = 0; batch < MAX_PRUNED_BATCHES; batch++) {
      if ((await this.database.query(tenantId, PRUNE_DELIVERIES, { before })).length === 0) return;
    }
  }
}

/** An active webhook. */
interface Receiver extends Omit<Subscription, 'filters'> {
  filters: WebhookFilters | undefined;
}

function receiverOf({ filters, ...webhook }: Subscription): Receiver {
  return { ...webhook, filters: filters === null ? undefined : (JSON.parse(filters) as WebhookFilters) };
}

/** Reads what filters and orders look at, only of events that need it: those of webhooks with filters or an order, and those about webhooks. */
async function factsFor(
  transaction: Transaction,
  tenantId: string,
  events: readonly RelayedEvent[],
  receivers: readonly Receiver[],
): Promise<ReadonlyMap<string, EventFacts>> {
  const looking = receivers.filter(({ filters, isOrdered }) => filters !== undefined || isOrdered);
  const concerned = events.filter(
    ({ type }) => isAboutWebhook(type) || looking.some((receiver) => subscribesTo(receiver.events, type)),
  );
  if (concerned.length === 0) return new Map();
  return readFacts(
    transaction,
    tenantId,
    concerned.map(({ id }) => id),
    looking.map(({ filters }) => filters),
  );
}

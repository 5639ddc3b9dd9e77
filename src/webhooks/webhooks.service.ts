import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Database, type Transaction } from '../database/database.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { EventRelay } from '../events/event-relay.js';
import type { EventType } from '../rooms/room.js';
import type { Checked } from '../http/dto.pipe.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { Queues } from '../queues/queues.js';
import { PENDING_TYPES } from './deliveries.sql.js';
import type { DeliverableType } from './delivery-status.js';
import { assertMayRead } from './event-scopes.js';
import { Webhook } from './webhook.entity.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type { CreateWebhookDto, UpdateWebhookDto } from './webhooks.dto.js';

@Injectable()
export class WebhooksService {
  private readonly webhooks: TenantRepository<Webhook>;

  constructor(
    private readonly database: Database,
    private readonly outbound: OutboundClient,
    private readonly secrets: WebhookSecrets,
    private readonly queues: Queues,
    private readonly relay: EventRelay,
  ) {
    this.webhooks = database.repository(Webhook);
  }

  /** Returns all webhooks, newest first. */
  async list({ tenantId }: Caller): Promise<Webhook[]> {
    return this.webhooks.find(tenantId, {}, { order: { id: 'DESC' } });
  }

  async get({ tenantId }: Caller, webhookId: string): Promise<Webhook> {
    const webhook = await this.webhooks.findOne(tenantId, { id: webhookId });
    if (!webhook) throw Problem.notFound('webhook');
    return webhook;
  }

  /** Throws a 422 if the body is invalid, and a 403 unless the key may read the data of the events. */
  async create(caller: Caller, { dto, errors }: Checked<CreateWebhookDto>): Promise<Webhook> {
    const { tenantId } = caller;
    await this.assertValid(dto.url, errors);
    assertMayRead(caller, dto.events);
    const id = newUuid();
    const bare: Webhook = {
      tenantId,
      id,
      url: dto.url,
      events: dto.events,
      secret: null,
      previousSecret: null,
      previousSecretUntil: null,
      active: true,
      disabledReason: null,
      failingSince: null,
      lastFailedAt: null,
      createdAt: timeOf(id),
    };
    const webhook = { ...bare, ...this.secrets.replace(bare, dto.secret ?? null) };
    await this.relay.catchUp(tenantId);
    await this.webhooks.insert(webhook);
    return webhook;
  }

  /**
   * Changes only the properties that were sent, for events from now on. If the webhook becomes inactive, its pending deliveries are
   * canceled. Throws a 403 if the change sends additional events, or sends events to another URL, and the key may not read them.
   */
  async update(caller: Caller, webhookId: string, { dto, errors }: Checked<UpdateWebhookDto>): Promise<Webhook> {
    const { tenantId } = caller;
    await this.assertValid(dto.url, errors);
    if (dto.url !== undefined || dto.events !== undefined || dto.active !== undefined) {
      await this.relay.catchUp(tenantId);
    }
    const updated = await this.database.transaction(tenantId, async (transaction) => {
      const webhooks = transaction.repository(Webhook);
      const webhook = await webhooks.findOne(tenantId, { id: webhookId }, 'pessimistic_write');
      if (!webhook) throw Problem.notFound('webhook');
      const { url = webhook.url, events = webhook.events, active = webhook.active } = dto;
      if (url !== webhook.url) assertMayRead(caller, await pendingTypes(transaction, webhook));
      assertMayRead(caller, newlySent(webhook, { url, events, active }));
      const changes: Partial<Omit<Webhook, 'tenantId'>> = { url, events, active };
      if (dto.secret !== undefined) Object.assign(changes, this.secrets.replace(webhook, dto.secret));
      if (dto.active === true) Object.assign(changes, { disabledReason: null, failingSince: null, lastFailedAt: null });
      await webhooks.update(tenantId, { id: webhookId }, changes);
      return { ...webhook, ...changes };
    });
    this.queues.wake('webhooks', { tenantId });
    return updated;
  }

  /** Nothing more is sent to the webhook. Its deliveries are deleted by the retention. */
  async delete({ tenantId }: Caller, webhookId: string): Promise<void> {
    if ((await this.webhooks.delete(tenantId, { id: webhookId })) === 0) throw Problem.notFound('webhook');
  }

  private async assertValid(url: unknown, errors: ValueError[]): Promise<void> {
    const isChecked = url !== undefined && !errors.some(({ path }) => path === 'url');
    const wrong = isChecked ? await this.outbound.checkNewTarget(url) : undefined;
    const all = wrong ? [...errors, { path: 'url', code: 'url', message: wrong }] : errors;
    if (all.length > 0) throw Problem.invalid(all);
  }
}

/** Returns the event types that were not sent before the change, or not to this URL. */
function newlySent(
  before: Webhook,
  { url, events, active }: Pick<Webhook, 'url' | 'events' | 'active'>,
): readonly EventType[] {
  if (url !== before.url) return [...before.events, ...events];
  return active && !before.active ? events : events.filter((type) => !before.events.includes(type));
}

/** Returns the event types of the pending deliveries. These are sent to a new URL too, even if the webhook no longer subscribes to them. */
async function pendingTypes(transaction: Transaction, { tenantId, id }: Webhook): Promise<DeliverableType[]> {
  const rows = await transaction.query(tenantId, PENDING_TYPES, { webhookId: id });
  return rows.map(({ type }) => type);
}

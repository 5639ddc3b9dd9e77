import { Injectable } from '@nestjs/common';
import { comparable } from '../access/may-read.js';
import { changedNames } from '../audit/changed-names.js';
import { type AuditedAction, recordChanges } from '../audit/record-changes.js';
import type { Caller } from '../http/caller.js';
import { Database } from '../database/database.js';
import type { Executor, Transaction } from '../database/transaction.js';
import { statement } from '../database/statements/statement.js';
import { afterCommit, currentUnitOfWork } from '../database/unit-of-work.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { EventRelay } from '../events/event-relay.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { changedReadOnly } from '../http/bodies/read-only.js';
import { formatId, newUuid, timeOf } from '../ids/type-id.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { SharedQueue } from '../queues/shared-queue.js';
import { Queues } from '../queues/queues.js';
import { Limits } from '../tenants/limits.js';
import { CHECK_ORDER } from './ordering/ordered.sql.js';
import { type SubscribedType, subscribesTo } from './subscriptions/subscribed-events.js';
import type { DeliverableType } from './deliveries/delivery-status.js';
import { DeliveryWorker } from './deliveries/delivery-worker.js';
import { assertMayReadEvents } from './event-scopes.js';
import { newSecret } from './secrets/signature.js';
import { Webhook } from './webhook.entity.js';
import { presentFullWebhook } from './webhook-presenter.js';
import { NO_OPTIONS, storedOptions, widensOptions, writeOptions } from './options/webhook-options.js';
import { WebhookSecrets } from './secrets/webhook-secrets.js';
import { WEBHOOKS } from './webhook-usage.js';
import { type CreateWebhookDto, GENERATE, type UpdateWebhookDto } from './webhooks.dto.js';

/** The types of what is still to be sent to a webhook, also by replays. */
const PENDING_TYPES = statement<{ webhookId: string }, { type: DeliverableType | SubscribedType }>()(
  'deliveries.pending_types',
  `SELECT DISTINCT event_type AS type FROM deliveries WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND status = 'pending'
    UNION SELECT unnest(types) FROM webhook_replays WHERE tenant_id = :tenantId AND webhook_id = :webhookId`,
);

/** The columns of a webhook whose failures are forgotten. */
const HEALTHY = { disabledReason: null, failingSince: null, lastFailedAt: null, failingNotifiedAt: null };

/** A webhook that was written, and its secret if the service generated it for this request. */
export interface WithGeneratedSecret {
  webhook: Webhook;
  generated: string | undefined;
}

@Injectable()
export class WebhooksService {
  private readonly webhooks: TenantRepository<Webhook>;

  constructor(
    private readonly database: Database,
    private readonly outbound: OutboundClient,
    private readonly secrets: WebhookSecrets,
    private readonly queues: Queues,
    private readonly relay: EventRelay,
    private readonly shared: SharedQueue,
    private readonly limits: Limits,
    private readonly worker: DeliveryWorker,
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

  /**
   * Returns the webhook, and its secret if the service generates it. Throws a 422 if the body is invalid, and a 403 unless the key may read
   * the data of the events and the tenant's limit has room.
   */
  async create(caller: Caller, { dto, errors }: CheckedBody<CreateWebhookDto>): Promise<WithGeneratedSecret> {
    const { tenantId } = caller;
    const generated = generatedSecret(tenantId, dto.secret);
    const unsigned = await this.newWebhook(caller, { dto, errors });
    const { id } = unsigned;
    const webhook = {
      ...unsigned,
      ...this.secrets.replace(unsigned, generated ?? dto.secret ?? null),
      ...(dto.signature && this.secrets.newSigningKey(unsigned)),
    };
    await this.relay.catchUp(tenantId);
    await this.limits.within({ tenantId, resource: WEBHOOKS, amount: 1 }, async (transaction) => {
      await transaction.repository(Webhook).insert(webhook);
      if (webhook.ordered) await transaction.query(tenantId, CHECK_ORDER, { webhookId: id });
      await recordChanges(transaction, tenantId, caller, [changeOfWebhook('created', id)]);
    });
    return { webhook, generated };
  }

  /** What a creation would insert, without the secrets. Changes nothing. Throws what `create` throws for an invalid body. */
  async newWebhook(
    caller: Caller,
    { dto, errors }: Pick<CheckedBody<CreateWebhookDto>, 'dto' | 'errors'>,
  ): Promise<Webhook> {
    const { tenantId } = caller;
    await this.assertValid(dto.url, errors);
    assertMayReadEvents(caller, dto.events);
    const id = newUuid();
    const bare: Webhook = {
      tenantId,
      id,
      url: dto.url,
      events: dto.events,
      secret: null,
      previousSecrets: null,
      signingKey: null,
      publicKey: null,
      active: true,
      disabledReason: null,
      failingSince: null,
      lastFailedAt: null,
      failingNotifiedAt: null,
      notices: 0,
      createdAt: timeOf(id),
      ...NO_OPTIONS,
    };
    const { columns, errors: wrong } = await this.optionsOf(this.database, bare, dto, caller);
    if (wrong.length > 0) throw Problem.invalid(wrong);
    return { ...bare, ...columns };
  }

  /**
   * Changes only the properties that were sent, for events from now on. If the webhook becomes inactive, its pending deliveries are
   * canceled. Returns the webhook, and its secret if the service generates it. Throws a 403 if the change sends additional events, or sends events to another URL, and the key may not read them.
   */
  async update(
    caller: Caller,
    webhookId: string,
    { dto, errors }: CheckedBody<UpdateWebhookDto>,
    assertUnchanged: (webhook: Webhook) => void = () => undefined,
  ): Promise<WithGeneratedSecret> {
    const { tenantId } = caller;
    const generated = generatedSecret(tenantId, dto.secret);
    await this.assertValid(dto.url, errors);
    if (dto.url !== undefined || dto.events !== undefined || dto.active !== undefined || dto.filters !== undefined) {
      await this.relay.catchUp(tenantId);
    }
    const updated = await this.database.transaction(tenantId, async (transaction) => {
      const webhooks = transaction.repository(Webhook);
      const webhook = await webhooks.findOne(tenantId, { id: webhookId }, 'pessimistic_write');
      if (!webhook) throw Problem.notFound('webhook');
      assertUnchanged(webhook);
      const { url = webhook.url, events = webhook.events, active = webhook.active } = dto;
      if (url !== webhook.url) assertMayReadEvents(caller, await pendingTypes(transaction, webhook));
      const { columns, errors: wrong } = await this.optionsOf(transaction, webhook, dto, caller);
      const sent = { url, events, active, isWider: widensOptions(webhook, columns) };
      assertMayReadEvents(caller, newlySent(webhook, sent));
      const stored = () => comparable(caller, { area: 'webhooks' }, () => presentFullWebhook(webhook));
      wrong.push(...changedReadOnly(dto, stored));
      if (wrong.length > 0) throw Problem.invalid(wrong);
      const changes: Partial<Omit<Webhook, 'tenantId'>> = { url, events, active, ...columns };
      if (dto.secret !== undefined) Object.assign(changes, this.secrets.replace(webhook, generated ?? dto.secret));
      if (dto.active === true) Object.assign(changes, HEALTHY);
      await webhooks.update(tenantId, { id: webhookId }, changes);
      const names = changedNames(changeable(webhook), changeable({ ...webhook, ...changes }));
      await recordChanges(transaction, tenantId, caller, [changeOfWebhook('updated', webhookId, names)]);
      const isChecked = dto.active !== undefined || dto.ordered !== undefined;
      if (isChecked && (webhook.ordered || dto.ordered)) await transaction.query(tenantId, CHECK_ORDER, { webhookId });
      return { ...webhook, ...changes };
    });
    await afterCommit(() => this.worker.giveBack(webhookId));
    this.queues.wake('webhooks', { tenantId });
    if (updated.ordered !== null) this.shared.wake(tenantId);
    return { webhook: updated, generated };
  }

  /** Looks at once whether deliveries of an ordered webhook wait for nothing. */
  async checkOrder({ tenantId, id, ordered }: Webhook): Promise<void> {
    if (!ordered) return;
    await this.database.query(tenantId, CHECK_ORDER, { webhookId: id });
    this.shared.wake(tenantId);
  }

  /** Nothing more is sent to the webhook. Its deliveries are deleted by the retention. */
  async delete(caller: Caller, webhookId: string): Promise<void> {
    const { tenantId } = caller;
    await this.database.transaction(tenantId, async (transaction) => {
      const deleted = await transaction.repository(Webhook).delete(tenantId, { id: webhookId });
      if (deleted === 0) throw Problem.notFound('webhook');
      await recordChanges(transaction, tenantId, caller, [changeOfWebhook('deleted', webhookId)]);
    });
    await afterCommit(() => this.worker.giveBack(webhookId));
  }

  /** Returns the columns of the options that a request changes, and its errors. */
  private optionsOf(executor: Executor, webhook: Webhook, dto: UpdateWebhookDto, { visibleTypes }: Caller) {
    const isMoved = dto.url !== undefined && new URL(dto.url).origin !== new URL(webhook.url).origin;
    return writeOptions(dto, { executor, webhook, secrets: this.secrets, isMoved, visibleTypes });
  }

  private async assertValid(url: unknown, errors: readonly ValueError[]): Promise<void> {
    const isChecked = url !== undefined && !errors.some(({ path }) => path === 'url');
    const wrong = isChecked ? await this.outbound.checkNewTarget(url) : undefined;
    const all: ValueError[] = wrong ? [...errors, { path: 'url', code: 'url', message: wrong }] : [...errors];
    if (all.length > 0) throw Problem.invalid(all);
  }
}

/**
 * Returns a new secret if a request asks for one. Throws a 400 if the request has an `Idempotency-Key`: its answer, which shows the secret,
 * would be kept.
 */
function generatedSecret(tenantId: string, asked: string | null | undefined): string | undefined {
  if (asked !== GENERATE) return undefined;
  if (!currentUnitOfWork(tenantId)) return newSecret();
  const message =
    'The response contains a secret, which is not kept. Leave out Idempotency-Key, or send a secret of your own.';
  throw Problem.parameter('Idempotency-Key', message);
}

/** A change of a webhook, or of its deliveries, for the audit log. */
export function changeOfWebhook(action: string, id: string, changes?: readonly string[]): AuditedAction {
  return { action, resource: { type: 'webhook', id: formatId('wh', id) }, changes };
}

/** The properties that an update changes, by their names in its body. Secrets and headers are encrypted. */
function changeable(webhook: Webhook): object {
  const { url, events, active, secret } = webhook;
  return { url, events, active, ...storedOptions(webhook), secret };
}

/**
 * Returns the event types that were not sent before the change, or not to this URL. `isWider`: more of their events or of their data may be
 * sent.
 */
function newlySent(
  before: Webhook,
  { url, events, active, isWider }: Pick<Webhook, 'url' | 'events' | 'active'> & { isWider: boolean },
): readonly SubscribedType[] {
  if (url !== before.url) return [...before.events, ...events];
  return isWider || (active && !before.active) ? events : events.filter((type) => !subscribesTo(before.events, type));
}

/** Returns the event types of the pending deliveries. These are sent to a new URL too, even if the webhook no longer subscribes to them. */
async function pendingTypes(
  transaction: Transaction,
  { tenantId, id }: Webhook,
): Promise<(DeliverableType | SubscribedType)[]> {
  const rows = await transaction.query(tenantId, PENDING_TYPES, { webhookId: id });
  return rows.map(({ type }) => type);
}

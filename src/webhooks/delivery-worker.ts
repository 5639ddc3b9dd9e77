import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { PublicUrl } from '../http/public-url.js';
import { Metrics } from '../observability/metrics.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import type { RunLimits } from '../work/work-run.js';
import type { WorkSource } from '../work/work-item.js';
import { WorkLoop } from '../work/work-loop.js';
import { attempt, type AttemptResult, failedAttempt, type Opened } from './attempt.js';
import { type ClaimedDelivery, claimedDelivery, type ClaimRow } from './claim.js';
import {
  CANCEL,
  CANCEL_CLAIMED,
  CLAIM,
  CLAIM_LIMITED,
  LOCK_WEBHOOKS,
  RELEASE,
  TENANTS_WITH_DUE,
  WEBHOOKS_WITH_DUE,
} from './deliveries.sql.js';
import { DeliveryResults, type SettledDelivery } from './delivery-results.js';
import { Payloads } from './payloads.js';
import { Slots } from './slots.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** A claim lasts this much longer than the time-out of the attempt: time to begin, and to store the result. */
const LEASE_MARGIN_MS = 15_000;
const START_WITHIN_MS = 10_000;
/** Maximum number of attempts at once to one webhook without `max_concurrency`. The processes of this machine share them. */
const LANES = 20;
const MIN_BATCH = 10;
const MAX_BATCH = 100;
const NO_EVENT = 'The event is no longer stored.';
/** Maximum time that running attempts may delay the end of the process. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

/** Sends due deliveries. Those of a webhook are claimed together. */
@Injectable()
export class DeliveryWorker
  implements QueueWorker, WorkSource<ClaimedDelivery, AttemptResult>, OnModuleInit, OnModuleDestroy
{
  readonly queue = 'webhooks';
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly loop: WorkLoop<ClaimedDelivery, AttemptResult>;
  /** `max_concurrency` of the webhooks that have one, as it was when they were last looked at. */
  private readonly limited = new Map<string, number>();

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly client: OutboundClient,
    private readonly secrets: WebhookSecrets,
    private readonly results: DeliveryResults,
    private readonly payloads: Payloads,
    private readonly queues: Queues,
    private readonly metrics: Metrics,
    private readonly publicUrl: PublicUrl,
  ) {
    this.loop = new WorkLoop<ClaimedDelivery, AttemptResult>(this, {
      name: 'deliveries',
      places: new Slots(database),
      setBacks: database,
      lanes: Math.max(1, Math.floor(LANES / config.webConcurrency)),
      minBatch: MIN_BATCH,
      maxBatch: MAX_BATCH,
    });
  }

  onModuleInit(): void {
    this.queues.register(this);
  }

  onModuleDestroy(): void {
    // `Queues` waits for the runs.
    void this.loop.stop(SHUTDOWN_TIMEOUT_MS);
  }

  async work({ tenantId }: Job): Promise<void> {
    await this.loop.work(tenantId);
  }

  stopClaiming(): void {
    this.loop.stopClaiming();
  }

  /**
   * Begins no attempt that was claimed before a change of the webhook: it may be inactive or deleted now, or have another URL. Other processes
   * notice with their next claims.
   */
  async giveBack(webhookId: string): Promise<void> {
    await this.loop.giveBack(webhookId);
  }

  async due(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_DUE, {});
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.groups(tenantId)).length > 0;
  }

  /** The groups are webhooks. */
  async groups(tenantId: string): Promise<string[]> {
    const webhooks = await this.database.query(tenantId, WEBHOOKS_WITH_DUE, {});
    for (const { id, maxConcurrency } of webhooks) this.note(id, maxConcurrency);
    return webhooks.map(({ id }) => id);
  }

  /** A webhook with `max_concurrency` has no more claims than it may have requests, because claims are what all workers can count. */
  limitsOf(webhookId: string): RunLimits | undefined {
    const limit = this.limited.get(webhookId);
    return limit === undefined ? undefined : { lanes: limit, minBatch: limit, maxBatch: limit };
  }

  async claim(tenantId: string, webhookId: string, count: number): Promise<ClaimedDelivery[]> {
    const startBy = Date.now() + START_WITHIN_MS;
    const leaseMs = this.config.webhookTimeout + LEASE_MARGIN_MS;
    const maxDataBytes = this.payloads.limit;
    const rows = await this.claimRows(tenantId, { webhookId, limit: count, leaseMs, maxDataBytes });
    if (rows[0]?.active === false) {
      while ((await this.database.query(tenantId, CANCEL, { webhookId })).length > 0);
    }
    for (const { id, type, claimedUntil, attempts, resource } of rows) {
      if (id === null || type !== null) continue;
      const result = failedAttempt(NO_EVENT, attempts, []);
      await this.store(tenantId, [{ group: webhookId, item: { id, claimedUntil, resource, attempts }, result }]);
    }
    await this.cancel(
      tenantId,
      rows.filter(({ isErased }) => isErased),
    );
    const deliveries = rows.flatMap((row) => claimedDelivery(row, startBy) ?? []);
    this.payloads.remember(deliveries);
    return deliveries;
  }

  async attempt(
    tenantId: string,
    webhookId: string,
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    const posting = this.post(tenantId, webhookId, delivery, signal);
    const result = await posting.finally(() => this.payloads.forget([delivery]));
    if (result) this.measure(delivery, result);
    return result;
  }

  endsGroup({ gone }: AttemptResult): boolean {
    return gone;
  }

  async store(tenantId: string, results: readonly SettledDelivery[]): Promise<void> {
    const promoted = await this.results.store(tenantId, results);
    // A run ends when a claim finds less than it asks for, but now more may be claimed.
    if (promoted || results.some(({ group }) => this.limited.has(group))) this.queues.wake('webhooks', { tenantId });
  }

  async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    this.payloads.forget(deliveries);
    const ids = deliveries.map(({ id }) => id);
    const claimedUntil = deliveries.map((delivery) => delivery.claimedUntil);
    await this.database.query(tenantId, RELEASE, { ids, claimedUntil });
  }

  private async claimRows(tenantId: string, claim: Parameters<typeof CLAIM.bind>[1]): Promise<ClaimRow[]> {
    const { webhookId } = claim;
    if (!this.limited.has(webhookId)) {
      const rows = await this.database.query(tenantId, CLAIM, claim);
      const [first] = rows;
      if (first) this.note(webhookId, first.maxConcurrency);
      if (!first || first.maxConcurrency === null) return rows;
    }
    return this.database.transaction(tenantId, async (transaction) => {
      await transaction.query(tenantId, LOCK_WEBHOOKS, { webhookIds: [webhookId] });
      const rows = await transaction.query(tenantId, CLAIM_LIMITED, claim);
      this.note(webhookId, rows[0]?.maxConcurrency ?? null);
      return rows;
    });
  }

  private note(webhookId: string, maxConcurrency: number | null): void {
    if (maxConcurrency === null) this.limited.delete(webhookId);
    else this.limited.set(webhookId, maxConcurrency);
  }

  private async cancel(tenantId: string, rows: readonly ClaimRow[]): Promise<void> {
    const claimed = rows.flatMap(({ id, claimedUntil }) => (id === null ? [] : { id, claimedUntil }));
    if (claimed.length === 0) return;
    const ids = claimed.map(({ id }) => id);
    await this.database.query(tenantId, CANCEL_CLAIMED, { ids, claimedUntil: claimed.map((row) => row.claimedUntil) });
  }

  private measure({ attempts, event }: ClaimedDelivery, { at, status }: AttemptResult): void {
    this.metrics.deliveries.inc({ outcome: status === 'pending' ? 'retried' : status });
    if (attempts === 0) this.metrics.firstAttempts.observe((at.getTime() - Date.parse(event.occurredAt)) / 1000);
  }

  /** Returns undefined if the attempt was given up, because the process ends or there is not enough memory for the payload. */
  private async post(
    tenantId: string,
    webhookId: string,
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    const { webhookTimeout: timeoutMs, webhookRetrySchedule: schedule } = this.config;
    const webhook = { tenantId, id: webhookId };
    let opened: Opened;
    try {
      opened = {
        secrets: delivery.sealed.map((sealed) => this.secrets.open(webhook, sealed)),
        signingKey: delivery.signingKey === null ? undefined : this.secrets.open(webhook, delivery.signingKey),
        headers: this.secrets.openHeaders(webhook, delivery.headers),
      };
    } catch (error) {
      this.logger.error(
        { err: error, tenant_id: tenantId, webhook: formatId('wh', webhookId) },
        'A secret of a webhook could not be read; nothing is delivered to it',
      );
      return failedAttempt('A secret of the webhook could not be read.', delivery.attempts, schedule);
    }
    const options = { timeoutMs, schedule, signal, filesBase: this.publicUrl.base };
    return this.payloads.with(tenantId, delivery, async (event) => {
      if (!event) return failedAttempt(NO_EVENT, delivery.attempts, []);
      return attempt(this.client, tenantId, delivery, event, opened, options);
    });
  }
}

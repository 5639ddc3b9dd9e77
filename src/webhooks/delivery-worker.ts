import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { Metrics } from '../observability/metrics.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import type { WorkSource } from '../work/work-item.js';
import { WorkLoop } from '../work/work-loop.js';
import { attempt, type AttemptResult, failedAttempt } from './attempt.js';
import { type ClaimedDelivery, claimedDelivery } from './claim.js';
import { CANCEL, CLAIM, RELEASE, TENANTS_WITH_DUE, WEBHOOKS_WITH_DUE } from './deliveries.sql.js';
import { DeliveryResults, type SettledDelivery } from './delivery-results.js';
import { Payloads } from './payloads.js';
import { Slots } from './slots.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** A claim lasts this much longer than the time-out of the attempt: time to begin, and to store the result. */
const LEASE_MARGIN_MS = 15_000;
const START_WITHIN_MS = 10_000;
/** Maximum number of attempts to one webhook at once. */
const LANES = 10;
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
  private readonly loop = new WorkLoop<ClaimedDelivery, AttemptResult>(this, {
    name: 'deliveries',
    places: new Slots(),
    lanes: LANES,
    minBatch: LANES,
    maxBatch: MAX_BATCH,
  });

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly client: OutboundClient,
    private readonly secrets: WebhookSecrets,
    private readonly results: DeliveryResults,
    private readonly payloads: Payloads,
    private readonly queues: Queues,
    private readonly metrics: Metrics,
  ) {}

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

  async due(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_DUE, {});
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.groups(tenantId)).length > 0;
  }

  /** The groups are webhooks. */
  async groups(tenantId: string): Promise<string[]> {
    return (await this.database.query(tenantId, WEBHOOKS_WITH_DUE, {})).map(({ id }) => id);
  }

  async claim(tenantId: string, webhookId: string, count: number): Promise<ClaimedDelivery[]> {
    const startBy = Date.now() + START_WITHIN_MS;
    const leaseMs = this.config.webhookTimeout + LEASE_MARGIN_MS;
    const maxDataBytes = this.payloads.limit;
    const rows = await this.database.query(tenantId, CLAIM, { webhookId, limit: count, leaseMs, maxDataBytes });
    if (rows[0]?.active === false) {
      while ((await this.database.query(tenantId, CANCEL, { webhookId })).length > 0);
    }
    for (const { id, type, claimedUntil, attempts } of rows) {
      if (id === null || type !== null) continue;
      const result = failedAttempt(NO_EVENT, attempts, []);
      await this.results.store(tenantId, [{ group: webhookId, item: { id, claimedUntil }, result }]);
    }
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
    await this.results.store(tenantId, results);
  }

  async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    this.payloads.forget(deliveries);
    const ids = deliveries.map(({ id }) => id);
    const claimedUntil = deliveries.map((delivery) => delivery.claimedUntil);
    await this.database.query(tenantId, RELEASE, { ids, claimedUntil });
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
    let secrets: string[];
    try {
      secrets = delivery.sealed.map((sealed) => this.secrets.open({ tenantId, id: webhookId }, sealed));
    } catch (error) {
      this.logger.error(
        { err: error, tenant_id: tenantId, webhook: formatId('wh', webhookId) },
        'The secret of a webhook could not be read; its deliveries cannot be signed',
      );
      return failedAttempt('The secret of the webhook could not be read.', delivery.attempts, schedule);
    }
    const options = { timeoutMs, schedule, signal };
    return this.payloads.with(tenantId, delivery, async (event) => {
      if (!event) return failedAttempt(NO_EVENT, delivery.attempts, []);
      return attempt(this.client, tenantId, delivery, event, secrets, options);
    });
  }
}

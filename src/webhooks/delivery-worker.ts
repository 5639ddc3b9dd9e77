import { setMaxListeners } from 'node:events';
import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { Metrics } from '../observability/metrics.js';
import { OutboundClient } from '../outbound/outbound-client.js';
import { Gate } from '../queues/gate.js';
import type { Job } from '../queues/job.js';
import type { QueueWorker } from '../queues/queue-worker.js';
import { Queues } from '../queues/queues.js';
import { attempt, type AttemptResult, failedAttempt } from './attempt.js';
import { type ClaimedDelivery, claimedDelivery } from './claim.js';
import { CANCEL, CLAIM, RELEASE, TENANTS_WITH_DUE, WEBHOOKS_WITH_DUE } from './deliveries.sql.js';
import { DeliveryResults } from './delivery-results.js';
import { Payloads } from './payloads.js';
import { Slots } from './slots.js';
import { WebhookRun } from './webhook-run.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** A claim lasts this much longer than the time-out of the attempt: time to begin, and to store the result. */
const LEASE_MARGIN_MS = 15_000;
const START_WITHIN_MS = 10_000;
/** Maximum number of claiming statements that a process runs at once, because requests need connections too. */
const CONCURRENCY = 3;
const NO_EVENT = 'The event is no longer stored.';
/** Maximum time that running attempts may delay the end of the process. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

/** Sends due deliveries: claims them for a limited time, posts them and stores the results. */
@Injectable()
export class DeliveryWorker implements QueueWorker, OnModuleInit, OnModuleDestroy {
  readonly queue = 'webhooks';
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly slots = new Slots();
  private readonly gate = new Gate(CONCURRENCY);
  /** The current runs by webhook ID. */
  private readonly runs = new Map<string, WebhookRun>();
  private readonly shutdown = new AbortController();
  private stopping = false;

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
    // Every attempt adds a listener.
    setMaxListeners(0, this.shutdown.signal);
    this.queues.register(this);
  }

  onModuleDestroy(): void {
    this.stopClaiming();
    setTimeout(() => this.shutdown.abort(), SHUTDOWN_TIMEOUT_MS).unref();
  }

  async work({ tenantId }: Job): Promise<void> {
    if (this.stopping) return;
    const webhooks = await this.database.query(tenantId, WEBHOOKS_WITH_DUE, {});
    const started = webhooks.flatMap(({ id }) => {
      const run = this.runs.get(id);
      const ended = (run ?? this.start(tenantId, id)).wake();
      // Only the starter awaits a run; otherwise waiters would pile up behind a hung one.
      return run ? [] : [ended];
    });
    await Promise.all(started);
  }

  stopClaiming(): void {
    this.stopping = true;
    for (const run of this.runs.values()) run.stop();
  }

  async due(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_DUE, {});
  }

  async isDue({ tenantId }: Job): Promise<boolean> {
    return (await this.database.query(tenantId, WEBHOOKS_WITH_DUE, {})).length > 0;
  }

  private start(tenantId: string, webhookId: string): WebhookRun {
    const writes = new Set<Promise<void>>();
    const tasks = {
      claim: (count: number) => this.gate.through(() => this.claim(tenantId, webhookId, count)),
      attempt: (delivery: ClaimedDelivery) => this.attempt(tenantId, webhookId, delivery, writes),
      release: (deliveries: ClaimedDelivery[]) => this.release(tenantId, deliveries),
      settled: async () => void (await Promise.all(writes)),
    };
    const run = new WebhookRun(tenantId, this.slots, tasks, () => this.runs.delete(webhookId));
    this.runs.set(webhookId, run);
    return run;
  }

  private async claim(tenantId: string, webhookId: string, count: number): Promise<ClaimedDelivery[]> {
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
      await this.results.add(tenantId, { webhookId, delivery: { id, claimedUntil }, result });
    }
    const deliveries = rows.flatMap((row) => claimedDelivery(row, startBy) ?? []);
    this.payloads.remember(deliveries);
    return deliveries;
  }

  private async attempt(
    tenantId: string,
    webhookId: string,
    delivery: ClaimedDelivery,
    writes: Set<Promise<void>>,
  ): Promise<boolean> {
    const result = await this.post(tenantId, webhookId, delivery).finally(() => this.payloads.forget([delivery]));
    if (!result) {
      await this.release(tenantId, [delivery]);
      return false;
    }
    this.measure(delivery, result);
    const written = this.results.add(tenantId, { webhookId, delivery, result });
    writes.add(written);
    void written.then(() => writes.delete(written));
    // The next attempt does not wait until this result is stored, unless the result decides that there is no next attempt.
    if (result.gone) await written;
    return !result.gone;
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
    const options = { timeoutMs, schedule, signal: this.shutdown.signal };
    return this.payloads.with(tenantId, delivery, async (event) => {
      if (!event) return failedAttempt(NO_EVENT, delivery.attempts, []);
      return attempt(this.client, tenantId, delivery, event, secrets, options);
    });
  }

  private async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    this.payloads.forget(deliveries);
    const ids = deliveries.map(({ id }) => id);
    const claimedUntil = deliveries.map((delivery) => delivery.claimedUntil);
    await this.database.query(tenantId, RELEASE, { ids, claimedUntil }).catch((error: unknown) => {
      // The claim expires by itself.
      this.logger.warn(
        { err: error, tenant_id: tenantId, deliveries: ids.map((id) => formatId('dlv', id)) },
        'Claims on deliveries could not be released',
      );
    });
  }
}

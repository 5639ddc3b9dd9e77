import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { presentEvent } from '../../events/event-presenter.js';
import { withMediaUrls } from '../../fields/formats/media-url.js';
import { PublicUrl } from '../../http/public-url.js';
import { formatId } from '../../ids/type-id.js';
import { Metrics } from '../../observability/metrics.js';
import { OutboundClient } from '../../outbound/outbound-client.js';
import { Queues } from '../../queues/queues.js';
import type { WorkSource } from '../../work/work-item.js';
import { type ClaimedDelivery, DeliveryClaims } from './delivery-claims.js';
import { type DeliveryResult, notSent, resultOf } from './delivery-result.js';
import { Payloads } from './payloads.js';
import { recordResults, type SettledDelivery } from './record-results.js';
import { sign } from '../secrets/signature.js';
import { type DecryptedSecrets, WebhookSecrets } from '../secrets/webhook-secrets.js';
import { isFailing, WebhookFailures } from '../failures/webhook-failures.js';

const NO_EVENT = 'The event is no longer stored.';
const UNREADABLE_SECRET = 'A secret of the webhook could not be read.';

/**
 * How due deliveries are sent: claimed together with those of the same webhook, attempted one by one, and their results stored together.
 * `WorkRun` takes the steps, in the order in which they stand here.
 */
@Injectable()
export class Deliver implements WorkSource<ClaimedDelivery, DeliveryResult> {
  private readonly logger = new Logger(Deliver.name);

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly claims: DeliveryClaims,
    private readonly payloads: Payloads,
    private readonly secrets: WebhookSecrets,
    private readonly publicUrl: PublicUrl,
    private readonly client: OutboundClient,
    private readonly metrics: Metrics,
    private readonly failures: WebhookFailures,
    private readonly queues: Queues,
  ) {}

  /** The groups are webhooks. */
  groups(tenantId: string): Promise<string[]> {
    return this.claims.webhooksWithDue(tenantId);
  }

  limitsOf(webhookId: string) {
    return this.claims.limitsOf(webhookId);
  }

  async claim(tenantId: string, webhookId: string, limit: number): Promise<ClaimedDelivery[]> {
    const maxDataBytes = this.payloads.limit;
    const { deliveries, lost } = await this.claims.claim(tenantId, webhookId, { limit, maxDataBytes });
    const results = lost.map((item) => {
      return { group: webhookId, item, result: notSent(NO_EVENT, { number: item.attempts + 1, schedule: [] }) };
    });
    if (results.length > 0) await this.store(tenantId, results);
    this.payloads.remember(deliveries);
    return deliveries;
  }

  async attempt(
    tenantId: string,
    webhookId: string,
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<DeliveryResult | undefined> {
    try {
      const result = await this.send(tenantId, webhookId, delivery, signal);
      if (result) this.measure(delivery, result);
      return result;
    } finally {
      this.payloads.forget([delivery]);
    }
  }

  /** Returns undefined if the process ends, or if there is not enough memory for the payload. */
  private async send(
    tenantId: string,
    webhookId: string,
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<DeliveryResult | undefined> {
    const { url, version } = delivery;
    const number = delivery.attempts + 1;
    const { webhookTimeout: timeoutMs, webhookRetrySchedule: schedule } = this.config;
    const decrypted = this.decrypt(tenantId, webhookId, delivery);
    if (!decrypted) return notSent(UNREADABLE_SECRET, { number, schedule });
    const payload = await this.payloads.load(tenantId, delivery);
    if (!payload) return undefined;
    try {
      const { event } = payload;
      if (!event) return notSent(NO_EVENT, { number, schedule: [] });
      const at = new Date();
      const timestampSeconds = Math.floor(at.getTime() / 1000);
      const body = withMediaUrls(presentEvent(tenantId, event), this.publicUrl.base);
      const { headers: own, ...signing } = decrypted;
      const headers = {
        ...own,
        'content-type': 'application/json',
        'user-agent': 'Trivet',
        'trivet-attempt': String(number),
        'trivet-version': String(version),
        ...sign({ id: formatId('evt', event.id), timestampSeconds, body, ...signing }),
      };
      const response = await this.client.post(url, { headers, body, timeoutMs, signal });
      return response.error === 'aborted' ? undefined : resultOf(response, { at, number, schedule });
    } finally {
      payload.release();
    }
  }

  /** Nothing more is sent to a receiver that is gone. */
  endsGroup({ gone }: DeliveryResult): boolean {
    return gone;
  }

  async release(tenantId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    this.payloads.forget(deliveries);
    await this.claims.release(tenantId, deliveries);
  }

  /** Stores the results, and notifies the tenant of webhooks that fail. Those that have failed for too long, or whose receiver is gone, are deactivated. */
  async store(tenantId: string, results: readonly SettledDelivery[]): Promise<void> {
    const { overdue, promoted } = await recordResults(this.database, tenantId, results);
    const webhooksOf = (some: readonly SettledDelivery[]) => new Set(some.map(({ group }) => group));
    for (const id of webhooksOf(results.filter(isFailing))) await this.failures.notify(tenantId, id);
    for (const id of webhooksOf(results.filter(({ result }) => result.gone))) {
      await this.failures.disable(tenantId, id, 'gone');
    }
    for (const id of overdue) await this.failures.disable(tenantId, id, 'failing');
    // A run ends when a claim finds less than it asks for, but now more may be claimed.
    const frees = promoted || results.some(({ group }) => this.claims.limitsOf(group) !== undefined);
    if (frees) this.queues.wake('webhooks', { tenantId });
  }

  private decrypt(tenantId: string, webhookId: string, delivery: ClaimedDelivery): DecryptedSecrets | undefined {
    try {
      return this.secrets.decryptAll({ tenantId, id: webhookId }, delivery);
    } catch (error) {
      this.logger.error(
        { err: error, tenant_id: tenantId, webhook: formatId('wh', webhookId) },
        'A secret of a webhook could not be read; nothing is delivered to it',
      );
      return undefined;
    }
  }

  private measure({ attempts, event }: ClaimedDelivery, { at, status }: DeliveryResult): void {
    this.metrics.deliveries.inc({ outcome: status === 'pending' ? 'retried' : status });
    if (attempts === 0) this.metrics.firstAttempts.observe((at.getTime() - Date.parse(event.occurredAt)) / 1000);
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { Queues } from '../queues/queues.js';
import { DISABLE } from './failing.sql.js';
import { WebhookFailures } from './webhook-failures.js';
import type { DisabledReason } from './webhook.entity.js';

/** Makes webhooks inactive whose receivers are gone or keep failing. The tenant can make them active again. */
@Injectable()
export class WebhookDeactivation {
  private readonly logger = new Logger(WebhookDeactivation.name);

  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly failures: WebhookFailures,
  ) {}

  async disable(tenantId: string, webhookId: string, reason: DisabledReason): Promise<void> {
    const isChanged = await this.database.transaction(tenantId, async (transaction) => {
      const changed = await transaction.query(tenantId, DISABLE, { webhookId, reason });
      if (changed.length > 0) await this.failures.record(transaction, tenantId, webhookId, 'webhook.disabled');
      return changed.length > 0;
    });
    if (!isChanged) return;
    this.logger.warn(
      { tenant_id: tenantId, webhook: formatId('wh', webhookId), reason },
      'A webhook was made inactive',
    );
    // The worker cancels the pending deliveries.
    this.queues.wake('webhooks', { tenantId });
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { formatId } from '../ids/type-id.js';
import { Queues } from '../queues/queues.js';
import { DISABLE } from './deliveries.sql.js';
import type { DisabledReason } from './webhook.entity.js';

/** Makes webhooks inactive whose receivers are gone or keep failing. The tenant can make them active again. */
@Injectable()
export class WebhookDeactivation {
  private readonly logger = new Logger(WebhookDeactivation.name);

  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  async disable(tenantId: string, webhookId: string, reason: DisabledReason): Promise<void> {
    const changed = await this.database.query(tenantId, DISABLE, { webhookId, reason });
    if (changed.length === 0) return;
    this.logger.warn(
      { tenant_id: tenantId, webhook: formatId('wh', webhookId), reason },
      'A webhook was made inactive',
    );
    // The worker cancels the pending deliveries.
    this.queues.wake('webhooks', { tenantId });
  }
}

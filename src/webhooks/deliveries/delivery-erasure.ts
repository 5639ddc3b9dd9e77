import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { statement } from '../../database/statements/statement.js';
import { type Eraser, EventErasure, type Forgotten } from '../../events/event-erasure.js';

/**
 * Cancels the pending deliveries of erased events. All of them are locked, so that no result of an attempt is recorded until the transaction
 * ends; an attempt in progress then finds its delivery canceled. Only events about submissions are erased, and only those have an index.
 */
const CANCEL_ERASED = statement<{ eventIds: readonly string[] }, { id: string }>()(
  'deliveries.cancel_erased',
  `WITH locked AS (
      SELECT id, coalesce(finished_at, now()) AS finished_at FROM deliveries
      WHERE tenant_id = :tenantId AND coalesce(replay_of, event_id) = ANY (:eventIds::uuid[]) AND event_type = 'form.submitted'
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE deliveries d SET status = CASE WHEN d.status = 'pending' THEN 'canceled' ELSE d.status END, next_attempt_at = NULL,
      claimed_until = NULL, finished_at = l.finished_at
    FROM locked l WHERE d.tenant_id = :tenantId AND d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = l.id RETURNING d.id`,
);

/** Receivers repeat what they were sent. */
const ERASE_RESPONSES = statement<{ deliveryIds: readonly string[] }, never>()(
  'delivery_attempts.erase',
  `UPDATE delivery_attempts SET response = '', error = NULL WHERE tenant_id = :tenantId AND delivery_id = ANY (:deliveryIds::uuid[])`,
);

/** Removes what deliveries hold of erased events. */
@Injectable()
export class DeliveryErasure implements Eraser, OnModuleInit {
  readonly name = 'deliveries';

  constructor(private readonly erasure: EventErasure) {}

  onModuleInit(): void {
    this.erasure.register(this);
  }

  async erase(transaction: Transaction, tenantId: string, { eventIds }: Forgotten): Promise<number> {
    if (eventIds.length === 0) return 0;
    const deliveryIds = (await transaction.query(tenantId, CANCEL_ERASED, { eventIds })).map(({ id }) => id);
    if (deliveryIds.length > 0) await transaction.query(tenantId, ERASE_RESPONSES, { deliveryIds });
    return deliveryIds.length;
  }
}

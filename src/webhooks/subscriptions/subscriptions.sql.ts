import { type NoParameters, statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import { PRUNE_HOURS } from '../statistics/delivery-hours.sql.js';
import type { SubscribedType } from './subscribed-events.js';

export interface Subscription {
  id: string;
  events: SubscribedType[];
  /** JSON text of `WebhookFilters`. */
  filters: string | null;
  isOrdered: boolean;
}

export const SUBSCRIPTIONS = statement<NoParameters, Subscription>()(
  'webhooks.subscriptions',
  `SELECT id, events, filters, ordered IS TRUE AS "isOrdered" FROM webhooks WHERE tenant_id = :tenantId AND active`,
);

interface NewDeliveries {
  ids: readonly string[];
  webhookIds: readonly string[];
  eventIds: readonly string[];
  eventTypes: readonly string[];
}

export const ADD_DELIVERIES = write<NewDeliveries, never>()('deliveries.add', [
  insert(
    'added',
    `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
      SELECT :tenantId, d.id, d.webhook_id, d.event_id, d.event_type, 'pending', 0, now(), now()
      FROM unnest(:ids::uuid[], :webhookIds::uuid[], :eventIds::uuid[], :eventTypes::text[]) AS d (id, webhook_id, event_id, event_type)
      ON CONFLICT (tenant_id, webhook_id, event_id) DO NOTHING`,
  ),
]);

export const OLDEST_PENDING_EVENT = statement<NoParameters, { eventId: string }>()(
  'deliveries.oldest_pending_event',
  `SELECT p.event_id AS "eventId" FROM (
      SELECT d.event_id FROM webhooks w CROSS JOIN LATERAL (
        SELECT event_id FROM deliveries WHERE tenant_id = :tenantId AND webhook_id = w.id AND status = 'pending'
        ORDER BY event_id LIMIT 1
      ) AS d WHERE w.tenant_id = :tenantId
      UNION ALL SELECT d.replay_of FROM webhooks w CROSS JOIN LATERAL (
        SELECT replay_of FROM deliveries
        WHERE tenant_id = :tenantId AND webhook_id = w.id AND status = 'pending' AND replay_of IS NOT NULL
        ORDER BY replay_of LIMIT 1
      ) AS d WHERE w.tenant_id = :tenantId
      UNION ALL SELECT after_id FROM webhook_replays WHERE tenant_id = :tenantId
    ) AS p ORDER BY p.event_id LIMIT 1`,
);

/** Returns those of the events that are still to be delivered. Only events about submissions have an index. */
export const UNFINISHED_EVENTS = statement<{ eventIds: readonly string[] }, { id: string }>()(
  'deliveries.unfinished_events',
  `SELECT DISTINCT coalesce(replay_of, event_id) AS id FROM deliveries
    WHERE tenant_id = :tenantId AND coalesce(replay_of, event_id) = ANY (:eventIds::uuid[]) AND event_type = 'form.submitted'
      AND status = 'pending' AND webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE tenant_id = :tenantId))`,
);

/**
 * Deletes finished deliveries with IDs below `before`, and pending ones of deleted webhooks, with their attempts. Deletes at most 1,000 at
 * a time.
 */
export const PRUNE_DELIVERIES = statement<{ before: string }, { id: string }>()(
  'deliveries.prune',
  `WITH ${PRUNE_HOURS}, old AS (
      SELECT d.id FROM deliveries d WHERE d.tenant_id = :tenantId AND d.id < :before AND (d.status <> 'pending'
        OR NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.tenant_id = :tenantId AND w.id = d.webhook_id))
      ORDER BY d.id LIMIT 1000 FOR UPDATE SKIP LOCKED
    ), attempts AS (
      DELETE FROM delivery_attempts WHERE tenant_id = :tenantId AND delivery_id = ANY (ARRAY(SELECT id FROM old))
    )
    DELETE FROM deliveries WHERE tenant_id = :tenantId AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
);

import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { ORDER } from '../job-kinds.js';

/*
 * The pending first deliveries of an ordered webhook and one resource are a chain, in the order of `turn`. Only the first has a
 * `next_attempt_at`; the others are not due until it has ended. A chain changes only while the webhook's row is locked (`LOCK_WEBHOOKS`).
 */

/** Each array has one element for each chain. */
interface Chains {
  webhookIds: readonly string[];
  resources: readonly string[];
}

/** The last turn of each chain that has a pending delivery. */
export const LAST_TURNS = statement<Chains, { webhookId: string; resource: string; turn: number }>()(
  'ordered.last_turns',
  `SELECT c.webhook_id AS "webhookId", c.resource, l.turn::float8 AS turn
    FROM unnest(:webhookIds::uuid[], :resources::text[]) AS c (webhook_id, resource) CROSS JOIN LATERAL (
      SELECT turn FROM deliveries
      WHERE tenant_id = :tenantId AND webhook_id = c.webhook_id AND resource = c.resource AND status = 'pending'
      ORDER BY turn DESC LIMIT 1
    ) AS l`,
);

interface NewOrderedDeliveries extends Chains {
  ids: readonly string[];
  eventIds: readonly string[];
  eventTypes: readonly string[];
  turns: readonly number[];
  /** 1 if an earlier delivery of the chain is pending, otherwise 0. */
  waits: readonly number[];
}

export const ADD_ORDERED = write<NewOrderedDeliveries, never>()('ordered.add', [
  insert(
    'added',
    `INSERT INTO deliveries (tenant_id, id, webhook_id, event_id, event_type, resource, turn, status, attempts, next_attempt_at, created_at)
      SELECT :tenantId, d.id, d.webhook_id, d.event_id, d.event_type, d.resource, d.turn, 'pending', 0,
      CASE WHEN d.waits = 0 THEN now() END, now()
      FROM unnest(:ids::uuid[], :webhookIds::uuid[], :eventIds::uuid[], :eventTypes::text[], :resources::text[], :turns::bigint[], :waits::integer[]) AS d (id, webhook_id, event_id, event_type, resource, turn, waits)
      ON CONFLICT (tenant_id, webhook_id, event_id) DO NOTHING`,
    { computes: true },
  ),
]);

/** Makes the first pending delivery of each chain due, unless it is already. */
export const PROMOTE = statement<Chains, { id: string }>()(
  'ordered.promote',
  `UPDATE deliveries SET next_attempt_at = now() WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT f.id FROM unnest(:webhookIds::uuid[], :resources::text[]) AS c (webhook_id, resource) CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM deliveries
        WHERE tenant_id = :tenantId AND webhook_id = c.webhook_id AND resource = c.resource AND status = 'pending'
        ORDER BY turn LIMIT 1
      ) AS f WHERE f.next_attempt_at IS NULL
    )) RETURNING id`,
);

/** The next chains of a webhook after a resource, with whether their first delivery waits although it is the first. */
export const NEXT_CHAINS = statement<
  { webhookId: string; after: string; limit: number },
  { resource: string; isStuck: boolean }
>()(
  'ordered.next_chains',
  `WITH RECURSIVE first AS (
      SELECT :after::text COLLATE "C" AS resource, false AS is_stuck, 0 AS place
      UNION ALL SELECT n.resource, n.is_stuck, f.place + 1 FROM first f CROSS JOIN LATERAL (
        SELECT resource, next_attempt_at IS NULL AS is_stuck FROM deliveries
        WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND status = 'pending' AND resource > f.resource
        ORDER BY resource, turn LIMIT 1
      ) AS n WHERE f.place < :limit::integer
    )
    SELECT resource, is_stuck AS "isStuck" FROM first WHERE place > 0 ORDER BY place`,
);

/** Returns no row if the webhook does not exist. */
export const IS_ORDERED = statement<{ webhookId: string }, { isOrdered: boolean }>()(
  'ordered.is_ordered',
  `SELECT coalesce(ordered, false) AS "isOrdered" FROM webhooks WHERE tenant_id = :tenantId AND id = :webhookId`,
);

/** Takes deliveries out of their chains, at most 1,000 at a time, so that they wait for nothing. */
export const DISSOLVE = statement<{ webhookId: string }, { id: string }>()(
  'ordered.dissolve',
  `WITH chained AS MATERIALIZED (
      SELECT id, coalesce(next_attempt_at, now()) AS next_attempt_at FROM deliveries
      WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND status = 'pending' AND resource IS NOT NULL
      ORDER BY resource, turn LIMIT 1000
    )
    UPDATE deliveries d SET resource = NULL, turn = NULL, next_attempt_at = c.next_attempt_at
    FROM chained c WHERE d.tenant_id = :tenantId AND d.id = ANY (ARRAY(SELECT id FROM chained)) AND d.id = c.id RETURNING d.id`,
);

/** Has the chains of a webhook looked at now. */
export const CHECK_ORDER = write<{ webhookId: string }, { id: string }>()(
  'ordered.check',
  [
    part('webhook', 'SELECT id FROM webhooks WHERE tenant_id = :tenantId AND id = :webhookId', {
      returns: { id: 'uuid' },
    }),
    putJob('webhook', { kind: ORDER, key: 'webhook.id', at: 'now()' }),
  ],
  { columns: 'id', of: 'webhook' },
);

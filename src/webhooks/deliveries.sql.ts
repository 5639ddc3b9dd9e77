import { type NoParameters, serviceStatement, statement } from '../database/statement.js';
import type { EventType } from '../rooms/room.js';
import { dataIfSmaller, JOIN_VERSION } from '../events/event-data.sql.js';
import type { Job } from '../queues/job.js';
import { claimDue, isDue, isFree, releaseStatement, SETTLED } from '../work/work.sql.js';
import type { ClaimRow } from './claim.js';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';
import type { DisabledReason } from './webhook.entity.js';

/*
 * PostgreSQL may plan each statement only once, possibly while the tables are still empty. Lookups are therefore written so that only the
 * right index can serve them (a lateral lookup with LIMIT 1, `= ANY` of IDs) and no join over all rows of a tenant seems cheap.
 */

export const SUBSCRIPTIONS = statement<NoParameters, { id: string; events: EventType[] }>()(
  'webhooks.subscriptions',
  'SELECT id, events FROM webhooks WHERE tenant_id = :tenantId AND active',
);

interface NewDeliveries {
  ids: readonly string[];
  webhookIds: readonly string[];
  eventIds: readonly string[];
  eventTypes: readonly string[];
}

export const ADD_DELIVERIES = statement<NewDeliveries, never>()(
  'deliveries.add',
  `INSERT INTO deliveries
      (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
    SELECT :tenantId, d.id, d.webhook_id, d.event_id, d.event_type, 'pending', 0, now(), now()
    FROM unnest(:ids::uuid[], :webhookIds::uuid[], :eventIds::uuid[], :eventTypes::text[])
      AS d (id, webhook_id, event_id, event_type)
    ON CONFLICT (tenant_id, webhook_id, event_id) DO NOTHING`,
);

const TABLE = { table: 'deliveries', key: 'id' } as const;

/**
 * True if the webhook `w` has a due delivery, or is inactive and has a delivery to cancel. Each test is one index lookup. ORDER BY is only
 * for the planner: without it, the planner scans the table for a first row if much of the table is pending.
 */
const HAS_WORK = `CASE WHEN w.active
    THEN (SELECT true FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND ${isDue('d')} ORDER BY d.next_attempt_at LIMIT 1)
    ELSE (SELECT true FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND ${isFree('d')} ORDER BY d.next_attempt_at LIMIT 1)
    END` as const;

export const WEBHOOKS_WITH_DUE = statement<NoParameters, { id: string }>()(
  'deliveries.webhooks_with_due',
  `SELECT w.id FROM webhooks w WHERE w.tenant_id = :tenantId AND ${HAS_WORK}`,
);

export const TENANTS_WITH_DUE = serviceStatement<NoParameters, Job>()(
  'deliveries.tenants_with_due',
  `SELECT DISTINCT w.tenant_id AS "tenantId" FROM webhooks w WHERE ${HAS_WORK}`,
);

interface Claim {
  webhookId: string;
  limit: number;
  leaseMs: number;
  /** The data of events with at least this many bytes is left out. */
  maxDataBytes: number;
}

/**
 * Claims due deliveries of a webhook. Returns one row without a delivery if no delivery is due, and no row if the webhook does not exist.
 * Claims nothing for an inactive webhook.
 */
export const CLAIM = statement<Claim, ClaimRow>()(
  'deliveries.claim',
  `WITH webhook AS (
      SELECT url, active, secret, CASE WHEN previous_secret_until > now() THEN previous_secret END AS previous_secret
      FROM webhooks WHERE tenant_id = :tenantId AND id = :webhookId
    ), ${claimDue(TABLE, 'AND w.webhook_id = :webhookId AND (SELECT active FROM webhook)')}
    SELECT w.url, w.active, w.secret, w.previous_secret AS "previousSecret",
      c.id, c.event_id AS "eventId", c.attempts, c.claimed_until AS "claimedUntil",
      e.type, e.occurred_at AS "occurredAt", ${dataIfSmaller(':maxDataBytes::integer')} AS data
    FROM webhook w LEFT JOIN (claimed c LEFT JOIN LATERAL (
      SELECT type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = c.event_id LIMIT 1
    ) AS e ON true ${JOIN_VERSION}) ON true`,
);

export const RELEASE = releaseStatement('deliveries', TABLE);

/**
 * Cancels pending deliveries of an inactive webhook, at most 1,000 at a time. Skips deliveries with a running attempt; if the attempt
 * fails, they are canceled later.
 */
export const CANCEL = statement<{ webhookId: string }, { id: string }>()(
  'deliveries.cancel',
  `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
    WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.tenant_id = :tenantId AND d.webhook_id = :webhookId AND ${isFree('d')}
        AND EXISTS (SELECT 1 FROM webhooks WHERE tenant_id = :tenantId AND id = :webhookId AND NOT active)
      LIMIT 1000 FOR UPDATE SKIP LOCKED))
    RETURNING id`,
);

/** A longer gap between two failures starts a new failure streak. It is longer than any pause between retries. */
const STREAK_GAP = `interval '2 days'`;
const STREAK_LIMIT = `interval '5 days'`;

/** The results of attempts. Each array has one element for each attempt. */
interface Results {
  deliveryIds: readonly string[];
  webhookIds: readonly string[];
  /** Identifies the claim under which the attempt was made. */
  claimedUntil: readonly string[];
  /** The new statuses of the deliveries. */
  statuses: readonly DeliveryStatus[];
  /** Milliseconds until the next attempt; null if there is no further attempt. */
  pausesMs: readonly (number | null)[];
  attemptIds: readonly string[];
  attemptedAt: readonly string[];
  durationsMs: readonly number[];
  responseStatuses: readonly (number | null)[];
  errors: readonly (string | null)[];
  responses: readonly string[];
}

/**
 * Records attempts and updates their deliveries and webhooks. A result whose claim has expired does not change the delivery, because
 * another worker may have claimed it. Returns the webhooks that changed, and whether each has failed for too long.
 */
export const RECORD_RESULTS = statement<Results, { id: string; isFailing: boolean }>()(
  'deliveries.record_results',
  `WITH result AS (
      SELECT * FROM unnest(:deliveryIds::uuid[], :webhookIds::uuid[], :claimedUntil::timestamptz[], :statuses::text[], :pausesMs::float8[],
        :attemptIds::uuid[], :attemptedAt::timestamptz[], :durationsMs::integer[], :responseStatuses::integer[], :errors::text[], :responses::text[])
      AS r (delivery_id, webhook_id, claimed_until, status, pause_ms,
        attempt_id, attempted_at, duration_ms, answer_status, error, response)
    ), attempted AS (
      INSERT INTO delivery_attempts (tenant_id, delivery_id, id, attempted_at, duration_ms, status, error, response)
      SELECT :tenantId, delivery_id, attempt_id, attempted_at, duration_ms, answer_status, error, response FROM result
      ON CONFLICT DO NOTHING
    ), settled AS (
      UPDATE deliveries w SET ${SETTLED}
      FROM result r WHERE w.tenant_id = :tenantId AND w.id = ANY (:deliveryIds)
        AND w.id = r.delivery_id AND w.claimed_until = r.claimed_until
    ), health AS (
      SELECT webhook_id AS id, bool_or(status = 'succeeded') AS well FROM result GROUP BY webhook_id
    )
    UPDATE webhooks w SET
      failing_since = CASE WHEN h.well THEN NULL
        WHEN w.last_failed_at > now() - ${STREAK_GAP} THEN coalesce(w.failing_since, now()) ELSE now() END,
      last_failed_at = CASE WHEN h.well THEN w.last_failed_at ELSE now() END
    FROM health h WHERE w.tenant_id = :tenantId AND w.id = ANY (:webhookIds) AND w.id = h.id
      AND CASE WHEN h.well THEN w.failing_since IS NOT NULL
        ELSE w.failing_since IS NULL OR w.last_failed_at < now() - interval '1 minute' END
    RETURNING w.id, w.failing_since < now() - ${STREAK_LIMIT} AS "isFailing"`,
);

/** Makes a webhook inactive. Returns no row if it is inactive already, or no longer exists. */
export const DISABLE = statement<{ webhookId: string; reason: DisabledReason }, { id: string }>()(
  'webhooks.disable',
  `UPDATE webhooks SET active = false, disabled_reason = :reason
    WHERE tenant_id = :tenantId AND id = :webhookId AND active RETURNING id`,
);

export const PENDING_TYPES = statement<{ webhookId: string }, { type: DeliverableType }>()(
  'deliveries.pending_types',
  `SELECT DISTINCT event_type AS type FROM deliveries WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND status = 'pending'`,
);

export const OLDEST_PENDING_EVENT = statement<NoParameters, { eventId: string }>()(
  'deliveries.oldest_pending_event',
  `SELECT d.event_id AS "eventId" FROM webhooks w CROSS JOIN LATERAL (
      SELECT event_id FROM deliveries WHERE tenant_id = :tenantId AND webhook_id = w.id AND status = 'pending'
      ORDER BY event_id LIMIT 1
    ) AS d WHERE w.tenant_id = :tenantId ORDER BY d.event_id LIMIT 1`,
);

/**
 * Deletes finished deliveries with IDs below `before`, and pending ones of deleted webhooks, with their attempts. Deletes at most 1,000 at
 * a time.
 */
export const PRUNE_DELIVERIES = statement<{ before: string }, { id: string }>()(
  'deliveries.prune',
  `WITH old AS (
      SELECT d.id FROM deliveries d WHERE d.tenant_id = :tenantId AND d.id < :before AND (d.status <> 'pending'
        OR NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.tenant_id = :tenantId AND w.id = d.webhook_id))
      ORDER BY d.id LIMIT 1000 FOR UPDATE SKIP LOCKED
    ), attempts AS (
      DELETE FROM delivery_attempts WHERE tenant_id = :tenantId AND delivery_id = ANY (ARRAY(SELECT id FROM old))
    )
    DELETE FROM deliveries WHERE tenant_id = :tenantId AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
);

import { type NoParameters, serviceStatement, statement } from '../database/statement.js';
import { insert, part, write } from '../database/write.js';
import type { SubscribedType } from './subscribed-events.js';
import { dataIfSmaller, EVENT_DATA, isErased, JOIN_VERSION } from '../events/event-data.sql.js';
import type { Job } from '../queues/job.js';
import { claimDue, isDue, isFree, releaseStatement, SETTLED, SETTLING_TIMES } from '../work/work.sql.js';
import { putDue } from '../due/due-work.sql.js';
import type { ClaimRow } from './claim.js';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';
import { FAILING } from './due-kinds.js';
import { FAILING_AFTER } from './failing.sql.js';
import { COUNT_HOUR, PRUNE_HOURS } from './delivery-hours.sql.js';
import { HEAD } from './thin-payload.js';

/*
 * PostgreSQL may plan each statement only once, possibly while the tables are still empty. Lookups are therefore written so that only the
 * right index can serve them (a lateral lookup with LIMIT 1, `= ANY` of IDs) and no join over all rows of a tenant seems cheap.
 */

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

const TABLE = { table: 'deliveries', key: 'id' } as const;

/**
 * True if the webhook `w` has a due delivery, or is inactive and has a delivery to cancel. Each test is one index lookup. ORDER BY is only
 * for the planner: without it, the planner scans the table for a first row if much of the table is pending. `tenant` is the tenant's ID.
 */
function hasWork<const Tenant extends string>(tenant: Tenant) {
  return `CASE WHEN w.active
    THEN (SELECT true FROM deliveries d
      WHERE d.tenant_id = ${tenant} AND d.webhook_id = w.id AND ${isDue('d')} ORDER BY d.next_attempt_at LIMIT 1)
    ELSE (SELECT true FROM deliveries d
      WHERE d.tenant_id = ${tenant} AND d.webhook_id = w.id AND ${isFree('d')} ORDER BY d.next_attempt_at LIMIT 1)
    END` as const;
}

export const WEBHOOKS_WITH_DUE = statement<NoParameters, { id: string; maxConcurrency: number | null }>()(
  'deliveries.webhooks_with_due',
  `SELECT w.id, w.max_concurrency AS "maxConcurrency" FROM webhooks w WHERE w.tenant_id = :tenantId AND ${hasWork(':tenantId')}`,
);

export const TENANTS_WITH_DUE = serviceStatement<NoParameters, Job>()(
  'deliveries.tenants_with_due',
  `SELECT DISTINCT w.tenant_id AS "tenantId" FROM webhooks w WHERE ${hasWork('w.tenant_id')}`,
);

interface Claim {
  webhookId: string;
  limit: number;
  leaseMs: number;
  /** The data of events with at least this many bytes is left out. */
  maxDataBytes: number;
}

/** The webhook of a claim. */
const WEBHOOK = `webhook AS (
      SELECT url, active, max_concurrency, secret, signing_key, headers, previous_secrets, payload IS NOT DISTINCT FROM 'thin' AS thin
      FROM webhooks WHERE tenant_id = :tenantId AND id = :webhookId
    )`;

const CLAIMED =
  `SELECT w.url, w.active, w.max_concurrency AS "maxConcurrency", w.secret, w.previous_secrets AS "previousSecrets", w.signing_key AS "signingKey", w.headers, w.thin AS "isThin",
      c.id, coalesce(c.replay_of, c.event_id) AS "eventId", c.attempts, c.claimed_until AS "claimedUntil", c.resource,
      e.type, e.occurred_at AS "occurredAt", e.version, coalesce(${isErased('e')}, false) AS "isErased",
      CASE WHEN w.thin THEN left(${EVENT_DATA}, ${HEAD}) ELSE ${dataIfSmaller(':maxDataBytes::integer')} END AS data
    FROM webhook w LEFT JOIN (claimed c LEFT JOIN LATERAL (
      SELECT type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = coalesce(c.replay_of, c.event_id) LIMIT 1
    ) AS e ON true ${JOIN_VERSION}) ON true` as const;

/**
 * Claims due deliveries of a webhook. Returns one row without a delivery if no delivery is due, and no row if the webhook does not exist.
 * Claims nothing for an inactive webhook, or for one with `max_concurrency`.
 */
export const CLAIM = statement<Claim, ClaimRow>()(
  'deliveries.claim',
  `WITH ${WEBHOOK}, ${claimDue(TABLE, 'AND w.webhook_id = :webhookId AND (SELECT active AND max_concurrency IS NULL FROM webhook)')}
    ${CLAIMED}`,
);

/** Locks a webhook, so that its claims and the results of its attempts are counted by one worker at a time. */
export const LOCK_WEBHOOKS = statement<{ webhookIds: readonly string[] }, { id: string }>()(
  'webhooks.lock',
  `SELECT id FROM webhooks WHERE tenant_id = :tenantId AND id = ANY (:webhookIds::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
);

/** What is left of `max_concurrency`. A claim that has expired does not count. */
const LEFT = `least(:limit::integer, greatest(0, coalesce((SELECT max_concurrency FROM webhook), 0) - (
        SELECT count(*)::integer FROM deliveries l
        WHERE l.tenant_id = :tenantId AND l.webhook_id = :webhookId AND l.limited AND l.claimed_until > now())))`;

/** Like `CLAIM`, for a webhook with `max_concurrency`. An earlier statement of the transaction must have locked the webhook. */
export const CLAIM_LIMITED = statement<Claim, ClaimRow>()(
  'deliveries.claim_limited',
  `WITH ${WEBHOOK}, ${claimDue(TABLE, 'AND w.webhook_id = :webhookId AND (SELECT active FROM webhook)', { limit: LEFT, set: ', limited = true' })}
    ${CLAIMED}`,
);

export const RELEASE = releaseStatement('deliveries', TABLE);

/**
 * Cancels pending deliveries of an inactive webhook, at most 1,000 at a time. Skips deliveries with a running attempt; if the attempt
 * fails, they are canceled later.
 */
export const CANCEL = statement<{ webhookId: string }, { id: string }>()(
  'deliveries.cancel',
  `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, limited = NULL, finished_at = now()
    WHERE tenant_id = :tenantId AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.tenant_id = :tenantId AND d.webhook_id = :webhookId AND ${isFree('d')}
        AND EXISTS (SELECT 1 FROM webhooks WHERE tenant_id = :tenantId AND id = :webhookId AND NOT active)
      LIMIT 1000 FOR UPDATE SKIP LOCKED))
    RETURNING id`,
);

/** Cancels claimed deliveries, whose events were erased. */
export const CANCEL_CLAIMED = statement<{ ids: readonly string[]; claimedUntil: readonly string[] }, never>()(
  'deliveries.cancel_claimed',
  `UPDATE deliveries w SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
    FROM unnest(:ids::uuid[], :claimedUntil::timestamptz[]) AS r (id, claimed_until)
    WHERE w.tenant_id = :tenantId AND w.id = ANY (:ids) AND w.id = r.id AND w.claimed_until = r.claimed_until`,
);

/** A longer gap between two failures starts a new failure streak. It is longer than any pause between retries. */
const STREAK_GAP = `interval '2 days'`;
const STREAK_LIMIT = `interval '5 days'`;

/**
 * The condition that a delivery has an ID, and an order. As an equality, it would leave the planner a choice as long as tenants have few
 * deliveries: another index by tenant seems as cheap then. Only the primary key has this order.
 */
function hasId<const Id extends string>(id: Id) {
  return `id BETWEEN ${id} AND ${id} ORDER BY id` as const;
}

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
 * another worker may have claimed it. What the receiver of a canceled delivery said is not kept, because its event may be erased: a delivery
 * that was not updated is locked, which waits for a change in progress, and its present status is read. The first failure of a streak puts the
 * work that looks at the webhook an hour later. Returns the webhooks that changed, and whether each has failed for too long.
 *
 * Each delivery is looked up by its key and updated at its place, as in `claimDue`: a join would read all deliveries of a tenant that has few.
 * The deliveries must be in the order of their IDs, because an erasure locks them in this order.
 */
export const RECORD_RESULTS = write<Results, { id: string; isFailing: boolean }>()(
  'deliveries.record_results',
  [
    part(
      'settled',
      `UPDATE deliveries w SET ${SETTLED}, limited = NULL
      FROM (
        SELECT d.place, claimed_until, status, ${SETTLING_TIMES}
        FROM unnest(:deliveryIds::uuid[], :claimedUntil::timestamptz[], :statuses::text[], :pausesMs::float8[])
          AS n (delivery_id, claimed_until, status, pause_ms)
        CROSS JOIN LATERAL (
          SELECT ctid AS place FROM deliveries WHERE tenant_id = :tenantId AND ${hasId('n.delivery_id')} LIMIT 1
        ) AS d OFFSET 0
      ) AS r
      WHERE w.tenant_id = :tenantId COLLATE "POSIX" AND w.ctid = r.place AND w.claimed_until = r.claimed_until
      RETURNING w.id, w.status`,
      { returns: { id: 'uuid', status: 'text' }, isMany: true },
    ),
    part(
      'canceled',
      `SELECT l.id FROM (SELECT unnest(:deliveryIds::uuid[]) AS id EXCEPT SELECT id FROM settled) AS u CROSS JOIN LATERAL (
        SELECT id, status FROM deliveries WHERE tenant_id = :tenantId AND ${hasId('u.id')} LIMIT 1 FOR NO KEY UPDATE
      ) AS l WHERE l.status = 'canceled'`,
      { reads: ['settled'], returns: { id: 'uuid' }, isMany: true },
    ),
    part(
      'attempt',
      `SELECT r.*, CASE WHEN c.id IS NULL THEN r.message END AS error, CASE WHEN c.id IS NULL THEN r.answer ELSE '' END AS response
      FROM unnest(:deliveryIds::uuid[], :attemptIds::uuid[], :attemptedAt::timestamptz[], :durationsMs::integer[],
        :responseStatuses::integer[], :errors::text[], :responses::text[])
        AS r (delivery_id, id, attempted_at, duration_ms, status, message, answer)
      LEFT JOIN canceled c ON c.id = r.delivery_id`,
      {
        reads: ['canceled'],
        returns: {
          delivery_id: 'uuid',
          id: 'uuid',
          attempted_at: 'timestamptz',
          duration_ms: 'integer',
          status: 'integer',
          error: 'text',
          response: 'text',
        },
        isMany: true,
      },
    ),
    insert(
      'attempted',
      `INSERT INTO delivery_attempts (tenant_id, delivery_id, id, attempted_at, duration_ms, status, error, response)
      SELECT :tenantId, attempt.delivery_id, attempt.id, attempt.attempted_at, attempt.duration_ms, attempt.status, attempt.error,
      attempt.response
      FROM attempt
      ON CONFLICT DO NOTHING`,
      { computes: true },
    ),
    ...COUNT_HOUR,
    part(
      'changed',
      `UPDATE webhooks w SET
      failing_since = CASE WHEN h.well THEN NULL
        WHEN w.last_failed_at > h.gap_began THEN coalesce(w.failing_since, h.now) ELSE h.now END,
      last_failed_at = CASE WHEN h.well THEN w.last_failed_at ELSE h.now END,
      told_failing_at = CASE WHEN h.well THEN NULL ELSE w.told_failing_at END
    FROM (
      SELECT r.id, bool_or(r.status = 'succeeded') AS well, now() AS now, now() - interval '1 minute' AS recently,
        now() - ${STREAK_GAP} AS gap_began, now() - ${STREAK_LIMIT} AS streak_began
      FROM unnest(:webhookIds::uuid[], :statuses::text[]) AS r (id, status) GROUP BY r.id
    ) AS h WHERE w.tenant_id = :tenantId AND w.id = ANY (:webhookIds::uuid[]) AND w.id = h.id
      AND CASE WHEN h.well THEN w.failing_since IS NOT NULL
        ELSE w.failing_since IS NULL OR w.last_failed_at < h.recently END
    RETURNING w.id, w.failing_since, w.last_failed_at, w.failing_since < h.streak_began AS "isFailing"`,
      { returns: { id: 'uuid', failing_since: 'timestamptz', last_failed_at: 'timestamptz' }, isMany: true },
    ),
    part(
      'streak',
      `SELECT id, failing_since + ${FAILING_AFTER} AS told_at FROM changed WHERE failing_since = last_failed_at`,
      {
        of: 'changed',
        returns: { id: 'uuid', told_at: 'timestamptz' },
        isMany: true,
      },
    ),
    putDue('streak', { kind: FAILING, key: 'streak.id', at: 'streak.told_at' }, { computes: true }),
  ],
  { columns: 'id, "isFailing"', of: 'changed' },
);

/** The types of what is still to be sent to a webhook, also by replays. */
export const PENDING_TYPES = statement<{ webhookId: string }, { type: DeliverableType | SubscribedType }>()(
  'deliveries.pending_types',
  `SELECT DISTINCT event_type AS type FROM deliveries WHERE tenant_id = :tenantId AND webhook_id = :webhookId AND status = 'pending'
    UNION SELECT unnest(types) FROM webhook_replays WHERE tenant_id = :tenantId AND webhook_id = :webhookId`,
);

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

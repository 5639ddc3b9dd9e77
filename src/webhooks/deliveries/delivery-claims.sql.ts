import { type NoParameters, serviceStatement, statement } from '../../database/statements/statement.js';
import { dataIfSmaller, EVENT_DATA, isErased, JOIN_VERSION } from '../../events/feed/event-data.sql.js';
import type { Job } from '../../queues/job.js';
import { claimDue, isDue, isFree, type Release, releaseStatement } from '../../work/work.sql.js';
import { HEAD } from './thin-payload.js';

/*
 * PostgreSQL may plan each statement only once, possibly while the tables are still empty. Lookups are therefore written so that only the
 * right index can serve them (a lateral lookup with LIMIT 1, `= ANY` of IDs) and no join over all rows of a tenant seems cheap.
 */

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

/** A row of `CLAIM`. Without a delivery (`id` is null), it describes only the webhook. */
export interface ClaimRow {
  url: string;
  active: boolean;
  maxConcurrency: number | null;
  secret: string | null;
  /** `PreviousSecret[]` as JSON. */
  previousSecrets: string | null;
  signingKey: string | null;
  headers: string | null;
  isThin: boolean;
  id: string | null;
  eventId: string;
  attempts: number;
  claimedUntil: string;
  /** The resource whose deliveries wait for this one; null if none do. */
  resource: string | null;
  type: string | null;
  occurredAt: string;
  /** The version of the event's resource; null if it has none. */
  version: number | null;
  /** Whether the data of the event was erased. */
  isErased: boolean;
  /** Null if it is too large to be read with the claim; the beginning if the webhook takes thin payloads. */
  data: string | null;
}

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
export const CANCEL_CLAIMED = statement<Release, never>()(
  'deliveries.cancel_claimed',
  `UPDATE deliveries w SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
    FROM unnest(:ids::uuid[], :claimedUntil::timestamptz[]) AS r (id, claimed_until)
    WHERE w.tenant_id = :tenantId AND w.id = ANY (:ids) AND w.id = r.id AND w.claimed_until = r.claimed_until`,
);

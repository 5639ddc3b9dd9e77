import { ifSmaller } from '../lists/large-json.js';

/**
 * The statements of deliveries. `$1` is the tenant. Those that lock or write are about one tenant each.
 *
 * Their plans are made once, maybe while the tables are still empty: how each row is found is therefore written so that only the right
 * index will do (a lateral look-up with LIMIT 1, `= ANY` of ids) and no join over all rows of a tenant looks cheap.
 */

export const SUBSCRIPTIONS = {
  name: 'webhooks.subscriptions',
  text: 'SELECT id, events FROM webhooks WHERE tenant_id = $1 AND active',
};

export const ADD_DELIVERIES = {
  name: 'deliveries.add',
  text: `INSERT INTO deliveries
      (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
    SELECT $1, d.id, d.webhook_id, d.event_id, d.event_type, 'pending', 0, now(), now()
    FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) AS d (id, webhook_id, event_id, event_type)
    ON CONFLICT (tenant_id, webhook_id, event_id) DO NOTHING`,
};

/** Pending, and no worker's. */
const IS_FREE = `d.status = 'pending' AND (d.claimed_until IS NULL OR d.claimed_until < now())`;
const IS_DUE = `${IS_FREE} AND d.next_attempt_at <= now()`;

/**
 * Whether the webhook `w` has something due, or is inactive and has something to cancel: one look into an index each. The order is there
 * for the planner alone: where much of the table is pending, it would rather read the table until it meets a row.
 */
const HAS_WORK = `CASE WHEN w.active
    THEN (SELECT true FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND ${IS_DUE} ORDER BY d.next_attempt_at LIMIT 1)
    ELSE (SELECT true FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND ${IS_FREE} ORDER BY d.next_attempt_at LIMIT 1)
    END`;

export const WEBHOOKS_WITH_DUE = {
  name: 'deliveries.webhooks_with_due',
  text: `SELECT w.id FROM webhooks w WHERE w.tenant_id = $1 AND ${HAS_WORK}`,
};

/** A plain read over all tenants. */
export const TENANTS_WITH_DUE = {
  name: 'deliveries.tenants_with_due',
  text: `SELECT DISTINCT w.tenant_id AS "tenantId" FROM webhooks w WHERE ${HAS_WORK}`,
};

/**
 * Claims up to `$3` due deliveries of the webhook `$2` for `$4` milliseconds, with the data of events below `$5` bytes. One row with no delivery when there are none; no row when
 * there is no such webhook; nothing is claimed of an inactive one.
 */
export const CLAIM = {
  name: 'deliveries.claim',
  text: `WITH webhook AS (
      SELECT url, active, secret, CASE WHEN previous_secret_until > now() THEN previous_secret END AS previous_secret
      FROM webhooks WHERE tenant_id = $1 AND id = $2
    ), due AS (
      SELECT d.id FROM deliveries d
      WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND ${IS_DUE} AND (SELECT active FROM webhook)
      ORDER BY d.next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE deliveries d SET claimed_until = now() + $4 * interval '1 millisecond'
      WHERE d.tenant_id = $1 AND d.id = ANY (ARRAY(SELECT id FROM due))
      RETURNING d.id, d.event_id, d.attempts, d.claimed_until
    )
    SELECT w.url, w.active, w.secret, w.previous_secret AS "previousSecret",
      c.id, c.event_id AS "eventId", c.attempts, c.claimed_until AS "claimedUntil",
      e.type, e.occurred_at AS "occurredAt", ${ifSmaller('e.data', '$5::integer')} AS data
    FROM webhook w LEFT JOIN (claimed c LEFT JOIN LATERAL (
      SELECT type, occurred_at, data FROM events WHERE tenant_id = $1 AND id = c.event_id LIMIT 1
    ) AS e ON true) ON true`,
};

/** Gives claims back that were not used. */
export const RELEASE = {
  name: 'deliveries.release',
  text: `UPDATE deliveries d SET claimed_until = NULL
    FROM unnest($2::uuid[], $3::timestamptz[]) AS r (id, claimed_until)
    WHERE d.tenant_id = $1 AND d.id = ANY ($2) AND d.id = r.id AND d.claimed_until = r.claimed_until`,
};

/** Ends what is pending for an inactive webhook, some at a time; an attempt that is under way ends by its own result. */
export const CANCEL = {
  name: 'deliveries.cancel',
  text: `UPDATE deliveries SET status = 'canceled', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()
    WHERE tenant_id = $1 AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND ${IS_FREE}
        AND EXISTS (SELECT 1 FROM webhooks WHERE tenant_id = $1 AND id = $2 AND NOT active)
      LIMIT 1000 FOR UPDATE SKIP LOCKED))
    RETURNING id`,
};

/** A pause between failures that is longer than any pause between retries: what came before it is another story. */
const STREAK_GAP = `interval '2 days'`;
const STREAK_LIMIT = `interval '5 days'`;

/**
 * Writes down attempts, and what they mean for their deliveries and webhooks. A result whose claim has run out changes no delivery: it
 * is another worker's by then. Answers the webhooks that have failed for too long.
 */
export const RECORD_RESULTS = {
  name: 'deliveries.record_results',
  text: `WITH result AS (
      SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::float8[],
        $7::uuid[], $8::timestamptz[], $9::integer[], $10::integer[], $11::text[], $12::text[])
      AS r (delivery_id, webhook_id, claimed_until, status, pause_ms,
        attempt_id, attempted_at, duration_ms, answer_status, error, response)
    ), attempted AS (
      INSERT INTO delivery_attempts (tenant_id, delivery_id, id, attempted_at, duration_ms, status, error, response)
      SELECT $1, delivery_id, attempt_id, attempted_at, duration_ms, answer_status, error, response FROM result
      ON CONFLICT DO NOTHING
    ), settled AS (
      UPDATE deliveries d SET status = r.status, attempts = d.attempts + 1, claimed_until = NULL,
        next_attempt_at = now() + r.pause_ms * interval '1 millisecond',
        finished_at = CASE WHEN r.status <> 'pending' THEN now() END
      FROM result r WHERE d.tenant_id = $1 AND d.id = ANY ($2)
        AND d.id = r.delivery_id AND d.claimed_until = r.claimed_until
    ), health AS (
      SELECT webhook_id AS id, bool_or(status = 'succeeded') AS well FROM result GROUP BY webhook_id
    )
    UPDATE webhooks w SET
      failing_since = CASE WHEN h.well THEN NULL
        WHEN w.last_failed_at > now() - ${STREAK_GAP} THEN coalesce(w.failing_since, now()) ELSE now() END,
      last_failed_at = CASE WHEN h.well THEN w.last_failed_at ELSE now() END
    FROM health h WHERE w.tenant_id = $1 AND w.id = ANY ($3) AND w.id = h.id AND CASE WHEN h.well THEN w.failing_since IS NOT NULL
      ELSE w.failing_since IS NULL OR w.last_failed_at < now() - interval '1 minute' END
    RETURNING w.id, w.failing_since < now() - ${STREAK_LIMIT} AS "failing"`,
};

/** Makes a webhook inactive; no row when it was, or is gone. */
export const DISABLE = {
  name: 'webhooks.disable',
  text: `UPDATE webhooks SET active = false, disabled_reason = $3 WHERE tenant_id = $1 AND id = $2 AND active RETURNING id`,
};

export const PENDING_TYPES = {
  name: 'deliveries.pending_types',
  text: `SELECT DISTINCT event_type AS type FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending'`,
};

export const OLDEST_PENDING_EVENT = {
  name: 'deliveries.oldest_pending_event',
  text: `SELECT d.event_id FROM webhooks w CROSS JOIN LATERAL (
      SELECT event_id FROM deliveries WHERE tenant_id = $1 AND webhook_id = w.id AND status = 'pending'
      ORDER BY event_id LIMIT 1
    ) AS d WHERE w.tenant_id = $1 ORDER BY d.event_id LIMIT 1`,
};

/** Some of what is finished, or was pending for a webhook that is gone, with its attempts. */
export const PRUNE_DELIVERIES = {
  name: 'deliveries.prune',
  text: `WITH old AS (
      SELECT d.id FROM deliveries d WHERE d.tenant_id = $1 AND d.id < $2 AND (d.status <> 'pending'
        OR NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.tenant_id = $1 AND w.id = d.webhook_id))
      ORDER BY d.id LIMIT 1000 FOR UPDATE SKIP LOCKED
    ), attempts AS (
      DELETE FROM delivery_attempts WHERE tenant_id = $1 AND delivery_id = ANY (ARRAY(SELECT id FROM old))
    )
    DELETE FROM deliveries WHERE tenant_id = $1 AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
};

import { serviceStatement } from '../database/statements/statement.js';

/*
 * Plain reads over all tenants, which are counted through the partial indexes of what is pending. For each webhook, and for each tenant's
 * emails, events and scheduled jobs, they count at most `:countTo` rows. The events of subscribers are counted along the feed.
 */

interface Limits {
  /** Rows of one webhook, or of one tenant's emails, events or scheduled jobs, that are counted. */
  countTo: number;
  /** Tenants that are returned. The sums include all tenants. */
  tenants: number;
}

/** The waiting work of one tenant, and the sums over all tenants. */
export interface WaitingRow {
  tenantId: string;
  pending: number;
  /** Pending and not in progress, with a due time that has come. */
  due: number;
  /** Pending after at least one failed attempt. */
  failing: number;
  oldest: string;
  /** The number of tenants with pending work. */
  tenants: number;
  allPending: number;
  allDue: number;
  allFailing: number;
}

/** Sums `waiting`, and returns the tenants whose work is oldest. */
const OLDEST_TENANTS = `SELECT tenant_id AS "tenantId", pending, due, failing, oldest, count(*) OVER () AS tenants,
      (sum(pending) OVER ())::bigint AS "allPending", (sum(due) OVER ())::bigint AS "allDue", (sum(failing) OVER ())::bigint AS "allFailing"
    FROM waiting ORDER BY oldest LIMIT :tenants::integer` as const;

const COUNTS = `count(*) AS pending,
        count(*) FILTER (WHERE p.next_attempt_at <= now() AND (p.claimed_until IS NULL OR p.claimed_until < now())) AS due,
        count(*) FILTER (WHERE p.attempts > 0) AS failing, min(p.created_at) AS oldest` as const;

export const WAITING_DELIVERIES = serviceStatement<Limits, WaitingRow>()(
  'backlog.waiting_deliveries',
  `WITH waiting AS (
      SELECT w.tenant_id, ${COUNTS}
      FROM webhooks w CROSS JOIN LATERAL (
        SELECT d.attempts, d.created_at, d.next_attempt_at, d.claimed_until FROM deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.status = 'pending'
        ORDER BY d.next_attempt_at LIMIT :countTo::integer
      ) AS p GROUP BY w.tenant_id
    )
    ${OLDEST_TENANTS}`,
);

/** SQL that counts the emails of a table that wait. */
const waitingEmails = <Table extends 'mails' | 'letters'>(table: Table) =>
  `WITH waiting AS (
      SELECT t.id AS tenant_id, ${COUNTS}
      FROM tenants t CROSS JOIN LATERAL (
        SELECT m.attempts, m.created_at, m.next_attempt_at, m.claimed_until FROM ${table} m
        WHERE m.tenant_id = t.id AND m.status = 'pending' ORDER BY m.next_attempt_at LIMIT :countTo::integer
      ) AS p GROUP BY t.id
    )
    ${OLDEST_TENANTS}` as const;

export const WAITING_MAILS = serviceStatement<Limits, WaitingRow>()('backlog.waiting_mails', waitingEmails('mails'));

/** Emails to people: invitations, password resets, requests for reviews. */
export const WAITING_LETTERS = serviceStatement<Limits, WaitingRow>()(
  'backlog.waiting_letters',
  waitingEmails('letters'),
);

/**
 * Work of some kinds whose time has come, and which is not done. Work that is claimed or pauses after a failure comes next within 10 minutes,
 * which is longer than any claim or pause.
 */
export const WAITING_SCHEDULED_JOBS = serviceStatement<Limits & { kinds: readonly string[] }, WaitingRow>()(
  'backlog.waiting_scheduled_jobs',
  `WITH waiting AS (
      SELECT t.id AS tenant_id, count(*) AS pending, count(*) FILTER (WHERE p.next_at <= now()) AS due,
        count(*) FILTER (WHERE p.attempts > 0) AS failing, min(p.due_at) AS oldest
      FROM tenants t CROSS JOIN LATERAL (
        SELECT w.attempts, w.due_at, w.next_at FROM scheduled_jobs w
        WHERE w.tenant_id = t.id AND w.kind = ANY (:kinds::text[]) AND w.next_at <= now() + interval '10 minutes' AND w.due_at <= now()
        LIMIT :countTo::integer
      ) AS p GROUP BY t.id
    )
    ${OLDEST_TENANTS}`,
);

/** Events that the relay has not passed to webhooks and mail. They have no position in the feed, no due time and no attempts. */
export const WAITING_EVENTS = serviceStatement<Limits, WaitingRow>()(
  'backlog.waiting_events',
  `WITH waiting AS (
      SELECT t.id AS tenant_id, count(*) AS pending, count(*) AS due, 0::bigint AS failing,
        (SELECT e.occurred_at FROM events e WHERE e.tenant_id = t.id AND e.id = (array_agg(p.event_id ORDER BY p.number))[1]) AS oldest
      FROM tenants t CROSS JOIN LATERAL (
        SELECT q.event_id, q.number FROM pending_events q WHERE q.tenant_id = t.id ORDER BY q.number LIMIT :countTo::integer
      ) AS p GROUP BY t.id
    )
    ${OLDEST_TENANTS}`,
);

/** The work of one tenant that was given up and is still stored, and the sum over all tenants. */
export interface FailedRow {
  tenantId: string;
  failed: number;
  latest: string;
  allFailed: number;
}

const LATEST_TENANTS = `SELECT tenant_id AS "tenantId", failed, latest, (sum(failed) OVER ())::bigint AS "allFailed"
    FROM given_up ORDER BY latest DESC LIMIT :tenants::integer` as const;

export const FAILED_DELIVERIES = serviceStatement<Limits, FailedRow>()(
  'backlog.failed_deliveries',
  `WITH given_up AS (
      SELECT w.tenant_id, count(*) AS failed, max(f.finished_at) AS latest
      FROM webhooks w CROSS JOIN LATERAL (
        SELECT d.status, d.finished_at FROM deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.status IN ('failed', 'canceled')
        ORDER BY d.event_id DESC LIMIT :countTo::integer
      ) AS f WHERE f.status = 'failed' GROUP BY w.tenant_id
    )
    ${LATEST_TENANTS}`,
);

export const FAILED_MAILS = serviceStatement<Limits, FailedRow>()(
  'backlog.failed_mails',
  `WITH given_up AS (
      SELECT t.id AS tenant_id, count(*) AS failed, max(f.finished_at) AS latest
      FROM tenants t CROSS JOIN LATERAL (
        SELECT m.finished_at FROM mails m WHERE m.tenant_id = t.id AND m.status = 'failed'
        ORDER BY m.finished_at DESC LIMIT :countTo::integer
      ) AS f GROUP BY t.id
    )
    ${LATEST_TENANTS}`,
);

/** The newest of those that need no further attempt are looked through. */
export const FAILED_LETTERS = serviceStatement<Limits, FailedRow>()(
  'backlog.failed_letters',
  `WITH given_up AS (
      SELECT t.id AS tenant_id, count(*) AS failed, max(f.finished_at) AS latest
      FROM tenants t CROSS JOIN LATERAL (
        SELECT l.status, l.finished_at FROM letters l WHERE l.tenant_id = t.id AND l.status <> 'pending'
        ORDER BY l.finished_at DESC LIMIT :countTo::integer
      ) AS f WHERE f.status = 'failed' GROUP BY t.id
    )
    ${LATEST_TENANTS}`,
);

/** A subscriber with a position of its own, and a tenant whose events it has not passed. */
export interface SubscriberRow {
  name: string;
  /** The last time that a worker had the subscriber. ISO 8601. */
  seenAt: string | null;
  /** Null if the subscriber has passed all events; so are `pending` and `oldest`. */
  tenantId: string | null;
  pending: number | null;
  oldest: string | null;
  /** The number of tenants with events that the subscriber has not passed. */
  tenants: number;
  allPending: number;
}

interface SubscriberLimits {
  /** Events of one subscriber that are counted. Each tenant has an equal part of this number, and 1,000 events more. */
  countTo: number;
  /** Tenants of one subscriber that are returned. The sums include all tenants. */
  tenants: number;
}

/**
 * The events that each subscriber has not passed, counted along the primary key of `event_positions`. The difference of two positions is not
 * a number of events, because a position is at least the time in microseconds. Returns the tenants whose events are oldest, or one row
 * without a tenant if the subscriber has passed all events.
 */
export const SUBSCRIBERS_BEHIND = serviceStatement<SubscriberLimits, SubscriberRow>()(
  'backlog.subscribers_behind',
  `WITH behind AS (
      SELECT s.id, c.tenant_id, n.pending, (
          SELECT e.occurred_at FROM events e WHERE e.tenant_id = c.tenant_id AND e.id = (
            SELECT f.event_id FROM event_positions f WHERE f.tenant_id = c.tenant_id AND f.position = n.first
          )
        ) AS oldest
      FROM subscribers s CROSS JOIN event_counters c
      LEFT JOIN subscriber_positions p ON p.tenant_id = c.tenant_id AND p.subscriber_id = s.id
      CROSS JOIN LATERAL (
        SELECT count(*) AS pending, min(q.position) AS first FROM (
          SELECT f.position FROM event_positions f WHERE f.tenant_id = c.tenant_id AND f.position > coalesce(p.position, 0)
          ORDER BY f.position LIMIT (SELECT :countTo::integer / greatest(count(*), 1) + 1000 FROM event_counters)
        ) AS q
      ) AS n
      WHERE s.registered_at IS NOT NULL AND c.position > coalesce(p.position, 0) AND n.pending > 0
    ), ranked AS (
      SELECT id, tenant_id, pending, oldest, count(*) OVER (PARTITION BY id) AS tenants,
        (sum(pending) OVER (PARTITION BY id))::bigint AS all_pending,
        row_number() OVER (PARTITION BY id ORDER BY oldest, tenant_id) AS place
      FROM behind
    )
    SELECT s.name, s.seen_at AS "seenAt", r.tenant_id AS "tenantId", r.pending, r.oldest,
      coalesce(r.tenants, 0) AS tenants, coalesce(r.all_pending, 0) AS "allPending"
    FROM subscribers s LEFT JOIN ranked r ON r.id = s.id AND r.place <= :tenants::integer
    WHERE s.registered_at IS NOT NULL ORDER BY s.name, r.place`,
);

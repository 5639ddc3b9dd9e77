import { insert, part, write } from '../../database/statements/write.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { SETTLED, SETTLING_TIMES } from '../../work/work.sql.js';
import { COUNT_HOUR } from '../statistics/delivery-hours.sql.js';
import type { DeliveryStatus } from './delivery-status.js';
import { FAILING } from '../job-kinds.js';
import { FAILING_AFTER } from '../failures/webhook-failures.sql.js';

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
export const RECORD_RESULTS = write<Results, { id: string; isOverdue: boolean }>()(
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
      failing_notified_at = CASE WHEN h.well THEN NULL ELSE w.failing_notified_at END
    FROM (
      SELECT r.id, bool_or(r.status = 'succeeded') AS well, now() AS now, now() - interval '1 minute' AS recently,
        now() - ${STREAK_GAP} AS gap_began, now() - ${STREAK_LIMIT} AS streak_began
      FROM unnest(:webhookIds::uuid[], :statuses::text[]) AS r (id, status) GROUP BY r.id
    ) AS h WHERE w.tenant_id = :tenantId AND w.id = ANY (:webhookIds::uuid[]) AND w.id = h.id
      AND CASE WHEN h.well THEN w.failing_since IS NOT NULL
        ELSE w.failing_since IS NULL OR w.last_failed_at < h.recently END
    RETURNING w.id, w.failing_since, w.last_failed_at, w.failing_since < h.streak_began AS "isOverdue"`,
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
    putJob('streak', { kind: FAILING, key: 'streak.id', at: 'streak.told_at' }, { computes: true }),
  ],
  { columns: 'id, "isOverdue"', of: 'changed' },
);

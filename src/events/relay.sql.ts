/** The statements of the relay. `$1` is the tenant. */

/** Events of one batch. */
export const BATCH = 500;

/** No row when another transaction holds the lock, or when the tenant has no counter yet. */
export const LOCK = {
  name: 'events.lock',
  text: 'SELECT 1 FROM event_counters WHERE tenant_id = $1 FOR UPDATE SKIP LOCKED',
};

/** Like `LOCK`, but waits for the other transaction. */
export const WAIT_FOR_LOCK = {
  name: 'events.wait_for_lock',
  text: 'SELECT 1 FROM event_counters WHERE tenant_id = $1 FOR UPDATE',
};

/** No row when the tenant has a counter. A new row is locked as well, since no other transaction sees it before the commit. */
export const ADD_COUNTER = {
  name: 'events.add_counter',
  text: 'INSERT INTO event_counters (tenant_id, position) VALUES ($1, 0) ON CONFLICT DO NOTHING RETURNING 1',
};

/**
 * Takes the oldest pending events and assigns the next positions to them. An earlier statement must have locked the counter: a statement that
 * waits for the lock does not see what was committed meanwhile.
 *
 * `$2` is the time in microseconds. No position is below it, so that a new position is greater than any that a reader has seen, even if the
 * counter is older than that (a backup was restored, or the tenant was moved without its counter).
 */
export const TAKE = {
  name: 'events.take',
  text: `WITH next AS (
      SELECT number, event_id FROM pending_events WHERE tenant_id = $1 ORDER BY number LIMIT ${BATCH}
    ), batch AS (
      SELECT n.number, e.id, e.type, e.occurred_at, row_number() OVER (ORDER BY n.number) AS place
      FROM next n CROSS JOIN LATERAL (
        SELECT id, type, occurred_at FROM events WHERE tenant_id = $1 AND id = n.event_id LIMIT 1
      ) AS e
    ), taken AS (
      DELETE FROM pending_events WHERE tenant_id = $1 AND number = ANY (ARRAY(SELECT number FROM batch))
    ), counter AS (
      SELECT greatest(position, $2::bigint) AS position FROM event_counters WHERE tenant_id = $1
    ), placed AS (
      INSERT INTO event_positions (tenant_id, position, event_id, type)
      SELECT $1, c.position + b.place, b.id, b.type FROM counter c CROSS JOIN batch b
    ), counted AS (
      UPDATE event_counters SET position = greatest(position, $2::bigint) + (SELECT count(*) FROM batch)
      WHERE tenant_id = $1 AND EXISTS (SELECT FROM batch)
    )
    SELECT id, type, occurred_at AS "occurredAt", (SELECT count(*) FROM next) AS found FROM batch ORDER BY number`,
};

/** A plain read over all tenants. */
export const TENANTS_WITH_PENDING = {
  name: 'events.tenants_with_pending',
  text: `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM pending_events p WHERE p.tenant_id = t.id)`,
};

export const IS_PENDING = {
  name: 'events.is_pending',
  text: 'SELECT 1 FROM pending_events WHERE tenant_id = $1 LIMIT 1',
};

import { type NoParameters, serviceStatement, statement } from '../database/statements/statement.js';
import { insert, part, write } from '../database/statements/write.js';
import type { Job } from '../queues/job.js';
import { countDays } from './event-days.sql.js';
import type { RelayedEvent } from './subscribers/subscriber.js';

/** Maximum number of events in a batch. */
export const BATCH = 500;

/** Returns no row if another transaction holds the lock, or if the tenant has no counter yet. */
export const LOCK_RELAY = statement<NoParameters, unknown>()(
  'events.lock',
  'SELECT 1 FROM event_counters WHERE tenant_id = :tenantId FOR UPDATE SKIP LOCKED',
);

/** Like `LOCK`, but waits for the other transaction. */
export const WAIT_FOR_LOCK = statement<NoParameters, unknown>()(
  'events.wait_for_lock',
  'SELECT 1 FROM event_counters WHERE tenant_id = :tenantId FOR UPDATE',
);

/** Returns no row if the tenant has a counter. A new row is locked as well, because no other transaction sees it before the commit. */
export const ADD_COUNTER = statement<NoParameters, unknown>()(
  'events.add_counter',
  'INSERT INTO event_counters (tenant_id, position) VALUES (:tenantId, 0) ON CONFLICT DO NOTHING RETURNING 1',
);

interface TakenEvent extends RelayedEvent {
  /** The number of pending events in the batch. It is larger than the number of rows if some of these events no longer exist. */
  found: number;
}

/**
 * Takes the oldest pending events and assigns the next positions to them. An earlier statement must have locked the counter, because a
 * statement that waits for the lock does not see what was committed in the meantime.
 *
 * No position is below `nowMicros`, the time in microseconds. A new position is therefore greater than any that a reader has seen, even if
 * the counter is too old (because a backup was restored, or the tenant was moved without its counter).
 *
 * The events are counted by day here, where the tenant has one writer, and not where they are recorded.
 */
export const TAKE = write<{ nowMicros: number }, TakenEvent>()('events.take', [
  part(
    'next',
    `SELECT number, event_id FROM pending_events WHERE tenant_id = :tenantId ORDER BY number LIMIT ${BATCH}`,
    {
      returns: { number: 'bigint', event_id: 'uuid' },
      isMany: true,
    },
  ),
  part(
    'batch',
    `SELECT n.number, e.id, e.type, e.occurred_at, row_number() OVER (ORDER BY n.number) AS place
      FROM next n CROSS JOIN LATERAL (
        SELECT id, type, occurred_at FROM events WHERE tenant_id = :tenantId AND id = n.event_id LIMIT 1
      ) AS e`,
    {
      of: 'next',
      returns: { number: 'bigint', id: 'uuid', type: 'text', occurred_at: 'timestamptz', place: 'bigint' },
      isMany: true,
    },
  ),
  part(
    'taken',
    'DELETE FROM pending_events WHERE tenant_id = :tenantId AND number = ANY (ARRAY(SELECT number FROM batch))',
    {
      of: 'batch',
    },
  ),
  part(
    'counter',
    'SELECT greatest(position, :nowMicros::bigint) AS position FROM event_counters WHERE tenant_id = :tenantId',
    { returns: { position: 'bigint' } },
  ),
  part('place_of', 'SELECT c.position + b.place AS position, b.id, b.type FROM counter c CROSS JOIN batch b', {
    of: 'batch',
    reads: ['counter'],
    returns: { position: 'bigint', id: 'uuid', type: 'text' },
    isMany: true,
  }),
  insert(
    'placed',
    `INSERT INTO event_positions (tenant_id, position, event_id, type)
      SELECT :tenantId, place_of.position, place_of.id, place_of.type
      FROM place_of`,
  ),
  part(
    'counted',
    `UPDATE event_counters SET position = greatest(position, :nowMicros::bigint) + (SELECT count(*) FROM batch)
      WHERE tenant_id = :tenantId AND EXISTS (SELECT FROM batch)`,
    { of: 'batch' },
  ),
  ...countDays('batch'),
  part(
    'result',
    `SELECT id, type, occurred_at AS "occurredAt", (SELECT count(*) FROM next) AS found FROM batch ORDER BY number`,
    { of: 'batch', reads: ['next'] },
  ),
]);

export const TENANTS_WITH_PENDING = serviceStatement<NoParameters, Job>()(
  'events.tenants_with_pending',
  `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM pending_events p WHERE p.tenant_id = t.id)`,
);

export const IS_PENDING = statement<NoParameters, unknown>()(
  'events.is_pending',
  'SELECT 1 FROM pending_events WHERE tenant_id = :tenantId LIMIT 1',
);

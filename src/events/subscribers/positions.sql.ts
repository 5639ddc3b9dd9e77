import { type NoParameters, serviceStatement, statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import type { EventType } from '../../modules/module-manifest.js';
import type { StartsFrom } from './subscriber.js';

/** The subscribers that the database knows. */
export interface KnownSubscriberRow {
  name: string;
  id: string;
  startsFrom: StartsFrom;
  isRegistered: boolean;
  /** Whether no worker has had the subscriber for some minutes. */
  isMissed: boolean;
  /** The last time that a worker had it, or else the time of its creation. ISO 8601. */
  seenAt: string;
}

export const KNOWN = serviceStatement<NoParameters, KnownSubscriberRow>()(
  'subscribers.known',
  `SELECT name, id, starts_from AS "startsFrom", registered_at IS NOT NULL AS "isRegistered",
      coalesce(seen_at, created_at) < now() - interval '10 minutes' AS "isMissed", coalesce(seen_at, created_at) AS "seenAt"
    FROM subscribers ORDER BY name`,
);

/** Adds a subscriber unless the database knows its name. */
export const ADD_SUBSCRIBER = serviceStatement<{ name: string; id: string; startsFrom: StartsFrom }, never>()(
  'subscribers.add',
  `INSERT INTO subscribers (name, id, starts_from, created_at) VALUES (:name, :id, :startsFrom, now())
    ON CONFLICT DO NOTHING`,
);

export const MARK_REGISTERED = serviceStatement<{ id: string }, never>()(
  'subscribers.mark_registered',
  'UPDATE subscribers SET registered_at = now() WHERE id = :id AND registered_at IS NULL',
);

/** Returns those that the database still knows. */
export const MARK_SEEN = serviceStatement<{ ids: readonly string[] }, { id: string }>()(
  'subscribers.mark_seen',
  'UPDATE subscribers SET seen_at = now() WHERE id = ANY (:ids) RETURNING id',
);

/** The tenants whose feeds have had events. */
export const TENANTS_WITH_EVENTS = serviceStatement<NoParameters, { tenantId: string }>()(
  'subscribers.tenants_with_events',
  'SELECT tenant_id AS "tenantId" FROM event_counters',
);

/**
 * Puts a subscriber that is being registered at the current end of the tenant's feed, or at its beginning. Changes nothing if it has a
 * position already.
 */
export const ADD_FIRST_POSITION = write<{ id: string; startsFrom: StartsFrom }, never>()(
  'subscribers.add_first_position',
  [
    part(
      'first',
      `SELECT CASE WHEN :startsFrom::text = 'now' THEN c.position ELSE 0 END AS position
    FROM event_counters c, subscribers s
    WHERE c.tenant_id = :tenantId AND s.id = :id AND s.registered_at IS NULL`,
      { returns: { position: 'bigint' } },
    ),
    insert(
      'added',
      `INSERT INTO subscriber_positions (tenant_id, subscriber_id, position)
      SELECT :tenantId, :id, first.position
      FROM first
      ON CONFLICT DO NOTHING`,
    ),
  ],
);

/** Returns no row if another transaction holds the lock, or if the subscriber has no position in this feed yet. */
export const LOCK_POSITION = statement<{ id: string }, { position: string }>()(
  'subscribers.lock_position',
  `SELECT position::text FROM subscriber_positions WHERE tenant_id = :tenantId AND subscriber_id = :id
    FOR UPDATE SKIP LOCKED`,
);

/**
 * Adds the position of a subscriber in a feed that had no events when the subscriber was registered. Returns no row if it has a position, is
 * not registered yet, or was retired.
 */
export const ADD_POSITION = write<{ id: string }, { position: string }>()('subscribers.add_position', [
  part('registered', 'SELECT s.id FROM subscribers s WHERE s.id = :id AND s.registered_at IS NOT NULL'),
  insert(
    'added',
    `INSERT INTO subscriber_positions (tenant_id, subscriber_id, position)
      SELECT :tenantId, :id, 0
      FROM registered
      ON CONFLICT DO NOTHING RETURNING position::text`,
  ),
]);

export const ADVANCE = statement<{ id: string; position: string }, never>()(
  'subscribers.advance',
  `UPDATE subscriber_positions SET position = :position::bigint WHERE tenant_id = :tenantId AND subscriber_id = :id`,
);

/** A place in the feed. `id` and `occurredAt` are null if the event no longer exists. */
export interface PlacedEvent {
  /** The last position that was assigned. No event can get a position at or before it any more. */
  horizon: string;
  /** Null if no event follows; so are all values below. */
  position: string | null;
  id: string | null;
  type: EventType;
  occurredAt: string;
}

/** Reads the next events after a position. Returns one row without a position if no event follows. */
export const NEXT_EVENTS = statement<{ after: string; limit: number }, PlacedEvent>()(
  'subscribers.next_events',
  `SELECT c.position::text AS horizon, n.position::text, n.id, n.type, n.occurred_at AS "occurredAt"
    FROM event_counters c LEFT JOIN LATERAL (
      SELECT p.position, p.type, e.id, e.occurred_at FROM (
        SELECT position, type, event_id FROM event_positions
        WHERE tenant_id = :tenantId AND position > :after::bigint ORDER BY position LIMIT :limit
      ) AS p LEFT JOIN LATERAL (
        SELECT id, occurred_at FROM events WHERE tenant_id = :tenantId AND id = p.event_id LIMIT 1
      ) AS e ON true
    ) AS n ON true
    WHERE c.tenant_id = :tenantId ORDER BY n.position`,
);

/** The tenants whose feeds have events that the subscriber has not passed. */
export const TENANTS_BEHIND = serviceStatement<{ id: string }, { tenantId: string }>()(
  'subscribers.tenants_behind',
  `SELECT c.tenant_id AS "tenantId" FROM event_counters c, subscribers s
    WHERE s.id = :id AND s.registered_at IS NOT NULL AND c.position > coalesce((
      SELECT p.position FROM subscriber_positions p WHERE p.tenant_id = c.tenant_id AND p.subscriber_id = s.id
    ), 0)`,
);

export const IS_BEHIND = statement<{ id: string }, unknown>()(
  'subscribers.is_behind',
  `SELECT 1 FROM event_counters c, subscribers s
    WHERE c.tenant_id = :tenantId AND s.id = :id AND s.registered_at IS NOT NULL AND c.position > coalesce((
      SELECT p.position FROM subscriber_positions p WHERE p.tenant_id = :tenantId AND p.subscriber_id = s.id
    ), 0)`,
);

/**
 * Returns the last position that every subscriber has passed. It is 0 if one has passed none, or if this process lacks one, because only the
 * subscriber knows which events its rows still need.
 */
export const PASSED = statement<{ names: readonly string[] }, { position: string }>()(
  'events.passed',
  `SELECT coalesce(min(CASE WHEN k.name = ANY (:names) THEN coalesce((
        SELECT s.position FROM subscriber_positions s WHERE s.tenant_id = :tenantId AND s.subscriber_id = k.id
      ), 0) ELSE 0 END), 9223372036854775807)::text AS position
    FROM subscribers k`,
);

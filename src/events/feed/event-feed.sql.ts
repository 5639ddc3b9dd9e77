import { statement } from '../../database/statements/statement.js';
import { DATA_UNLESS_LARGE, JOIN_VERSION } from './event-data.sql.js';
import type { EventRow, LargeEventRow } from '../event-presenter.js';

/** A row of a page: an event, or no event if the page has none. */
export type FeedRow = (((EventRow | LargeEventRow) & { position: string }) | { id: null }) & {
  /** The last position that was assigned. No event can get a position at or before it any more. */
  horizon: string;
};

/**
 * Selects events with greater positions than `after`, of all types if `types` is null. Returns one row without an event if no event matches.
 */
export const FEED_PAGE = statement<{ after: string; types: readonly string[] | null; limit: number }, FeedRow>()(
  'events.feed',
  `SELECT c.position::text AS horizon, e.position::text, e.id, e.type, e.occurred_at AS "occurredAt",
      ${DATA_UNLESS_LARGE} AS data
    FROM event_counters c LEFT JOIN LATERAL (
      SELECT p.position, e.* FROM event_positions p CROSS JOIN LATERAL (
        SELECT id, type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = p.event_id LIMIT 1
      ) AS e
      WHERE p.tenant_id = :tenantId AND p.position > :after::bigint AND (:types::text[] IS NULL OR p.type = ANY (:types))
      ORDER BY p.position LIMIT :limit
    ) AS e ON true ${JOIN_VERSION}
    WHERE c.tenant_id = :tenantId ORDER BY e.position`,
);

/** Maximum number of events that are looked at for the first one of a time. */
const LOOKED_AT = 10_000;

const NEAR = `SELECT position, event_id FROM event_positions WHERE tenant_id = :tenantId AND position > :after::bigint
      ORDER BY position LIMIT ${LOOKED_AT}` as const;

/**
 * Returns a position after `after` and before the first event of the time `since` or later. If the next events are all earlier, it is the
 * position of the last one that was looked at.
 */
export const BEFORE_TIME = statement<{ after: string; since: string }, { position: string }>()(
  'events.before_time',
  `SELECT coalesce((
      SELECT n.position - 1 FROM (${NEAR}) AS n CROSS JOIN LATERAL (
        SELECT occurred_at FROM events WHERE tenant_id = :tenantId AND id = n.event_id LIMIT 1
      ) AS e
      WHERE e.occurred_at >= :since::timestamptz ORDER BY n.position LIMIT 1
    ), (SELECT max(n.position) FROM (${NEAR}) AS n), :after::bigint)::text AS position`,
);

import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { encodeCursor } from '../lists/cursor.js';
import { type LargeRecords, largeRecords } from '../lists/large-json.js';
import { type CursorPage, foreignCursor, type ListMeta, type Place, placeOf } from '../lists/page.js';
import { DATA_UNLESS_LARGE, JOIN_VERSION } from './event-data.sql.js';
import type { EventRow, LargeEvent } from './event-presenter.js';
import { EventRelay } from './event-relay.js';
import type { EventType } from '../rooms/room.js';
import { LARGE_EVENTS } from './large-events.js';

/** Every position is greater than this. */
const START = '0';
/** A position fits into a bigint. Cursors of version 0.1.0 have two parts and are refused. */
const POSITION = /^\d{1,18}$/;

type FeedRow = (((EventRow | LargeEvent) & { position: string }) | { id: null }) & {
  /** The last position that was assigned. No event can get a position at or before it any more. */
  horizon: string;
};

/**
 * Selects events with greater positions than `after`, of all types if `type` is null. Returns one row without an event if no event matches.
 */
const PAGE = statement<{ after: string; type: EventType | null; limit: number }, FeedRow>()(
  'events.feed',
  `SELECT c.position::text AS horizon, e.position::text, e.id, e.type, e.occurred_at AS "occurredAt",
      ${DATA_UNLESS_LARGE} AS data
    FROM event_counters c LEFT JOIN LATERAL (
      SELECT p.position, e.* FROM event_positions p CROSS JOIN LATERAL (
        SELECT id, type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = p.event_id LIMIT 1
      ) AS e
      WHERE p.tenant_id = :tenantId AND p.position > :after::bigint AND (:type::text IS NULL OR p.type = :type)
      ORDER BY p.position LIMIT :limit
    ) AS e ON true ${JOIN_VERSION}
    WHERE c.tenant_id = :tenantId ORDER BY e.position`,
);

/** A tenant's events in the order of their positions, for consumers that poll. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly relay: EventRelay,
  ) {}

  /** Returns the events after the cursor. There is always a next cursor. At the end of the feed, it is the place of future events. */
  async read(
    { tenantId }: Caller,
    page: CursorPage,
    type: EventType | null,
  ): Promise<{ rows: (EventRow | LargeEvent)[]; meta: ListMeta; large: LargeRecords<EventRow> }> {
    const { perPage } = page;
    const list = `events ${type ?? ''}`;
    const after = positionOf(placeOf(page, list) ?? [START]);
    // A subscriber that fails must not fail the reader. The worker logs the error and tries again.
    await this.relay.catchUp(tenantId).catch(() => undefined);
    const found = await this.database.query(tenantId, PAGE, { after, type, limit: perPage });
    const rows = found.filter((row) => row.id !== null);
    const last = rows.length === perPage ? rows.at(-1)?.position : found[0]?.horizon;
    const meta = { per_page: perPage, next_cursor: encodeCursor([greater(after, last ?? START)], list) };
    return { rows, meta, large: largeRecords(this.database, tenantId, LARGE_EVENTS, {}) };
  }
}

function positionOf([position, ...others]: Place): string {
  if (typeof position === 'string' && POSITION.test(position) && others.length === 0) return position;
  throw foreignCursor();
}

/** The counter of a restored backup may be behind the cursor, which must never move backwards. */
function greater(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}

import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { type LargeRecords, largeRecords, unlessLarge } from '../lists/large-json.js';
import { cursorMeta, type ListMeta } from '../lists/newest-first.js';
import type { CursorPage } from '../lists/page.js';
import type { EventRow, LargeEvent } from './event-presenter.js';
import { EventRelay } from './event-relay.js';
import type { EventType } from './event-types.js';
import { LARGE_EVENTS } from './large-events.js';

/** Every position is greater. */
const START = '0';
/** Fits into a bigint. Cursors of version 0.1.0 have two parts. */
const POSITION = /^\d{1,18}$/;

type FeedRow = (EventRow | LargeEvent) & {
  position: string;
  /** The last position that was assigned: no event can appear at or before it any more. */
  horizon: string;
};

/** The events behind the position `$2`, of the type `$3` if one is given. One row without an event when there are none. */
const PAGE = {
  name: 'events.feed',
  text: `SELECT c.position::text AS horizon, e.position::text, e.id, e.type, e.occurred_at AS "occurredAt",
      ${unlessLarge('e.data')} AS data
    FROM event_counters c LEFT JOIN LATERAL (
      SELECT p.position, e.* FROM event_positions p CROSS JOIN LATERAL (
        SELECT id, type, occurred_at, data FROM events WHERE tenant_id = $1 AND id = p.event_id LIMIT 1
      ) AS e
      WHERE p.tenant_id = $1 AND p.position > $2::bigint AND ($3::text IS NULL OR p.type = $3)
      ORDER BY p.position LIMIT $4
    ) AS e ON true
    WHERE c.tenant_id = $1 ORDER BY e.position`,
};

/** What happened to a tenant's resources, for consumers that catch up by themselves. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly relay: EventRelay,
  ) {}

  /** The events after the cursor. There is always a next one: at the end of what is there it waits for what comes. */
  async read(
    { tenantId }: Caller,
    { perPage, after }: CursorPage,
    type: EventType | undefined,
    list: string,
  ): Promise<{ rows: (EventRow | LargeEvent)[]; meta: ListMeta; large: LargeRecords<EventRow> }> {
    const position = readPosition(after ?? [START]);
    // A subscriber that fails must not fail the reader. The worker logs the error and tries again.
    await this.relay.catchUp(tenantId).catch(() => undefined);
    const found = await this.database.query<FeedRow>(tenantId, PAGE, [position, type ?? null, perPage]);
    const rows = found.filter(({ id }) => (id as string | null) !== null);
    const last = rows.length === perPage ? rows.at(-1)?.position : found[0]?.horizon;
    const meta = cursorMeta(perPage, list, [greater(position, last ?? START)]);
    return { rows, meta, large: largeRecords<EventRow>(this.database, tenantId, LARGE_EVENTS) };
  }
}

function readPosition(cursor: readonly (string | null)[]): string {
  const [position, ...others] = cursor;
  if (typeof position === 'string' && POSITION.test(position) && others.length === 0) return position;
  throw Problem.parameter('cursor', 'cursor is not one that this list gave.');
}

/** The counter of a restored backup may be behind the cursor, which must never go back. */
function greater(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}

import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { cursorMeta, type ListMeta } from '../lists/newest-first.js';
import type { CursorPage } from '../lists/page.js';
import type { EventRow } from './event-presenter.js';
import { EVENT_TYPES, type EventType } from './event-types.js';

const START = ['0', '00000000-0000-0000-0000-000000000000'] as const;
const CURSOR = /^\d{1,19} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface FeedRow extends EventRow {
  /** Every transaction before this one has ended: nothing can appear there any more. */
  horizon: string;
  committedIn: string;
}

/**
 * Events in the order of the transactions that wrote them, up to the oldest one that is still under way: it may commit before others
 * that are there already, and a reader that had passed them would miss it.
 */
const PAGE = {
  name: 'events.feed',
  text: `WITH horizon AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xmin)
    SELECT h.xmin::text AS horizon, e.committed_in::text AS "committedIn",
      e.id, e.type, e.occurred_at AS "occurredAt", e.data
    FROM horizon h LEFT JOIN LATERAL (
      SELECT * FROM events
      WHERE tenant_id = $1 AND (committed_in, id) > ($2::xid8, $3::uuid) AND committed_in < h.xmin AND type = ANY ($4)
      ORDER BY committed_in, id LIMIT $5
    ) AS e ON true
    ORDER BY e.committed_in, e.id`,
};

/** What happened to a tenant's resources, for consumers that catch up by themselves. */
@Injectable()
export class EventFeed {
  constructor(private readonly database: Database) {}

  /** The events after the cursor. There is always a next one: at the end of what is there it waits for what comes. */
  async read(
    { tenantId }: Caller,
    { perPage, after }: CursorPage,
    type: EventType | undefined,
    list: string,
  ): Promise<{ rows: EventRow[]; meta: ListMeta }> {
    const [transaction, id] = after ?? START;
    if (!CURSOR.test(`${transaction} ${id}`))
      throw Problem.parameter('cursor', 'cursor is not one that this list gave.');
    const types = type === undefined ? EVENT_TYPES : [type];
    const found = await this.database.query<FeedRow>(tenantId, PAGE, [transaction!, id!, types, perPage]);
    const rows = found.filter((row) => row.id !== null);
    const last = rows.length === perPage ? rows.at(-1) : undefined;
    const next = last ? [last.committedIn, last.id] : [found[0]?.horizon ?? START[0], START[1]];
    return { rows, meta: cursorMeta(perPage, list, next) };
  }
}

import type { Database } from '../../database/database.js';
import { statement } from '../../database/statements/statement.js';
import { DATA_UNLESS_LARGE, EVENT_DATA, JOIN_VERSION } from './event-data.sql.js';
import type { EventRow, LargeEventRow } from '../event-presenter.js';
import { HEAD_LENGTH, isVisible } from './visible-events.js';

/** Events that are looked at together, and at most for one page. */
const BATCH = 500;
const MAX_BATCHES = 20;

interface Head {
  horizon: string;
  position: string;
  id: string;
  type: string;
  head: string | null;
}

/** Like the page of the feed, with only the beginnings of the data. */
const HEADS = statement<
  { after: string; types: readonly string[] | null; limit: number },
  Head | { horizon: string; id: null }
>()(
  'events.feed_heads',
  `SELECT c.position::text AS horizon, e.position::text, e.id, e.type, left(${EVENT_DATA}, ${HEAD_LENGTH}) AS head
    FROM event_counters c LEFT JOIN LATERAL (
      SELECT p.position, e.* FROM event_positions p CROSS JOIN LATERAL (
        SELECT id, type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = p.event_id LIMIT 1
      ) AS e
      WHERE p.tenant_id = :tenantId AND p.position > :after::bigint AND (:types::text[] IS NULL OR p.type = ANY (:types))
      ORDER BY p.position LIMIT :limit
    ) AS e ON true ${JOIN_VERSION}
    WHERE c.tenant_id = :tenantId ORDER BY e.position`,
);

const BY_IDS = statement<{ ids: readonly string[] }, EventRow | LargeEventRow>()(
  'events.shown_by_ids',
  `SELECT e.id, e.type, e.occurred_at AS "occurredAt", ${DATA_UNLESS_LARGE} AS data
    FROM unnest(:ids::uuid[]) WITH ORDINALITY AS one (id, number) CROSS JOIN LATERAL (
      SELECT id, type, occurred_at, data, resource_id, version FROM events WHERE tenant_id = :tenantId AND id = one.id LIMIT 1
    ) AS e ${JOIN_VERSION}
    ORDER BY one.number`,
);

export interface NarrowedPage {
  rows: (EventRow | LargeEventRow)[];
  /** The position up to which events were looked at; undefined for a tenant without events. */
  last: string | undefined;
}

/**
 * Returns the events after the position that a key sees which is limited to content types (UUIDs). Looks at 10,000 events at most, so the page
 * may be empty although there are more events behind `last`.
 */
export async function readNarrowedPage(
  database: Database,
  tenantId: string,
  { after, types, perPage }: { after: string; types: readonly string[] | null; perPage: number },
  visibleTypes: ReadonlySet<string>,
): Promise<NarrowedPage> {
  const ids: string[] = [];
  let last: string | undefined;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const found = await database.query(tenantId, HEADS, { after: last ?? after, types, limit: BATCH });
    const heads = found.filter((head) => head.id !== null);
    for (const head of heads) {
      last = head.position;
      if (isVisible(visibleTypes, { type: head.type, data: head.head ?? '' })) ids.push(head.id);
      if (ids.length === perPage) return { rows: await rowsOf(database, tenantId, ids), last };
    }
    if (heads.length < BATCH) {
      last = found[0]?.horizon;
      break;
    }
  }
  return { rows: await rowsOf(database, tenantId, ids), last };
}

async function rowsOf(database: Database, tenantId: string, ids: readonly string[]) {
  return ids.length > 0 ? database.query(tenantId, BY_IDS, { ids }) : [];
}

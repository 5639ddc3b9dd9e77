import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Caller } from '../../http/caller.js';
import { encodeCursor } from '../../lists/cursor.js';
import { type LargeRecords, largeRecords } from '../../lists/large-json.js';
import { type CursorPage, foreignCursor, type ListMeta, type Keyset, keysetOf } from '../../lists/page.js';
import { BEFORE_TIME, FEED_PAGE } from './event-feed.sql.js';
import type { EventRow, LargeEventRow } from '../event-presenter.js';
import { EventRelay } from '../event-relay.js';
import type { EventSelection } from './event-selection.js';
import { LARGE_EVENTS } from './large-events.js';
import { type NarrowedPage, readNarrowedPage } from './narrowed-feed.js';

/** Every position is greater than this. */
const START = 0n;
/** A position fits into a bigint. Cursors of version 0.1.0 have two parts and are refused. */
const POSITION = /^\d{1,18}$/;
/** The clocks of processes differ by less than this. The time of an event is that of one process, its position that of another. */
const CLOCKS_MS = 120_000;

/** A tenant's events in the order of their positions, for consumers that poll. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly relay: EventRelay,
  ) {}

  /**
   * Returns the events after the cursor, or from the time `since` on. There is always a next cursor. At the end of the feed, it is the place of
   * future events.
   */
  async read(
    { tenantId, visibleTypes }: Caller,
    page: CursorPage,
    selection: EventSelection,
    since?: Date,
  ): Promise<{ rows: (EventRow | LargeEventRow)[]; meta: ListMeta; large: LargeRecords<EventRow> }> {
    const { perPage } = page;
    const { list, types } = selection;
    const start = positionIn(page, selection);
    // A subscriber that fails must not fail the reader. The worker logs the error and tries again.
    await this.relay.catchUp(tenantId).catch(() => undefined);
    const after = since ? await this.before(tenantId, since) : start;
    const wanted = { after: String(after), types: types ? [...types] : null };
    const { rows, last } = visibleTypes
      ? await readNarrowedPage(this.database, tenantId, { ...wanted, perPage }, visibleTypes)
      : await this.page(tenantId, { ...wanted, limit: perPage });
    const end = BigInt(last ?? START);
    // The counter of a restored backup may be behind the cursor, which must never move backwards.
    const next = end > after ? end : after;
    const meta = { per_page: perPage, next_cursor: encodeCursor([String(next)], list) };
    return { rows, meta, large: largeRecords(this.database, tenantId, LARGE_EVENTS, {}) };
  }

  private async page(
    tenantId: string,
    wanted: { after: string; types: readonly string[] | null; limit: number },
  ): Promise<NarrowedPage> {
    const found = await this.database.query(tenantId, FEED_PAGE, wanted);
    const rows = found.filter((row) => row.id !== null);
    return { rows, last: rows.length === wanted.limit ? rows.at(-1)?.position : found[0]?.horizon };
  }

  /** Returns a position before the first event of this time or later. No position is below the time of its assignment, in microseconds. */
  async before(tenantId: string, since: Date): Promise<bigint> {
    const after = BigInt(Math.max(0, since.getTime() - CLOCKS_MS)) * 1_000n;
    const parameters = { after: String(after), since: since.toISOString() };
    const [found] = await this.database.query(tenantId, BEFORE_TIME, parameters);
    return BigInt(found?.position ?? after);
  }
}

/** Returns the position of a cursor; of an empty one, that before the oldest event. Throws 400 for the cursor of another list. */
export function positionIn(page: Pick<CursorPage, 'cursor'>, { list }: EventSelection): bigint {
  const place: Keyset = keysetOf({ perPage: 0, ...page }, list) ?? [String(START)];
  const [position, ...others] = place;
  if (typeof position === 'string' && POSITION.test(position) && others.length === 0) return BigInt(position);
  throw foreignCursor();
}

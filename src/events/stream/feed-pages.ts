import { Injectable } from '@nestjs/common';
import { ByteBudget, type Reservation } from '../../admission/byte-budget.js';
import { FairQueue } from '../../admission/fair-queue.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { withMediaUrls } from '../../fields/formats/media-url.js';
import { PublicUrl } from '../../http/public-url.js';
import { largeRecords } from '../../lists/large-json.js';
import { FEED_PAGE, type FeedRow } from '../feed/event-feed.sql.js';
import { type EventRow, presentEvent } from '../event-presenter.js';
import type { EventSelection } from '../feed/event-selection.js';
import { LARGE_EVENTS } from '../feed/large-events.js';
import { HEAD_LENGTH } from '../feed/visible-events.js';
import { EventChunk, eventLines, type PlacedRow } from './event-chunk.js';
import { LargeEvent, type ReadLarge } from './large-event.js';
import type { FeedPart, TailPage } from './tenant-tail.js';

/**
 * The share of connections that all streams use. In its tenant's share, a hundred readers that catch up would delay the requests of the tenant.
 */
const SHARE = 'streams';
/** Pages that readers of all tenants read at once, each by itself. Tenants take turns. */
const PAGES = 2;
/** Pages of tails that are read at once. They do not wait for readers that catch up. */
const TAIL_PAGES = 2;
const WAIT_MS = 60_000;
/** Memory holds a large event as data, as body and as bytes. */
const COPIES = 3;

/** Reads the feed for streams, in parts. */
@Injectable()
export class FeedPages {
  private readonly turns = new FairQueue({ concurrency: PAGES, maxWaiting: Infinity, waitMs: WAIT_MS, refusal });
  private readonly tailTurns = new FairQueue({
    concurrency: TAIL_PAGES,
    maxWaiting: Infinity,
    waitMs: WAIT_MS,
    refusal,
  });

  constructor(
    private readonly database: Database,
    private readonly budget: ByteBudget,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Reads the events of all types after a position, for all readers. */
  ofTail(tenantId: string, after: bigint, limit: number): Promise<TailPage> {
    return this.tailTurns.run(tenantId, () => this.page(tenantId, after, limit, null));
  }

  /** Reads the selected events after a position, for one reader. Rejects with 503 if its turn does not come in time. */
  ofReader(tenantId: string, after: bigint, limit: number, { types }: EventSelection): Promise<TailPage> {
    return this.turns.run(tenantId, () => this.page(tenantId, after, limit, types ? [...types] : null));
  }

  private async page(
    tenantId: string,
    after: bigint,
    limit: number,
    types: readonly string[] | null,
  ): Promise<TailPage> {
    const found = await this.database.query(tenantId, FEED_PAGE, { after: String(after), types, limit }, SHARE);
    const rows = found.filter((row) => row.id !== null);
    const isFull = rows.length === limit;
    const end = BigInt((isFull ? rows.at(-1)?.position : found[0]?.horizon) ?? 0);
    const to = end > after ? end : after;
    return { parts: this.partsOf(tenantId, after, to, rows), to, isFull };
  }

  private partsOf(tenantId: string, after: bigint, to: bigint, rows: readonly PresentRow[]): FeedPart[] {
    const read = this.readerOf(tenantId);
    const parts: FeedPart[] = [];
    let from = after;
    let small: PlacedRow[] = [];
    const flush = (end: bigint) => {
      parts.push(...EventChunk.of(from, end, small, (row) => this.bodyOf(tenantId, row)));
      [from, small] = [end, []];
    };
    for (const row of rows) {
      const position = BigInt(row.position);
      if (row.data !== null) {
        small.push({ ...row, position });
        continue;
      }
      flush(position - 1n);
      parts.push(new LargeEvent(from, position, row.type, row.id, read));
      from = position;
    }
    if (to > from) flush(to);
    return parts;
  }

  private bodyOf(tenantId: string, row: EventRow): string {
    return withMediaUrls(presentEvent(tenantId, row), this.publicUrl.base);
  }

  private readerOf(tenantId: string): ReadLarge {
    const large = largeRecords(this.database, tenantId, LARGE_EVENTS, {}, SHARE);
    return async (id) => {
      const [size] = await large.sizes([id]);
      if (!size) return undefined;
      const reservation: Reservation = this.budget.reserve(`${SHARE}/${tenantId}`, size.bytes * COPIES);
      try {
        const [row] = await large.rows([id]);
        if (row) {
          const lines = Buffer.from(eventLines(row.type, this.bodyOf(tenantId, row)));
          return { lines, head: row.data.slice(0, HEAD_LENGTH), reservation };
        }
      } catch (error) {
        reservation.release();
        throw error;
      }
      reservation.release();
      return undefined;
    };
  }
}

type PresentRow = Extract<FeedRow, { id: string }>;

function refusal(): Problem {
  return Problem.unavailable('Too many streams are catching up.');
}

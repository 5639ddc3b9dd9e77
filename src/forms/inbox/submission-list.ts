import type { Composed } from '../../database/bindings.js';
import type { Reader } from '../../database/replica-reads.js';
import { type KnownTotal, type KnownTotals, totalKey } from '../../lists/known-totals.js';
import type { LargeRow } from '../../lists/large-json.js';
import {
  cursorPage,
  type CursorPage,
  foreignCursor,
  type ListMeta,
  type NumberedPage,
  offsetOf,
  type Place,
  placeOf,
} from '../../lists/page.js';
import type { FullRow } from './submission-full.js';
import { type Cut, type ListQuery, ListStatement, type PageRow } from './submission-list.sql.js';
import {
  collectedWithoutCount,
  type Driver,
  driversOf,
  isOrdered,
  MAX_COLLECTED,
  type Part,
  partsOf,
  type Strategy,
} from './submission-strategy.js';

/** A row of a list. It has the columns of the full view only if these were requested. */
export type ListedRow = FullRow | LargeRow;

export interface ListResult {
  rows: ListedRow[];
  meta: ListMeta;
}

interface Found {
  total: number;
  rows: (ListedRow & { place: Place })[];
}

/** One list, read with one version of the form. */
export class SubmissionList {
  constructor(
    private readonly reads: Reader,
    private readonly tenantId: string,
    private readonly query: ListQuery,
    /** Identifies the list in its cursors. */
    private readonly name: string,
    private readonly isFull: boolean,
    private readonly totals: KnownTotals,
    private readonly formVersion: number,
  ) {}

  async numbered(page: NumberedPage): Promise<ListResult> {
    const strategy = await this.strategy();
    const rows: Found['rows'] = [];
    const offset = offsetOf(page);
    let skip = offset;
    let total = 0;
    for (const part of partsOf(this.query, strategy)) {
      const cut = { limit: page.perPage - rows.length, offset: skip };
      const found = await this.read(strategy, part, cut, true);
      rows.push(...found.rows);
      ({ total } = found);
      if (rows.length === page.perPage || offset + rows.length >= total) break;
      // Not below zero: concurrent submissions may have made the part longer than `skip`.
      skip = found.rows.length > 0 ? 0 : Math.max(0, skip - (await this.count(part)));
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total } };
  }

  async walk(page: CursorPage): Promise<ListResult> {
    const after = placeOf(page, this.name);
    const keys = this.query.sort.field ? 2 : 1;
    if (after && (after.length !== keys || after.at(-1) === null)) throw foreignCursor();
    const strategy = await this.strategy();
    const parts = partsOf(this.query, strategy);
    // If the cursor has no value of the field, the page starts among the submissions without one, which come last.
    const startsAt = parts.length > 1 && after?.[0] === null ? 'valueless' : parts[0];
    const found: Found['rows'] = [];
    for (const part of parts.slice(parts.indexOf(startsAt ?? 'valued'))) {
      const cut = { limit: page.perPage + 1 - found.length, after: part === startsAt ? after : undefined };
      if (cut.limit > 0) found.push(...(await this.read(strategy, part, cut, false)).rows);
    }
    return cursorPage(found, page.perPage, this.name, ({ place }) => place);
  }

  /**
   * Counts the submissions that each condition leaves, and collects the fewest or walks. Does not count if one index has both the order and
   * the matches, or if a search found too many to collect when it was last counted.
   */
  private async strategy(): Promise<Strategy> {
    const alone = collectedWithoutCount(this.query);
    if (alone) return alone;
    const drivers = driversOf(this.query);
    const [only, ...others] = drivers;
    if (!only || (others.length === 0 && isOrdered(only, this.query))) return 'walk';
    if (only.by === 'search' && others.length === 0 && (this.knownTotal()?.total ?? 0) > MAX_COLLECTED) return 'walk';
    const [sizes = {}] = await this.run<Record<string, number>>(new ListStatement(this.query).sizes(drivers));
    let smallest: { driver: Driver; size: number } = { driver: only, size: Infinity };
    for (const [index, driver] of drivers.entries()) {
      const size = sizes[`n${index}`] ?? Infinity;
      if (size < smallest.size) smallest = { driver, size };
    }
    return smallest.size > MAX_COLLECTED ? 'walk' : { collect: smallest.driver };
  }

  private async read(strategy: Strategy, part: Part, cut: Cut, withTotal: boolean): Promise<Found> {
    const read = (known?: KnownTotal) => {
      const options = { withTotal, isFull: this.isFull, known };
      return this.run<PageRow>(new ListStatement(this.query).page(strategy, part, cut, options));
    };
    const rows = await (withTotal && strategy === 'walk' ? this.counted(read) : read());
    const hasKey = this.query.sort.field !== undefined;
    return {
      total: rows[0]?.total ?? 0,
      rows: rows.flatMap((row) => {
        if (row.id === null) return [];
        return { ...(row as unknown as ListedRow), place: hasKey ? [row.sortKey, row.id] : [row.id] };
      }),
    };
  }

  /** Runs a statement with the total that is known, and remembers the one that it returns. */
  private async counted(read: (known?: KnownTotal) => Promise<PageRow[]>): Promise<PageRow[]> {
    const key = this.totalKey();
    if (key === undefined) return read();
    // What is known may have led to a walk that now takes too long.
    const rows = await read(this.totals.get(this.tenantId, key)).catch((error: unknown) => {
      this.totals.forget(this.tenantId, key);
      throw error;
    });
    const [row] = rows;
    if (row) this.totals.keep(this.tenantId, key, { total: row.total, state: row.totalState });
    return rows;
  }

  private knownTotal(): KnownTotal | undefined {
    const key = this.totalKey();
    return key === undefined ? undefined : this.totals.get(this.tenantId, key);
  }

  private totalKey(): string | undefined {
    const matches = new ListStatement(this.query).matches();
    return matches && totalKey([this.formVersion], matches);
  }

  private async count(part: Part): Promise<number> {
    const [row] = await this.run<{ count: number }>(new ListStatement(this.query).count(part));
    return row?.count ?? 0;
  }

  private run<Row>(statement: Composed): Promise<Row[]> {
    return this.reads.queryComposed<Row>(this.tenantId, statement);
  }
}

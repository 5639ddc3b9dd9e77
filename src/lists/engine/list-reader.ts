import type { Composed } from '../../database/statements/bindings.js';
import type { Reader } from '../../database/servers/replica-reads.js';
import { type Condition, customConditions, isOnField } from '../conditions/condition.js';
import {
  type Driver,
  drivesByFullScan,
  isDriving,
  isInIdOrder,
  narrowed,
  sizeOf,
  toCount,
} from '../conditions/driving-conditions.js';
import { type CountedRow, type CachedTotal, type TotalCache, totalKey } from '../total-cache.js';
import {
  type CursorPage,
  cursorPage,
  foreignCursor,
  isNumbered,
  keysetOf,
  type ListMeta,
  type NumberedPage,
  offsetOf,
  type Page,
} from '../page.js';
import {
  type AccessPath,
  isById,
  keysBeforeId,
  type ListQuery,
  MAX_SORTED,
  type PageBounds,
  type Segment,
  segmentsOf,
} from './list-query.js';
import { ListStatement, type ListTotals, type PageRow } from './list-statement.js';
import type { ListTable } from './list-table.js';

/** Where lists are read, and for whom. `share` is the same as for `Database.query`. */
export interface ListSource {
  reads: Reader;
  tenantId: string;
  share?: string;
  totals?: TotalCache;
}

/** A row of a page: its columns, and what `PageRow` has. */
export type Listed<Row> = Row & PageRow & { id: string };

export interface ListResult<Row> {
  rows: Row[];
  meta: ListMeta;
}

interface FoundRows<Row> {
  /** Whether the schema is the one that the list relies on. */
  isCurrent: boolean;
  rows: Listed<Row>[];
  total: number;
}

/** Reads a page of a list that depends on no version of a schema. `name` identifies the list in its cursors. */
export async function readList<Row>(
  source: ListSource,
  table: ListTable,
  query: ListQuery,
  page: Page,
  name: string,
): Promise<ListResult<Listed<Row>>> {
  const result = await new ListReader<Row>(source, table).page(query, page, name);
  if (!result) throw new Error(`The list of ${table.name} depends on the version of a schema.`);
  return result;
}

/** Reads lists of one table. `Row` has the columns that a page shows. Reads return undefined if the schema is no longer current. */
export class ListReader<Row> {
  constructor(
    private readonly source: ListSource,
    readonly table: ListTable,
  ) {}

  /** `name` identifies the list in its cursors. Throws a 400 for the cursor of another list. */
  async page(query: ListQuery, page: Page, name: string): Promise<ListResult<Listed<Row>> | undefined> {
    return isNumbered(page) ? this.numberedPage(query, page) : this.cursorPage(query, page, name);
  }

  private async numberedPage(query: ListQuery, page: NumberedPage): Promise<ListResult<Listed<Row>> | undefined> {
    const path = sortedWithoutCount(query) ?? (await this.path(query));
    const offset = offsetOf(page);
    const rows: Listed<Row>[] = [];
    let total: number | undefined;
    let skip = offset;
    for (const segment of segmentsOf(query, path)) {
      const bounds = { limit: page.perPage - rows.length, offset: skip };
      const found = await this.rows(query, path, segment, bounds, total === undefined);
      if (!found.isCurrent) return undefined;
      rows.push(...found.rows);
      total ??= found.total;
      if (rows.length === page.perPage || offset + rows.length >= total) break;
      // Concurrent writes may have added rows to the segment, so the count may now exceed the offset.
      skip = rows.length > 0 ? 0 : Math.max(0, skip - (await this.count(query, segment)));
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total: total ?? 0 } };
  }

  private async cursorPage(
    query: ListQuery,
    page: CursorPage,
    name: string,
  ): Promise<ListResult<Listed<Row>> | undefined> {
    const keys = keysetOf(page, name);
    if (keys && (keys.length !== keysBeforeId(query.sort).length + 1 || keys.at(-1) === null)) throw foreignCursor();
    const path = await this.path(query);
    const segments = segmentsOf(query, path);
    // If the cursor has no value of the first field, the page starts among the rows without one, which come last.
    const startsAt = keys?.[0] === null && segments.length > 1 ? segments.at(-1) : segments[0];
    const rows: Listed<Row>[] = [];
    for (const segment of segments.slice(startsAt === undefined ? 0 : segments.indexOf(startsAt))) {
      const bounds = { limit: page.perPage + 1 - rows.length, after: segment === startsAt ? keys : undefined };
      if (bounds.limit === 0) break;
      const found = await this.rows(query, path, segment, bounds, false);
      if (!found.isCurrent) return undefined;
      rows.push(...found.rows);
    }
    return cursorPage(rows, page.perPage, name, (last) => [...sortKeys(last), last.id]);
  }

  /**
   * Counts the rows that each driver leaves, and sorts the fewest or follows the order. Does not count if one index has both the order and the
   * matches, or if the search alone limits the list and found too many rows to sort when it was last counted.
   */
  async path(query: ListQuery): Promise<AccessPath> {
    const drivers = driversOf(query);
    const [only, ...others] = drivers;
    if (only === undefined) return 'ordered';
    if (others.length === 0) {
      if (hasOrder(only, query)) return 'ordered';
      if (only === 'search' && (this.knownTotal(query, 'ordered') ?? 0) > MAX_SORTED) return 'ordered';
    }
    const counted = await this.sizes(query, drivers.flatMap(toCount));
    let [fewest, size] = [only, Infinity];
    for (const driver of drivers) {
      const left = sizeOf(driver, counted);
      if (left < size) [fewest, size] = [driver, left];
    }
    return size > MAX_SORTED ? 'ordered' : { sorted: narrowed(fewest, counted) };
  }

  async rows(
    query: ListQuery,
    path: AccessPath,
    segment: Segment,
    bounds: PageBounds,
    withTotal: boolean,
  ): Promise<FoundRows<Row>> {
    const read = (known?: CachedTotal) =>
      this.run<PageRow>(new ListStatement(this.table, query).page(path, segment, bounds, withTotal, known));
    const found = await (withTotal && path === 'ordered' ? this.counted(query, path, read) : read());
    const [first] = found;
    return {
      isCurrent: this.isCurrent(first?.schemaVersion),
      rows: found.filter((row): row is Listed<Row> => row.id !== null),
      total: first?.total ?? 0,
    };
  }

  /** The total of a list and the number of all rows. Undefined if the schema is no longer current. */
  async totals(query: ListQuery, path: AccessPath): Promise<ListTotals | undefined> {
    const [totals] = await this.counted(query, path, (known) =>
      this.run<ListTotals>(new ListStatement(this.table, query).totals(path, known)),
    );
    return this.isCurrent(totals?.schemaVersion) ? totals : undefined;
  }

  /** The total when it was last counted, if it took long. */
  knownTotal(query: ListQuery, path: AccessPath): number | undefined {
    const key = this.totalKey(query, path);
    return key === undefined ? undefined : this.source.totals?.get(this.source.tenantId, key)?.total;
  }

  isCurrent(version: number | null | undefined): boolean {
    return this.table.version === undefined || version === this.table.version.expected;
  }

  run<Result>(statement: Composed): Promise<Result[]> {
    return this.source.reads.queryComposed<Result>(this.source.tenantId, statement, this.source.share);
  }

  private async sizes(
    query: ListQuery,
    drivers: readonly (Condition | 'search')[],
  ): Promise<Map<Condition | 'search', number>> {
    const [sizes = {}] = await this.run<Record<string, number>>(new ListStatement(this.table, query).sizes(drivers));
    return new Map(drivers.map((one, index) => [one, sizes[`n${index}`] ?? 0]));
  }

  private async count(query: ListQuery, segment: Segment): Promise<number> {
    const [row] = await this.run<{ count: number }>(new ListStatement(this.table, query).count(segment));
    return row?.count ?? 0;
  }

  /** Runs a statement with the total that is known, and remembers the one that it returns. */
  private async counted<Result extends CountedRow & Pick<PageRow, 'schemaVersion'>>(
    query: ListQuery,
    path: AccessPath,
    read: (known?: CachedTotal) => Promise<Result[]>,
  ): Promise<Result[]> {
    const { tenantId, totals } = this.source;
    const key = this.totalKey(query, path);
    if (key === undefined || !totals) return read();
    // What is known may have led to a path that now takes too long.
    const rows = await read(totals.get(tenantId, key)).catch((error: unknown) => {
      totals.forget(tenantId, key);
      throw error;
    });
    // An earlier schema would count by index rows that are changed already.
    if (rows[0] && this.isCurrent(rows[0].schemaVersion)) totals.keep(tenantId, key, rows[0]);
    return rows;
  }

  /** Undefined if the total cannot be kept. */
  private totalKey(query: ListQuery, path: AccessPath): string | undefined {
    const { counters } = this.table;
    if (!counters?.state || query.conditions.flatMap(customConditions).some((one) => one.isVolatile)) return undefined;
    const matches = new ListStatement(this.table, query).matches(path);
    return matches && totalKey(counters.versions?.(query.conditions) ?? [], matches);
  }
}

function driversOf({ conditions, search }: ListQuery): Driver[] {
  return [...conditions.filter(isDriving), ...(search === undefined ? [] : ['search' as const])];
}

/** Whether the order of the list reads only what the driver leaves, because one index has both the order and the matches. */
function hasOrder(driver: Driver, { sort: [first] }: ListQuery): boolean {
  if (isById(first)) return isInIdOrder(driver);
  if (first?.by !== 'field' || driver === 'search' || !isOnField(driver)) return false;
  return driver.field === first.field && !driver.field.multiple;
}

/**
 * If a condition requires reading a field's whole index, sorts at once. One reading then serves the page and the total; counting first would
 * need another.
 */
function sortedWithoutCount(query: ListQuery): AccessPath | undefined {
  const [only, ...others] = driversOf(query);
  if (only === undefined || only === 'search' || others.length > 0 || !isById(query.sort[0])) return undefined;
  const isBroad = customConditions(only).some((one) => one.isBroad);
  return drivesByFullScan(only) && !isBroad ? { sorted: only } : undefined;
}

function sortKeys(row: PageRow): (string | null)[] {
  const keys: (string | null)[] = [];
  for (let index = 0; ; index++) {
    const key = row[`k${index}`];
    if (key === undefined) return keys;
    keys.push(key);
  }
}

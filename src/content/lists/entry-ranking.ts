import {
  type CursorPage,
  cursorPage,
  foreignCursor,
  type NumberedPage,
  offsetOf,
  type Keyset,
  keysetOf,
} from '../../lists/page.js';
import type { SearchRank } from '../../search/search-rank.js';
import { hasId } from '../../lists/conditions/column-condition.js';
import {
  type AccessPath,
  type ListQuery,
  MAX_SORTED,
  NEWEST_FIRST,
  type PageBounds,
} from '../../lists/engine/list-query.js';
import type { ListReader, ListResult } from '../../lists/engine/list-reader.js';
import type { ListTotals } from '../../lists/engine/list-statement.js';
import type { EntryColumns, ListedEntry } from './entry-list.js';
import { MAX_RANKED, RankingStatement } from './entry-ranking.sql.js';

/** Finds all matches of a search, regardless of their number. */
const BY_SEARCH: AccessPath = { sorted: 'search' };

/**
 * A part of a ranking. If there are up to `MAX_RANKED` matches, all of them are `best`, in the order of their score. If there are more, the
 * best come first, then the other matches with all words in the title, then the rest, each from the newest on.
 */
type RankedPart = 'best' | 'titled' | 'untitled';
const PARTS: readonly RankedPart[] = ['best', 'titled', 'untitled'];

type RankedRow = ListedEntry & { part: RankedPart; place: number };

/** The first matches that are read: ranked, and the sizes of the parts if there are too many to rank them all. */
interface Start {
  rows: RankedRow[];
  total: number;
  /** Undefined if all matches were ranked. */
  rest?: Rest;
}

/** What follows the best matches. */
interface Rest {
  best: readonly string[];
  totals: ListTotals;
  /** How many of the other matches have all words in the title; undefined until a page reaches them. */
  titled?: number;
}

/** The matches of a search, best first. */
export class EntryRanking {
  constructor(
    private readonly list: ListReader<EntryColumns>,
    private readonly query: ListQuery,
    private readonly rank: SearchRank,
  ) {}

  /** Returns undefined if the schema is no longer current. */
  async numberedPage(page: NumberedPage): Promise<ListResult<ListedEntry> | undefined> {
    const offset = offsetOf(page);
    const start = await this.start({ limit: page.perPage, offset });
    if (!start) return undefined;
    const { rows, total, rest } = start;
    if (rest && rows.length < page.perPage) {
      const titled = await this.titled(rest);
      let skipped = Math.max(0, offset - rest.best.length);
      for (const [part, size] of [
        ['titled', titled],
        ['untitled', Infinity],
      ] as const) {
        const limit = page.perPage - rows.length;
        if (limit > 0 && skipped < size) rows.push(...(await this.newest(part, rest, { limit, offset: skipped })));
        skipped = Math.max(0, skipped - size);
      }
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total } };
  }

  /** The same order as by page. `name` identifies the list. */
  async cursorPage(page: CursorPage, name: string): Promise<ListResult<ListedEntry> | undefined> {
    const keys = keysetOf(page, name);
    const from = keys ? startOf(keys) : { part: 'best' as const, place: 0 };
    const limit = page.perPage + 1;
    // Beyond the best, the list goes on as it began. Deletions may meanwhile have left few enough matches to rank all of them.
    const start =
      from.part === 'best'
        ? await this.start({ limit, offset: from.place })
        : await this.startOfMany({ limit: 0, offset: 0 });
    if (!start) return undefined;
    const { rows, rest } = start;
    for (const part of rest ? PARTS.slice(Math.max(1, PARTS.indexOf(from.part))) : []) {
      const missing = limit - rows.length;
      const after = part === from.part ? from.id : undefined;
      if (missing > 0 && rest && part !== 'best') {
        rows.push(
          ...(await this.newest(part, rest, { limit: missing, after: after === undefined ? undefined : [after] })),
        );
      }
    }
    return cursorPage(rows, page.perPage, name, (last) => [last.part, String(last.place), last.id]);
  }

  /** Reads the ranked matches of a page. Returns undefined if the schema is no longer current. */
  private async start(bounds: { limit: number; offset: number }): Promise<Start | undefined> {
    if ((this.list.knownTotal(this.query, BY_SEARCH) ?? 0) > MAX_RANKED) {
      const start = await this.startOfMany(bounds);
      if (!start || start.total > MAX_RANKED) return start;
    }
    const rows = await this.list.run<ListedEntry>(this.statement().all(bounds));
    const [first] = rows;
    if (first && !this.list.isCurrent(first.schemaVersion)) return undefined;
    const totals = first ?? (await this.list.totals(this.query, BY_SEARCH));
    if (!totals) return undefined;
    const total = totals.total ?? 0;
    if (total <= MAX_RANKED) return { rows: rows.map((row, index) => ranked(row, bounds.offset + index + 1)), total };
    return this.startOfMany(bounds);
  }

  private async startOfMany(bounds: { limit: number; offset: number }): Promise<Start | undefined> {
    const totals = await this.list.totals(this.query, BY_SEARCH);
    const found = await this.list.run<ListedEntry & { place: number }>(this.statement().best(bounds));
    if (!totals || (found[0] && !this.list.isCurrent(found[0].schemaVersion))) return undefined;
    const best = found.map(({ id }) => id);
    const rows = found.slice(bounds.offset, bounds.offset + bounds.limit);
    return {
      rows: rows.map((row, index) => ranked(row, bounds.offset + index + 1)),
      total: totals.total,
      rest: { best, totals },
    };
  }

  private async titled(rest: Rest): Promise<number> {
    return (rest.titled ??= (await this.list.totals(this.queryOf('titled', rest.best), BY_SEARCH))?.total ?? 0);
  }

  private async newest(part: 'titled' | 'untitled', rest: Rest, bounds: PageBounds): Promise<RankedRow[]> {
    const { best, totals } = rest;
    const titled = await this.titled(rest);
    if (part === 'titled' && titled === 0) return [];
    const size = part === 'titled' ? titled : totals.total - titled;
    // If most of very many entries match, the newest matches are found quickly in the order of all entries.
    const path = size > MAX_SORTED && size * 2 >= totals.all ? 'ordered' : BY_SEARCH;
    const { rows } = await this.list.rows(this.queryOf(part, best), path, 'with value', bounds, false);
    return rows.map((row) => ({ ...row, part, place: 0 }));
  }

  private queryOf(part: 'titled' | 'untitled', best: readonly string[]): ListQuery {
    const conditions = [...this.query.conditions, hasId(best, true)];
    return { conditions, search: this.rank[part], sort: NEWEST_FIRST };
  }

  private statement(): RankingStatement {
    return new RankingStatement(this.list.table, this.query, this.rank);
  }
}

function ranked(row: ListedEntry, place: number): RankedRow {
  return { ...row, part: 'best', place };
}

/** Where a page begins that follows the keys of a cursor. */
function startOf([part, number, id]: Keyset): { part: RankedPart; place: number; id?: string } {
  const name = PARTS.find((one) => one === part);
  const place = Number(number);
  if (!name || !Number.isSafeInteger(place) || place < 0 || typeof id !== 'string') throw foreignCursor();
  return name === 'best' ? { part: name, place } : { part: name, place, id };
}

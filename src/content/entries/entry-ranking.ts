import type { Composed } from '../../database/bindings.js';
import {
  type CursorPage,
  cursorPage,
  foreignCursor,
  type NumberedPage,
  offsetOf,
  type Place,
  placeOf,
} from '../../lists/page.js';
import type { SearchMatch } from '../../search/search-match.js';
import type { SearchRank } from '../../search/search-rank.js';
import type { Condition } from './entry-conditions.js';
import type { EntriesMeta, ListedRow, ListResult } from './entry-list.js';
import {
  type Cut,
  type ListedType,
  type ListQuery,
  MAX_COLLECTED,
  type Part,
  type Strategy,
} from './entry-list.sql.js';
import { MAX_RANKED, RankingStatement } from './entry-ranking.sql.js';
import { NEWEST_FIRST } from './entry-sort.js';

/** Reads the lists that a ranking consists of. */
export interface ListReader {
  isCurrent(version: number | null | undefined): boolean;
  rows(query: ListQuery, strategy: Strategy, part: Part, cut: Cut, withTotal: boolean): Promise<ListedRow[]>;
  meta(query: ListQuery, strategy: Strategy): Promise<EntriesMeta | undefined>;
  knownTotal(query: ListQuery, strategy: Strategy): number | undefined;
  run<Row>(statement: Composed): Promise<Row[]>;
}

/** Collects all matches of a search, regardless of their number. */
const BY_SEARCH: Strategy = { collect: 'search' };

/**
 * A part of a ranking. If there are up to `MAX_RANKED` matches, all of them are `best`, in the order of their score. If there are more, the
 * best come first, then the other matches with all words in the title, then the rest, each from the newest on.
 */
type RankedPart = 'best' | 'titled' | 'untitled';
const PARTS: readonly RankedPart[] = ['best', 'titled', 'untitled'];

type RankedRow = ListedRow & { part: RankedPart; place: number };

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
  meta: EntriesMeta;
  /** How many of the other matches have all words in the title; undefined until a page reaches them. */
  titled?: number;
}

/** The matches of a search, best first. */
export class EntryRanking {
  constructor(
    private readonly list: ListReader,
    private readonly type: ListedType,
    private readonly query: ListQuery,
    private readonly rank: SearchRank,
  ) {}

  /** Returns undefined if the schema is no longer current. */
  async numbered(page: NumberedPage): Promise<ListResult | undefined> {
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
  async walk(page: CursorPage, name: string): Promise<ListResult | undefined> {
    const place = placeOf(page, name);
    const from = place ? startOf(place) : { part: 'best' as const, place: 0 };
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
  private async start(cut: { limit: number; offset: number }): Promise<Start | undefined> {
    if ((this.list.knownTotal(this.query, BY_SEARCH) ?? 0) > MAX_RANKED) {
      const start = await this.startOfMany(cut);
      if (!start || start.total > MAX_RANKED) return start;
    }
    const rows = await this.list.run<ListedRow>(this.statement().all(cut));
    const meta = rows[0] ?? (await this.list.meta(this.query, BY_SEARCH));
    if (!this.list.isCurrent(meta?.typeVersion)) return undefined;
    const total = meta?.total ?? 0;
    if (total <= MAX_RANKED) return { rows: rows.map((row, index) => ranked(row, cut.offset + index + 1)), total };
    return this.startOfMany(cut);
  }

  private async startOfMany(cut: { limit: number; offset: number }): Promise<Start | undefined> {
    const meta = await this.list.meta(this.query, BY_SEARCH);
    const found = await this.list.run<ListedRow & { place: number }>(this.statement().best(cut));
    if (!meta || !this.list.isCurrent(meta.typeVersion)) return undefined;
    if (found.length > 0 && !this.list.isCurrent(found[0]?.typeVersion)) return undefined;
    const best = found.map(({ id }) => id);
    const rows = found.filter((_, index) => index >= cut.offset && index < cut.offset + cut.limit);
    return {
      rows: rows.map((row, index) => ranked(row, cut.offset + index + 1)),
      total: meta.total,
      rest: { best, meta },
    };
  }

  private async titled(rest: Rest): Promise<number> {
    return (rest.titled ??= (await this.list.meta(this.queryOf('titled', rest.best), BY_SEARCH))?.total ?? 0);
  }

  private async newest(part: 'titled' | 'untitled', rest: Rest, cut: Cut): Promise<RankedRow[]> {
    const { best, meta } = rest;
    const titled = await this.titled(rest);
    if (part === 'titled' && titled === 0) return [];
    const size = part === 'titled' ? titled : meta.total - titled;
    // If most of very many entries match, a walk finds the newest matches quickly.
    const strategy = size > MAX_COLLECTED && size * 2 >= meta.entries ? 'walk' : BY_SEARCH;
    const rows = await this.list.rows(this.queryOf(part, best), strategy, 'valued', cut, false);
    return rows.map((row) => ({ ...row, part, place: 0 }));
  }

  private queryOf(part: 'titled' | 'untitled', best: readonly string[]): ListQuery {
    const search: SearchMatch = this.rank[part];
    const others: Condition = { kind: 'column-in', column: 'id', values: [...best], negated: true };
    return { conditions: [...this.query.conditions, others], search, sort: NEWEST_FIRST, shape: this.query.shape };
  }

  private statement(): RankingStatement {
    return new RankingStatement(this.type, this.query, this.rank);
  }
}

function ranked(row: ListedRow, place: number): RankedRow {
  return { ...row, part: 'best', place };
}

/** Where a page begins that follows the place of a cursor. */
function startOf([part, number, id]: Place): { part: RankedPart; place: number; id?: string } {
  const name = PARTS.find((one) => one === part);
  const place = Number(number);
  if (!name || !Number.isSafeInteger(place) || place < 0 || typeof id !== 'string') throw foreignCursor();
  return name === 'best' ? { part: name, place } : { part: name, place, id };
}

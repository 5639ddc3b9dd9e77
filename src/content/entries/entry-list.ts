import type { Composed } from '../../database/bindings.js';
import type { Reader } from '../../database/replica-reads.js';
import type { Schema } from '../../fields/schema.js';
import type { Caller } from '../../http/caller.js';
import { type CountedRow, type KnownTotal, type KnownTotals, totalKey } from '../../lists/known-totals.js';
import type { LargeRow } from '../../lists/large-json.js';
import {
  type CursorPage,
  cursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  type NumberedPage,
  offsetOf,
  placeOf,
} from '../../lists/page.js';
import { searchMatch } from '../../search/search-match.js';
import { readSearch, type SearchQuery } from '../../search/search-query.js';
import { rankedWords, type SearchRank, searchRank } from '../../search/search-rank.js';
import type { Stemmer } from '../../search/stemmer.js';
import { partitionOf } from '../../search/words.js';
import type { CompiledType } from '../schemas.js';
import { allOf, type Condition, conjuncts, throughConditions } from './entry-conditions.js';
import {
  collectsByFullScan,
  isCollectable,
  isIndexed,
  isOneKey,
  narrowed,
  sizeOf,
  toCount,
} from './entry-candidates.js';
import { type EntryListRequest, resolveConditions } from './entry-list-request.js';
import {
  type Cut,
  isById,
  type ListQuery,
  keysBeforeId,
  ListStatement,
  MAX_COLLECTED,
  targetsOf,
  type Part,
  type Strategy,
} from './entry-list.sql.js';
import type { EntryRow } from './entry-presenter.js';
import type { FilterNames } from './filter-names.js';
import { EntryRanking } from './entry-ranking.js';
import { NEWEST_FIRST, resolveSort } from './entry-sort.js';
import { ReferencedRanking } from './referenced-ranking.js';
import { type ReferencedSearch, referencedSearch } from './referenced-search.js';
import type { ReferencedTitles } from './referenced-titles.js';

import type { WordRarities } from './word-rarities.js';

export type ListedEntry = (EntryRow | LargeRow) & { version: number };

/** A row of a page: the entry, its sort keys `k0…`, and metadata of the list. */
export type ListedRow = ListedEntry & {
  typeVersion: number | null;
  total: number | null;
  state?: number | null;
  [key: `k${number}`]: string | null;
};

export interface ListResult {
  rows: ListedEntry[];
  meta: ListMeta;
}

/** A list and what was searched for; undefined without a search. */
export interface SearchedList extends ListResult {
  sought: SearchQuery | undefined;
}

export interface EntriesMeta {
  typeVersion: number | null;
  total: number;
  state?: number | null;
  /** Number of all entries of the type, regardless of the query. */
  entries: number;
}

/** What lists are read with. */
export interface ListServices {
  reads: Reader;
  rarities: WordRarities;
  titles: ReferencedTitles;
  totals: KnownTotals;
}

/** One list, read with one version of the schema. */
export class EntryList {
  private readonly reads: Reader;
  private readonly rarities: WordRarities;
  private readonly titles: ReferencedTitles;
  private readonly totals: KnownTotals;
  private readonly typeId: string;
  private readonly version: number;
  private readonly schema: Schema;
  private readonly stem: Stemmer | undefined;

  constructor(
    { reads, rarities, titles, totals }: ListServices,
    private readonly caller: Caller,
    private readonly type: CompiledType,
    private readonly names: FilterNames,
    private readonly request: EntryListRequest,
  ) {
    const { id, version, schema, stem } = type;
    this.reads = reads;
    this.rarities = rarities;
    this.titles = titles;
    this.totals = totals;
    this.typeId = id;
    this.version = version;
    this.schema = schema;
    this.stem = stem;
  }

  /** Returns undefined if the schema is no longer current. */
  async read(always: readonly Condition[]): Promise<SearchedList | undefined> {
    const { search } = this.request;
    const sought = search === undefined ? undefined : readSearch(search);
    const result = await this.list(always, sought);
    return result && { ...result, sought };
  }

  private async list(always: readonly Condition[], sought: SearchQuery | undefined): Promise<ListResult | undefined> {
    const { stem } = this;
    const { page, sort, shape } = this.request;
    const partition = partitionOf(this.typeId);
    const query: ListQuery = {
      conditions: resolveConditions(this.request, this.names, always),
      search: sought && searchMatch(partition, sought, stem),
      sort: resolveSort(sort, this.schema),
      shape,
    };
    if (sought && query.search && sort === undefined) {
      const rarities = await this.rarities.of(this.caller, this.typeId, rankedWords(partition, sought, stem));
      const rank = searchRank({ partition, match: query.search, stem }, sought, rarities);
      const ranking = this.ranking(query, rank, await this.referenced(sought));
      return isNumbered(page) ? ranking.numbered(page) : ranking.walk(page, this.name);
    }
    const referenced = sought && (await this.referenced(sought));
    const listed = referenced ? { ...withCondition(query, referenced.matches), search: undefined } : query;
    return isNumbered(page) ? this.numbered(listed, page) : this.walk(listed, page);
  }

  /** Undefined if the request does not search the titles of entries referred to, or no title has a word of the search. */
  private async referenced(sought: SearchQuery): Promise<ReferencedSearch | undefined> {
    if (!this.request.referenced) return undefined;
    const hits = await this.titles.find(this.caller, this.type, sought);
    const context = { partition: partitionOf(this.typeId), stem: this.stem };
    return hits.isEmpty ? undefined : referencedSearch(context, sought, hits);
  }

  private ranking(
    query: ListQuery,
    rank: SearchRank,
    referenced: ReferencedSearch | undefined,
  ): EntryRanking | ReferencedRanking {
    const own = referenced ? withCondition(query, referenced.own) : query;
    const ranking = new EntryRanking(this, this.type, own, rank);
    if (!this.request.referenced) return ranking;
    const { referred } = referenced ?? {};
    const others = referred && { ...withCondition(query, referred), search: undefined, sort: NEWEST_FIRST };
    // Also without others, because a cursor may be from before the titles changed.
    return new ReferencedRanking(this, ranking, others);
  }

  isCurrent(version: number | null | undefined): boolean {
    return version === this.version;
  }

  /** Identifies the list in cursors. */
  private get name(): string {
    return JSON.stringify([this.typeId, ...this.request.identity]);
  }

  private async numbered(query: ListQuery, page: NumberedPage): Promise<ListResult | undefined> {
    const strategy = collectedWithoutCount(query) ?? this.walkedWithoutCount(query) ?? (await this.strategy(query));
    const offset = offsetOf(page);
    let rows = await this.rows(query, strategy, 'valued', { limit: page.perPage, offset }, true);
    const meta = rows[0] ?? (await this.meta(query, strategy));
    if (meta?.typeVersion !== this.version) return undefined;
    const total = meta.total ?? 0;
    if (partsOf(query, strategy).length > 1 && rows.length < page.perPage && offset + rows.length < total) {
      // Concurrent writes may have added entries with a value, so the count may now exceed the offset.
      const skipped = rows.length > 0 ? 0 : Math.max(0, offset - (await this.count(query, 'valued')));
      const cut = { limit: page.perPage - rows.length, offset: skipped };
      rows = rows.concat(await this.rows(query, strategy, 'valueless', cut, false));
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total } };
  }

  private async walk(query: ListQuery, page: CursorPage): Promise<ListResult | undefined> {
    const { name } = this;
    const place = placeOf(page, name);
    const keys = keysBeforeId(query.sort).length + 1;
    if (place && (place.length !== keys || place.at(-1) === null)) throw foreignCursor();
    const strategy = await this.strategy(query);
    const parts = partsOf(query, strategy);
    // If the cursor has no value of the first field, the page starts among the entries without one, which come last.
    const startsAt: Part = parts.length > 1 && place?.[0] === null ? 'valueless' : 'valued';
    const found: ListedRow[] = [];
    for (const part of parts.slice(parts.indexOf(startsAt))) {
      const limit = page.perPage + 1 - found.length;
      const after = part === startsAt ? place : undefined;
      if (limit > 0) found.push(...(await this.rows(query, strategy, part, { limit, after }, false)));
    }
    const version = found[0]?.typeVersion ?? (await this.meta(query, strategy))?.typeVersion;
    if (version !== this.version) return undefined;
    return cursorPage(found, page.perPage, name, (last) => [...sortKeys(last), last.id]);
  }

  /** If only a search limits the list, walks if it found too many entries to collect when it was last counted. */
  private walkedWithoutCount(query: ListQuery): Strategy | undefined {
    if (query.search === undefined || query.conditions.some(isCollectable)) return undefined;
    return (this.knownTotal(query, 'walk') ?? 0) > MAX_COLLECTED ? 'walk' : undefined;
  }

  /**
   * Counts the entries that each condition leaves, and collects the fewest or walks. Does not count if one index has both the order and the
   * matches.
   */
  async strategy(query: ListQuery): Promise<Strategy> {
    const { conditions, search, sort } = query;
    const [first] = sort;
    const among = [...conditions.filter(isCollectable), ...(search === undefined ? [] : ['search' as const])];
    const [only] = among;
    if (only === undefined) return 'walk';
    if (among.length === 1 && only !== 'search') {
      const ordered =
        first?.by === 'field' ? isIndexed(only) && only.field === first.field && !only.field.multiple : isOneKey(only);
      if (ordered) return 'walk';
    }
    const sizes = await this.sizes(
      query,
      among.flatMap((one): readonly (Condition | 'search')[] => (one === 'search' ? [one] : toCount(one))),
    );
    const ordered = among
      .map((one) => ({ one, size: one === 'search' ? (sizes.get(one) ?? 0) : sizeOf(one, sizes) }))
      .sort((a, b) => a.size - b.size);
    const [smallest] = ordered;
    if (!smallest || smallest.size > MAX_COLLECTED) return 'walk';
    return { collect: smallest.one === 'search' ? 'search' : narrowed(smallest.one, sizes) };
  }

  /** Counts the entries that each condition leaves, up to `MAX_COLLECTED` + 1. */
  private async sizes(
    query: ListQuery,
    among: readonly (Condition | 'search')[],
  ): Promise<Map<Condition | 'search', number>> {
    const statement = new ListStatement(this.type, query);
    const [sizes = {}] = await this.run<Record<string, number>>(statement.sizes(among));
    return new Map(among.map((one, index) => [one, sizes[`n${index}`] ?? 0]));
  }

  async rows(query: ListQuery, strategy: Strategy, part: Part, cut: Cut, withTotal: boolean): Promise<ListedRow[]> {
    const read = (known?: KnownTotal) =>
      this.run<ListedRow>(new ListStatement(this.type, query).page(strategy, part, cut, withTotal, known));
    return withTotal && strategy === 'walk' ? this.counted(query, strategy, read) : read();
  }

  async meta(query: ListQuery, strategy: Strategy): Promise<EntriesMeta | undefined> {
    const [meta] = await this.counted(query, strategy, (known) =>
      this.run<EntriesMeta>(new ListStatement(this.type, query).meta(strategy, known)),
    );
    return meta;
  }

  /** The total when it was last counted, if it took long. */
  knownTotal(query: ListQuery, strategy: Strategy): number | undefined {
    const key = this.totalKey(query, strategy);
    return key === undefined ? undefined : this.totals.get(this.caller.tenantId, key)?.total;
  }

  /** Runs a statement with the total that is known, and remembers the one that it returns. */
  private async counted<Row extends CountedRow & { typeVersion: number | null }>(
    query: ListQuery,
    strategy: Strategy,
    read: (known?: KnownTotal) => Promise<Row[]>,
  ): Promise<Row[]> {
    const key = this.totalKey(query, strategy);
    if (key === undefined) return read();
    const { tenantId } = this.caller;
    const known = this.totals.get(tenantId, key);
    // What is known may have led to a walk that now takes too long.
    const rows = await read(known).catch((error: unknown) => {
      this.totals.forget(tenantId, key);
      throw error;
    });
    // An earlier schema would count by index rows that are changed already.
    if (rows[0] && this.isCurrent(rows[0].typeVersion)) this.totals.keep(tenantId, key, rows[0]);
    return rows;
  }

  private totalKey(query: ListQuery, strategy: Strategy): string | undefined {
    // A draft is saved without a change of the entries.
    if (query.conditions.some(({ kind }) => kind === 'drafted')) return undefined;
    const matches = new ListStatement(this.type, query).matches(strategy);
    const versions = [this.version, ...targetsOf(query.conditions).map(({ version }) => version)];
    return matches && totalKey(versions, matches);
  }

  async count(query: ListQuery, part: Part): Promise<number> {
    const statement = new ListStatement(this.type, query);
    const [row] = await this.run<{ count: number }>(statement.count(part));
    return row?.count ?? 0;
  }

  run<Row>(statement: Composed): Promise<Row[]> {
    return this.reads.queryComposed<Row>(this.caller.tenantId, statement, this.caller.share);
  }
}

function withCondition(query: ListQuery, condition: Condition): ListQuery {
  return { ...query, conditions: conjuncts(allOf([...query.conditions, condition])) };
}

/**
 * If a condition requires reading a field's whole index, collects at once. One reading then serves the page and the total; counting first
 * would need another.
 */
function collectedWithoutCount({ conditions, search, sort }: ListQuery): Strategy | undefined {
  const [only, ...others] = conditions.filter(isCollectable);
  const isAlone =
    only !== undefined && others.length === 0 && search === undefined && throughConditions(only).length === 0;
  return isAlone && collectsByFullScan(only) && isById(sort[0]) ? { collect: only } : undefined;
}

/** The parts in which a list is read. A walk by a field reads the entries without a value last. */
function partsOf({ sort }: ListQuery, strategy: Strategy): Part[] {
  return strategy === 'walk' && sort[0]?.by === 'field' ? ['valued', 'valueless'] : ['valued'];
}

function sortKeys(row: ListedRow): (string | null)[] {
  const keys: (string | null)[] = [];
  for (let index = 0; ; index++) {
    const key = row[`k${index}`];
    if (key === undefined) return keys;
    keys.push(key);
  }
}

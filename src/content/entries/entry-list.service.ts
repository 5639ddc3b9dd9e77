import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { Composed } from '../../database/bindings.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { fold } from '../../fields/text.js';
import type { Schema } from '../../fields/schema.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { searchQuery } from '../../search/search-query.js';
import { partitionOf } from '../../search/words.js';
import { type LargeRecords, largeRecords, type LargeRow } from '../../lists/large-json.js';
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
import type { Condition } from './entry-conditions.js';
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
  MAX_RANKED,
  type Part,
  type Strategy,
} from './entry-list.sql.js';
import type { EntryRow } from './entry-presenter.js';
import { LARGE_ENTRIES, LARGE_PUBLISHED_ENTRIES } from './large-entries.sql.js';
import { NEWEST_FIRST, resolveSort } from './entry-sort.js';
import { type CompiledType, Schemas } from '../schemas.js';

type ListedEntry = (EntryRow | LargeRow) & { version: number };

/** A row of a page: the entry, its sort keys `k0…`, and metadata of the list. */
type Row = ListedEntry & {
  typeVersion: number | null;
  total: number | null;
  [key: `k${number}`]: string | null;
};

interface Result {
  rows: ListedEntry[];
  meta: ListMeta;
}

interface EntryList extends Result {
  type: CompiledType;
  large: LargeRecords<EntryRow>;
}

interface Meta {
  typeVersion: number | null;
  total: number;
  /** Number of all entries of the type, regardless of the query. */
  entries: number;
}

/** The condition for API keys that must not see drafts. */
const PUBLISHED: Condition = { kind: 'column', column: 'status', operator: '=', value: 'published' };

/** Collects all matches of a search, regardless of their number. */
const BY_SEARCH: Strategy = { collect: 'search' };

/** A list fails if the schema changes this many times between reading it and listing by it. */
const MAX_TRIES = 5;

/** Lists entries. Most lists take one statement for the page, the total and the check that the schema is current. */
@Injectable()
export class EntryListService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
  ) {}

  /** Throws a 400 if a parameter does not fit the schema, and a 404 if the content type is unknown. */
  async list(caller: Caller, typeName: IdOrSlug, request: EntryListRequest): Promise<EntryList> {
    const { tenantId, publishedOnly, share } = caller;
    const statements = publishedOnly ? LARGE_PUBLISHED_ENTRIES : LARGE_ENTRIES;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const type = await this.schemas.readable(caller, typeName);
      const list = new List(this.database, caller, type, request);
      try {
        const result = await list.read(type.schema, publishedOnly ? [PUBLISHED] : []);
        if (result) {
          const large = largeRecords(this.database, tenantId, statements, { typeId: type.id }, share);
          return { ...result, large, type };
        }
        await this.schemas.current(caller, typeName);
      } catch (error) {
        // The current schema may know a name that the stale schema did not.
        const current = await this.schemas.current(caller, typeName);
        const isCurrent = current.id === type.id && current.version === type.version;
        if (!(error instanceof Problem) || isCurrent) throw error;
      }
    }
    throw Problem.unavailable('The content type changed repeatedly while the list was read.');
  }
}

/** One list, read with one version of the schema. */
class List {
  private readonly typeId: string;
  private readonly version: number;

  constructor(
    private readonly database: Database,
    private readonly caller: Caller,
    { id, version }: CompiledType,
    private readonly request: EntryListRequest,
  ) {
    this.typeId = id;
    this.version = version;
  }

  /** Returns undefined if the schema is no longer current. */
  async read(schema: Schema, always: readonly Condition[]): Promise<Result | undefined> {
    const { page, sort } = this.request;
    const search = this.search();
    const query: ListQuery = {
      conditions: resolveConditions(this.request, schema, always),
      search,
      sort: resolveSort(sort, schema, search !== undefined),
    };
    if (!isNumbered(page)) return this.walk(query, page);
    return query.sort[0]?.by === 'rank' ? this.ranked(query, page) : this.numbered(query, page);
  }

  private async numbered(query: ListQuery, page: NumberedPage): Promise<Result | undefined> {
    const strategy = collectedWithoutCount(query) ?? (await this.strategy(query));
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

  /** Best match first. */
  private async ranked(query: ListQuery, page: NumberedPage): Promise<Result | undefined> {
    const rows = await this.matches(query, 'first', BY_SEARCH, { limit: page.perPage, offset: offsetOf(page) });
    const meta = rows[0] ?? (await this.meta(query, BY_SEARCH));
    if (meta?.typeVersion !== this.version) return undefined;
    const total = meta.total ?? 0;
    if (total > MAX_RANKED) return this.newestRanked(query, page);
    return { rows, meta: { page: page.page, per_page: page.perPage, total } };
  }

  /** If there are too many matches, ranks only the newest. The others follow by age. */
  private async newestRanked(query: ListQuery, page: NumberedPage): Promise<Result | undefined> {
    const meta = await this.meta(query, BY_SEARCH);
    if (meta?.typeVersion !== this.version) return undefined;
    // If at least half of all entries match, a walk finds the newest matches quickly.
    const strategy = meta.total * 2 >= meta.entries ? 'walk' : BY_SEARCH;
    const offset = offsetOf(page);
    const rows =
      offset < MAX_RANKED ? await this.matches(query, 'newest', strategy, { limit: page.perPage, offset }) : [];
    const rest = { limit: page.perPage - rows.length, offset: offset + rows.length };
    if (rest.limit > 0) {
      rows.push(...(await this.rows({ ...query, sort: NEWEST_FIRST }, 'walk', 'valued', rest, false)));
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total: meta.total } };
  }

  private async walk(query: ListQuery, page: CursorPage): Promise<Result | undefined> {
    const name = JSON.stringify([this.typeId, ...this.request.identity]);
    const place = placeOf(page, name);
    const keys = keysBeforeId(query.sort).length + 1;
    if (place && (place.length !== keys || place.at(-1) === null)) throw foreignCursor();
    const strategy = await this.strategy(query);
    const parts = partsOf(query, strategy);
    // If the cursor has no value of the first field, the page starts among the entries without one, which come last.
    const startsAt: Part = parts.length > 1 && place?.[0] === null ? 'valueless' : 'valued';
    const found: Row[] = [];
    for (const part of parts.slice(parts.indexOf(startsAt))) {
      const limit = page.perPage + 1 - found.length;
      const after = part === startsAt ? place : undefined;
      if (limit > 0) found.push(...(await this.rows(query, strategy, part, { limit, after }, false)));
    }
    const version = found[0]?.typeVersion ?? (await this.meta(query, strategy))?.typeVersion;
    if (version !== this.version) return undefined;
    return cursorPage(found, page.perPage, name, (last) => [...sortKeys(last), last.id]);
  }

  /**
   * Counts the entries that each condition leaves, and collects the fewest or walks. Does not count if one index has both the order and the
   * matches.
   */
  private async strategy(query: ListQuery): Promise<Strategy> {
    const { conditions, search, sort } = query;
    const [first] = sort;
    const among = [...conditions.filter(isCollectable), ...(search === undefined ? [] : ['search' as const])];
    const [only] = among;
    if (only === undefined) return 'walk';
    if (among.length === 1 && only !== 'search') {
      const ordered =
        first?.by === 'field' ? isIndexed(only) && only.field === first.field && !only.field.multiple : isOneKey(only);
      if (ordered && first?.by !== 'rank') return 'walk';
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
    const statement = new ListStatement(this.typeId, query);
    const [sizes = {}] = await this.run<Record<string, number>>(statement.sizes(among));
    return new Map(among.map((one, index) => [one, sizes[`n${index}`] ?? 0]));
  }

  private async rows(query: ListQuery, strategy: Strategy, part: Part, cut: Cut, withTotal: boolean): Promise<Row[]> {
    const statement = new ListStatement(this.typeId, query);
    return this.run<Row>(statement.page(strategy, part, cut, withTotal));
  }

  private async matches(query: ListQuery, which: 'first' | 'newest', strategy: Strategy, cut: Cut): Promise<Row[]> {
    const statement = new ListStatement(this.typeId, query);
    return this.run<Row>(statement.ranked(which, strategy, cut));
  }

  private async meta(query: ListQuery, strategy: Strategy): Promise<Meta | undefined> {
    const statement = new ListStatement(this.typeId, query);
    const [meta] = await this.run<Meta>(statement.meta(strategy));
    return meta;
  }

  private async count(query: ListQuery, part: Part): Promise<number> {
    const statement = new ListStatement(this.typeId, query);
    const [row] = await this.run<{ count: number }>(statement.count(part));
    return row?.count ?? 0;
  }

  private run<Row>(statement: Composed): Promise<Row[]> {
    return this.database.queryComposed<Row>(this.caller.tenantId, statement, this.caller.share);
  }

  private search(): string | undefined {
    const { search } = this.request;
    return search === undefined ? undefined : searchQuery(partitionOf(this.typeId), fold(search));
  }
}

/**
 * If a condition requires reading a field's whole index, collects at once. One reading then serves the page and the total; counting first
 * would need another.
 */
function collectedWithoutCount({ conditions, search, sort }: ListQuery): Strategy | undefined {
  const [only, ...others] = conditions.filter(isCollectable);
  const isAlone = only !== undefined && others.length === 0 && search === undefined;
  return isAlone && collectsByFullScan(only) && isById(sort[0]) ? { collect: only } : undefined;
}

/** The parts in which a list is read. A walk by a field reads the entries without a value last. */
function partsOf({ sort }: ListQuery, strategy: Strategy): Part[] {
  return strategy === 'walk' && sort[0]?.by === 'field' ? ['valued', 'valueless'] : ['valued'];
}

function sortKeys(row: Row): (string | null)[] {
  const keys: (string | null)[] = [];
  for (let index = 0; ; index++) {
    const key = row[`k${index}`];
    if (key === undefined) return keys;
    keys.push(key);
  }
}

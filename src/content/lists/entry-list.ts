import type { LocaleReading } from '../../fields/localized/shown-value.js';
import type { Caller } from '../../http/caller.js';
import { allOf, type Condition, conjuncts } from '../../lists/conditions/condition.js';
import { type ListQuery, NEWEST_FIRST } from '../../lists/engine/list-query.js';
import { type Listed, ListReader, type ListResult, type ListSource } from '../../lists/engine/list-reader.js';
import type { LargeRow } from '../../lists/large-json.js';
import { isNumbered } from '../../lists/page.js';
import { searchMatch } from '../../search/search-match.js';
import { readSearch, type SearchQuery } from '../../search/search-query.js';
import { rankedWords, searchRank } from '../../search/search-rank.js';
import type { ListTable } from '../../lists/engine/list-table.js';
import type { CompiledType, IndexedType } from '../schemas.js';
import type { EntryListRequest } from './entry-list-request.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import { EntryRanking } from './entry-ranking.js';
import { resolveSort } from './entry-sort.js';
import { entryTable } from './entry-table.js';
import { ReferencedRanking } from './referenced-ranking.js';
import { type ReferencedSearch, referencedSearch } from './referenced-search.js';
import type { ListedFields } from './listed-fields.js';
import type { ReferencedTitles } from './referenced-titles.js';
import type { SearchedWords } from '../words/searched-words.js';
import type { WordRarities } from './word-rarities.js';

export type EntryColumns = (EntryRow | LargeRow) & { version: number };
export type ListedEntry = Listed<EntryColumns>;

/** A list and what was searched for; undefined without a search. */
export interface SearchedList extends ListResult<EntryColumns> {
  sought: SearchQuery | undefined;
}

/** What lists and searches are read with. */
interface ListServices extends Pick<ListSource, 'reads' | 'totals'> {
  rarities: WordRarities;
  titles: ReferencedTitles;
}

/** What the entries of a list must meet besides its search, also that the caller may see them. */
export interface ListScope {
  caller: Caller;
  type: CompiledType;
  conditions: readonly Condition[];
  /** What the list can be sorted by. */
  fields: ListedFields;
  /** What its search looks at. */
  words: SearchedWords;
  /** The same for entries that it refers to. */
  wordsOf: (type: IndexedType) => SearchedWords;
  /** How localized fields are shown. Undefined if they show the default locale. */
  reading?: LocaleReading;
}

/** One list, read with one version of the schema. */
export class EntryList {
  private readonly reader: ListReader<EntryColumns>;
  private readonly query: ListQuery;
  private readonly sought: SearchQuery | undefined;
  private readonly table: ListTable;

  /** Throws a 400 if the list cannot be sorted so. */
  constructor(
    private readonly services: ListServices,
    private readonly scope: ListScope,
    private readonly request: EntryListRequest,
  ) {
    const { reads, totals } = services;
    const { caller, type, conditions, fields, words } = scope;
    const { search, sort, shape } = request;
    this.table = entryTable(type, shape, words);
    const source = { reads, totals, tenantId: caller.tenantId, share: caller.share };
    this.reader = new ListReader(source, this.table);
    this.sought = search === undefined ? undefined : readSearch(search);
    this.query = {
      conditions,
      search: this.sought && searchMatch(words.partition, this.sought, words.stem),
      sort: resolveSort(sort, fields),
    };
  }

  /** Returns undefined if the schema is no longer current. */
  async read(): Promise<SearchedList | undefined> {
    const { sought, request } = this;
    const result = await (sought && request.sort === undefined ? this.ranked(sought) : this.sorted());
    return result && { ...result, sought };
  }

  private async sorted(): Promise<ListResult<ListedEntry> | undefined> {
    const referenced = this.sought && (await this.referenced(this.sought));
    const query = referenced ? { ...this.with(referenced.matches), search: undefined } : this.query;
    return this.reader.page(query, this.request.page, this.name);
  }

  /** The matches of the search, best first. */
  private async ranked(sought: SearchQuery): Promise<ListResult<ListedEntry> | undefined> {
    const { query, request } = this;
    const { caller } = this.scope;
    const { partition, stem } = this.scope.words;
    const match = query.search ?? searchMatch(partition, sought, stem);
    const rarities = await this.services.rarities.of(caller, this.table, rankedWords(partition, sought, stem));
    const rank = searchRank({ partition, match, stem }, sought, rarities);
    const ranking = this.ranking(rank, await this.referenced(sought));
    return isNumbered(request.page) ? ranking.numberedPage(request.page) : ranking.cursorPage(request.page, this.name);
  }

  private ranking(rank: ReturnType<typeof searchRank>, referenced: ReferencedSearch | undefined) {
    const own = referenced ? this.with(referenced.own) : this.query;
    const ranking = new EntryRanking(this.reader, own, rank);
    if (!this.request.referenced) return ranking;
    const { referred } = referenced ?? {};
    const others = referred && { ...this.with(referred), search: undefined, sort: NEWEST_FIRST };
    // Also without others, because a cursor may be from before the titles changed.
    return new ReferencedRanking(this.reader, ranking, others);
  }

  /** Undefined if the request does not search the titles of entries referred to, or no title has a word of the search. */
  private async referenced(sought: SearchQuery): Promise<ReferencedSearch | undefined> {
    if (!this.request.referenced) return undefined;
    const { words } = this.scope;
    const hits = await this.services.titles.find(this.scope, sought);
    return hits.isEmpty ? undefined : referencedSearch(words, sought, hits);
  }

  private with(condition: Condition): ListQuery {
    return { ...this.query, conditions: conjuncts(allOf([...this.query.conditions, condition])) };
  }

  /** Identifies the list in cursors. */
  private get name(): string {
    return JSON.stringify([this.scope.type.id, ...this.request.identity]);
  }
}

import { Problem } from '../../errors/problem.js';
import type { Query } from '../../http/query.js';
import { type Page, readPage } from '../../lists/page.js';
import { type Filter, readFilters } from './entry-filters.js';
import { readSort, type SortName } from './entry-sort.js';

/** What a client asks for, before its names are looked up in the content type's schema. */
export interface EntryListRequest {
  page: Page;
  filters: readonly Filter[];
  /** Undefined for the list's own order. */
  sort?: readonly SortName[];
  search?: string;
  /** The parameters that decide which entries the list has and in which order. A cursor belongs to them. */
  identity: readonly (readonly [name: string, value: unknown])[];
}

const MAX_SEARCH_LENGTH = 512;

/** Reads the query string of a list of entries. 400 for a parameter that is malformed. */
export function readEntryList(query: Query): EntryListRequest {
  const identity = Object.entries(query).filter(([name]) => name !== 'cursor' && name !== 'per_page');
  return {
    page: readPage(query),
    search: readSearch(query),
    sort: readSort(query),
    filters: readFilters(query),
    identity: identity.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

function readSearch({ search }: Query): string | undefined {
  if (search !== undefined && search.length > MAX_SEARCH_LENGTH) {
    throw Problem.parameter('search', `search must have at most ${MAX_SEARCH_LENGTH} characters.`);
  }
  return search as string | undefined;
}

import { Problem } from '../../errors/problem.js';
import type { Query } from '../../http/query.js';
import { type Page, readPage } from '../../lists/page.js';
import { type Filter, readFilters } from './entry-filters.js';
import { readSort, type SortName } from './entry-sort.js';

/** A list request, before its names are looked up in the schema of the content type. */
export interface EntryListRequest {
  page: Page;
  filters: readonly Filter[];
  /** Undefined for the default order. */
  sort?: readonly SortName[];
  search?: string;
  /** The parameters that determine the entries of the list and their order. A cursor is valid only with the same ones. */
  identity: readonly (readonly [name: string, value: unknown])[];
}

const MAX_SEARCH_LENGTH = 512;

/** Reads the query string of an entry list. Throws a 400 if a parameter is malformed. */
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

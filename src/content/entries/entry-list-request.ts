import { Problem } from '../../errors/problem.js';
import type { Schema } from '../../fields/schema.js';
import type { Query } from '../../http/query.js';
import { type Page, readPage } from '../../lists/page.js';
import { allOf, type Condition, conjuncts } from './entry-conditions.js';
import { type Filter, readFilters, resolveFilter } from './entry-filters.js';
import { readSort, type SortName } from './entry-sort.js';
import { readWhere, resolveWhere, type Where } from './entry-where.js';

/** A list request, before its names are looked up in the schema of the content type. */
export interface EntryListRequest {
  page: Page;
  filters: readonly Filter[];
  where?: Where;
  /** Undefined for the default order. */
  sort?: readonly SortName[];
  search?: string;
  /** Whether the entries of the page show where they match the search. */
  highlight: boolean;
  /** Whether the search is corrected if it finds nothing. */
  fuzzy: boolean;
  /** The parameters that determine the entries of the list and their order. A cursor is valid only with the same ones. */
  identity: readonly (readonly [name: string, value: unknown])[];
}

const MAX_SEARCH_LENGTH = 512;

/** The parameters that change what a page shows, but not the list. */
const OF_PAGE = ['cursor', 'per_page', 'highlight'];

/** Reads the query string of an entry list. Throws a 400 if a parameter is malformed. */
export function readEntryList(query: Query): EntryListRequest {
  const identity = Object.entries(query).filter(([name]) => !OF_PAGE.includes(name));
  return {
    page: readPage(query),
    search: readSearch(query),
    highlight: readOfSearch(query, 'highlight', 'highlight shows where entries match'),
    fuzzy: readOfSearch(query, 'fuzzy', 'fuzzy corrects a search'),
    sort: readSort(query),
    filters: readFilters(query),
    where: readWhere(query),
    identity: identity.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** Looks up the conditions of the list, which must all hold, in the schema. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveConditions(
  { filters, where }: Pick<EntryListRequest, 'filters' | 'where'>,
  schema: Schema,
  always: readonly Condition[] = [],
): readonly Condition[] {
  const conditions = [...always, ...filters.map((filter) => resolveFilter(filter, schema))];
  if (where) conditions.push(resolveWhere(where, schema));
  return conjuncts(allOf(conditions));
}

function readSearch({ search }: Query): string | undefined {
  if (search !== undefined && search.length > MAX_SEARCH_LENGTH) {
    throw Problem.parameter('search', `search must have at most ${MAX_SEARCH_LENGTH} characters.`);
  }
  return search as string | undefined;
}

/** Reads a parameter that is true or false, and needs a search if it is true. */
function readOfSearch(query: Query, name: 'highlight' | 'fuzzy', purpose: string): boolean {
  const { [name]: value = 'false', search } = query;
  if (value !== 'true' && value !== 'false') throw Problem.parameter(name, `${name} must be true or false.`);
  if (value === 'true' && search === undefined) throw Problem.parameter(name, `${purpose}, so it needs search.`);
  return value === 'true';
}

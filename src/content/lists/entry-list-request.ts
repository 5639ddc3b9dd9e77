import { Problem } from '../../errors/problem.js';
import { readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { type Filter, readFilters } from '../../lists/filters/filters.js';
import { allOf, type Condition, conjuncts } from '../../lists/conditions/condition.js';
import { type FilterNames, resolveFilter } from '../../lists/filters/resolve-filter.js';
import {
  countConditions,
  MAX_CONDITIONS,
  namesIn,
  readWhere,
  resolveWhere,
  type Where,
} from '../../lists/filters/where.js';
import { type ListIdentity, listIdentity, readSearchText } from '../../lists/list-request.js';
import { type Page, readPage } from '../../lists/page.js';
import type { SortName } from '../../lists/sort-names.js';
import { isDrafted } from './entry-conditions.js';
import { type LocaleStates, readLocaleStates } from './locale-view.js';
import { readSort } from './entry-sort.js';
import { type ReadingRequest, READING_PARAMETERS, readReading } from '../reading/reading-request.js';
import { type Shape, shapeParameter } from '../reading/shape.js';

/** A list request, before its names are looked up in the schema of the content type. */
export interface EntryListRequest {
  page: Page;
  filters: readonly Filter[];
  where?: Where;
  /** Undefined for the default order. */
  sort?: readonly SortName[];
  search?: string;
  /** Keeps the entries with a draft, or without one; undefined keeps both. */
  hasDraft?: boolean;
  /** Whether the page shows the entries with the values of their drafts. */
  preview: boolean;
  /** Whether the entries of the page show where they match the search. */
  highlight: boolean;
  /** Whether the search also reads the titles of the entries that an entry refers to. */
  referenced: boolean;
  /** Whether the search is corrected if it finds nothing. */
  fuzzy: boolean;
  shape: Shape;
  /** The locales in which entries must be live, or lack something. */
  states: LocaleStates;
  /** What the page shows besides; undefined if the request neither includes nor selects. */
  reading?: ReadingRequest;
  identity: ListIdentity;
}

/** The parameters that change what a page shows, but not the list. */
const OF_PAGE = ['cursor', 'per_page', 'highlight', 'preview', shapeParameter.name, ...READING_PARAMETERS];

/** Reads the query string of an entry list. Throws a 400 if a parameter is malformed. */
export function readEntryList(query: Query, shape: Shape = 'plain'): EntryListRequest {
  const filters = readFilters(query);
  const where = readWhere(query);
  if (where && filters.length + countConditions(where) > MAX_CONDITIONS) {
    throw Problem.parameter('where', `where and filter must have at most ${MAX_CONDITIONS} conditions together.`);
  }
  return {
    page: readPage(query),
    search: readSearchText(query),
    highlight: readSearchFlag(query, 'highlight', 'shows where entries match'),
    referenced: readSearchFlag(query, 'referenced', 'searches the titles of entries referred to'),
    fuzzy: readSearchFlag(query, 'fuzzy', 'corrects a search'),
    hasDraft: readFlag(query, 'has_draft'),
    preview: readFlag(query, 'preview') ?? false,
    sort: readSort(query),
    filters,
    where,
    shape,
    states: readLocaleStates(query),
    reading: readReading(query),
    identity: listIdentity(query, OF_PAGE),
  };
}

/** The names of the conditions. */
export function namesOf({ filters, where }: EntryListRequest): string[] {
  return [...filters.map(({ name }) => name), ...(where ? namesIn(where) : [])];
}

/** Looks up the conditions of the list, which must all hold. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveConditions(
  { filters, where, hasDraft }: Pick<EntryListRequest, 'filters' | 'where' | 'hasDraft'>,
  names: FilterNames,
  always: readonly Condition[] = [],
): readonly Condition[] {
  const conditions = [...always, ...filters.map((filter) => resolveFilter(filter, names))];
  if (hasDraft !== undefined) conditions.push(isDrafted(!hasDraft));
  if (where) conditions.push(resolveWhere(where, names));
  return conjuncts(allOf(conditions));
}

/** Reads a flag that only a search can have. */
function readSearchFlag(query: Query, name: string, effect: string): boolean {
  const value = readFlag(query, name) ?? false;
  if (value && query['search'] === undefined) throw Problem.parameter(name, `${name} ${effect}, so it needs search.`);
  return value;
}

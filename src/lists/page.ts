import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Parameter } from '../http/parameters.js';

const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** A page by its number, with a total. */
export interface NumberedPage {
  page: number;
  perPage: number;
}

/** A page that starts at a position in the list. Its cost is constant. */
export interface CursorPage {
  perPage: number;
  /** As the client sent it; empty at the start of the list. */
  cursor: string;
}

export type Page = NumberedPage | CursorPage;

/** A position in a list (keyset pagination): the sort keys and the ID of the last record on the previous page. */
export type Keyset = readonly (string | null)[];

export interface ListMeta {
  page?: number;
  per_page: number;
  total?: number;
  next_cursor?: string | null;
  /** The search that was used, if that of the request was corrected. */
  corrected?: string;
}

export const pageParameters: Parameter[] = [
  {
    name: 'page',
    // Without a default: Swagger UI and some generated clients would send it, also together with `cursor`.
    schema: { type: 'integer', minimum: 1 },
    description: 'The page number. The first page is 1, which is also the default.',
  },
  {
    name: 'per_page',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
    description: 'The number of records per page.',
  },
  {
    name: 'cursor',
    schema: { type: 'string' },
    allowEmptyValue: true,
    description:
      'Reads the whole list at a constant cost per page. Send it instead of `page`. Start with an empty cursor. ' +
      'Then send `meta.next_cursor` of the previous response, with the same order and conditions (`sort`, `filter`, ' +
      '`where`, `search`, `referenced`, `fuzzy`), as far as the list has these parameters. ' +
      '`meta` is then `{per_page, next_cursor}`. A `next_cursor` of `null` means that the list has ended.',
  },
];

/** Reads `page`, `per_page` and `cursor` from the query string. */
export function readPage(query: Query): Page {
  const perPage = readInteger(query, 'per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE);
  if (query['cursor'] === undefined) return { page: readInteger(query, 'page', 1, Number.MAX_SAFE_INTEGER), perPage };
  if (query['page'] !== undefined) throw Problem.parameter('cursor', 'cursor and page cannot be used together.');
  return { perPage, cursor: query['cursor'] as string };
}

/** Reads `per_page` and `cursor` for a list without page numbers. Without a cursor, the page is the first one. */
export function readCursorPage(query: Query): CursorPage {
  const { cursor } = query;
  return {
    perPage: readInteger(query, 'per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE),
    cursor: typeof cursor === 'string' ? cursor : '',
  };
}

/**
 * Returns the keys that the page starts after, or undefined for the start of the list. `list` identifies the list with its sort and
 * filters. Throws 400 for the cursor of any other list.
 */
export function keysetOf({ cursor }: CursorPage, list: string): Keyset | undefined {
  if (cursor === '') return undefined;
  const keys = decodeCursor(cursor, list);
  if (!keys) throw foreignCursor();
  return keys;
}

export function foreignCursor(): Problem {
  return Problem.parameter('cursor', 'cursor is not a value that this list returned.');
}

/**
 * Returns the page of rows that were read with one row more than `perPage`, which shows whether there is a next page. `keysOf` returns
 * the keys of a row.
 */
export function cursorPage<Row>(
  found: readonly Row[],
  perPage: number,
  list: string,
  keysOf: (last: Row) => Keyset,
): { rows: Row[]; meta: ListMeta } {
  const rows = found.slice(0, perPage);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return {
    rows,
    meta: { per_page: perPage, next_cursor: last === undefined ? null : encodeCursor(keysOf(last), list) },
  };
}

export function isNumbered(page: Page): page is NumberedPage {
  return 'page' in page;
}

export function offsetOf({ page, perPage }: NumberedPage): number {
  // Beyond the end of any list, and within PostgreSQL's range.
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

export function readInteger(query: Query, name: string, fallback: number, max: number): number {
  const text = query[name];
  if (text === undefined) return fallback;
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= 1 && value <= max)) throw Problem.parameter(name, `${name} must be an integer from 1 to ${max}.`);
  return value;
}

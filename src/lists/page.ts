import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';
import { decodeCursor } from './cursor.js';
import type { Parameter } from './parameters.js';

const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** By number, with a total. */
export interface NumberedPage {
  page: number;
  perPage: number;
}

/** From a place in the list onward, at a constant cost; `after` is undefined at its start. */
export interface CursorPage {
  perPage: number;
  after: Cursor | undefined;
}

/** Where a walk stands: the sort keys of the last record seen, and its id. */
export type Cursor = readonly (string | null)[];

export type Page = NumberedPage | CursorPage;

export const pageParameters: Parameter[] = [
  { name: 'page', schema: { type: 'integer', minimum: 1, default: 1 }, description: 'Which page, from 1.' },
  {
    name: 'per_page',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
    description: 'Records on a page.',
  },
  {
    name: 'cursor',
    schema: { type: 'string' },
    allowEmptyValue: true,
    description:
      'Instead of `page`: walks the whole list at a constant cost. Empty to start, then `meta.next_cursor` of the answer before, ' +
      'with the same `sort`, `filter` and `search`. `meta` is then `{per_page, next_cursor}`; null ends the walk.',
  },
];

/** Reads `page`, `per_page` and `cursor`. `list` is what a cursor belongs to: one of another sort or filter is refused. */
export function readPage(query: Query, list: string): Page {
  const perPage = readInteger(query, 'per_page', DEFAULT_PER_PAGE, MAX_PER_PAGE);
  if (query['cursor'] === undefined) return { page: readInteger(query, 'page', 1, Number.MAX_SAFE_INTEGER), perPage };
  if (query['page'] !== undefined) throw Problem.parameter('cursor', 'cursor and page exclude each other.');
  const text = query['cursor'] as string;
  const after = text === '' ? undefined : decodeCursor(text, list);
  if (text !== '' && !after) throw Problem.parameter('cursor', 'cursor is not one that this list gave.');
  return { perPage, after };
}

export function isNumbered(page: Page): page is NumberedPage {
  return 'page' in page;
}

export function offsetOf({ page, perPage }: NumberedPage): number {
  // Beyond any list, and within what PostgreSQL counts with.
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

function readInteger(query: Query, name: string, fallback: number, max: number): number {
  const text = query[name];
  if (text === undefined) return fallback;
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= 1 && value <= max)) throw Problem.parameter(name, `${name} must be an integer from 1 to ${max}.`);
  return value;
}

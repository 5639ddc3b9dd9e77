import type { CompiledField } from '../../fields/compiled-field.js';
import type { SearchMatch } from '../../search/search-match.js';
import { type Condition, isOnField } from '../conditions/condition.js';
import type { Driver } from '../conditions/driving-conditions.js';
import type { Keyset } from '../page.js';

/** A list request, resolved against the schema. What matches must depend only on what `Counters.state` covers. */
export interface ListQuery {
  conditions: readonly Condition[];
  search?: SearchMatch;
  sort: readonly SortKey[];
}

/** A key of the order. Ties are broken by ID, in the direction of the last key. */
export type SortKey = { descending: boolean } & (
  { by: 'field'; field: CompiledField } | { by: 'column'; column: SortColumn }
);

/** A column that rows can be sorted by. */
export interface SortColumn {
  name: string;
  /** Its type in PostgreSQL. */
  type: string;
  isNullable?: boolean;
  /** Whether rows have the same order by their IDs. */
  isLikeId?: boolean;
}

/** The order of lists that are sorted by nothing else. */
export const NEWEST_FIRST: readonly SortKey[] = [
  { by: 'column', column: { name: 'id', type: 'uuid', isLikeId: true }, descending: true },
];

/**
 * How the rows of a page are found. `ordered` follows the index that has the order (of the sort field, of a condition whose IDs are in order,
 * or of all rows) and tests the conditions until the page is full. `sorted` reads the few rows that a driver leaves, tests the other
 * conditions and sorts them. The statement fixes the choice, because the planner cannot know how many rows of one list have a value.
 */
export type AccessPath = 'ordered' | { sorted: Driver };

/** A part of an ordered list by a field: the rows with a value, or those without, which come last. Sorted rows are one segment. */
export type Segment = 'with value' | 'without value';

export interface PageBounds {
  limit: number;
  offset?: number;
  /** The keys of the last row of the previous page. */
  after?: Keyset;
}

/** Sorts at most this many rows, and follows the order if there are more. With a million rows, both take only some milliseconds. */
export const MAX_SORTED = 5_000;

/** The sort keys before the ID, which is always the last key. */
export function keysBeforeId(sort: readonly SortKey[]): readonly SortKey[] {
  return isById(sort.at(-1)) ? sort.slice(0, -1) : sort;
}

/** Whether the key sorts like the ID. */
export function isById(key: SortKey | undefined): boolean {
  return key?.by === 'column' && key.column.isLikeId === true;
}

/** The segments in which a list is read, in order. A condition on the sort field may leave only one. */
export function segmentsOf({ sort: [first], conditions }: ListQuery, path: AccessPath): readonly Segment[] {
  if (path !== 'ordered' || first?.by !== 'field') return ['with value'];
  const own = conditions.filter(isOnField).filter((one) => one.field === first.field);
  if (own.some(({ kind, negated }) => kind !== 'absent' && !negated)) return ['with value'];
  const isAbsent = own.some(({ kind, negated }) => kind === 'absent' || (kind === 'present' && negated));
  return isAbsent ? ['without value'] : ['with value', 'without value'];
}

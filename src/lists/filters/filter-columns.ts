import { Problem } from '../../errors/problem.js';
import type { Condition } from '../conditions/condition.js';
import type { Filter } from './filters.js';
import { unreadable } from './filter-values.js';
import { assertBoolean, type Comparison, meaningOf } from './operators.js';

/** A column that is filtered like a field. */
export interface FilterColumn {
  name: string;
  /** What its values must be, for messages: `a date`. */
  expected: string;
  /** Returns the condition that the column compares to the texts (one, but for `in`); undefined if one of them cannot be read. */
  compare: (comparison: Comparison, texts: readonly string[]) => Condition | undefined;
  /** The condition that the column has a value. */
  exists: Condition;
}

/** Returns the condition on a column. Throws a 400 if the filter does not apply to it. */
export function columnFilter(column: FilterColumn, filter: Filter): Condition {
  const { operator, parameter, values } = filter;
  const { comparison } = meaningOf(operator);
  if (comparison === undefined) throw Problem.parameter(parameter, `${operator} does not apply to ${column.name}.`);
  if (comparison !== 'exists') return column.compare(comparison, values) ?? unreadable(filter, column.expected);
  assertBoolean(filter);
  return column.exists;
}

/** Reads all of the texts; undefined if one of them cannot be read. */
export function readAll<Value>(
  texts: readonly string[],
  read: (text: string) => Value | undefined,
): Value[] | undefined {
  const values = texts.map(read);
  return values.every((value) => value !== undefined) ? values : undefined;
}

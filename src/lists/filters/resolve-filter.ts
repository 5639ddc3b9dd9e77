import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { type Condition, constant, negate } from '../conditions/condition.js';
import { columnFilter, type FilterColumn } from './filter-columns.js';
import { assertFilterSize, type Filter, positiveOf } from './filters.js';

/** What a name means in a list. */
export type Named = { field: CompiledField } | { column: FilterColumn };

/** Looks up the names of conditions. */
export interface FilterNames {
  /** What the list has, for messages: `Entries`. */
  readonly rows: string;
  /**
   * Returns the condition that `make` builds for the field or column of this name. Throws a 400 (`unknown_field`) if there is no such name,
   * and what `make` throws.
   */
  condition(parameter: string, name: string, make: (named: Named) => Condition): Condition;
  /** Returns the condition on a field that can be filtered. */
  fieldCondition(field: CompiledField, filter: Filter): Condition;
}

/** Looks up the name of the filter and reads its values. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveFilter(filter: Filter, names: FilterNames): Condition {
  const { positive, negated } = positiveOf(filter);
  const condition = names.condition(filter.parameter, filter.name, (named) => namedCondition(named, positive, names));
  // So a negation is exact behind a reference too: it holds if the reference leads to no row that matches.
  return negated ? negate(condition) : condition;
}

/** Returns the condition of a field or column. Throws a 400 if the filter does not apply to it. */
export function namedCondition(named: Named, filter: Filter, names: FilterNames): Condition {
  assertFilterSize(filter);
  if ('column' in named) return columnFilter(named.column, filter);
  assertFilterable(named.field, filter.parameter, names);
  // `where` may have an empty list.
  return filter.values.length === 0 ? constant(false) : names.fieldCondition(named.field, filter);
}

/** Throws a 400 for a field whose values have no key. */
export function assertFilterable(
  { path, filterable, withoutKey }: CompiledField,
  parameter: string,
  { rows }: FilterNames,
): void {
  if (filterable) return;
  throw Problem.parameter(parameter, `${rows} cannot be filtered by ${path} because ${withoutKey}.`);
}

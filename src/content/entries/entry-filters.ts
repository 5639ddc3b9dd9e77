import { Problem } from '../../errors/problem.js';
import { instantOf, offsetWithPlus } from '../../fields/formats/calendar.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { parseId } from '../../ids/type-id.js';
import {
  assertBoolean,
  assertSize,
  fieldCondition,
  type Filter,
  type Operator,
  positiveOf,
  type PositiveFilter,
  unreadable,
} from '../../lists/filters/filters.js';
import { anyOf, type ColumnOperator, type Condition, constant, negate, type SystemColumn } from './entry-conditions.js';
import { type FileBase, fileFilters } from './file-filters.js';
import type { FilterNames, Named } from './filter-names.js';

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Looks up the name of the filter and reads its values. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveFilter(filter: Filter, names: FilterNames): Condition {
  const { positive, negated } = positiveOf(filter);
  const condition = names.condition(filter.parameter, filter.name, (named) =>
    conditionOf(named, positive, names.files),
  );
  return negated ? negate(condition) : condition;
}

/**
 * Returns the condition of an operator. A negation (`ne`, or `exists` with false) is the opposite of what `resolve` returns for the positive
 * operator. So it is exact behind a reference too: it holds if the reference leads to no entry that matches.
 */
export function orNegated(
  operator: Operator,
  isAbsence: boolean,
  resolve: (operator: PositiveFilter['operator']) => Condition,
): Condition {
  const condition = resolve(operator === 'ne' ? 'eq' : operator);
  return isAbsence || operator === 'ne' ? negate(condition) : condition;
}

/** Returns the condition of a field or column. Throws a 400 if the filter does not apply to it. */
export function conditionOf(named: Named, filter: PositiveFilter, files: FileBase): Condition {
  assertSize(filter);
  if ('column' in named) return columnCondition(named.column, filter);
  assertFilterable(named.field, filter.parameter);
  // `where` may have an empty list.
  if (filter.operator === 'in' && filter.values.length === 0) return constant(false);
  if (named.field.definition.type !== 'media') return fieldCondition(named.field, filter);
  return anyOf(fileFilters(filter, files).map((one) => fieldCondition(named.field, one)));
}

/** Throws a 400 for a field whose values have no key. */
export function assertFilterable({ path, filterable, withoutKey }: CompiledField, parameter: string): void {
  if (filterable) return;
  throw Problem.parameter(parameter, `Entries cannot be filtered by ${path} because ${withoutKey}.`);
}

function columnCondition(column: SystemColumn, filter: PositiveFilter): Condition {
  const { operator, values, parameter } = filter;
  const [value = ''] = values;
  const read = (text: string) => COLUMN_READERS[column](text) ?? unreadable(filter, COLUMN_VALUES[column]);
  switch (operator) {
    case 'eq':
      return comparison(column, '=', read(value));
    case 'in':
      return { kind: 'column-in', column, values: values.map(read), negated: false };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return comparison(column, COMPARISONS[operator], read(value));
    case 'exists':
      assertBoolean(filter);
      // Exactly the published entries have the time.
      return column === 'published_at' ? comparison('status', '=', 'published') : constant(true);
    case 'contains':
    case 'starts_with':
      throw Problem.parameter(parameter, `${operator} does not apply to ${column}.`);
  }
}

function comparison(column: SystemColumn, operator: ColumnOperator, value: string): Condition {
  return { kind: 'column', column, operator, value, negated: false };
}

const COLUMN_VALUES: Record<SystemColumn, string> = {
  id: 'an entry ID',
  status: 'draft or published',
  created_at: 'a date or a date and time',
  updated_at: 'a date or a date and time',
  published_at: 'a date or a date and time',
};

const COLUMN_READERS: Record<SystemColumn, (text: string) => string | undefined> = {
  id: (text) => parseId('ent', text),
  status: (text) => (text === 'draft' || text === 'published' ? text : undefined),
  created_at: readInstant,
  updated_at: readInstant,
  published_at: readInstant,
};

/** Returns the instant in UTC, in a format that PostgreSQL reads. */
function readInstant(text: string): string | undefined {
  const instant = instantOf(offsetWithPlus(text));
  return instant && `${instant}Z`;
}

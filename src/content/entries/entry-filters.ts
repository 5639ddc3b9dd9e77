import { Problem } from '../../errors/problem.js';
import { instantOf, offsetWithPlus } from '../../fields/calendar.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import type { FilterKey } from '../../fields/sort-key.js';
import { firstCodePoints, fold } from '../../fields/text.js';
import type { Query } from '../../http/query.js';
import { parseId } from '../../ids/type-id.js';
import {
  type Condition,
  constant,
  isSystemColumn,
  type SystemColumn,
  unknownFilterField,
  type ValueCondition,
} from './entry-conditions.js';

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

const NO_TEXT = '[object Object]';
const FILTER_NAME = /^filter\[([^[\]]*)\](?:\[([^[\]]*)\])?$/;
export const OPERATORS = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'starts_with', 'exists'] as const;
export type Operator = (typeof OPERATORS)[number];

const MAX_FILTERS = 20;
const MAX_LIST = 100;
/** More characters than an index key or a search by a person needs. */
const MAX_VALUE_LENGTH = 2048;

/** One condition of a request, before its name is looked up in the schema. */
export interface Filter {
  /** The name of the parameter, or the path in `where`, for messages. */
  parameter: string;
  /** The name of a field or a column. */
  name: string;
  operator: Operator;
  /** The values as text: several for `in`, otherwise one. */
  values: readonly string[];
}

/** Reads every `filter[…]` of the query string. Throws a 400 if one is malformed. */
export function readFilters(query: Query): Filter[] {
  const parameters = Object.keys(query).filter((name) => name.startsWith('filter['));
  if (parameters.length > MAX_FILTERS) throw Problem.parameter('filter', `At most ${MAX_FILTERS} filters are allowed.`);
  return parameters.map((parameter) => {
    const [, name, operator = 'eq'] = FILTER_NAME.exec(parameter) ?? [];
    if (name === undefined || !isOperator(operator)) {
      throw Problem.parameter(
        parameter,
        `A filter must be filter[field] or filter[field][operator]. The operator must be one of ${OPERATORS.join(', ')}.`,
      );
    }
    const value = query[parameter] as string;
    if (value.length > MAX_VALUE_LENGTH) throw Problem.parameter(parameter, `${parameter} is too long.`);
    return { parameter, name, operator, values: operator === 'in' ? value.split(',') : [value] };
  });
}

/** Looks up the name of the filter in the schema and reads its values. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveFilter(filter: Filter, schema: Schema): Condition {
  const { parameter, name, values } = filter;
  if (values.length > MAX_LIST) throw Problem.parameter(parameter, `At most ${MAX_LIST} values are allowed.`);
  if (values.some((value) => value.length > MAX_VALUE_LENGTH))
    throw Problem.parameter(parameter, `${parameter} is too long.`);
  const field = schema.field(name);
  if (field) return fieldCondition(field, filter);
  if (isSystemColumn(name)) return columnCondition(name, filter);
  throw unknownFilterField(parameter, name, schema);
}

/** Throws a 400 for a field whose values have no key. */
export function assertFilterable({ name, filterable, definition }: CompiledField, parameter: string): void {
  if (filterable) return;
  throw Problem.parameter(parameter, `Entries cannot be filtered by ${name} because its type is ${definition.type}.`);
}

function fieldCondition(field: CompiledField, filter: Filter): Condition {
  const { operator, values, parameter } = filter;
  assertFilterable(field, parameter);
  const [value = ''] = values;
  // What JavaScript makes of an object that a client could not send.
  if (values.includes(NO_TEXT) && field.readEqual(NO_TEXT) === undefined) unreadable(filter, expectedValue(field));
  const equal = (text: string) => field.readEqual(text) ?? unreadable(filter, expectedValue(field));
  const compared = (): FilterKey => field.readFilter(value) ?? unreadable(filter, expectedValue(field));
  const keys = (negated: boolean): ValueCondition => ({ kind: 'keys', field, keys: values.map(equal), negated });
  switch (operator) {
    case 'eq':
      return keys(false);
    case 'ne':
      return keys(true);
    case 'in':
      return values.length === 0 ? constant(false) : keys(false);
    case 'lt':
      return { kind: 'range', field, below: compared().lower, negated: false };
    case 'lte':
      return { kind: 'range', field, below: compared().upper, negated: false };
    case 'gt':
      return { kind: 'range', field, from: compared().upper, negated: false };
    case 'gte':
      return { kind: 'range', field, from: compared().lower, negated: false };
    case 'exists':
      return { kind: 'present', field, negated: !boolean(filter) };
    case 'contains':
    case 'starts_with':
      if (!field.textual) throw Problem.parameter(parameter, `${operator} applies only to text.`);
      if (value === '') return { kind: 'present', field, negated: false };
      return {
        kind: 'text',
        field,
        parts: [{ text: value, atStart: operator === 'starts_with', folded: foldOfPart(value) }],
        negated: false,
      };
  }
}

function columnCondition(column: SystemColumn, filter: Filter): Condition {
  const { operator, values, parameter } = filter;
  const [value = ''] = values;
  const read = (text: string) => COLUMN_READERS[column](text) ?? unreadable(filter, COLUMN_VALUES[column]);
  switch (operator) {
    case 'eq':
      return { kind: 'column', column, operator: '=', value: read(value) };
    case 'ne':
      return { kind: 'column', column, operator: '<>', value: read(value) };
    case 'in':
      return { kind: 'column-in', column, values: values.map(read), negated: false };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { kind: 'column', column, operator: COMPARISONS[operator], value: read(value) };
    case 'exists':
      return constant(boolean(filter));
    case 'contains':
    case 'starts_with':
      throw Problem.parameter(parameter, `${operator} does not apply to ${column}.`);
  }
}

const COLUMN_VALUES: Record<SystemColumn, string> = {
  id: 'an entry ID',
  status: 'draft or published',
  created_at: 'a date or a date and time',
  updated_at: 'a date or a date and time',
};

const COLUMN_READERS: Record<SystemColumn, (text: string) => string | undefined> = {
  id: (text) => parseId('ent', text),
  status: (text) => (text === 'draft' || text === 'published' ? text : undefined),
  created_at: readInstant,
  updated_at: readInstant,
};

/** Returns the instant in UTC, in a format that PostgreSQL reads. */
function readInstant(text: string): string | undefined {
  const instant = instantOf(offsetWithPlus(text));
  return instant && `${instant}Z`;
}

function boolean(filter: Filter): boolean {
  const [value] = filter.values;
  if (value !== 'true' && value !== 'false') unreadable(filter, 'true or false');
  return value === 'true';
}

function expectedValue({ definition }: CompiledField): string {
  return definition.type === 'select'
    ? `one of the options of ${definition.name}`
    : `a value of type ${definition.type}`;
}

function unreadable({ parameter }: Filter, expected: string): never {
  throw Problem.parameter(parameter, `${parameter} must be ${expected}.`);
}

export function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}

/** Scripts in which folding never combines a character with a following one. */
const STABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Common}]*$/u;

/** Number of code points of a text that are used to narrow down the index. */
const MAX_PART = 64;

/** Returns a text that is in the fold of every text that contains the part, ignoring case; empty if nothing is certain. */
function foldOfPart(part: string): string {
  const folded = fold(part);
  return STABLE.test(folded) ? firstCodePoints(folded, MAX_PART) : '';
}

import { Problem } from '../../errors/problem.js';
import { instantOf, isDate } from '../../fields/calendar.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { compareKeys, type ValueKey } from '../../fields/sort-key.js';
import type { Schema } from '../../fields/schema.js';
import { firstCodePoints, fold } from '../../fields/text.js';
import { unknownField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import { parseId } from '../../ids/type-id.js';

/** The columns of an entry that can be filtered and sorted by like fields. */
export const SYSTEM_COLUMNS = ['id', 'status', 'created_at', 'updated_at'] as const;
export type SystemColumn = (typeof SYSTEM_COLUMNS)[number];

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
type Comparison = keyof typeof COMPARISONS;

/** A filter, resolved against the schema. Only `field` and `column` contain names, and both are known names. */
export type Condition =
  | { kind: 'keys'; field: CompiledField; keys: ValueKey[]; negated: boolean }
  | { kind: 'range'; field: CompiledField; from?: string; below?: string }
  | { kind: 'present'; field: CompiledField; present: boolean }
  | { kind: 'text'; field: CompiledField; text: string; atStart: boolean; folded: string }
  | { kind: 'column'; column: SystemColumn; operator: '=' | '<>' | (typeof COMPARISONS)[Comparison]; value: string }
  | { kind: 'column-in'; column: SystemColumn; values: string[] }
  | { kind: 'constant'; holds: boolean };

const FILTER_NAME = /^filter\[([^[\]]*)\](?:\[([^[\]]*)\])?$/;
export const OPERATORS = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'starts_with', 'exists'] as const;
type Operator = (typeof OPERATORS)[number];

const MAX_FILTERS = 20;
const MAX_LIST = 100;
/** More characters than an index key or a search by a person needs. */
const MAX_VALUE_LENGTH = 2048;

/** A filter of the query string, before its name is looked up in the schema. */
export interface Filter {
  /** The name of the parameter, for messages. */
  parameter: string;
  /** The name of a field or a column. */
  name: string;
  operator: Operator;
  value: string;
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
    return { parameter, name, operator, value };
  });
}

/** Looks up the names of the filters in the schema and reads their values. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveFilters(filters: readonly Filter[], schema: Schema): Condition[] {
  const conditions = filters.map((filter) => {
    const { parameter, name } = filter;
    const field = schema.field(name);
    if (field) return fieldCondition(field, filter);
    if (isSystemColumn(name)) return columnCondition(name, filter);
    const filterable = schema.fields.filter((one) => one.filterable).map((one) => one.name);
    throw unknownField(parameter, name, [...filterable, ...SYSTEM_COLUMNS]);
  });
  return joinRanges(conditions);
}

/** Joins both bounds of a field into one range of its index. In a list, different values may meet the two bounds, so they stay separate. */
function joinRanges(conditions: readonly Condition[]): Condition[] {
  const joined = new Map<CompiledField, Extract<Condition, { kind: 'range' }>>();
  const others: Condition[] = [];
  for (const condition of conditions) {
    if (condition.kind !== 'range' || condition.field.multiple) {
      others.push(condition);
      continue;
    }
    const { field, from, below } = condition;
    const before = joined.get(field);
    joined.set(field, {
      kind: 'range',
      field,
      from: [from, before?.from]
        .filter((key) => key !== undefined)
        .sort(compareKeys)
        .at(-1),
      below: [below, before?.below].filter((key) => key !== undefined).sort(compareKeys)[0],
    });
  }
  return [...others, ...joined.values()];
}

function fieldCondition(field: CompiledField, filter: Filter): Condition {
  const { operator, value } = filter;
  if (!field.filterable)
    throw Problem.parameter(
      filter.parameter,
      `Entries cannot be filtered by ${field.name} because its type is ${field.definition.type}.`,
    );
  const key = (text: string) =>
    field.readFilter(text) ?? unreadable(filter, `a value of type ${field.definition.type}`);
  switch (operator) {
    case 'eq':
      return { kind: 'keys', field, keys: [key(value)], negated: false };
    case 'ne':
      return { kind: 'keys', field, keys: [key(value)], negated: true };
    case 'in':
      return { kind: 'keys', field, keys: list(filter).map(key), negated: false };
    case 'lt':
      return { kind: 'range', field, below: key(value).lower };
    case 'lte':
      return { kind: 'range', field, below: key(value).upper };
    case 'gt':
      return { kind: 'range', field, from: key(value).upper };
    case 'gte':
      return { kind: 'range', field, from: key(value).lower };
    case 'exists':
      return { kind: 'present', field, present: boolean(filter) };
    case 'contains':
    case 'starts_with':
      if (!field.textual) throw Problem.parameter(filter.parameter, `${operator} applies only to text.`);
      if (value === '') return { kind: 'present', field, present: true };
      return { kind: 'text', field, text: value, atStart: operator === 'starts_with', folded: foldOfPart(value) };
  }
}

function columnCondition(column: SystemColumn, filter: Filter): Condition {
  const { operator, value } = filter;
  const read = (text: string) => COLUMN_READERS[column](text) ?? unreadable(filter, COLUMN_VALUES[column]);
  switch (operator) {
    case 'eq':
      return { kind: 'column', column, operator: '=', value: read(value) };
    case 'ne':
      return { kind: 'column', column, operator: '<>', value: read(value) };
    case 'in':
      return { kind: 'column-in', column, values: list(filter).map(read) };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { kind: 'column', column, operator: COMPARISONS[operator], value: read(value) };
    case 'exists':
      return { kind: 'constant', holds: boolean(filter) };
    case 'contains':
    case 'starts_with':
      throw Problem.parameter(filter.parameter, `${operator} does not apply to ${column}.`);
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

/** Returns the instant in UTC, in a format that PostgreSQL reads. A date means its midnight in UTC. */
function readInstant(text: string): string | undefined {
  const instant = isDate(text) ? `${text}T00:00:00` : instantOf(text);
  return instant && `${instant}Z`;
}

function list(filter: Filter): string[] {
  const values = filter.value.split(',');
  if (values.length > MAX_LIST) throw Problem.parameter(filter.parameter, `At most ${MAX_LIST} values are allowed.`);
  return values;
}

function boolean(filter: Filter): boolean {
  if (filter.value !== 'true' && filter.value !== 'false') unreadable(filter, 'true or false');
  return filter.value === 'true';
}

function unreadable({ parameter }: Filter, expected: string): never {
  throw Problem.parameter(parameter, `${parameter} must be ${expected}.`);
}

function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}

export function isSystemColumn(name: string): name is SystemColumn {
  return (SYSTEM_COLUMNS as readonly string[]).includes(name);
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

import { Problem } from '../../errors/problem.js';
import { instantOf, offsetWithPlus } from '../../fields/formats/calendar.js';
import { unknownField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import { firstUuidOf, parseId } from '../../ids/type-id.js';
import {
  assertBoolean,
  assertSize,
  fieldCondition,
  type Filter,
  positiveOf,
  type PositiveFilter,
  unreadable,
} from '../../lists/filters/filters.js';
import { readBound } from '../../lists/periods.js';
import { joinRanges, type ValueCondition } from '../../lists/filters/value-conditions.js';
import type { CompiledForm } from '../form-schemas.js';

/** What can be filtered and sorted by besides the fields. Both are read from the ID, which contains the time. */
export const COLUMNS = ['id', 'created_at'] as const;
type Column = (typeof COLUMNS)[number];

/** IDs from `from` on, and below `below`. */
export interface IdRange {
  from?: string;
  below?: string;
}

/** Holds if the ID is in one of the ranges, or (`negated`) in none. */
export interface IdCondition {
  ranges: readonly IdRange[];
  negated: boolean;
}

/** What a submission must meet, apart from its verdict, its state and a search. */
export interface Conditions {
  values: readonly ValueCondition[];
  ids: readonly IdCondition[];
}

const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function isColumn(name: string): name is Column {
  return (COLUMNS as readonly string[]).includes(name);
}

/** Throws a 503 while the index of a field that was added or changed is being written. */
export function assertIndexed({ unindexed }: Pick<CompiledForm, 'unindexed'>, name: string): void {
  if (!unindexed.includes(name)) return;
  throw Problem.unavailable(`The submissions are being indexed by ${name}, because the field was added or changed.`);
}

/** Looks up the names of filters in the form. Throws a 400 (`unknown_field` or `invalid_parameter`), or a 503 (see `assertIndexed`). */
export function resolveFilters(filters: readonly Filter[], form: CompiledForm): Conditions {
  const values: ValueCondition[] = [];
  const ids: IdCondition[] = [];
  for (const filter of filters) {
    assertSize(filter);
    const { positive, negated } = positiveOf(filter);
    if (isColumn(filter.name)) ids.push({ ranges: rangesOf(filter.name, positive), negated });
    else values.push({ ...fieldConditionOf(form, positive), negated });
  }
  return { values: joined(values), ids };
}

function fieldConditionOf(form: CompiledForm, filter: PositiveFilter): ValueCondition {
  const { name, parameter } = filter;
  const field = form.schema.field(name);
  if (!field) {
    const filterable = form.schema.fields.filter((one) => one.filterable).map((one) => one.name);
    throw unknownField(parameter, name, [...filterable, ...COLUMNS]);
  }
  if (!field.filterable) {
    throw Problem.parameter(parameter, `Submissions cannot be filtered by ${name} because ${field.withoutKey}.`);
  }
  assertIndexed(form, name);
  return fieldCondition(field, filter);
}

/** Joins the bounds of a field. */
function joined(conditions: readonly ValueCondition[]): ValueCondition[] {
  const all: ValueCondition[] = [];
  for (const condition of conditions) {
    let whole = condition;
    for (const [index, earlier] of all.entries()) {
      const both = earlier.kind === 'range' && whole.kind === 'range' ? joinRanges(earlier, whole) : undefined;
      if (!both) continue;
      all.splice(index, 1);
      whole = both;
      break;
    }
    all.push(whole);
  }
  return all;
}

function rangesOf(column: Column, filter: PositiveFilter): IdRange[] {
  const { operator, values, parameter } = filter;
  const read = column === 'id' ? idRange : timeRange;
  const expected = column === 'id' ? 'a submission ID' : 'a date or a date and time';
  const ranges = () => values.map((value) => read(value) ?? unreadable(filter, expected));
  const [range] = operator === 'exists' ? [] : ranges();
  switch (operator) {
    case 'eq':
    case 'in':
      return ranges();
    case 'lt':
      return [{ below: range?.from }];
    case 'lte':
      return [{ below: range?.below }];
    case 'gt':
      return [{ from: range?.below }];
    case 'gte':
      return [{ from: range?.from }];
    case 'exists':
      assertBoolean(filter);
      return [{}];
    case 'contains':
    case 'starts_with':
      throw Problem.parameter(parameter, `${operator} does not apply to ${column}.`);
  }
}

/** Returns the range that has only this ID. */
function idRange(text: string): Required<IdRange> | undefined {
  const from = parseId('sub', text);
  if (from === undefined) return undefined;
  const digits = (BigInt(`0x${from.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  // No submission has the greatest of all UUIDs.
  if (digits.length > 32) return { from: MAX_UUID, below: MAX_UUID };
  return { from, below: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/** Returns the range of the IDs that were created at this instant. It is empty between two milliseconds. */
function timeRange(text: string): Required<IdRange> | undefined {
  const instant = instantOf(offsetWithPlus(text));
  return instant === undefined ? undefined : rangeOfInstant(instant);
}

function rangeOfInstant(instant: string): Required<IdRange> {
  const [, milliseconds = '', rest = ''] = /\.(\d{1,3})(\d*)$/.exec(instant) ?? [];
  const time = Date.parse(`${instant.slice(0, 19)}Z`) + Number(milliseconds.padEnd(3, '0'));
  const next = firstUuidOf(new Date(time + 1));
  return { from: rest === '' ? firstUuidOf(new Date(time)) : next, below: next };
}

/** Returns the IDs from the beginning to the end of a period, both included. Throws a 400 if a bound is no time. */
export function periodOf(query: Query): IdRange | undefined {
  const [from, to] = [readBound(query, 'from', 'start'), readBound(query, 'to', 'end')];
  if (from === undefined && to === undefined) return undefined;
  return { from: from && rangeOfInstant(from).from, below: to && rangeOfInstant(to).below };
}

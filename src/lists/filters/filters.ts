import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { FilterKey } from '../../fields/sort-key.js';
import { INTEGERS } from '../../fields/types/integer.js';
import { firstCodePoints, fold } from '../../fields/formats/text.js';
import type { Query } from '../../http/query.js';
import type { ValueCondition } from './value-conditions.js';

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
  /** The path of a field (`seo.title`), or the name of a column. */
  name: string;
  operator: Operator;
  /** The values as text: several for `in`, otherwise one. */
  values: readonly string[];
}

/** A filter that asks for a value that passes a test. `exists` has the value `true`. */
export interface PositiveFilter extends Filter {
  operator: Exclude<Operator, 'ne'>;
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
    const filter = { parameter, name, operator, values: operator === 'in' ? value.split(',') : [value] };
    assertSize(filter);
    return filter;
  });
}

/**
 * Returns what `resolve` makes of the positive form of a filter of the query string, and whether its opposite is meant: `ne` means "not equal",
 * and `exists` with false "not present".
 */
export function positiveOf(filter: Filter): { positive: PositiveFilter; negated: boolean } {
  const { operator, values } = filter;
  const isAbsence = operator === 'exists' && values[0] === 'false';
  const positive = { ...filter, operator: operator === 'ne' ? 'eq' : operator, values: isAbsence ? ['true'] : values };
  return { positive, negated: isAbsence || operator === 'ne' };
}

/** Throws a 400 if the filter has too many values, or a value that is too long. */
export function assertSize({ parameter, values }: Filter): void {
  if (values.length > MAX_LIST) throw Problem.parameter(parameter, `At most ${MAX_LIST} values are allowed.`);
  if (values.some((value) => value.length > MAX_VALUE_LENGTH))
    throw Problem.parameter(parameter, `${parameter} is too long.`);
}

/** Returns the condition on a filterable field. A list without values (`in`) fits nothing. Throws a 400 if the filter does not apply to it. */
export function fieldCondition(field: CompiledField, filter: PositiveFilter): ValueCondition {
  const { operator, values, parameter } = filter;
  const [value = ''] = values;
  // What JavaScript makes of an object that a client could not send.
  if (values.includes(NO_TEXT) && field.readEqual(NO_TEXT) === undefined) unreadable(filter, expectedValue(field));
  const equal = (text: string) =>
    field.readEqual(text) ??
    unreadable(
      filter,
      expectedValue(field),
      plusHint(text, (meant) => field.readEqual(meant)),
    );
  const compared = (): FilterKey =>
    field.readFilter(value) ??
    unreadable(
      filter,
      expectedValue(field),
      plusHint(value, (meant) => field.readFilter(meant)),
    );
  switch (operator) {
    case 'eq':
    case 'in':
      return { kind: 'keys', field, keys: values.map((text) => ({ ...equal(text), text })), negated: false };
    case 'lt':
      return { kind: 'range', field, below: compared().lower, negated: false };
    case 'lte':
      return { kind: 'range', field, below: compared().upper, negated: false };
    case 'gt':
      return { kind: 'range', field, from: compared().upper, negated: false };
    case 'gte':
      return { kind: 'range', field, from: compared().lower, negated: false };
    case 'exists':
      assertBoolean(filter);
      return { kind: 'present', field, negated: false };
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

export function assertBoolean(filter: PositiveFilter): void {
  if (filter.values[0] !== 'true') unreadable(filter, 'true or false');
}

export function unreadable({ parameter }: Filter, expected: string, hint = ''): never {
  throw Problem.parameter(parameter, `${parameter} must be ${expected}.${hint}`);
}

/** In a query string, a `+` stands for a space. Says how to send it, if the value can be read with it. */
function plusHint(text: string, read: (meant: string) => unknown): string {
  const meant = text.replaceAll(' ', '+');
  if (meant === text || read(meant) === undefined) return '';
  return ` A + must be encoded as %2B: ${encodeURIComponent(meant)}`;
}

export function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}

/** How values of types are written that have a format of their own. */
const FORMATS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  date: 'a calendar date in the format YYYY-MM-DD',
  datetime: 'a date and time such as 2026-01-31T09:30:00Z, or a date in the format YYYY-MM-DD',
  media: 'the URL of a file',
  integer: INTEGERS,
  number: 'a number within the range and with the digits that a double keeps',
  reference: 'the ID of an entry',
};

function expectedValue({ definition: { type }, path }: CompiledField): string {
  return type === 'select' ? `one of the options of ${path}` : (FORMATS[type] ?? `a value of type ${type}`);
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

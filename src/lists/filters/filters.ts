import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Query } from '../../http/query.js';
import type { ValueCondition } from '../conditions/value-condition.js';
import { expectedValue, unreadable } from './filter-values.js';
import { isOperator, meaningOf, type Operator, OPERATOR_NAMES } from './operators.js';

const NO_TEXT = '[object Object]';
const FILTER_NAME = /^filter\[([^[\]]*)\](?:\[([^[\]]*)\])?$/;

export const MAX_FILTERS = 20;
export const MAX_LIST = 100;
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

/** Reads every `filter[…]` of the query string. Throws a 400 if one is malformed. */
export function readFilters(query: Query): Filter[] {
  const parameters = Object.keys(query).filter((name) => name.startsWith('filter['));
  if (parameters.length > MAX_FILTERS) throw Problem.parameter('filter', `At most ${MAX_FILTERS} filters are allowed.`);
  return parameters.map((parameter) => {
    const [, name, operator = 'eq'] = FILTER_NAME.exec(parameter) ?? [];
    if (name === undefined || !isOperator(operator)) {
      throw Problem.parameter(
        parameter,
        `A filter must be filter[field] or filter[field][operator]. The operator must be one of ${OPERATOR_NAMES.join(', ')}.`,
      );
    }
    const value = query[parameter] as string;
    const isList = meaningOf(operator).operand === 'list';
    const filter = { parameter, name, operator, values: isList ? value.split(',') : [value] };
    assertFilterSize(filter);
    return filter;
  });
}

/**
 * Returns the filter that asks for a value that passes a test, and whether its opposite is meant: `ne` means "not equal", and `exists` with
 * false "not present".
 */
export function positiveOf(filter: Filter): { positive: Filter; negated: boolean } {
  const { operator, values } = filter;
  const { opposite, operand } = meaningOf(operator);
  if (opposite) return { positive: { ...filter, operator: opposite }, negated: true };
  const isAbsence = operand === 'boolean' && values[0] === 'false';
  return { positive: isAbsence ? { ...filter, values: ['true'] } : filter, negated: isAbsence };
}

/** Throws a 400 if the filter has too many values, or a value that is too long. */
export function assertFilterSize({ parameter, values }: Filter): void {
  if (values.length > MAX_LIST) throw Problem.parameter(parameter, `At most ${MAX_LIST} values are allowed.`);
  if (values.some((value) => value.length > MAX_VALUE_LENGTH))
    throw Problem.parameter(parameter, `${parameter} is too long.`);
}

/** Returns the condition on a filterable field. A list without values (`in`) fits nothing. Throws a 400 if the filter does not apply to it. */
export function fieldCondition(field: CompiledField, filter: Filter): ValueCondition {
  // What JavaScript makes of an object that a client could not send.
  if (filter.values.includes(NO_TEXT) && field.readEqual(NO_TEXT) === undefined) {
    unreadable(filter, expectedValue(field));
  }
  return meaningOf(filter.operator).onField(field, filter);
}

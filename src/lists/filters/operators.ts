import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { FilterKey } from '../../fields/sort-key.js';
import { firstCodePoints, fold } from '../../fields/formats/text.js';
import type { TextPosition, ValueCondition } from '../conditions/value-condition.js';
import type { Filter } from './filters.js';
import { readKey, unreadable } from './filter-values.js';

/** How a column is compared. `in` has a list of values. */
export type Comparison = '=' | 'in' | '<' | '<=' | '>' | '>=';

interface OperatorMeaning {
  /** What it matches, for clients: the value of a record … */
  matches: string;
  /** The operator of which this is the opposite. It has no other meaning then. */
  opposite?: 'eq';
  /** What `where` has beside the operator, if it is not a value of the field. */
  operand?: 'list' | 'boolean' | 'string';
  /** How it compares columns. Undefined if it does not apply to them. */
  comparison?: Comparison | 'exists';
  /** The condition on a field. Throws a 400 if a value cannot be read. */
  onField: (field: CompiledField, filter: Filter) => ValueCondition;
}

const ORDER = 'comes before or after; text is compared in the order in which it sorts';
const TEXT = 'contains this text or starts with it; case is ignored, and `%` and `_` are plain characters';

/** The operators of filters: all that one means is here. They are documented in this order; those with the same text together. */
export const OPERATORS = {
  eq: { matches: 'is exactly this value', comparison: '=', onField: isOneOf },
  ne: { matches: 'is different or missing', opposite: 'eq', onField: isOneOf },
  in: {
    matches: 'is one of the values in a comma-separated list',
    operand: 'list',
    comparison: 'in',
    onField: isOneOf,
  },
  lt: { matches: ORDER, comparison: '<', onField: inRange(({ lower }) => ({ below: lower })) },
  lte: { matches: ORDER, comparison: '<=', onField: inRange(({ upper }) => ({ below: upper })) },
  gt: { matches: ORDER, comparison: '>', onField: inRange(({ upper }) => ({ from: upper })) },
  gte: { matches: ORDER, comparison: '>=', onField: inRange(({ lower }) => ({ from: lower })) },
  contains: {
    matches: TEXT,
    operand: 'string',
    onField: hasText({ isPrefix: false, holds: (value, part) => `strpos(${value}, ${part}) > 0` }),
  },
  starts_with: {
    matches: TEXT,
    operand: 'string',
    onField: hasText({ isPrefix: true, holds: (value, part) => `starts_with(${value}, ${part})` }),
  },
  exists: {
    matches: 'exists (`true`) or is missing (`false`)',
    operand: 'boolean',
    comparison: 'exists',
    onField: (field, filter) => {
      assertBoolean(filter);
      return { kind: 'present', field, negated: false };
    },
  },
} as const satisfies Record<string, OperatorMeaning>;

export type Operator = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];

export function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text);
}

export function meaningOf(operator: Operator): OperatorMeaning {
  return OPERATORS[operator];
}

/** The operators as the rows of a table in Markdown. */
export function operatorRows(): string {
  const rows = new Map<string, string[]>();
  for (const operator of OPERATOR_NAMES) {
    const { matches } = OPERATORS[operator];
    rows.set(matches, [...(rows.get(matches) ?? []), nameInText(operator)]);
  }
  return [...rows].map(([matches, names]) => `| ${names.join(' ')} | ${matches} |`).join('\n');
}

/** The operators as they are listed in a sentence. */
export function operatorNames(): string {
  const names = OPERATOR_NAMES.map(nameInText);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function nameInText(operator: Operator): string {
  return `\`${operator}\`${operator === 'eq' ? ' (also without operator)' : ''}`;
}

export function assertBoolean(filter: Filter): void {
  if (filter.values[0] !== 'true') unreadable(filter, 'true or false');
}

function isOneOf(field: CompiledField, filter: Filter): ValueCondition {
  const keys = filter.values.map((text) => readKey(field, filter, text, (one) => field.readEqual(one)));
  return { kind: 'keys', field, keys, negated: false };
}

function inRange(bounds: (key: FilterKey) => { from?: string; below?: string }): OperatorMeaning['onField'] {
  return (field, filter) => {
    const key = readKey(field, filter, filter.values[0] ?? '', (one) => field.readFilter(one));
    return { kind: 'range', field, ...bounds(key), negated: false };
  };
}

function hasText(position: TextPosition): OperatorMeaning['onField'] {
  return (field, { operator, parameter, values: [text = ''] }) => {
    if (!field.textual) throw Problem.parameter(parameter, `${operator} applies only to text.`);
    if (text === '') return { kind: 'present', field, negated: false };
    return { kind: 'text', field, parts: [{ text, position, folded: foldOfPart(text) }], negated: false };
  };
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

import type { Comparison } from '../filters/operators.js';
import type { Combination, Condition, CustomCondition } from './condition.js';
import { ofParent, type Scope } from './scope.js';

/** A column of a table that conditions compare with values. */
export interface ComparedColumn {
  name: string;
  /** Its type in PostgreSQL. */
  type: string;
  isNullable?: boolean;
  /** Its possible values, if each has a partial index, which the planner uses only for a literal. */
  literals?: readonly string[];
  /** Whether an index of the table finds the rows with a value. */
  isFound?: boolean;
}

/** Each comparison with its opposite for a value that is not null. */
const OPPOSITES = { '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' } as const;

interface ColumnComparison {
  column: ComparedColumn;
  operator: Comparison | '<>';
  /** One value, but for `in`. */
  values: readonly string[];
  negated?: boolean;
}

/** Holds if the column compares to the values. */
interface ColumnCondition extends CustomCondition {
  readonly compared: ColumnComparison;
}

export function columnCondition(compared: ColumnComparison): ColumnCondition {
  const { column, operator, values, negated = false } = compared;
  const test = (_id: string, { bindings }: Scope) => {
    const name = `e.${column.name}`;
    if (operator === 'in') return `${name} = ANY (${bindings.add(values)}::${column.type}[])`;
    const [value = ''] = values;
    const literal = operator === '=' ? column.literals?.find((one) => one === value) : undefined;
    if (literal !== undefined) return `${name} = '${literal}'`;
    return `${name} ${operator} ${bindings.add(value)}::${column.type}`;
  };
  return {
    kind: 'custom',
    compared,
    negated,
    readsRow: true,
    test,
    ...(column.isFound &&
      (operator === '=' || (operator === 'in' && !column.literals)) && {
        isAlternative: true,
        find: (scope: Scope) =>
          `SELECT e.${scope.table.id} AS id FROM ${scope.table.name} e WHERE ${ofParent('e', scope)} AND ${test('', scope)}`,
      }),
    negate: () => columnCondition(oppositeOf(compared)),
    join: (_kind: Combination['kind'], other: CustomCondition) =>
      'compared' in other && isSame(compared, (other as ColumnCondition).compared) ? other : undefined,
  };
}

function oppositeOf(compared: ColumnComparison): ColumnComparison {
  const { column, operator, values, negated = false } = compared;
  const [one, other, ...more] = column.literals ?? [];
  // The index finds what is equal to the other literal.
  if (operator === '=' && one !== undefined && other !== undefined && more.length === 0 && !column.isNullable) {
    return { ...compared, values: [values[0] === one ? other : one] };
  }
  if (operator === 'in' || column.isNullable) return { ...compared, negated: !negated };
  return { ...compared, operator: OPPOSITES[operator] };
}

function isSame(one: ColumnComparison, other: ColumnComparison): boolean {
  return (
    one.column === other.column &&
    one.operator === other.operator &&
    JSON.stringify(one.values) === JSON.stringify(other.values) &&
    (one.negated ?? false) === (other.negated ?? false)
  );
}

/** Holds for the rows with one of these UUIDs as `id`, or (`negated`) for all others. */
export function hasId(ids: readonly string[], negated = false): CustomCondition {
  return columnCondition({ column: { name: 'id', type: 'uuid' }, operator: 'in', values: ids, negated });
}

/** Returns the value that the column must have by the condition; undefined if it is another condition. */
export function columnIs(condition: Condition, column: string): string | undefined {
  if (!('compared' in condition)) return undefined;
  const { compared, negated } = condition as ColumnCondition;
  const isEqual = compared.operator === '=' && !negated && compared.column.name === column;
  return isEqual ? compared.values[0] : undefined;
}

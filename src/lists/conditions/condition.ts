import type { Scope } from './scope.js';
import { joinValueConditions, type ValueCondition } from './value-condition.js';

/**
 * What a row of a list must meet, resolved against its schema: a tree whose leaves are conditions on the values of a field, and conditions
 * that a table defines itself.
 */
export type Condition =
  ValueCondition | CustomCondition | Combination | { readonly kind: 'constant'; readonly holds: boolean };

/** A combination of at least two conditions. */
export interface Combination {
  readonly kind: 'all' | 'any';
  readonly conditions: readonly Condition[];
}

/** A condition that a table defines, with the SQL that tests and finds its rows. `test`, `find` and `isBroad` are without the negation. */
export interface CustomCondition {
  readonly kind: 'custom';
  readonly negated: boolean;
  /** SQL that is true if the row with this ID meets the condition, and otherwise false or null. */
  readonly test: (id: string, scope: Scope) => string;
  /** Whether the test reads the row itself, whose alias is `e`. */
  readonly readsRow?: boolean;
  /**
   * SQL that selects the `id` of exactly the rows that meet the condition, from an index. Each occurs once, unless `mayRepeat`, which finds
   * the first ones without reading all. Undefined if rows can only be tested.
   */
  readonly find?: (scope: Scope, mayRepeat: boolean) => string;
  /** Whether `find` serves only as an alternative (`or`): alone, the condition is found as fast by a scan in the order of IDs. */
  readonly isAlternative?: boolean;
  /** Whether `find` has the IDs in their order. */
  readonly isInIdOrder?: boolean;
  /** Whether nearly all rows usually meet it, so that those that do not are counted. */
  readonly isCommon?: boolean;
  /** How expensive `find` is, compared to other conditions (see `COSTS`). */
  readonly cost?: number;
  /** Whether `find` reads a whole index although few rows may match. */
  readonly needsFullScan?: boolean;
  /** SQL that is true if testing all rows of the list costs less than `find`. */
  readonly isBroad?: (scope: Scope) => string;
  /** Whether what meets it can change without a change of the rows, so that totals are not kept. */
  readonly isVolatile?: boolean;
  /** The opposite. */
  readonly negate: () => Condition;
  /** One condition for this and the other, or undefined. `kind`: whether both must hold, or one. */
  readonly join?: (kind: Combination['kind'], other: CustomCondition) => CustomCondition | undefined;
}

/** Returns a condition that holds if all of the conditions hold, as simple as possible. */
export function allOf(conditions: readonly Condition[]): Condition {
  return combine('all', conditions);
}

/** Returns a condition that holds if one of the conditions holds, as simple as possible. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return combine('any', conditions);
}

export function constant(holds: boolean): Condition {
  return { kind: 'constant', holds };
}

/** Returns the opposite. Negations end at single conditions, because the statements can test only those. */
export function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case 'all':
      return anyOf(condition.conditions.map(negate));
    case 'any':
      return allOf(condition.conditions.map(negate));
    case 'constant':
      return constant(!condition.holds);
    case 'custom':
      return condition.negate();
    case 'keys':
    case 'range':
    case 'present':
    case 'absent':
    case 'text':
      return { ...condition, negated: !condition.negated };
  }
}

/** The conditions that must all hold, separately. */
export function conjuncts(condition: Condition): readonly Condition[] {
  if (condition.kind === 'all') return condition.conditions;
  return condition.kind === 'constant' && condition.holds ? [] : [condition];
}

/** The conditions of tables that the condition consists of, also those within combinations. */
export function customConditions(condition: Condition): readonly CustomCondition[] {
  if (isCombination(condition)) return condition.conditions.flatMap(customConditions);
  return condition.kind === 'custom' ? [condition] : [];
}

export function isCombination(condition: Condition): condition is Combination {
  return condition.kind === 'all' || condition.kind === 'any';
}

/** Whether the condition is on values of a field. */
export function isOnField(condition: Condition): condition is ValueCondition {
  return 'field' in condition;
}

/** Whether testing the condition reads the row itself. */
export function readsRow(condition: Condition): boolean {
  return customConditions(condition).some((one) => one.readsRow);
}

function combine(kind: Combination['kind'], conditions: readonly Condition[]): Condition {
  const isDecisive = (condition: Condition) => condition.kind === 'constant' && condition.holds === (kind === 'any');
  const flat = conditions.flatMap((one) => (one.kind === kind ? one.conditions : [one]));
  if (flat.some(isDecisive)) return constant(kind === 'any');
  const joined = joinConditions(
    kind,
    flat.filter((one) => one.kind !== 'constant'),
  );
  const [only, ...others] = joined;
  if (!only) return constant(kind === 'all');
  return others.length === 0 ? only : { kind, conditions: joined };
}

/** Joins conditions that one test can decide. */
function joinConditions(kind: Combination['kind'], conditions: readonly Condition[]): Condition[] {
  const joined: Condition[] = [];
  for (const condition of conditions) {
    let whole = condition;
    for (const [index, earlier] of joined.entries()) {
      const both = join(kind, earlier, condition);
      if (!both) continue;
      joined.splice(index, 1);
      whole = both;
      break;
    }
    joined.push(whole);
  }
  return joined;
}

function join(kind: Combination['kind'], one: Condition, other: Condition): Condition | undefined {
  if (one.kind === 'custom' && other.kind === 'custom') return one.join?.(kind, other);
  return isOnField(one) && isOnField(other) ? joinValueConditions(kind, one, other) : undefined;
}

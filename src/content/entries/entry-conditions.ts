import type { CompiledField } from '../../fields/compiled-field.js';
import { areAnywhere, joinRanges, type ValueCondition } from '../../lists/filters/value-conditions.js';
import type { SearchMatch } from '../../search/search-match.js';

/** The columns of an entry that can be filtered and sorted by like fields. */
export const SYSTEM_COLUMNS = ['id', 'status', 'created_at', 'updated_at', 'published_at'] as const;
export type SystemColumn = (typeof SYSTEM_COLUMNS)[number];

/** The columns that drafts have no value in. What is compared with a missing value is neither true nor false. */
export const NULLABLE: ReadonlySet<SystemColumn> = new Set(['published_at']);

/** Each operator that compares a column which is never null, with its negation. */
const OPPOSITES = { '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' } as const;
export type ColumnOperator = keyof typeof OPPOSITES;

export type ColumnCondition = { column: SystemColumn } & (
  | { kind: 'column'; operator: ColumnOperator; value: string; negated: boolean }
  | { kind: 'column-in'; values: string[]; negated: boolean }
);

/** Holds if the entry matches a search (`words`), or refers to one of some entries (`refers`), or (`negated`) if it does not. */
export type SearchCondition = { negated: boolean } & (
  { kind: 'words'; match: SearchMatch } | ({ kind: 'refers' } & Referred)
);

/** Entries, as a text array of their public IDs, and the `filterField` of the fields that may refer to them. */
export interface Referred {
  fields: readonly string[];
  entries: string;
}

/** A content type that a reference may lead to, in the version that the condition relies on, and what its entries must meet. */
export interface Target {
  typeId: string;
  version: number;
  condition: Condition;
}

/** Holds if the reference field leads to an entry that meets the condition of its type, or (`negated`) if it leads to none. */
export interface ThroughCondition {
  kind: 'through';
  negated: boolean;
  reference: CompiledField;
  targets: readonly Target[];
}

/** A combination of at least two conditions. */
export interface Combination {
  kind: 'all' | 'any';
  conditions: readonly Condition[];
}

/** Holds if the entry has a draft, or (`negated`) if it has none. */
export interface DraftCondition {
  kind: 'drafted';
  negated: boolean;
}

/** What an entry must meet, resolved against the schema. Only `field` and `column` contain names, and both are known names. */
export type Condition =
  | ValueCondition
  | ColumnCondition
  | SearchCondition
  | DraftCondition
  | ThroughCondition
  | Combination
  | { kind: 'constant'; holds: boolean };

export function isSystemColumn(name: string): name is SystemColumn {
  return (SYSTEM_COLUMNS as readonly string[]).includes(name);
}

/** Returns a condition that holds if all of the conditions hold, as simple as possible. */
export function allOf(conditions: readonly Condition[]): Condition {
  return combine('all', conditions);
}

/** Returns a condition that holds if one of the conditions holds, as simple as possible. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return combine('any', conditions);
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
    case 'column':
      // The index of a status finds what is equal.
      if (condition.column === 'status' && condition.operator === '=')
        return { ...condition, value: condition.value === 'draft' ? 'published' : 'draft' };
      if (NULLABLE.has(condition.column)) return { ...condition, negated: !condition.negated };
      return { ...condition, operator: OPPOSITES[condition.operator] };
    case 'column-in':
    case 'keys':
    case 'range':
    case 'present':
    case 'text':
    case 'words':
    case 'refers':
    case 'drafted':
    case 'through':
      return { ...condition, negated: !condition.negated };
  }
}

/** The conditions that must all hold, separately. */
export function conjuncts(condition: Condition): readonly Condition[] {
  if (condition.kind === 'all') return condition.conditions;
  return condition.kind === 'constant' && condition.holds ? [] : [condition];
}

/** The conditions on entries referred to that the condition consists of, also those within combinations. */
export function throughConditions(condition: Condition): readonly ThroughCondition[] {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.conditions.flatMap(throughConditions);
  return condition.kind === 'through' ? [condition] : [];
}

/** Whether the condition requires reading the whole index of a field, although few entries may match. */
export function needsFullScan(condition: Condition): boolean {
  return condition.kind === 'text' && areAnywhere(condition.parts);
}

/** Returns the condition that the reference leads to an entry that meets the condition of its type. */
export function through(reference: CompiledField, targets: readonly Target[]): Condition {
  const canHold = targets.some(({ condition }) => condition.kind !== 'constant' || condition.holds);
  return canHold ? { kind: 'through', negated: false, reference, targets } : constant(false);
}

export function constant(holds: boolean): Condition {
  return { kind: 'constant', holds };
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

/** Joins conditions on the same field that one look into its index can test. */
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

function isSame(one: ColumnCondition & { kind: 'column' }, other: ColumnCondition & { kind: 'column' }): boolean {
  return (
    one.column === other.column &&
    one.operator === other.operator &&
    one.value === other.value &&
    one.negated === other.negated
  );
}

/** Returns one condition for both, or undefined if one look into the index cannot test them. */
function join(kind: Combination['kind'], one: Condition, other: Condition): Condition | undefined {
  // The list for everybody has the condition on the status already.
  if (one.kind === 'column' && other.kind === 'column' && isSame(one, other)) return one;
  if (one.kind === 'through' && other.kind === 'through') return joinThrough(kind, one, other);
  if (one.kind === 'range' && other.kind === 'range') return kind === 'all' ? joinRanges(one, other) : undefined;
  if (!isOfSameField(one, other)) return undefined;
  // "One of these values" and "none of these values" are lists of values. "Both of these values" is not.
  if (one.negated !== (kind === 'all')) return undefined;
  if (one.kind === 'keys' && other.kind === 'keys') return { ...one, keys: [...one.keys, ...other.keys] };
  if (one.kind !== 'text' || other.kind !== 'text') return undefined;
  // A part of the index is read faster than the whole.
  if (!one.negated && !(needsFullScan(one) && needsFullScan(other))) return undefined;
  return { ...one, parts: [...one.parts, ...other.parts] };
}

/** Joins two conditions through the same reference. Different entries of a list may meet two conditions that must both hold. */
function joinThrough(
  kind: Combination['kind'],
  one: ThroughCondition,
  other: ThroughCondition,
): ThroughCondition | undefined {
  const { reference, targets, negated } = one;
  if (reference !== other.reference || negated !== other.negated) return undefined;
  const both = (kind === 'all') !== negated;
  if (both && reference.multiple) return undefined;
  const joined = both ? allOf : anyOf;
  return {
    ...one,
    targets: targets.map((target, index) => {
      const { condition } = other.targets[index] ?? { condition: constant(!both) };
      return { ...target, condition: joined([target.condition, condition]) };
    }),
  };
}

function isOfSameField(one: Condition, other: Condition): one is ValueCondition {
  return 'field' in one && 'field' in other && one.field === other.field && one.negated === other.negated;
}

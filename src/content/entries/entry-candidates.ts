import type { ValueCondition } from '../../lists/filters/value-conditions.js';
import {
  type ColumnCondition,
  type Combination,
  type Condition,
  type DraftCondition,
  needsFullScan,
  type SearchCondition,
  type SystemColumn,
  type Target,
  type ThroughCondition,
} from './entry-conditions.js';

/** A condition that the value index alone can evaluate: it has a row for each value that passes the test. */
export type IndexCondition = ValueCondition & { negated: false };

/** A condition whose matches can be collected: from an index, or as the union of what its alternatives leave. */
export type Collectable =
  | IndexCondition
  | ((SearchCondition | DraftCondition | ThroughCondition) & { negated: false })
  | (Combination & { kind: 'any' });

/** Whether the matching entries form a part of the value index, which can be read instead of testing each entry. */
export function isIndexed(condition: Condition): condition is IndexCondition {
  return 'field' in condition && !condition.negated;
}

/** Whether the entries that can match are found without testing each entry of the type. */
export function isCollectable(condition: Condition): condition is Collectable {
  if ('negated' in condition && !('field' in condition) && !isOfColumn(condition)) return !condition.negated;
  return isIndexed(condition) || (condition.kind === 'any' && condition.conditions.every(hasCandidates));
}

function isOfColumn({ kind }: Condition): boolean {
  return kind === 'column' || kind === 'column-in';
}

/** Whether an alternative finds the entries that can match it. */
export function hasCandidates(condition: Condition): boolean {
  if (condition.kind === 'all') return condition.conditions.some(hasCandidates);
  return isCollectable(condition) || isFoundByIndex(condition);
}

/** Whether an index on `entries` finds the matches: the primary key, or the partial index of a status. */
function isFoundByIndex(condition: Condition): condition is ColumnCondition {
  if (condition.kind === 'column') return condition.operator === '=' && isKey(condition.column);
  return condition.kind === 'column-in' && !condition.negated && condition.column === 'id';
}

function isKey(column: SystemColumn): boolean {
  return column === 'id' || column === 'status';
}

/** Whether `candidateIds` returns only entries that meet the condition, so that it need not be tested. */
export function isExact(condition: Condition): boolean {
  return condition.kind === 'any' ? condition.conditions.every(isExact) : condition.kind !== 'all';
}

/** Whether collecting requires reading the whole index of a field, although few entries may match. */
export function collectsByFullScan(condition: Condition): boolean {
  if (condition.kind === 'any') return condition.conditions.some(collectsByFullScan);
  if (condition.kind === 'through') return condition.targets.some(readsWholeIndex);
  return needsFullScan(condition.kind === 'all' ? leastOf(condition.conditions.filter(hasCandidates)) : condition);
}

function readsWholeIndex({ condition }: Target): boolean {
  return hasCandidates(condition) && collectsByFullScan(condition);
}

/** The condition whose candidates are probably the fastest to read. */
export function leastOf<One extends Condition>(conditions: readonly One[]): One {
  const least =
    conditions.find(isOneKey) ??
    conditions.find((one) => !collectsByFullScan(one) && one.kind !== 'any' && one.kind !== 'through') ??
    conditions.find((one) => !collectsByFullScan(one)) ??
    conditions[0];
  if (!least) throw new Error('There is no condition to collect by.');
  return least;
}

/** Whether the condition asks for exactly one key. The index rows of a key are ordered by entry ID, one for each entry. */
export function isOneKey(condition: Condition): condition is IndexCondition & { kind: 'keys' } {
  return condition.kind === 'keys' && !condition.negated && condition.keys.length === 1;
}

/** How many entries each condition leaves, counted up to a limit. */
type Counted = ReadonlyMap<Condition | 'search', number>;

/**
 * The conditions whose matches are counted to find how many candidates the condition has. Of conditions that must all hold, those that
 * read a whole index are counted only if there are no others.
 */
export function toCount(condition: Condition): readonly Condition[] {
  if (condition.kind === 'any') return condition.conditions.flatMap(toCount);
  if (condition.kind !== 'all') return [condition];
  const found = condition.conditions.filter(hasCandidates);
  const cheap = found.filter((one) => !collectsByFullScan(one));
  return (cheap.length > 0 ? cheap : found).flatMap(toCount);
}

/** The number of candidates, at most, by the numbers that were counted. */
export function sizeOf(condition: Condition, counted: Counted): number {
  const sizes = () => (condition as Combination).conditions.map((one) => sizeOf(one, counted));
  if (condition.kind === 'any') return sizes().reduce((sum, size) => sum + size, 0);
  if (condition.kind === 'all') return Math.min(...sizes());
  return counted.get(condition) ?? Infinity;
}

/**
 * Returns a condition whose candidates include those of the given one, and in which one condition with the fewest candidates replaces each
 * of those that must all hold. Returns the same condition if it has none of these.
 */
export function narrowed(condition: Collectable, counted: Counted): Collectable {
  if (condition.kind !== 'any' || isExact(condition)) return condition;
  return { ...condition, conditions: condition.conditions.map((one) => fewest(one, counted)) };
}

function fewest(condition: Condition, counted: Counted): Condition {
  if (condition.kind === 'any')
    return { ...condition, conditions: condition.conditions.map((one) => fewest(one, counted)) };
  if (condition.kind !== 'all') return condition;
  const [least = condition] = [...condition.conditions]
    .filter(hasCandidates)
    .sort((one, other) => sizeOf(one, counted) - sizeOf(other, counted));
  return least === condition ? condition : fewest(least, counted);
}

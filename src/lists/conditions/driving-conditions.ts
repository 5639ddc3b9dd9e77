import { type Combination, type Condition, type CustomCondition, isCombination, isOnField } from './condition.js';
import { needsFullScan, type ValueCondition } from './value-condition.js';

/*
 * A driving condition is the one whose rows are read first: the others are tested on them. An index finds its rows, or it is an alternative
 * (`or`) of conditions that indexes find.
 */

/** A condition whose rows the index of values has. */
type IndexedCondition = ValueCondition & { negated: false };

export type DrivingCondition =
  IndexedCondition | (CustomCondition & { negated: false }) | (Combination & { kind: 'any' });

/** What the rows of a list are found by: a condition, or its search. */
export type Driver = DrivingCondition | 'search';

/** How expensive it probably is to read the rows of a driver. `search` and `rows` leave few rows, but each costs more. */
export const COSTS = { key: 0, few: 1, alternatives: 2, search: 3, rows: 4, most: 5, fullScan: 6 } as const;

/** Whether the index of values has the matches, and can be read instead of testing each row. */
export function isIndexed(condition: Condition): condition is IndexedCondition {
  return isOnField(condition) && !condition.negated;
}

/** Whether the rows that can match are found without testing each row of the list. */
export function isDriving(condition: Condition): condition is DrivingCondition {
  if (condition.kind === 'custom') return isFound(condition) && !condition.isAlternative;
  return isIndexed(condition) || (condition.kind === 'any' && condition.conditions.every(hasCandidates));
}

/** Whether an alternative finds the rows that can match it. */
export function hasCandidates(condition: Condition): boolean {
  if (condition.kind === 'all') return condition.conditions.some(hasCandidates);
  return condition.kind === 'custom' ? isFound(condition) : isDriving(condition);
}

function isFound({ negated, find }: CustomCondition): boolean {
  return !negated && find !== undefined;
}

/** Whether `candidateIds` returns only rows that meet the condition, so that it need not be tested. */
export function isExactCondition(condition: Condition): boolean {
  return condition.kind === 'any' ? condition.conditions.every(isExactCondition) : condition.kind !== 'all';
}

/** Whether finding the rows requires reading the whole index of a field, although few may match. */
export function drivesByFullScan(condition: Condition): boolean {
  if (condition.kind === 'any') return condition.conditions.some(drivesByFullScan);
  if (condition.kind === 'all') return drivesByFullScan(cheapestOf(condition.conditions.filter(hasCandidates)));
  if (condition.kind === 'custom') return condition.needsFullScan ?? false;
  return isOnField(condition) && needsFullScan(condition);
}

function costOf(condition: Condition): number {
  if (drivesByFullScan(condition)) return COSTS.fullScan;
  if (condition.kind === 'custom') return condition.cost ?? COSTS.few;
  if (isCombination(condition)) return COSTS.alternatives;
  if (isOneKey(condition)) return COSTS.key;
  return condition.kind === 'present' ? COSTS.most : COSTS.few;
}

/** The driver whose rows are probably the fastest to read. */
export function cheapestOf<One extends Condition | 'search'>(drivers: readonly One[]): One {
  const costs = drivers.map((one) => (one === 'search' ? COSTS.search : costOf(one)));
  const cheapest = drivers[costs.indexOf(Math.min(...costs))];
  if (cheapest === undefined) throw new Error('No index finds the rows.');
  return cheapest;
}

/** Whether the condition asks for exactly one key. The index rows of a key are ordered by ID, one for each row of the list. */
export function isOneKey(condition: Condition): boolean {
  return condition.kind === 'keys' && !condition.negated && condition.keys.length === 1;
}

/** Whether the index has the matches of the driver in the order of their IDs. */
export function isInIdOrder(driver: Driver): boolean {
  if (driver === 'search') return false;
  if (driver.kind === 'custom') return driver.isInIdOrder ?? false;
  return driver.kind === 'absent' || isOneKey(driver);
}

/** How many rows each driver leaves, counted up to a limit. */
type Counted = ReadonlyMap<Condition | 'search', number>;

/**
 * The conditions whose matches are counted to find how many candidates a driver has. Of conditions that must all hold, those that read a
 * whole index are counted only if there are no others.
 */
export function toCount(driver: Condition | 'search'): readonly (Condition | 'search')[] {
  if (driver === 'search') return [driver];
  if (driver.kind === 'any') return driver.conditions.flatMap(toCount);
  if (driver.kind !== 'all') return [driver];
  const found = driver.conditions.filter(hasCandidates);
  const cheap = found.filter((one) => !drivesByFullScan(one));
  return (cheap.length > 0 ? cheap : found).flatMap(toCount);
}

/** The number of candidates, at most, by the numbers that were counted. */
export function sizeOf(driver: Condition | 'search', counted: Counted): number {
  if (driver !== 'search' && isCombination(driver)) {
    const sizes = driver.conditions.map((one) => sizeOf(one, counted));
    return driver.kind === 'any' ? sizes.reduce((sum, size) => sum + size, 0) : Math.min(...sizes);
  }
  return counted.get(driver) ?? Infinity;
}

/**
 * Returns a driver whose candidates include those of the given one, and in which one condition with the fewest candidates replaces each of
 * those that must all hold. Returns the same driver if it has none of these.
 */
export function narrowed(driver: Driver, counted: Counted): Driver {
  if (driver === 'search' || driver.kind !== 'any' || isExactCondition(driver)) return driver;
  return { ...driver, conditions: driver.conditions.map((one) => fewest(one, counted)) };
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

import { areAnywhere, type ValueCondition } from '../../lists/filters/value-conditions.js';
import type { ListQuery } from './submission-list.sql.js';

/** Collects at most this many submissions, and walks if there are more. */
export const MAX_COLLECTED = 5_000;

/** Where the IDs of a list come from: the matches of one condition, of the search, or the submissions with the state, verdict and IDs. */
export type Driver = { by: 'value'; condition: ValueCondition } | { by: 'search' } | { by: 'rows' };

/**
 * How a page is found. `walk` follows the index that has the order and tests the conditions until the page is full. `collect` gathers the few
 * submissions that one driver leaves, then tests and sorts them.
 */
export type Strategy = 'walk' | { collect: Driver };

/** A part of a walk by a field: the submissions with a value, or those without, which come last. Collected ones are sorted as one part. */
export type Part = 'valued' | 'valueless';

/** Whether an index has only the submissions that match. Absence has a section of its own. */
function isIndexed({ kind, negated }: ValueCondition): boolean {
  return !negated || kind === 'present';
}

/** Whether the index has the matches in the order of their IDs. */
export function isOneKey(condition: ValueCondition): boolean {
  if (condition.kind === 'keys') return !condition.negated && condition.keys.length === 1;
  return condition.kind === 'present' && condition.negated;
}

/** Whether the state, the IDs or the verdict leave less than most submissions. */
export function isNarrow({ state, ids }: Pick<ListQuery, 'state' | 'ids'>): boolean {
  return state !== undefined || ids.length > 0;
}

/** The drivers that may leave few submissions. */
export function driversOf(query: ListQuery): Driver[] {
  const { values, search, verdicts } = query;
  const isFew = isNarrow(query) || !verdicts.includes('ok');
  return [
    ...values.filter(isIndexed).map((condition): Driver => ({ by: 'value', condition })),
    ...(search === undefined ? [] : [{ by: 'search' } as const]),
    ...(isFew ? [{ by: 'rows' } as const] : []),
  ];
}

/** Whether a walk reads only what the driver leaves, because one index has both the order and the matches. */
export function isOrdered(driver: Driver, { sort }: Pick<ListQuery, 'sort'>): boolean {
  if (driver.by === 'search') return false;
  if (driver.by === 'rows') return !sort.field;
  const { condition } = driver;
  return sort.field
    ? condition.field === sort.field && !condition.field.multiple && !condition.negated
    : isOneKey(condition);
}

/**
 * If a condition requires reading a field's whole index, collects at once. One reading then serves the page and the total; counting first
 * would need another.
 */
export function collectedWithoutCount(query: ListQuery): Strategy | undefined {
  const [only, ...others] = driversOf(query);
  if (only?.by !== 'value' || others.length > 0 || query.sort.field) return undefined;
  const { condition } = only;
  return condition.kind === 'text' && areAnywhere(condition.parts) ? { collect: only } : undefined;
}

/** The driver that is counted by if many submissions match. */
export function leastOf(query: ListQuery): Driver {
  const drivers = driversOf(query);
  const rank = (driver: Driver): number => {
    if (driver.by === 'rows') return 3;
    if (driver.by === 'search') return 2;
    const { kind } = driver.condition;
    return kind === 'keys' ? 0 : kind === 'range' ? 1 : 4;
  };
  const [least = { by: 'rows' as const }] = drivers.sort((a, b) => rank(a) - rank(b));
  return least;
}

/** The parts of a walk. A condition on the sort field may leave only one. */
export function partsOf({ sort: { field }, values }: Pick<ListQuery, 'sort' | 'values'>, strategy: Strategy): Part[] {
  if (strategy !== 'walk' || !field) return ['valued'];
  const own = values.filter((one) => one.field === field);
  if (own.some(({ negated }) => !negated)) return ['valued'];
  return own.some(({ kind }) => kind === 'present') ? ['valueless'] : ['valued', 'valueless'];
}

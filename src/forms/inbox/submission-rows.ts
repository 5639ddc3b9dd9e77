import type { CustomCondition } from '../../lists/conditions/condition.js';
import { COSTS } from '../../lists/conditions/driving-conditions.js';
import { ofParent, type Scope } from '../../lists/conditions/scope.js';
import { type State, STATES } from './inbox.dto.js';

export type Verdict = 'ok' | 'spam';

/** IDs from `from` on, and below `below`. */
export interface IdRange {
  from?: string;
  below?: string;
}

/** Holds if the ID is in one of the ranges, or (`negated`) in none. */
interface IdRanges {
  ranges: readonly IdRange[];
  negated: boolean;
}

/** What the row of a submission must have. */
interface RowTests {
  /** One of these. */
  states?: readonly State[];
  /** All of them must hold. */
  ids: readonly IdRanges[];
}

/** A condition on the row of a submission, which an index has in the order of IDs. */
interface RowCondition extends CustomCondition {
  readonly rows: RowTests;
}

export const OF_VERDICT: Record<Verdict, string> = { ok: 'verdict IS NULL', spam: 'verdict IS NOT NULL' };

/** Literals, because each state has a part of an index. */
const OF_STATE: Record<State, string> = {
  new: 'e.state IS NULL',
  read: `e.state = 'read'`,
  done: `e.state = 'done'`,
};

/** Returns the condition on the rows of submissions that have these verdicts. */
export function hasRow(verdicts: readonly Verdict[], rows: RowTests, negated = false): RowCondition {
  const { states, ids } = rows;
  return {
    kind: 'custom',
    rows,
    negated,
    readsRow: states !== undefined,
    cost: COSTS.rows,
    isInIdOrder: true,
    isCommon: states?.includes('new') === true && ids.length === 0,
    test: (id, scope) => [...stateTests(states), ...idTests(ids, id, scope)].join(' AND ') || 'true',
    find: (scope) => rowSet(verdicts, rows, scope),
    negate: () =>
      states && ids.length === 0
        ? hasRow(verdicts, { states: STATES.filter((state) => !states.includes(state)), ids }, negated)
        : hasRow(verdicts, rows, !negated),
    join: (kind, other) => {
      if (kind === 'any' || negated || other.negated || !('rows' in other)) return undefined;
      const more = (other as RowCondition).rows;
      if (states && more.states) return undefined;
      return hasRow(verdicts, { states: states ?? more.states, ids: [...ids, ...more.ids] });
    },
  };
}

/** SQL that selects the IDs of the submissions with the verdicts, the states and the IDs. */
function rowSet(verdicts: readonly Verdict[], { states, ids }: RowTests, scope: Scope): string {
  const select = (tests: readonly string[]) =>
    `SELECT e.id FROM submissions e WHERE ${[ofParent('e', scope), ...tests, ...idTests(ids, 'e.id', scope)].join(' AND ')}`;
  // The primary key has both verdicts.
  if (verdicts.length > 1 && !states) return select([]);
  const ofStates = states?.map((state) => [OF_STATE[state]]) ?? [[]];
  const parts = verdicts.flatMap((verdict) => ofStates.map((test) => select([`e.${OF_VERDICT[verdict]}`, ...test])));
  return parts.join(' UNION ALL ');
}

function stateTests(states: RowTests['states']): string[] {
  return states ? [`(${states.map((state) => OF_STATE[state]).join(' OR ')})`] : [];
}

function idTests(ids: readonly IdRanges[], id: string, { bindings }: Scope): string[] {
  return ids.map(({ ranges, negated }) => {
    const tests = ranges.map(({ from, below }) => {
      const bounds = [
        ...(from === undefined ? [] : [`${id} >= ${bindings.add(from)}::uuid`]),
        ...(below === undefined ? [] : [`${id} < ${bindings.add(below)}::uuid`]),
      ];
      return bounds.length === 0 ? 'true' : bounds.join(' AND ');
    });
    return `${negated ? 'NOT ' : ''}(${tests.map((test) => (tests.length > 1 ? `(${test})` : test)).join(' OR ')})`;
  });
}

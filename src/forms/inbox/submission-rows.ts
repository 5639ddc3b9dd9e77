import type { CustomCondition } from '../../lists/conditions/condition.js';
import { COSTS } from '../../lists/conditions/driving-conditions.js';
import { ofParent, type Scope } from '../../lists/conditions/scope.js';
import type { State } from './inbox.dto.js';

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
  /** `handled` is every state but `new`. */
  state?: State | 'handled';
  /** All of them must hold. */
  ids: readonly IdRanges[];
}

/** A condition on the row of a submission, which an index has in the order of IDs. */
interface RowCondition extends CustomCondition {
  readonly rows: RowTests;
}

export const OF_VERDICT: Record<Verdict, string> = { ok: 'verdict IS NULL', spam: 'verdict IS NOT NULL' };

/** Literals, because each state has a part of an index. */
const OF_STATE: Record<State | 'handled', string> = {
  new: 'e.state IS NULL',
  read: `e.state = 'read'`,
  done: `e.state = 'done'`,
  handled: 'e.state IS NOT NULL',
};

/** Returns the condition on the rows of submissions that have these verdicts. */
export function hasRow(verdicts: readonly Verdict[], rows: RowTests, negated = false): RowCondition {
  const { state, ids } = rows;
  const opposite = state === 'new' ? 'handled' : state === 'handled' ? 'new' : undefined;
  return {
    kind: 'custom',
    rows,
    negated,
    readsRow: state !== undefined,
    cost: COSTS.rows,
    isInIdOrder: true,
    isCommon: state === 'new' && ids.length === 0,
    test: (id, scope) => [...stateTests(state), ...idTests(ids, id, scope)].join(' AND ') || 'true',
    find: (scope) => rowSet(verdicts, rows, scope),
    negate: () =>
      opposite && ids.length === 0
        ? hasRow(verdicts, { state: opposite, ids }, negated)
        : hasRow(verdicts, rows, !negated),
    join: (kind, other) => {
      if (kind === 'any' || negated || other.negated || !('rows' in other)) return undefined;
      const more = (other as RowCondition).rows;
      if (state !== undefined && more.state !== undefined) return undefined;
      return hasRow(verdicts, { state: state ?? more.state, ids: [...ids, ...more.ids] });
    },
  };
}

/** SQL that selects the IDs of the submissions with the verdicts, the state and the IDs. */
function rowSet(verdicts: readonly Verdict[], { state, ids }: RowTests, scope: Scope): string {
  const select = (tests: readonly string[]) =>
    `SELECT e.id FROM submissions e WHERE ${[ofParent('e', scope), ...tests, ...idTests(ids, 'e.id', scope)].join(' AND ')}`;
  // The primary key has both verdicts.
  if (verdicts.length > 1 && state === undefined) return select([]);
  return verdicts.map((verdict) => select([`e.${OF_VERDICT[verdict]}`, ...stateTests(state)])).join(' UNION ALL ');
}

function stateTests(state: RowTests['state']): string[] {
  return state === undefined ? [] : [OF_STATE[state]];
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

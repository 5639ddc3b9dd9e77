import { diffArrays } from 'diff';

/** What became of an item of a list. Places count from 0. */
export type Aligned =
  | { readonly is: 'same'; readonly count: number }
  | { readonly is: 'moved'; readonly from: number; readonly to: number }
  | { readonly is: 'changed'; readonly from: number; readonly to: number }
  | { readonly is: 'removed'; readonly from: number }
  | { readonly is: 'added'; readonly to: number };

interface Run {
  readonly is: 'same' | 'removed' | 'added';
  /** The place of its first item. */
  readonly at: number;
  readonly count: number;
}

/** Milliseconds for one list. A larger difference is shown item by item. */
const TIME = 100;

/**
 * Finds which items of a list stayed, moved, changed, went and came. `before` and `after` hold a text for each item, the same for the same value;
 * `isAlike` says whether an item may have become another one.
 */
export function align(
  before: readonly string[],
  after: readonly string[],
  isAlike: (from: number, to: number) => boolean,
): readonly Aligned[] {
  const runs = runsOf(before, after);
  const moved = movesIn(runs, before, after);
  const aligned: Aligned[] = [];
  let waiting: number[] = [];
  const giveUp = () => aligned.push(...waiting.splice(0).map((from) => ({ is: 'removed', from }) as const));
  for (const { is, at, count } of runs) {
    const places = Array.from({ length: count }, (_, index) => at + index);
    if (is === 'removed') waiting = places.filter((from) => !moved.sources.has(from));
    else if (is === 'same') {
      giveUp();
      aligned.push({ is, count });
    } else {
      for (const to of places) aligned.push(...cameAs(to, moved.targets.get(to), waiting, isAlike));
      giveUp();
    }
  }
  giveUp();
  return aligned;
}

/** An item that came: from elsewhere, from what stood there before it, or new. */
function cameAs(
  to: number,
  from: number | undefined,
  waiting: number[],
  isAlike: (from: number, to: number) => boolean,
): readonly Aligned[] {
  if (from !== undefined) return [{ is: 'moved', from, to }];
  const index = waiting.findIndex((each) => isAlike(each, to));
  if (index < 0) return [{ is: 'added', to }];
  const gone = waiting.splice(0, index).map((each) => ({ is: 'removed', from: each }) as const);
  const [changed = to] = waiting.splice(0, 1);
  return [...gone, { is: 'changed', from: changed, to }];
}

function runsOf(before: readonly string[], after: readonly string[]): readonly Run[] {
  const changes = diffArrays([...before], [...after], { timeout: TIME });
  if (!changes) {
    return [
      { is: 'removed', at: 0, count: before.length },
      { is: 'added', at: 0, count: after.length },
    ];
  }
  const at = { before: 0, after: 0 };
  return changes.map(({ count, added, removed }) => {
    const is = added ? 'added' : removed ? 'removed' : 'same';
    const run = { is, at: added ? at.after : at.before, count } as const;
    if (!added) at.before += count;
    if (!removed) at.after += count;
    return run;
  });
}

/** Items that are as before, at another place. */
function movesIn(runs: readonly Run[], before: readonly string[], after: readonly string[]) {
  const gone = new Map<string, number[]>();
  for (const from of placesIn(runs, 'removed'))
    gone.set(before[from] ?? '', [...(gone.get(before[from] ?? '') ?? []), from]);
  const targets = new Map<number, number>();
  for (const to of placesIn(runs, 'added')) {
    const from = gone.get(after[to] ?? '')?.shift();
    if (from !== undefined) targets.set(to, from);
  }
  return { targets, sources: new Set(targets.values()) };
}

function placesIn(runs: readonly Run[], kind: Run['is']): readonly number[] {
  return runs
    .filter(({ is }) => is === kind)
    .flatMap(({ at, count }) => Array.from({ length: count }, (_, i) => at + i));
}

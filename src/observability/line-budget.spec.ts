import { LineBudget } from './line-budget.js';

describe('a line budget', () => {
  let now = 0;
  const budget = () => new LineBudget({ burst: 3, perSecond: 2 }, () => now);
  const take = (lines: LineBudget, key: string, count: number) => Array.from({ length: count }, () => lines.take(key));

  it('allows a burst, and reports with the next line how many lines were omitted', () => {
    const lines = budget();
    expect(take(lines, 'a', 5)).toEqual([0, 0, 0, undefined, undefined]);
    now += 500;
    expect(take(lines, 'a', 2)).toEqual([2, undefined]);
    now += 60_000;
    expect(take(lines, 'a', 4)).toEqual([1, 0, 0, undefined]);
  });

  it('is separate for each key', () => {
    const lines = budget();
    take(lines, 'a', 9);
    expect(take(lines, 'b', 4)).toEqual([0, 0, 0, undefined]);
  });
});

import { isDeepStrictEqual } from 'node:util';
import { runAtOnce } from '../admission/sliced-work.js';
import { isSameSliced } from './is-same-sliced.js';

const isSame = (one: unknown, other: unknown) => runAtOnce(isSameSliced(one, other));

describe('isSameSteps', () => {
  const values = [
    '1',
    '"1"',
    'null',
    'true',
    '[]',
    '{}',
    '[1]',
    '{"0":1}',
    '{"a":[{"b":null}]}',
    '{"a":[{"b":1}]}',
    '[[],{}]',
  ];

  it('compares like a deep comparison', () => {
    for (const one of values) {
      for (const other of values) {
        const [left, right] = [JSON.parse(one) as unknown, JSON.parse(other) as unknown];
        expect([one, other, isSame(left, right)]).toEqual([one, other, isDeepStrictEqual(left, right)]);
      }
    }
  });

  it('ignores the order of names', () => {
    expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  });

  it('tells a missing value from null and from one of the prototype', () => {
    expect(isSame(undefined, null)).toBe(false);
    expect(isSame({ a: 1 }, { b: 1 })).toBe(false);
    expect(isSame(JSON.parse('{"toString":1}'), { b: 1 })).toBe(false);
  });

  it('takes large values in steps', () => {
    const large = () => Array.from({ length: 10_000 }, (_, index) => ({ index }));
    const steps = isSameSliced(large(), large());
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(step.value).toBe(true);
    expect(count).toBeGreaterThan(5);
  });
});

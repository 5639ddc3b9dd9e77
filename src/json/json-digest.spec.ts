import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { digestSliced } from './json-digest.js';

const digest = (value: unknown) => runAtOnce(digestSliced(value));

/** The same value with the names of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('the digest of a JSON value', () => {
  it('does not depend on the order of names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(JSON.stringify(value)) as unknown;
        expect(digest(reversed(parsed))).toBe(digest(parsed));
      }),
    );
  });

  it('differs for different values', () => {
    const values = [null, 0, '', '0', false, [], {}, [[]], [null], [0, 1], [1, 0], ['0,1'], { a: 1 }, { a: '1' }, [{}]];
    const nested = [{ a: { b: 1 } }, { a: {}, b: 1 }, ['a', ['b']], [['a'], 'b'], { '{': 1 }];
    const digests = [...values, ...nested].map(digest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digests.every((one) => /^[\w-]{22}$/.test(one))).toBe(true);
  });

  it('of a large value takes many steps', () => {
    let steps = 0;
    for (const values = digestSliced(Array.from({ length: 100_000 }, (_, n) => ({ n }))); !values.next().done;) steps++;
    expect(steps).toBeGreaterThan(10);
  });
});

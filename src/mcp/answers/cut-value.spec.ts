import fc from 'fast-check';
import { runAtOnce } from '../../admission/sliced-work.js';
import { cutValue, valueAt } from './cut-value.js';
import { weightOf } from './weight.js';

const cut = (value: unknown, maximum: number) => runAtOnce(cutValue(value, maximum, JSON.stringify(value).length));

describe('values that are too large for an answer', () => {
  it('keep everything but the ends of their longest texts', () => {
    const value = { a: 'x'.repeat(5_000), list: [1, 'short', { b: 'y'.repeat(4_000), c: null }], z: true };
    const { shown, parts } = cut(value, 2_000);
    expect(Object.keys(shown as object)).toEqual(['a', 'list', 'z']);
    expect(shown).toMatchObject({ list: [1, 'short', { c: null }], z: true });
    expect(weightOf(shown)).toBeLessThanOrEqual(2_000);
    expect(parts.map(({ path }) => path).sort()).toEqual(['a', 'list.2.b']);
    for (const { path, offset, length } of parts) {
      const [whole, kept] = [valueAt(value, path) as string, valueAt(shown, path)];
      expect([kept, length]).toEqual([whole.slice(0, offset), whole.length]);
    }
    expect(value.a).toHaveLength(5_000);
  });

  it.each([
    ['a list of very many numbers', Array.from({ length: 1_000_000 }, (_, index) => index)],
    ['lists of very many numbers together', Array.from({ length: 1_500 }, () => [1, 2, 3])],
    ['very many texts', Array.from({ length: 1_000 }, () => 'x'.repeat(2_000))],
    ['an object whose names no path can have', { 'a.b': 'x'.repeat(100_000) }],
  ])('are left out as a whole: %s', (_name, value) => {
    const { length } = JSON.stringify(value);
    expect(cut(value, 60_000)).toEqual({ shown: undefined, parts: [{ path: '', offset: 0, length }] });
  });

  it('are whole if they are small enough', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const isNamed = !JSON.stringify(value).includes('.');
        if (isNamed) expect(cut(value, 1_000_000)).toEqual({ shown: value, parts: expect.any(Array) });
      }),
    );
    const odd: unknown = JSON.parse('{"__proto__": {"a": "x"}, "b": ["y", {}], "a": []}');
    expect(JSON.stringify(cut(odd, 1_000).shown)).toBe(JSON.stringify(odd));
  });
});

import fc from 'fast-check';
import { beginningOf, levelOf, weightOf } from './weight.js';

describe('the weight of values in an answer', () => {
  it('counts a value as structured content and as escaped text', () => {
    expect(weightOf('a')).toBe(3 + 5);
    expect(weightOf('"')).toBe(4 + 8);
    expect(weightOf('ü')).toBe(4 + 6);
  });

  it('finds the longest beginning of a text that is not too heavy', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 8, max: 200 }), (text, maximum) => {
        const beginning = beginningOf(text, maximum);
        expect(text.startsWith(beginning)).toBe(true);
        expect(beginning.isWellFormed()).toBe(text.isWellFormed());
        expect(weightOf(beginning)).toBeLessThanOrEqual(maximum);
        if (beginning.length < text.length - 1) {
          expect(weightOf(text.slice(0, beginning.length + 2))).toBeGreaterThan(maximum);
        }
      }),
    );
  });

  it('keeps a text that weighs just as much whole, also with halves of surrogate pairs', () => {
    const anything = fc.array(fc.integer({ min: 0, max: 0xff_ff })).map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(anything, (text) => {
        expect(beginningOf(text, weightOf(text))).toBe(text);
        if (text !== '') expect(beginningOf(text, weightOf(text) - 1)).not.toBe(text);
      }),
    );
  });

  it('cuts the heaviest values to one level, so that all fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000 })),
        fc.integer({ min: 0, max: 20_000 }),
        (weights, maximum) => {
          const level = levelOf(weights, maximum);
          const cut = weights.map((weight) => Math.min(weight, level));
          const sum = cut.reduce((total, weight) => total + weight, 0);
          expect(sum).toBeLessThanOrEqual(Math.max(maximum, 0));
          if (level < Infinity) expect(sum).toBeGreaterThan(maximum - weights.length);
        },
      ),
    );
  });
});

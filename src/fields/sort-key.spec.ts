import fc from 'fast-check';
import { propertyRuns } from '../../test/support/property-runs.js';
import { booleanKey, compareKeys, exactKey, FilterKey, identity, numberKey, textKey, ValueKey } from './sort-key.js';
import { fold } from './formats/text.js';

const any = fc.string({ unit: 'binary', maxLength: 300 });
const words = fc.string({
  unit: fc.constantFrom('a', 'A', 'á', 'b', 'ß', 'Z', ' ', '-', '\u0001', '字', '😀'),
  maxLength: 6,
});
const texts = fc.oneof(any, words);
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });

/** The comparisons that SQL makes between a key and a filter. */
const matches = ({ key, discriminator }: ValueKey, op: string, filter: FilterKey): boolean =>
  ({
    eq: key === filter.key && discriminator === filter.discriminator,
    lt: compareKeys(key, filter.lower) < 0,
    gte: compareKeys(key, filter.lower) >= 0,
    lte: compareKeys(key, filter.upper) < 0,
    gt: compareKeys(key, filter.upper) >= 0,
  })[op] ?? false;

const expectOrder = (key: ValueKey, filter: FilterKey, order: number): void => {
  expect(matches(key, 'lt', filter)).toBe(order < 0);
  expect(matches(key, 'lte', filter)).toBe(order <= 0);
  expect(matches(key, 'gt', filter)).toBe(order > 0);
  expect(matches(key, 'gte', filter)).toBe(order >= 0);
};

describe('the key of a number', () => {
  it('sorts and compares like the number', () => {
    const edges = fc.constantFrom(0, -0, 1, -1, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53 - 1);
    fc.assert(
      fc.property(fc.oneof(numbers, edges), fc.oneof(numbers, edges), (a, b) => {
        const order = a < b ? -1 : a > b ? 1 : 0;
        expect(Math.sign(compareKeys(numberKey(a).key, numberKey(b).key))).toBe(order);
        expect(matches(numberKey(a), 'eq', numberKey(b))).toBe(order === 0);
        expectOrder(numberKey(a), numberKey(b), order);
      }),
    );
  });

  it('has 16 hexadecimal digits', () => {
    fc.assert(fc.property(numbers, (value) => expect(numberKey(value).key).toMatch(/^[0-9a-f]{16}$/)));
  });

  it('is the same for -0 and 0', () => expect(numberKey(-0)).toEqual(numberKey(0)));
});

describe('the key of a text', () => {
  const sortedBy = (text: string): string => [...fold(text)].slice(0, 256).join('');

  it('is equal for equal texts only', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => expect(matches(textKey(a), 'eq', textKey(b))).toBe(a === b)),
      { numRuns: propertyRuns(200) },
    );
  });

  it('compares by the fold', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expectOrder(textKey(a), textKey(b), compareKeys(sortedBy(a), sortedBy(b)));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('sorts as people expect', () => {
    const sorted = ['', 'a', 'A b', 'Äb', 'ab c', 'Öl', 'straße', 'Strassen', 'Zebra', 'ζ', '字'];
    const shuffled = [...sorted].reverse();
    expect(shuffled.sort((a, b) => compareKeys(textKey(a).key, textKey(b).key))).toEqual(sorted);
  });

  it('differs for long texts with the same beginning', () => {
    const begin = 'a'.repeat(5_000);
    expect(textKey(`${begin}b`).discriminator).not.toBe(textKey(`${begin}c`).discriminator);
  });

  it('is short enough for an index for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 200, maxLength: 2_000 }), (text) => {
        expect(Buffer.byteLength(textKey(text).key)).toBeLessThanOrEqual(256 * 4);
        expect(textKey(text).discriminator.length).toBeLessThanOrEqual(16);
      }),
    );
  });

  it('supports NUL and lone surrogates', () => {
    expect(textKey('a\u0000\ud800').key.startsWith('a ')).toBe(true);
  });
});

describe('the key of another value', () => {
  it('sorts false before true', () => expect(booleanKey(false).key < booleanKey(true).key).toBe(true));

  it('compares like its text', () => {
    const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, days, (a, b) => {
        const [first, second] = [a, b].map((day) => day.toISOString().slice(0, 10)) as [string, string];
        expectOrder(exactKey(first), exactKey(second), compareKeys(first, second));
      }),
    );
  });
});

describe('identity', () => {
  it('is short and the same for equal texts only', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(identity(a) === identity(b)).toBe(a === b);
        expect(identity(a).length).toBeLessThanOrEqual(65);
      }),
    );
  });
});

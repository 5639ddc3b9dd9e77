import fc from 'fast-check';
import { isExactNumber } from './exact-number.js';

describe('a decimal number', () => {
  it('is kept if the double that it becomes denotes the same number', () => {
    for (const kept of [
      '0',
      '-0',
      '0.1',
      '1.0',
      '1e2',
      '100',
      '1E+2',
      '9007199254740992',
      '0.30000000000000004',
      '1e308',
      '5e-324',
      '+1.50',
      '.5',
      '5.',
      '0e999',
      '100000000000000000000000',
      '0.000',
    ]) {
      expect([kept, isExactNumber(kept)]).toEqual([kept, true]);
    }
    for (const changed of [
      '9007199254740993',
      '123456789123456.12345',
      '1e-400',
      '1e309',
      '-1e999',
      '0.10000000000000000555',
      '1e99999999999999999999',
    ]) {
      expect([changed, isExactNumber(changed)]).toEqual([changed, false]);
    }
  });

  it('is kept if it is what a double is written as', () => {
    const double = fc.double({ noDefaultInfinity: true, noNaN: true });
    fc.assert(fc.property(double, (value) => isExactNumber(String(value)) && isExactNumber(value.toExponential())));
  });

  it('is kept if it has 15 digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 - 1 }), fc.integer({ min: -290, max: 290 }), (digits, exponent) =>
        isExactNumber(`${digits}e${exponent}`),
      ),
    );
  });

  it('takes a time that grows with its length', () => {
    expect(isExactNumber(`0.${'0'.repeat(1_000_000)}1`)).toBe(false);
    expect(isExactNumber(`1${'0'.repeat(300)}.${'0'.repeat(1_000_000)}`)).toBe(true);
  });
});

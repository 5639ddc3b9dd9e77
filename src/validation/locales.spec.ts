import { canonicalLocale } from './locales.js';

describe('a locale', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-ch', 'de-CH'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
  ])('%s is %s in its canonical form', (sent, canonical) => {
    expect(canonicalLocale(sent)).toBe(canonical);
  });

  it.each([
    '',
    'd',
    'de_CH',
    'de-',
    'i-klingon',
    'not a locale',
    `de-${'x'.repeat(9)}`,
    `de-x${'-a1'.repeat(12)}`,
    5,
    null,
  ])('is not %j', (sent) => {
    expect(canonicalLocale(sent)).toBeUndefined();
  });
});

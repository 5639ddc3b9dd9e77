import fc from 'fast-check';
import { countCodePoints, firstCodePoints, fold, shorten } from './text.js';

const any = fc.string({ unit: 'binary' });

describe('fold', () => {
  it.each([
    ['Über Ångström', 'uber angstrom'],
    ['Straße ẞ', 'strasse ss'],
    ['Æsir Œuvre', 'aesir oeuvre'],
    ['Łódź Đorđe Þór Ísland søster', 'lodz dorde thor island soster'],
    ['İstanbul ısı', 'istanbul isi'],
    ['ΟΔΟΣ Όμηρος', 'οδοσ ομηροσ'],
    ['Ёлка', 'елка'],
    ['ﬁne ① ½', 'fine 1 1⁄2'],
    ['がカ', 'がカ'],
    ['한국어', '한국어'],
    ['a\tb\nc\u0000d', 'a b c d'],
    ['Plain ASCII', 'plain ascii'],
  ])('folds %j to %j', (text, folded) => expect(fold(text)).toBe(folded));

  it('does nothing a second time', () => {
    for (let code = 0; code < 0x30000; code++) {
      const once = fold(String.fromCodePoint(code));
      if (fold(once) !== once) throw new Error(`U+${code.toString(16)} folds twice`);
    }
    fc.assert(fc.property(any, (text) => expect(fold(fold(text))).toBe(fold(text))));
  });

  it('leaves no control character', () => {
    fc.assert(fc.property(any, (text) => expect(fold(text)).not.toMatch(/\p{Cc}/u)));
  });

  it('is quick with endless accents in an order that normalizing would have to sort', () => {
    const start = performance.now();
    fold('\u0316\u0301\u05b0\uff9e'.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('code points', () => {
  it('are counted as iteration counts them', () => {
    fc.assert(fc.property(any, (text) => expect(countCodePoints(text)).toBe([...text].length)));
    expect(countCodePoints('\ud83d\ude00\ud83d')).toBe(2);
  });

  it('are never cut in two', () => {
    fc.assert(
      fc.property(any, fc.nat(20), (text, count) => {
        expect(firstCodePoints(text, count)).toBe([...text].slice(0, count).join(''));
      }),
    );
  });
});

it('shortens what goes into a message', () => expect(shorten('a'.repeat(1_000))).toBe(`${'a'.repeat(64)}…`));

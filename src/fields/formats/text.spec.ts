import fc from 'fast-check';
import { runAtOnce } from '../../admission/sliced-work.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { countCodePoints, firstCodePoints, fold, foldWithoutSliced, shorten } from './text.js';

const ACCENTS = /[\u0300-\u036f]+/g;

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

  it('does not change a folded text', () => {
    for (let code = 0; code < 0x30000; code++) {
      const once = fold(String.fromCodePoint(code));
      if (fold(once) !== once) throw new Error(`U+${code.toString(16)} folds twice`);
    }
    fc.assert(fc.property(any, (text) => expect(fold(fold(text))).toBe(fold(text))));
  });

  it('folds a text in pieces with the same result as in one piece', () => {
    const letter = fc.constantFrom(...'aΣς İ\n가각ᄀ각ㅏﾊﾞｱ\u0301\u0323\u0344กำຳ日😀𝐀ﷺ\u{1d15e}');
    fc.assert(
      fc.property(fc.oneof(any, fc.string({ unit: letter })), fc.integer({ min: 1, max: 4 }), (text, piece) => {
        expect(runAtOnce(foldWithoutSliced(text, ACCENTS, piece))).toBe(fold(text));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('folds every character after a cut as it does without a cut', () => {
    for (let code = 0; code < 0x11_0000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      // A consonant that vowels can join, and a letter that accents can join.
      const text = `ᄀe${String.fromCodePoint(code)}x`;
      if (runAtOnce(foldWithoutSliced(text, ACCENTS, 2)) !== fold(text))
        throw new Error(`U+${code.toString(16)} is cut off`);
    }
  });

  it('leaves no control character', () => {
    fc.assert(fc.property(any, (text) => expect(fold(text)).not.toMatch(/\p{Cc}/u)));
  });

  it('is fast with very many accents in an order that normalizing has to sort', () => {
    const start = performance.now();
    fold('\u0316\u0301\u05b0\uff9e'.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('code points', () => {
  it('are counted as string iteration counts them', () => {
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

it('shorten cuts a long text and appends an ellipsis', () =>
  expect(shorten('a'.repeat(1_000))).toBe(`${'a'.repeat(64)}…`));

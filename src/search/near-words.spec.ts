import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { editDistance } from './edit-distance.js';
import { isDictionaryWord, maxDistance, nearestSliced, sharedParts } from './near-words.js';

const nearest = (word: string, found: readonly string[]) => runAtOnce(nearestSliced(word, found));

/** Finds words by the parts, as the indexes of the dictionary do. */
function lookUp(word: string, dictionary: readonly string[]): string[] {
  const { starts, ends, middles } = sharedParts(word);
  return dictionary.filter((one) => {
    const characters = [...one];
    const { length } = characters;
    const third = Math.floor((length - 2) / 3);
    const [backwards, middle] = [[...characters].reverse().join(''), characters.slice(third + 1, length - third - 1)];
    return (
      starts.some((part) => part.length === length && one.startsWith(part.text)) ||
      ends.some((part) => part.length === length && backwards.startsWith(part.text)) ||
      middles.some((part) => part.length === length && middle.join('') === part.text)
    );
  });
}

describe('the edit distance', () => {
  it.each([
    ['water', 'water', 0],
    ['water', 'wate', 1],
    ['wate', 'water', 1],
    ['water', 'wader', 1],
    ['water', 'watre', 1],
    ['water', 'awter', 1],
    ['water', 'waer', 1],
    ['recieve', 'receive', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['', 'ab', 2],
    ['𝔘𝔫', '𝔫𝔘', 1],
    ['über', 'uber', 1],
  ])('of %s and %s is %s', (one, other, distance) => {
    expect(editDistance(one, other, 5)).toBe(distance);
    expect(editDistance(other, one, 5)).toBe(distance);
    for (let limit = 0; limit < distance; limit++) expect(editDistance(one, other, limit)).toBe(limit + 1);
  });
});

describe('near words', () => {
  it('differ by one edit, from eight characters on by two', () => {
    expect(maxDistance('seventh')).toBe(1);
    expect(maxDistance('eighth__')).toBe(2);
    expect(nearest('watre', ['water', 'wate', 'watre', 'waters', 'wader', 'water'])).toEqual([
      { word: 'wate', distance: 1 },
      { word: 'water', distance: 1 },
    ]);
    expect(nearest('strawbery', ['strawberry', 'strawberries', 'strawbr', 'strawberrys'])).toEqual([
      { word: 'strawberry', distance: 1 },
      { word: 'strawberrys', distance: 2 },
      { word: 'strawbr', distance: 2 },
    ]);
  });

  it('are words of letters and digits', () => {
    for (const word of ['ab', 'über', 'pep8', 'ひら', 'x'.repeat(40)]) expect(isDictionaryWord(word)).toBe(true);
    for (const word of ['a', '42', '😀', '🇩🇪', 'c++', 'r&d', '.net', 'x'.repeat(41), ''])
      expect(isDictionaryWord(word)).toBe(false);
  });

  it('all share a part with the word: those that are found are those of brute force', () => {
    const letter = fc.constantFrom('a', 'b', 'c', '𝔘');
    const base = fc.array(letter, { minLength: 2, maxLength: 16 });
    const edits = fc.array(fc.tuple(fc.nat(20), fc.constantFrom('insert', 'remove', 'replace', 'swap'), letter), {
      minLength: 1,
      maxLength: 3,
    });
    const edited = (word: readonly string[], changes: readonly (readonly [number, string, string])[]) => {
      const result = [...word];
      for (const [place, kind, character] of changes) {
        const at = place % (result.length + 1);
        const [here = '', next = ''] = result.slice(at, at + 2);
        if (kind === 'insert') result.splice(at, 0, character);
        else if (kind === 'remove') result.splice(at, 1);
        else if (kind === 'replace') result.splice(at, 1, character);
        else result.splice(at, 2, next, here);
      }
      return result.join('');
    };
    fc.assert(
      fc.property(base, fc.array(edits, { minLength: 1, maxLength: 30 }), (word, variants) => {
        const dictionary = variants.map((changes) => edited(word, changes)).filter(isDictionaryWord);
        const sought = word.join('');
        expect(nearest(sought, lookUp(sought, dictionary))).toEqual(nearest(sought, dictionary));
      }),
      { numRuns: propertyRuns(600), seed: 20_260_101 },
    );
  });
});

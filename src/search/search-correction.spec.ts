import {
  type CorrectionCandidate,
  type CorrectedSearch,
  correctableWords,
  correctionsOfAll,
  correctionsOfOne,
} from './search-correction.js';
import { readSearch } from './search-query.js';

const textsOf = (searches: readonly CorrectedSearch[]) => searches.map(({ text }) => text);
const wordsOf = (search: string) => correctableWords(readSearch(search) ?? []);

/** Candidates, given as the word, its correction, the number of edits and the number of entries. */
const candidates = (search: string, ...given: [string, string, number, number][]): CorrectionCandidate[] => {
  const words = wordsOf(search);
  return given.flatMap(([of, word, distance, entries]) => {
    const instead = words.find((one) => one.word.spellings.includes(of));
    return instead ? [{ instead, word, distance, entries, isSeen: entries > 1 }] : [];
  });
};

describe('the words that can be corrected', () => {
  it.each([
    ['hot watre', 'hot@0-3 watre@4-9'],
    ['"Hot wätre" hot', 'hot@1-4,12-15 watre@5-10'],
    ['state-of-the-art', 'state@0-5 of@6-8 the@9-12 art@13-16'],
    ['straße a\u0308bc', 'strasse@0-6 abc@7-11'],
    ['so\u00adft', 'soft@0-5'],
    ['½water', '2water@0-6'],
    ['-hot -"watre" comp* C++ a 本語 ❤', ''],
    ['a b c d e f', ''],
    ['hot or or or watre', 'hot@0-3 or@7-9 watre@13-18'],
    ['', ''],
    ['!!!', ''],
  ])('of %j are %j', (search, expected) => {
    const shown = wordsOf(search).map(
      ({ word, places }) => `${word.spellings[0]}@${places.map(({ start, end }) => `${start}-${end}`).join()}`,
    );
    expect(shown.join(' ')).toBe(expected);
  });
});

describe('corrections', () => {
  it('replace every word that has candidates, the best combination first', () => {
    const search = 'Hto "wtaer" -hto';
    const found = candidates(
      search,
      ['hto', 'hot', 1, 5],
      ['hto', 'hat', 2, 9],
      ['wtaer', 'water', 1, 2],
      ['wtaer', 'wafer', 1, 3],
    );
    expect(textsOf(correctionsOfAll(search, found))).toEqual([
      'hot "wafer" -hto',
      'hot "water" -hto',
      'hat "wafer" -hto',
      'hat "water" -hto',
    ]);
    expect(textsOf(correctionsOfAll(search, []))).toEqual([]);
  });

  it('of one word leave the others', () => {
    const search = 'form home form';
    const found = candidates(search, ['form', 'from', 1, 2], ['home', 'dome', 1, 2], ['home', 'hole', 1, 3]);
    expect(textsOf(correctionsOfOne(search, found))).toEqual(['form hole form', 'form dome form', 'from home from']);
  });

  it('are at most five', () => {
    const search = 'aaa bbb';
    const some = (of: string) =>
      [...'cdefghi'].map((letter): [string, string, number, number] => [of, letter.repeat(3), 1, 1]);
    expect(correctionsOfAll(search, candidates(search, ...some('aaa'), ...some('bbb')))).toHaveLength(5);
    expect(correctionsOfOne(search, candidates(search, ...some('aaa'), ...some('bbb')))).toHaveLength(5);
  });

  it('name the new words that the reader is not known to see', () => {
    const found = candidates('hto wtaer', ['hto', 'hot', 1, 1], ['wtaer', 'water', 1, 2]);
    expect(correctionsOfAll('hto wtaer', found)).toEqual([{ text: 'hot water', unseen: ['hot'] }]);
  });

  it('do not turn a word into an operator', () => {
    const found = candidates('either orr', ['orr', 'or', 1, 9], ['orr', 'orb', 1, 1]);
    expect(textsOf(correctionsOfAll('either orr', found))).toEqual(['either orb']);
  });
});

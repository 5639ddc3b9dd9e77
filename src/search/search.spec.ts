import fc from 'fast-check';
import { searchQuery } from './search-query.js';
import { searchVector } from './search-vector.js';
import { partsOf, wordsOf } from './words.js';

describe('words', () => {
  it('of the parts of a text are the words of the whole text', () => {
    const unit = fc.constantFrom(...'ab 1,-é\u0301日本ก😀𐀀々');
    const texts = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, length) => {
        expect([...partsOf(text, length)].flatMap(wordsOf)).toEqual(wordsOf(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('search vectors', () => {
  it('contain the words of a text with their positions', () => {
    expect(searchVector('0abcd', 'hot water, hot')).toBe("'0abcd' '0abcdhot':1,3 '0abcdwater':2");
    expect(searchVector('0abcd', '')).toBe("'0abcd'");
    expect(searchVector('p', 'one\ntwo')).toBe("'p' 'pone':1 'ptwo':3");
  });

  it('contain no character that could end a lexeme', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        /^'p'( 'p[\p{L}\p{M}\p{N}]+':\d+(,\d+)*)*( 'p[\p{L}\p{M}\p{N}]+=')*$/u.test(searchVector('p', text)),
      ),
    );
  });

  it('stay within the limits of a tsvector', () => {
    const vector = searchVector('p', `${'a '.repeat(20_000)}end`);
    expect(vector.split(',')).toHaveLength(255);
    expect(vector).toContain("'pend':16383 'pa=' 'pend='");
    const distinct = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(' ');
    expect(searchVector('p', distinct).length).toBeLessThan(1_500_000);
  });
});

describe('search queries', () => {
  it.each([
    ['coffee beans', "('pcoffee') & ('pbeans')"],
    ['coffee -beans', "('pcoffee') & !('pbeans')"],
    ['-beans', "'p' & !('pbeans')"],
    [
      '"hot water" -"cold tea"',
      "('phot' <-> 'pwater' | 'phot' & 'pwater' & ('phot=' | 'pwater=')) & !('pcold' <-> 'ptea' | 'pcold' & 'ptea' & ('pcold=' | 'ptea='))",
    ],
    ['"hot water', "('phot' <-> 'pwater' | 'phot' & 'pwater' & ('phot=' | 'pwater='))"],
    ['a or b c', "('pa') | ('pb') & ('pc')"],
    ['or a or', "('por') & ('pa')"],
    ['a or or b', "('pa') | ('por') & ('pb')"],
    [
      'jane@example.com',
      "('pjane' <-> 'pexample' <-> 'pcom' | 'pjane' & 'pexample' & 'pcom' & ('pjane=' | 'pexample=' | 'pcom='))",
    ],
    ['state-of', "('pstate' <-> 'pof' | 'pstate' & 'pof' & ('pstate=' | 'pof='))"],
    ["x' | !y & ( :* \\", "('px') & ('py')"],
    ['a - b', "('pa') & ('pb')"],
  ])('for %s become %s', (search, query) => {
    expect(searchQuery('p', search)).toBe(query);
  });

  it('find characters of scripts that do not separate words', () => {
    expect(searchVector('p', '日本語 test')).toBe("'p' 'p日':1 'p本':2 'p語':3 'ptest':4");
    expect(searchQuery('p', '本語')).toBe("('p本' <-> 'p語' | 'p本' & 'p語' & ('p本=' | 'p語='))");
  });

  it('are undefined for blank text, and find nothing for text without a word', () => {
    expect(searchQuery('p', '  ')).toBeUndefined();
    for (const search of ['!!!', '"', '-', '""', '😀']) expect(searchQuery('p', search)).toBe("'p '");
  });
});

import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import type { SearchLine, SearchRole } from '../fields/search-text.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { searchMatch } from './search-match.js';
import { readSearch, type SearchQuery } from './search-query.js';
import { rankedWords, searchRank } from './search-rank.js';
import { tsvectorText } from '../../test/support/tsvector.js';
import { GAPS, searchDocument, searchSequence, unrankedDocumentSliced } from './search-vector.js';
import { partsOf, readWords } from './words.js';

/** The words of a text, with `/` before another spelling and `[…]` around names with signs. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  runAtOnce(
    readWords(text, {
      word: (word, other) => words.push(other === undefined ? word : `${word}/${other}`),
      name: (name, length) => words.push(`[${name}:${length}]`),
    }),
  );
  return words;
}

const lines = (...texts: string[]): SearchLine[] => texts.map((text) => [{ text, role: 'body' }]);
const vector = (...texts: string[]): string => tsvectorText(searchDocument('p', lines(...texts)).vector);
/** The lexemes of words alone. */
const wordLexemes = (text: string) => text.split(' ').filter((lexeme) => !lexeme.includes('='));

describe('words', () => {
  it.each([
    ['Hot WATER, hot', 'hot water hot'],
    ['Crème brûlée & Straße', 'creme brulee strasse'],
    ['std::fmt user_id x86_64-unknown 1.70.0', 'std fmt user id x86 64 unknown 1 70 0'],
    ['soft\u00adhyphen zero\u200dwidth\u200cjoiner', 'softhyphen zerowidthjoiner'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['日本語 test', '日 本 語 test'],
    ['I ❤️ it, ❤ 👍🏽', 'i ❤ it ❤ 👍'],
    ['👩‍💻 in 🇩🇪🇫🇷', '👩 💻 in 🇩🇪 🇫🇷'],
    ['Müller, Mueller, Åse Øre', 'muller/mueller mueller ase/aase øre/oere'.replace('øre', 'ore')],
    ['u\u0308ber', 'uber/ueber'],
    ['C++ and C#, F#. G++!', '[c++:1] c and [c#:1] c [f#:1] f [g++:1] g'],
    ['C++11 a+b c# #c x#1 c+++', '[c++:1] c 11 a b [c#:1] c c x 1 c'],
    ['.NET core, ASP.NET …net ..net v1.net (.net)', '[.net:1] net core asp net net net v1 net [.net:1] net'],
    ['R&D at AT&T, a & b, q&a&r x=1&y=2', '[r&d:2] r d at [at&t:2] at t a b [q&a&r:3] q a r x 1 y 2'],
    ['\ud800 lone', 'lone'],
  ])('of %j are %j', (text, words) => expect(wordsOf(text).join(' ')).toBe(words));

  it('of the parts of a text are the words of the whole text', () => {
    const unit = fc.constantFrom(...'ab 1,-é\u0301日本ก😀𐀀々\u00ad\ufeff™℀');
    const texts = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, length) => {
        expect([...partsOf(text, length)].join('')).toBe(text);
        expect([...partsOf(text, length)].flatMap(wordsOf).filter((word) => !word.startsWith('['))).toEqual(
          wordsOf(text).filter((word) => !word.startsWith('[')),
        );
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each(['a', 'é', 'a\u0301', '\u0301', 'ü', '😀', 'c++', 'a&', '日', '\u00ad', 'a\u00ad', '&', '.a', '"'])(
    'are read in linear time from a megabyte of %j',
    (part) => {
      const start = performance.now();
      let longest = 0;
      let last = start;
      const steps = readWords(part.repeat(1_000_000 / part.length), { word: () => {}, name: () => {} });
      while (!steps.next().done) {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      expect(performance.now() - start).toBeLessThan(30_000);
      expect(longest).toBeLessThan(5_000);
    },
  );
});

describe('search documents', () => {
  const documentOf = (...spans: [SearchRole, string][]) =>
    tsvectorText(
      searchDocument(
        '0abcd',
        spans.map(([role, text]): SearchLine => [{ role, text }]),
      ).vector,
    );

  it('contain the words of a text with their positions', () => {
    expect(vector('hot water, hot')).toBe(
      "'p' 'phot':1,3 'p=2hot' 'pwater':2 'p=2water'".replace("'p=2hot'", "'p=3hot'"),
    );
    expect(vector('')).toBe("'p'");
    expect(wordLexemes(vector('one', 'two'))).toEqual(["'p'", "'pone':1", "'ptwo':3"]);
    expect(wordLexemes(vector('Jürgen: C++'))).toEqual(["'p'", "'pjurgen':1", "'pjuergen':1", "'pc++':2", "'pc':2"]);
  });

  it('mark words in the title and in headings, and the whole title', () => {
    const made = documentOf(['title', 'Hot water'], ['heading', 'hot tea'], ['body', `hot ${'x '.repeat(400)}`]);
    expect(made).toContain("'0abcdhot':1A,4B,7 '0abcd=Bhot' '0abcd=Hhot' '0abcd=1hot'");
    expect(made).toContain("'0abcdwater':2A '0abcd=Bwater'");
    expect(made).toContain("'0abcdtea':5B '0abcd=Htea'");
    const digest = /'0abcd==(\w+)'/;
    expect(digest.exec(made)?.[1]).toBe(digest.exec(documentOf(['title', 'HOT  Wäter!'.replace('ä', 'a')]))?.[1]);
    expect(digest.exec(made)?.[1]).not.toBe(digest.exec(documentOf(['title', 'hot waters']))?.[1]);
    expect(documentOf(['body', 'a'])).not.toMatch(digest);
  });

  it('contain no character that could end a lexeme', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom<SearchRole>('title', 'heading', 'body'),
        (text, role) => {
          const { vector } = searchDocument('p', [[{ text, role }]]);
          const word = String.raw`[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{RI}+#&.]+`;
          expect(tsvectorText(vector)).toMatch(
            new RegExp(`^'p'( 'p${word}':\\d+[AB]?(,\\d+[AB]?)*| 'p=[A-FH1-4]${word}'| 'p==[0-9a-f]{16}')*$`, 'u'),
          );
        },
      ),
    );
  });

  it('that is not ranked has the same words, and no tiers', () => {
    const { vector: unranked } = runAtOnce(unrankedDocumentSliced('p', lines('Hot water', 'hot')));
    expect(tsvectorText(unranked).split(' ')).toEqual(wordLexemes(vector('Hot water', 'hot')));
  });

  it('have no gaps in texts of usual length', () => {
    expect(searchDocument('p', lines('a '.repeat(255)))).toMatchObject({ gaps: GAPS.none, sequence: null });
  });

  it('have a sequence of all words where positions are missing', () => {
    const often = searchDocument('p', lines('a '.repeat(256), 'Müller: C++ end'));
    expect(often.gaps).toBe(GAPS.positions);
    expect(tsvectorText(often.vector)).toContain("'p=P'");
    expect(often.sequence).toMatch(/^\n (a ){256}\n muller c end \n \n (a ){256}\n mueller c\+\+ end \n $/);
    const late = searchDocument(
      'p',
      lines(`${Array.from({ length: 17_000 }, (_, index) => `w${index % 500}`).join(' ')} end`),
    );
    expect(late.gaps).toBe(GAPS.positions);
    expect(tsvectorText(late.vector)).toContain("'pend' ");
    expect(late.sequence).toContain(' w499 end \n');
  });

  it('stay within the limits of a tsvector', () => {
    const distinct = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(' ');
    const { vector, gaps, sequence } = searchDocument('p', lines(distinct));
    expect(gaps).toBe(GAPS.words);
    expect(tsvectorText(vector)).toContain("'p=W'");
    expect(vector.length).toBeLessThan(1_500_000);
    expect(sequence).toContain(' w199999 ');
  });
});

describe('searches', () => {
  const read = (search: string): string => {
    const show = ({ excluded, quoted, words }: SearchQuery[number][number]) => {
      const text = words.map(({ spellings, isPrefix }) => spellings.join('/') + (isPrefix ? '*' : '')).join(' ');
      return `${excluded ? '-' : ''}${quoted ? '"' : ''}${text}`;
    };
    return (readSearch(search) ?? []).map((terms) => terms.map(show).join(', ')).join(' | ');
  };

  it.each([
    ['coffee beans', 'coffee, beans'],
    ['coffee -beans', 'coffee, -beans'],
    ['-beans', '-beans'],
    ['"hot water" -"cold tea"', '"hot water, -"cold tea'],
    ['"hot water', '"hot water'],
    ['a or b OR c d', 'a | b | c, d'],
    ['or a or', 'or, a'],
    ['a or or b', 'a | or, b'],
    ['jane@example.com', 'jane example com'],
    ['state-of', 'state of'],
    ["x' | !y & ( :* \\", 'x, y'],
    ['a - b', 'a, b'],
    ['title:rust (a AND b) NOT c', 'title rust, a, and, b, not, c'],
    ['comp* c* * "foo*" state-of-th*', 'comp*, c, "foo, state of th*'],
    ['C++ -c# .NET R&D "the r&d team"', 'c++, -c#, .net, r&d, "the r&d team'],
    ['Müller ❤️ -❤', 'muller/mueller, ❤, -❤'],
    ['本語', '本 語'],
  ])('for %s are read as %s', (search, expected) => expect(read(search)).toBe(expected));

  it('are undefined for blank text, and find nothing for text without a word', () => {
    expect(readSearch('  ')).toBeUndefined();
    for (const search of ['!!!', '"', '-', '""']) {
      expect(readSearch(search)).toEqual([]);
      expect(searchMatch('p', [])).toEqual({ vector: "'p '", excludes: false, gaps: 2, sequence: [] });
    }
  });

  it('become a tsquery that finds what may match, and texts that decide where a vector has gaps', () => {
    expect(searchMatch('p', readSearch('Müller -tea') ?? [])).toEqual({
      vector: "(('pmuller' | 'pmueller') | 'p=W') & !('ptea')",
      excludes: true,
      gaps: 2,
      sequence: [
        [
          { excluded: false, texts: [' muller ', ' mueller '] },
          { excluded: true, texts: [' tea '] },
        ],
      ],
    });
    expect(searchMatch('p', readSearch('"the r&d team" or -x') ?? [])).toEqual({
      vector: "('pthe' <1> 'pr&d' <2> 'pteam' | 'pthe' & 'pr&d' & 'pteam' & 'p=P' | 'p=W') | 'p' & !('px')",
      excludes: true,
      gaps: 1,
      sequence: [[{ excluded: false, texts: [' the r&d team '] }], [{ excluded: true, texts: [' x '] }]],
    });
    expect(searchMatch('p', readSearch('co*') ?? []).vector).toBe("('pco':* | 'p=W')");
  });

  it('weigh words by their rarity, the title most', () => {
    const query = readSearch('the needle') ?? [];
    expect(rankedWords('p', query)).toEqual(["'pthe'", "'pneedle'"]);
    const rank = searchRank({ partition: 'p', stem: undefined, match: searchMatch('p', query) }, query, [1, 3]);
    const weight = (lexeme: string) => rank.weights[rank.lexemes.indexOf(lexeme)];
    expect(weight("'p=Aneedle'")).toBe(750);
    expect(weight("'p=Fneedle'")).toBe(675);
    expect(weight("'p=Athe'")).toBe(250);
    expect(weight("'p=Hneedle'")).toBe(75);
    expect(rank.positions?.phraseInTitle).toBe("('pthe':A) <1> ('pneedle':A)");
    expect(searchRank({ partition: 'p', stem: undefined, match: searchMatch('p', []) }, [], []).lexemes).toEqual([]);
  });

  it('of signs that folding makes many words is made in short steps', () => {
    // Folding makes six characters of the first sign, each a word, and eighteen characters of the second one, with three spaces.
    for (const sign of ['\u3316', '\ufdfa']) {
      const text = sign.repeat(60_000);
      let words = 0;
      let most = 0;
      const reading = readWords(text, { word: () => words++, name: () => undefined });
      for (let before = 0; !reading.next().done; before = words) most = Math.max(most, words - before);
      expect(words).toBeGreaterThan(180_000);
      expect(most).toBeLessThanOrEqual(1_000);
      const sequence = searchSequence([[{ text, role: 'body' }]]);
      let steps = 0;
      while (!sequence.next().done) steps++;
      expect(steps).toBeGreaterThan(words / 1_000);
    }
  });
});

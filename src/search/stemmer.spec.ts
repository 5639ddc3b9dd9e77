import fc from 'fast-check';
import { propertyRuns } from '../../test/support/property-runs.js';
import { searchMatch } from './search-match.js';
import { readSearch } from './search-query.js';
import { rankedWords, searchRank } from './search-rank.js';
import { tsvectorText } from '../../test/support/tsvector.js';
import { GAPS, searchDocument } from './search-vector.js';
import { type SearchLanguage, SEARCH_LANGUAGES, loadStemmer, type Stemmer } from './stemmer.js';

const stemmers = new Map<SearchLanguage, Stemmer>();
beforeAll(async () => {
  for (const language of SEARCH_LANGUAGES) stemmers.set(language, await loadStemmer(language));
});
const stem = (language: SearchLanguage, word: string) => stemmers.get(language)?.(word);

describe('stems', () => {
  it.each<[SearchLanguage, string]>([
    ['en', 'closure closures'],
    ['en', 'run runs running'],
    ['en', 'connect connected connecting connection connections'],
    ['en', 'study studies studied'],
    ['de', 'haus hauses häuser häusern haeuser'],
    ['de', 'straße straßen strasse strassen'],
    ['de', 'müller müllers mueller muellers'],
    ['de', 'buch büchern buecher'],
    ['fr', 'continu continue continua continuait'],
    ['fr', 'mangé mangée mangées mangés manger'],
    ['fr', 'école écoles'],
    ['es', 'canción canciones'],
    ['es', 'reunión reuniones'],
    ['es', 'nación naciones'],
    ['it', 'gatto gatti'],
    ['it', 'città citta'],
    ['it', 'abbandonare abbandonata abbandonò'],
    ['pt', 'menino meninos menina'],
    ['pt', 'bonita bonitas'],
    ['pt', 'organização organizações'],
    ['nl', 'boek boeken'],
    ['nl', 'mogelijk mogelijke mogelijkheid'],
    ['nl', 'tafel tafels'],
    ['sv', 'bil bilar bilarna'],
    ['sv', 'åskådare åskådarna'],
    ['no', 'hus huset husene'],
    ['no', 'gård gården gårder'],
    ['da', 'bil biler bilerne'],
    ['da', 'løbe løber løbende'],
    ['fi', 'talo talossa talot'],
    ['fi', 'metsä metsässä metsät'],
  ])('%s: %s are one', (language, words) => {
    const stems = words.split(' ').map((word) => stem(language, word));
    expect([...new Set(stems)]).toEqual([expect.stringMatching(/^[a-z]+$/)]);
  });

  it.each<[SearchLanguage, string]>([
    ['en', 'general generic generate'],
    ['en', 'news new'],
    ['de', 'neu aktuell quelle'],
    ['fr', 'maison marcher'],
  ])('%s: %s differ', (language, words) => {
    const stems = words.split(' ').map((word) => stem(language, word));
    expect(new Set(stems).size).toBe(stems.length);
  });

  it.each(['2024', 'x86', 'rust1', '日', 'слово', 'λόγος', 'c++', '', '❤'])('of %j do not exist', (word) => {
    for (const language of SEARCH_LANGUAGES) expect(stem(language, word)).toBeUndefined();
  });

  it('exist for any word, contain only letters, and take no time', () => {
    const letters = [...'aeiouysdtnglrbmhcpzéèêëàâîïôûùüöäåøæœñçßíóúáãõ'];
    const endings = 'ing ed ational ssa issimo amente heit ungen ción mente ées ment aux ique isme llä ssä erna'.split(
      ' ',
    );
    const words = fc.array(fc.constantFrom(...letters, ...endings), { minLength: 1, maxLength: 100 });
    const hostile = [
      'constructor',
      'prototype',
      'hasownproperty',
      'y'.repeat(100),
      'ß'.repeat(100),
      'ional'.repeat(20),
    ];
    const start = performance.now();
    for (const language of SEARCH_LANGUAGES) {
      for (const word of hostile) expect(stem(language, word)).toMatch(/^[a-z]+$/);
      fc.assert(
        fc.property(words, (parts) => {
          expect(stem(language, parts.join('').slice(0, 100))).toMatch(/^[a-z]{1,200}$/);
        }),
        { numRuns: propertyRuns(60) },
      );
    }
    expect(performance.now() - start).toBeLessThan(50_000);
  });
});

describe('search documents of a language', () => {
  const documentOf = (language: SearchLanguage, ...texts: string[]) =>
    searchDocument(
      'p',
      texts.map((text, index) => [{ text, role: index === 0 ? 'title' : 'body' }]),
      stemmers.get(language),
    );
  const stemsIn = (vector: Buffer) =>
    tsvectorText(vector)
      .split(' ')
      .filter((lexeme) => lexeme.includes('%'));

  it('have the stem of each word, with the tiers of all words that have it', () => {
    const { vector } = documentOf('en', 'Closures', 'A closure closes. Closures 2024');
    expect(stemsIn(vector)).toEqual([
      "'p%closur'",
      "'p=A%closur'",
      "'p=3%closur'",
      "'p%a'",
      "'p=2%a'",
      "'p%close'",
      "'p=2%close'",
    ]);
    const heading = searchDocument('p', [[{ text: 'running', role: 'heading' }]], stemmers.get('en'));
    expect(stemsIn(heading.vector)).toEqual(["'p%run'", "'p=H%run'", "'p=2%run'"]);
  });

  it('have the stems of words as they are written', () => {
    const stemsOf = (language: SearchLanguage, text: string) =>
      stemsIn(documentOf(language, text).vector).filter((lexeme) => !lexeme.includes('='));
    expect(stemsOf('fr', 'mangées')).toEqual(["'p%mang'"]);
    expect(stemsOf('fr', 'mangees')).toEqual(["'p%mange'"]);
    expect(stemsOf('fr', 'Mang\u00adées man\u200dgees E\u0301cole')).toEqual(["'p%mang'", "'p%mange'", "'p%ecol'"]);
    expect(stemsOf('de', 'Häuser, Haeuser, HAUS')).toEqual(["'p%haus'"]);
  });

  it('have a limited number of stems of one word', () => {
    const marked = Array.from({ length: 200 }, (_, index) => `e${String.fromCodePoint(0x300 + (index % 0x60))}`).join(
      ' ',
    );
    expect(stemsIn(documentOf('fr', '', marked).vector).length).toBeLessThan(10);
  });

  it('have their stems in the sequence where a vector has gaps', () => {
    expect(documentOf('en', '', 'closures '.repeat(300)).sequence).toMatch(/ closures \n %closur $/);
    const many = Array.from({ length: 100_000 }, (_, index) => {
      const letters = [...index.toString(26)].map((digit) => String.fromCharCode(97 + parseInt(digit, 26)));
      return `q${letters.join('')}ings`;
    });
    const { gaps, sequence, vector } = documentOf('en', '', many.join(' '));
    expect(gaps).toBe(GAPS.words);
    expect(sequence).toContain(` %${stem('en', many.at(-1) ?? '')} `);
    expect(vector.length).toBeLessThan(1_500_000);
  });

  it('have none without a language', () => {
    expect(tsvectorText(searchDocument('p', [[{ text: 'Closures häuser', role: 'title' }]]).vector)).not.toContain('%');
  });
});

describe('searches in a language', () => {
  const matchOf = (language: SearchLanguage, search: string) =>
    searchMatch('p', readSearch(search) ?? [], stemmers.get(language));

  it('find words by their stems, and exclude them so', () => {
    expect(matchOf('en', 'closures -running')).toEqual({
      vector: "(('pclosures' | 'p%closur') | 'p=W') & !(('prunning' | 'p%run'))",
      excludes: true,
      gaps: 2,
      sequence: [
        [
          { excluded: false, texts: [' closures ', ' %closur '] },
          { excluded: true, texts: [' running ', ' %run '] },
        ],
      ],
    });
    expect(matchOf('fr', 'mangées').vector).toBe("(('pmangees' | 'p%mang') | 'p=W')");
    expect(matchOf('de', 'Häuser').vector).toBe("(('phauser' | 'phaeuser' | 'p%haus') | 'p=W')");
  });

  it.each(['"closures"', '-"closures"', 'state-of-closures', 'closur*', '"closures', 'c++'])(
    'do not for %s',
    (search) => {
      const query = readSearch(search) ?? [];
      const [match, english] = [searchMatch('p', query), stemmers.get('en')];
      expect(matchOf('en', search)).toEqual(match);
      expect(rankedWords('p', query, english)).toEqual(rankedWords('p', query));
      const rarities = rankedWords('p', query).map(() => 1);
      const rank = searchRank({ partition: 'p', stem: undefined, match }, query, rarities);
      expect(searchRank({ partition: 'p', stem: english, match }, query, rarities)).toEqual(rank);
    },
  );

  it('weigh the word more than its stem, and the stem in the title more than the word elsewhere', () => {
    const query = readSearch('closures') ?? [];
    const english = stemmers.get('en');
    const context = { partition: 'p', stem: english, match: searchMatch('p', query, english) };
    const { lexemes, weights, titled } = searchRank(context, query, [1]);
    const weight = (...sought: string[]) =>
      sought.reduce((sum, lexeme) => sum + (weights[lexemes.indexOf(lexeme)] ?? NaN), 0);
    expect(weight("'p=Aclosures'", "'p=A%closur'")).toBeCloseTo(1_000);
    expect(weight("'p=Fclosures'", "'p=F%closur'")).toBeGreaterThan(weight("'p=A%closur'"));
    const elsewhere = weight("'p=Hclosures'", "'p=H%closur'", "'p=4closures'", "'p=4%closur'");
    expect(weight("'p=F%closur'")).toBeGreaterThan(elsewhere);
    expect(titled.vector).toContain("'p=F%closur'");
  });

  it('add the weights of words with one stem', () => {
    const query = readSearch('closure closures') ?? [];
    const english = stemmers.get('en');
    const context = { partition: 'p', stem: english, match: searchMatch('p', query, english) };
    const { lexemes, weights } = searchRank(context, query, [1, 1]);
    expect(weights[lexemes.indexOf("'p=A%closur'")]).toBeCloseTo(700);
  });
});

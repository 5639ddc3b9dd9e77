import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { endOfUnit, foldWords } from './fold-words.js';
import { Highlighter } from './highlighter.js';
import { UnitParts, originsOf } from './origins.js';
import { readSearch, type SearchQuery } from './search-query.js';
import { loadStemmer, type Stemmer } from './stemmer.js';
import { readWords } from './words.js';

const queryOf = (search: string): SearchQuery => readSearch(search) ?? [];
const fragmentsOf = (search: string, lines: readonly string[], stem?: Stemmer): string[] =>
  runAtOnce(new Highlighter(queryOf(search), stem).fragments(lines));
/** The only fragment of a short text, with brackets for the marks. */
const marked = (search: string, text: string, stem?: Stemmer): string | undefined =>
  fragmentsOf(search, [text], stem)[0]?.replaceAll('<mark>', '[').replaceAll('</mark>', ']');

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescape = (html: string) => html.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
/** The texts between the marks of a fragment, and those within. */
const partsOf = (fragment: string) => fragment.split(/<\/?mark>/).map(unescape);
const plainOf = (fragment: string) => partsOf(fragment).join('');
const marksOf = (fragment: string) => partsOf(fragment).filter((_, index) => index % 2 === 1);

/** The words of a text, each with its spellings. */
function wordsOf(text: string): string[][] {
  const words: string[][] = [];
  runAtOnce(
    readWords(text, {
      word: (word, other) => words.push(other === undefined ? [word] : [word, other]),
      name: () => {},
    }),
  );
  return words;
}

function unitsOf(text: string): string[] {
  const units: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = endOfUnit(text, from);
    units.push(text.slice(from, to));
    from = to;
  }
  return units;
}

/** The three quarters of all code points that have no character, or none that Unicode describes. */
const UNASSIGNED = /[\p{Cn}\p{Co}]/u;

/** Letters that fold to several or to none, that join others, that are words by themselves, and what is between words. */
const NASTY = [...'aabeßéÄöŒﬁİΣς  .,-<>&"\'\n가각日本กำ😀', 'u\u0308', 'ᄀ', 'ᅡ', 'ᆨ', 'ㅏ', 'ｶ', 'ﾞ'].concat([
  '\u0301',
  '\u00ad',
  '\u200d',
  '\ufe0f',
  '\ufeff',
  '\u0640',
  '\u{1f3fd}',
  '\u093f',
  'क',
  '\u200e',
]);
const nasty = fc.string({ unit: fc.constantFrom(...NASTY), maxLength: 60 });

describe('the units of a text', () => {
  it('fold, one after the other, to the fold of the text', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
        expect(unitsOf(text).join('')).toBe(text);
        expect(unitsOf(text).map(foldWords).join('')).toBe(foldWords(text));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('separate every character only if folding does not join it to the one before', () => {
    // A consonant that vowels join, a syllable that consonants join, and letters that accents and vowels join.
    const letters = ['ᄀ', '가', 'e', '\u{16d63}', '\u{16d67}'];
    const folded = letters.map(foldWords);
    const looksAtAll = propertyRuns(1) > 1;
    for (let code = 0; code < 0x11_0000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      // Nothing is known of these, so Unicode lets them be as they are: `npm run test:all` looks at them, too.
      if (!looksAtAll && UNASSIGNED.test(character)) continue;
      if (endOfUnit(`e${character}`, 0) > 1) continue;
      const own = foldWords(character);
      const whole = foldWords(letters.map((letter) => letter + character).join('x'));
      if (own === '' || whole !== folded.map((letter) => letter + own).join('x'))
        throw new Error(`U+${code.toString(16)}`);
    }
  });

  it('lead from each place in the fold to the unit that it comes from', () => {
    const text = '\u00adStraße ½ e\u0301!';
    const folded = foldWords(text);
    expect(folded).toBe('strasse 1⁄2 e!');
    const origins = runAtOnce(originsOf(text, new UnitParts()));
    const origin = (part: string) => {
      const at = folded.indexOf(part);
      return text.slice(origins.start(at), origins.end(at + part.length));
    };
    expect(['strasse', 's', 'ss', '1', '2', 'e!', 'e'].map(origin)).toEqual([
      'Straße',
      'S',
      'ß',
      '½',
      '½',
      'e\u0301!',
      'e',
    ]);
  });
});

describe('marks', () => {
  it.each([
    ['tide', 'The spring TIDE, tides', 'The spring [TIDE], tides'],
    ['tid*', 'The spring TIDE, tides', 'The spring [TIDE], [tides]'],
    ['cafe', 'Café CAFE\u0301 cafés', '[Café] [CAFE\u0301] cafés'],
    ['mueller', 'Müller, Mueller, Muller', '[Müller], [Mueller], Muller'],
    ['naive', 'nai\u0308ve', '[nai\u0308ve]'],
    ['ก', 'กำ กี', '[ก]ำ [ก]ี'],
    ['müller', 'Müller, Mueller, Muller', '[Müller], [Mueller], [Muller]'],
    ['strasse', 'Straße', '[Straße]'],
    ['1', '½ is 1', '[½] is [1]'],
    ['softhyphen', 'soft\u00adhy\u200dphen', '[soft\u00adhy\u200dphen]'],
    ['c++', 'C, C++ and c++11', 'C, [C++] and [c++]11'],
    ['c', 'C, C++ and C#', '[C], [C]++ and [C]#'],
    ['c c++', 'C, C++ and C#', '[C], [C++] and [C]#'],
    ['.net', '.NET, the net', '[.NET], the net'],
    ['"asp .net core"', 'asp .NET core', '[asp .NET core]'],
    ['r&d', 'R&amp; R&D', 'R&amp;amp; [R&amp;D]'],
    ['"the r&d team"', 'The R&D team', '[The R&amp;D team]'],
    ['"at at&t"', 'at AT&T', '[at AT&amp;T]'],
    ['"hot water"', 'hot water, water hot, hot. Water', '[hot water], water hot, [hot. Water]'],
    ['"hot water" water', 'hot water, water', '[hot water], [water]'],
    [
      'state-of-the-art',
      'the state of the art of a state-of-the-art',
      'the [state of the art] of a [state-of-the-art]',
    ],
    ['state-of-th*', 'state of those', '[state of those]'],
    ['"a b" "b c"', 'a b c', '[a b] c'],
    ['"a b" "b c" "a b c d"', 'a b c d b c', '[a b c d] [b c]'],
    ['"a a"', 'a a a a a', '[a a] [a a] a'],
    ['日本', '日本語と日 本', '[日本]語と[日 本]'],
    ['❤️', 'I ❤️ it ❤ 💛', 'I [❤️] it [❤] 💛'],
    ['👩‍💻', 'a 👩‍💻 b 👩', 'a [👩‍💻] b 👩'],
    ['🇩🇪', '🇫🇷🇩🇪', '🇫🇷[🇩🇪]'],
    ['ក', 'ក្ក', '[ក]្[ក]'],
    ['안녕 ㅋㅋㅋ', '안녕 ㅋㅋㅋ', '[안녕] [ㅋㅋㅋ]'],
    ['water -tea', 'hot water, tea', 'hot [water], tea'],
    ['water or tea', 'hot water, tea', 'hot [water], [tea]'],
    ['mark', '<mark>mark</mark> & "mark\'', '&lt;[mark]&gt;[mark]&lt;/[mark]&gt; &amp; &quot;[mark]&#39;'],
  ])('for %j in %j: %j', (search, text, expected) => expect(marked(search, text)).toBe(expected));

  it('do not appear for what was excluded, and for a search without a word', () => {
    for (const search of ['-tea', '!!!', '-"hot water"', '""'])
      expect(fragmentsOf(search, ['hot water tea'])).toEqual([]);
    expect(new Highlighter(queryOf('-tea')).seeksWords).toBe(false);
    expect(new Highlighter(queryOf('tea')).seeksWords).toBe(true);
  });

  it('include words with the stem of a sought word that is not quoted', () => {
    const stem = (word: string) => word.replace(/s$/, '');
    expect(marked('closures', 'Closure, closures, enclosure', stem)).toBe('[Closure], [closures], enclosure');
    expect(marked('"closures"', 'Closure, closures', stem)).toBe('Closure, [closures]');
    expect(marked('"the closures"', 'the closure, the closures', stem)).toBe('the closure, [the closures]');
    expect(marked('the-closures', 'the closure, the closures', stem)).toBe('the closure, [the closures]');
    expect(marked('closures*', 'closure closures', stem)).toBe('closure [closures]');
    expect(marked('closure -closures', 'closure', stem)).toBe('[closure]');
    expect(fragmentsOf('-closure', ['closure closures'], stem)).toEqual([]);
  });

  it('follow stems of words as they are written, not as they are folded', async () => {
    const french = await loadStemmer('fr');
    // The stem of `mangees` would be `mange`, and that of `mangées` is `mang`.
    expect(marked('manger', 'Mangé, MANGE\u0301ES; orange', french)).toBe('[Mangé], [MANGE\u0301ES]; orange');
    expect(marked('mangées', 'mangé, manger', french)).toBe('[mangé], [manger]');
    const german = await loadStemmer('de');
    expect(marked('haus', 'Häuser und Haeuser, Hausboot', german)).toBe('[Häuser] und [Haeuser], Hausboot');
    const english = await loadStemmer('en');
    expect(marked('run 2024', 'Running in 2024, runs in 2025', english)).toBe('[Running] in [2024], [runs] in 2025');
    expect(marked('c++', 'C++ and c', english)).toBe('[C++] and c');
  });

  it('follow the stem of each of two words that are spelled alike', () => {
    const stem = (word: string) => (word.startsWith('pé') ? 'sin' : 'fish');
    expect(marked('pêche péché', 'x', (word) => (word === 'x' ? 'sin' : stem(word)))).toBe('[x]');
  });

  it('follow no stem if no word is sought by its stem', () => {
    const stem = jest.fn((word: string) => word);
    expect(marked('hot*', 'hot water', stem)).toBe('[hot] water');
    expect(marked('"hot" a-b', 'hot wäter', stem)).toBe('[hot] wäter');
    expect(stem.mock.calls.flat()).not.toContain('water');
    expect(stem.mock.calls.flat()).not.toContain('wäter');
  });

  it('never span two lines', () => {
    expect(fragmentsOf('"hot water"', ['hot', 'water'])).toEqual([]);
    expect(fragmentsOf('"hot water"', ['very hot', 'hot water', 'water'])).toEqual(['<mark>hot water</mark>']);
  });

  it('are exact wherever a long text is divided', () => {
    for (const [letter, phrase] of [
      ['a', 'hot water'],
      ['é', 'hót wäter'],
      ['日', '日本'],
      ['😀', 'C++ 😀 .NET'],
    ] as const) {
      for (let length = 2_020; length < 2_060; length++) {
        const text = `${letter.repeat(9)} `
          .repeat(300)
          .slice(0, length)
          .replace(/[\ud800-\udbff]$/, '');
        expect(fragmentsOf(`"${phrase}"`, [`${text} ${phrase} x`]).flatMap(marksOf)).toEqual([phrase]);
      }
    }
  });

  it('are where the words and phrases are, and only there', () => {
    // Characters that are more than one word have marks for parts of them; names have tests above.
    const text = nasty.map((one) => one.replace(/[\u0e33&]/g, ''));
    const word = fc.tuple(text, fc.nat(), fc.integer({ min: 1, max: 3 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), text, (sources, own) => {
        const whole =
          sources
            .map(([one]) => one)
            .join(' ')
            .slice(0, 150 - own.length) + own;
        const words = wordsOf(whole);
        if (words.length === 0) return;
        const terms = sources.map(([, at, length, isQuoted]) => {
          const from = at % words.length;
          const sought = words.slice(from, from + length).map(([first = '']) => first);
          return isQuoted ? sought : sought.slice(0, 1);
        });
        const search = terms.map((term) => `"${term.join(' ')}"`).join(' ');
        const fragments = fragmentsOf(search, [whole]);
        expect(fragments).toHaveLength(1);
        const plain = plainOf(fragments[0] ?? '');
        expect(plain.trim()).toBe(whole.trim());
        // The expected terms as they are read from the search.
        const sought = queryOf(search)
          .flat()
          .map((term) => term.words.map(({ spellings }) => spellings));
        for (const mark of fragments.flatMap(marksOf)) {
          expect(sought.some((term) => isSame(term, wordsOf(mark)))).toBe(true);
        }
        // Each place of a term touches a mark.
        const covered = coverOf(partsOf(fragments[0] ?? ''));
        const offsets = wordEnds(plain);
        const all = wordsOf(plain);
        for (const term of sought) {
          for (let at = 0; at + term.length <= all.length; at++) {
            if (!isSame(term, all.slice(at, at + term.length))) continue;
            const ends = offsets.slice(at, at + term.length);
            expect(ends.some((end) => covered[end - 1])).toBe(true);
          }
        }
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  function isSame(term: readonly (readonly string[])[], words: readonly string[][]): boolean {
    return (
      term.length === words.length &&
      term.every((spellings, index) => spellings.some((spelling) => words[index]?.includes(spelling)))
    );
  }

  /** Whether each UTF-16 unit of a text is marked. */
  function coverOf(parts: readonly string[]): boolean[] {
    return parts.flatMap((part, index) => Array.from({ length: part.length }, () => index % 2 === 1));
  }

  /** Where each word of a text ends: the shortest beginning of the text that has it as it is. */
  function wordEnds(text: string): number[] {
    const all = wordsOf(text);
    const ends: number[] = [];
    let length = 0;
    for (const character of text) {
      length += character.length;
      const words = wordsOf(text.slice(0, length));
      while (ends.length < words.length && isSame([all[ends.length] ?? []], [words[ends.length] ?? []]))
        ends.push(length);
    }
    return ends;
  }
});

describe('fragments', () => {
  const filler = (words: number) => Array.from({ length: words }, (_, at) => `word${at}`).join(' ');

  it('are a substring of the text of about 160 characters, cut between words', () => {
    const text = `${filler(100)} tide ${filler(100)}`;
    const [fragment = '', ...others] = fragmentsOf('tide', [text]);
    expect(others).toEqual([]);
    expect(fragment).toMatch(/^… word\d+ .*<mark>tide<\/mark>.* word\d+ …$/);
    const plain = plainOf(fragment).slice(2, -2);
    expect(text).toContain(` ${plain} `);
    expect(plain.length).toBeGreaterThan(130);
    expect(plain.length).toBeLessThanOrEqual(160);
  });

  it('have no ellipsis where only spaces are left out', () => {
    expect(fragmentsOf('tide', [' \n tide  '])).toEqual(['<mark>tide</mark>']);
    const text = `tide ${filler(100)}`;
    expect(fragmentsOf('tide', [text])[0]).toMatch(/^<mark>tide<\/mark> word0 .* …$/);
    expect(fragmentsOf('tide', [`${filler(100)} tide`])[0]).toMatch(/^… .* <mark>tide<\/mark>$/);
  });

  it('are at most three: those with the most words, with phrases before single words, in the order of the text', () => {
    const gap = filler(50);
    const text = ['sea one', 'tide two', 'sea tide three', 'moon sea tide four', 'sea five', 'moon tide six'].join(
      ` ${gap} `,
    );
    const numbers = (search: string) =>
      fragmentsOf(search, [text]).map((one) => /three|four|five|six|one|two/.exec(one)?.[0]);
    expect(numbers('sea tide moon')).toEqual(['three', 'four', 'six']);
    expect(numbers('sea')).toEqual(['one', 'three', 'four']);
    expect(numbers('"tide six" sea')).toEqual(['one', 'three', 'six']);
  });

  it('show each word if none of them has all', () => {
    const text = ['sea', 'sea', 'sea', 'sea', 'tide', 'moon'].join(` ${filler(50)} `);
    expect(fragmentsOf('sea tide moon', [text]).flatMap(marksOf)).toEqual(['sea', 'tide', 'moon']);
  });

  it('do not overlap', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `tide n${at}`).join(' ');
    const fragments = fragmentsOf('tide', [text]).map(plainOf);
    expect(fragments).toHaveLength(3);
    const numbers = fragments.flatMap((one) => one.match(/n\d+/g) ?? []);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('of a script without spaces are cut between its characters', () => {
    const [fragment = ''] = fragmentsOf('本', [`${'日'.repeat(300)}本${'語'.repeat(300)}`]);
    expect(fragment).toMatch(/^…日{70,80}<mark>本<\/mark>語{70,80}…$/);
  });

  it('of words without end are cut between signs, or at the match', () => {
    expect(fragmentsOf('tide', [`${'a'.repeat(300)}/tide/${'b'.repeat(300)}`])).toEqual(['…/<mark>tide</mark>…']);
    expect(fragmentsOf('tide', [`${'a'.repeat(300)} tide ${'b'.repeat(300)}`])).toEqual(['… <mark>tide</mark> …']);
    const long = 'a'.repeat(2_000);
    expect(fragmentsOf(long.slice(0, 500), [long])).toEqual([`<mark>${'a'.repeat(600)}</mark>…`]);
  });

  it('contain a phrase as a whole, and the beginning of one with a page of signs in it', () => {
    const phrase = filler(40);
    const [fragment = ''] = fragmentsOf(`"${phrase}"`, [`${filler(60)}. ${phrase} x`]);
    expect(marksOf(fragment)).toEqual([phrase]);
    const [cut = ''] = fragmentsOf('"hot water"', [`hot${'!😀'.slice(0, 1).repeat(5_000)}water`]);
    expect(cut).toBe(`<mark>hot${'!'.repeat(597)}</mark>…`);
  });

  it('are the same for very many matches as for the best of them', () => {
    const text = `${'tide '.repeat(10_000)}${filler(100)} tide moon ${filler(100)} ${'tide '.repeat(10_000)}${filler(100)} "tide-sea"`;
    const marks = fragmentsOf('tide moon sea "tide sea"', [text]).map(marksOf);
    expect(marks.slice(1)).toEqual([['tide', 'moon'], ['tide-sea']]);
    expect(new Set(marks[0])).toEqual(new Set(['tide']));
  });

  it('mark every word of the search, also among very many matches', () => {
    for (let before = 1_840; before < 1_900; before++) {
      const text = `${'tide '.repeat(before)}moon ${'tide '.repeat(1_000)}`;
      const fragments = fragmentsOf('tide moon', [text]);
      expect(fragments.flatMap(marksOf).filter((mark) => mark === 'moon')).toHaveLength(1);
      for (const fragment of fragments) {
        const others = partsOf(fragment).filter((_, index) => index % 2 === 0);
        expect(others.join('')).not.toContain('tide');
      }
    }
  });

  it('are, without marks, escapes and ellipses, parts of the text', () => {
    const unit = fc.oneof(fc.constantFrom(...NASTY), fc.constantFrom('tide', ' tide moon ', 'sea'));
    const texts = fc.array(fc.string({ unit, maxLength: 400 }), { maxLength: 4 });
    const search = fc.oneof(fc.constantFrom('tide', 'tide moon', '"tide moon" sea', 'a', 'é* 日 😀', '"a a"'), nasty);
    fc.assert(
      fc.property(texts, search, (lines, sought) => {
        const fragments = fragmentsOf(sought, lines);
        expect(fragments.length).toBeLessThanOrEqual(3);
        for (const fragment of fragments) {
          expect(fragment.replace(/<\/?mark>|&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[&<>"']/);
          const plain = plainOf(fragment).replace(/^… ?/, '').replace(/ ?…$/, '');
          expect(lines.some((line) => line.includes(plain))).toBe(true);
          expect(plain.length).toBeLessThanOrEqual(600);
          expect(plain.isWellFormed()).toBe(true);
          expect(marksOf(fragment).length).toBeGreaterThan(0);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

const HOSTILE: [part: string, search: string][] = [
  ['a', 'a'.repeat(100)],
  ['a ', 'a'],
  ['a ', '"a a a a a a a a a a a a a a a a" a'],
  ['a ', `"${'a '.repeat(250)}" a`],
  ['ab', 'a* ab* aba* abab*'],
  ['é', 'é*'],
  ['é ', 'e'],
  ['ü ', 'ue or ü'],
  ['a\u0301', 'a*'],
  ['\u0301', 'a'],
  ['\u093f', '\u093f'],
  ['<', 'a'],
  ['<a', 'a'],
  ['"', 'a'],
  ['😀', '😀'],
  ['😀', `"${'😀'.repeat(250)}" 😀`],
  ['👩‍💻', '👩‍💻'],
  ['日', '日'],
  ['日本', '本日本'],
  ['ﷺ', `${'ﷺ'.repeat(500)} صلى`],
  ['½', '1 2'],
  ['가', '가*'],
  ['ᄀ', 'ᄀ*'],
  ['ᅡ', 'ᅡ*'],
  ['a\u200e', 'a'],
  ['é\u200e', 'e'],
  ['\u00ad', 'a'],
  ['a\u00ad', 'a*'],
  ['a\u200d ', 'a'],
  ['&', 'a'],
  ['a&', 'a&a'],
  ['r&d ', '"r&d r&d" r d'],
  ['c++ ', '"c++ c++ c" c'],
  ['.a', '.a a'],
  [' ', 'a'],
  ['a\n', 'a'],
];

describe('a long text', () => {
  it.each(HOSTILE.map(([part, search]) => [part, [...search].slice(0, 20).join(''), search]))(
    'of %j takes a number of steps that grows no faster than its length for %j',
    (part, _, search) => {
      const stepsFor = (length: number): number => {
        const text = part.repeat(Math.floor(length / part.length));
        const steps = new Highlighter(queryOf(search.slice(0, 512))).fragments([text]);
        let count = 1;
        while (!steps.next().done) count++;
        return count;
      };
      expect(stepsFor(400_000)).toBeLessThan(5 * stepsFor(100_000));
    },
  );
});

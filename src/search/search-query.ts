import { lexeme, SATURATED, wordsOf } from './words.js';

/** A word, `or`, or a quoted phrase (whose end may be missing); a hyphen right before the latter two excludes. */
const TOKEN = /(-?)"([^"]*)"?|(\S+)/gu;

interface Term {
  excluded: boolean;
  /** One word, or the words of a phrase in their order. */
  words: string[];
}

/**
 * A tsquery as text of what a person typed, folded: words are ANDed, `"a phrase"`, `-not` and `or` are understood (AND binds closer). Any
 * text is a query; undefined when it is blank. One without a word (`!!!`) finds nothing.
 */
export function searchQuery(partition: string, folded: string): string | undefined {
  const alternatives = readAlternatives(folded).map((terms) => {
    const parts = terms.map(({ excluded, words }) => {
      const phrase = phraseOf(partition, words);
      return excluded ? `!(${phrase})` : `(${phrase})`;
    });
    // Only exclusions: out of all documents of the partition, which the index finds by its own lexeme.
    if (terms.every(({ excluded }) => excluded)) parts.unshift(lexeme(partition, ''));
    return parts.join(' & ');
  });
  if (alternatives.length > 0) return alternatives.join(' | ');
  return folded.trim() === '' ? undefined : lexeme(partition, ' ');
}

/** Words next to each other; where positions can't tell any more, all of them anywhere. */
function phraseOf(partition: string, words: readonly string[]): string {
  const lexemes = words.map((word) => lexeme(partition, word));
  if (lexemes.length === 1) return lexemes.join('');
  const saturated = words.map((word) => lexeme(partition, word + SATURATED)).join(' | ');
  return `${lexemes.join(' <-> ')} | ${lexemes.join(' & ')} & (${saturated})`;
}

function readAlternatives(folded: string): Term[][] {
  const alternatives: Term[][] = [];
  let terms: Term[] = [];
  for (const [, hyphen = '', phrase, bare = ''] of folded.matchAll(TOKEN)) {
    if (bare === 'or' && terms.length > 0) {
      alternatives.push(terms);
      terms = [];
    } else if (phrase !== undefined) {
      add(terms, hyphen === '-', wordsOf(phrase));
    } else {
      // `state-of-the-art` is a phrase; so is what other punctuation parts.
      const excluded = /^-[\p{L}\p{N}]/u.test(bare);
      add(terms, excluded, wordsOf(bare));
    }
  }
  if (terms.length > 0) alternatives.push(terms);
  return alternatives;
}

function add(terms: Term[], excluded: boolean, words: string[]): void {
  if (words.length > 0) terms.push({ excluded, words });
}

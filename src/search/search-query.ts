import { lexeme, SATURATED, wordsOf } from './words.js';

/** A word, `or`, or a quoted phrase, whose end may be missing. A hyphen directly before a word or phrase excludes it. */
const TOKEN = /(-?)"([^"]*)"?|(\S+)/gu;

interface Term {
  excluded: boolean;
  /** One word, or the words of a phrase in order. */
  words: string[];
}

/**
 * Converts a folded search text to the text of a tsquery. Words are combined with AND. `"a phrase"`, `-not` and `or` are supported (AND
 * binds tighter). Any text is valid; blank text returns undefined. A text without a word (`!!!`) finds nothing.
 */
export function searchQuery(partition: string, folded: string): string | undefined {
  const alternatives = readAlternatives(folded).map((terms) => {
    const parts = terms.map(({ excluded, words }) => {
      const phrase = phraseOf(partition, words);
      return excluded ? `!(${phrase})` : `(${phrase})`;
    });
    // Exclusions alone apply to all documents of the partition, which the index finds by the partition's own lexeme.
    if (terms.every(({ excluded }) => excluded)) parts.unshift(lexeme(partition, ''));
    return parts.join(' & ');
  });
  if (alternatives.length > 0) return alternatives.join(' | ');
  return folded.trim() === '' ? undefined : lexeme(partition, ' ');
}

/** Matches words next to each other. If a document does not record all positions of a word, the words may be anywhere in it. */
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
      // `state-of-the-art` is a phrase, and so are words that other punctuation separates.
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

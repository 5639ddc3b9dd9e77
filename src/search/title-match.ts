import { gapsLexeme, missingLexeme } from './lexemes.js';
import type { Context } from './search-match.js';
import { isExactTerm, type Term } from './search-query.js';
import { phraseOf, titleOf } from './search-rank.js';

/** Tsqueries as text that find the documents whose title has a term, whether the search includes or excludes it. */
export interface TitleMatch {
  /** Finds every such document, and those that may be one as far as their vector tells. */
  found: string;
  /** Which of them certainly are. */
  certain: string;
}

export function titleMatch(context: Context, term: Term): TitleMatch {
  const { partition } = context;
  const asItStands = isExactTerm(term);
  const words = term.words.map((word) => titleOf(context, { word, asItStands })).join(' & ');
  const missing = missingLexeme(partition);
  if (term.words.length === 1) return { found: `${words} | ${missing}`, certain: words };
  const phrase = phraseOf(partition, term.words, 'A');
  return { found: `(${words}) & ((${phrase}) | ${gapsLexeme(partition)}) | ${missing}`, certain: phrase };
}

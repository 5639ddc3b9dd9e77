import { anyLexeme, gapsLexeme, lexeme, missingLexeme, noLexeme, type Partition, stemLexeme } from './lexemes.js';
import { isExactTerm, type SearchQuery, type SoughtWord, type Term } from './search-query.js';
import type { SoughtStems } from './stemmer.js';

/**
 * A search as PostgreSQL evaluates it. A document matches if its vector matches `vector`, and, if the vector has at least `gaps` gaps, its
 * sequence of words matches `sequence`.
 */
export interface SearchMatch {
  /** A tsquery as text. It finds every document that matches, and those that may match as far as their vector tells. */
  vector: string;
  /** Whether `vector` excludes something. */
  excludes: boolean;
  /** The least gaps (`GAPS`) with which the vector alone does not decide. */
  gaps: number;
  /** Undefined if the search finds nothing. */
  sequence: Sequences;
}

/** Texts that a sequence of words must contain. The outer list has alternatives; in each of them, all terms must hold. */
type Sequences = readonly (readonly SequenceTerm[])[];

export interface SequenceTerm {
  excluded: boolean;
  /** The sequence must contain one of these texts. */
  texts: readonly string[];
}

export function searchMatch(partition: Partition, query: SearchQuery, stem?: SoughtStems): SearchMatch {
  const context = { partition, stem };
  const alternatives = query.map((terms) => {
    const parts = terms.map((term) =>
      term.excluded ? `!(${vectorOf(context, term)})` : `(${vectorOf(context, term)})`,
    );
    // Exclusions alone apply to all documents of the partition, which the index finds by the lexeme that each of them has.
    if (terms.every(({ excluded }) => excluded)) parts.unshift(anyLexeme(partition));
    return parts.join(' & ');
  });
  return {
    vector: alternatives.length > 0 ? alternatives.join(' | ') : noLexeme(partition),
    excludes: query.some((terms) => terms.some(({ excluded }) => excluded)),
    gaps: query.some((terms) => terms.some(({ words }) => words.length > 1)) ? 1 : 2,
    sequence: query.map((terms) => terms.map((term) => sequenceOf(context, term))),
  };
}

export interface Context {
  partition: Partition;
  stem: SoughtStems | undefined;
}

/** A tsquery. If the term is not excluded, it also finds documents whose vector does not tell. */
function vectorOf(context: Context, term: Term): string {
  const { partition } = context;
  const { words, excluded } = term;
  const exact = words.map((word) => wordVector(context, word, isExactTerm(term)));
  const phrase = exact.reduce((left, right, index) => `${left} <${words[index - 1]?.covers.length ?? 1}> ${right}`);
  if (excluded) return phrase;
  const unrecorded = words.length > 1 ? ` | ${exact.join(' & ')} & ${gapsLexeme(partition)}` : '';
  return `${phrase}${unrecorded} | ${missingLexeme(partition)}`;
}

/** A tsquery for a word, also by its stem unless `asItStands`. */
export function wordVector({ partition, stem }: Context, word: SoughtWord, asItStands: boolean): string {
  const lexemes = word.spellings.map((spelling) => lexeme(partition, spelling, word.isPrefix ? ':*' : ''));
  if (!asItStands) lexemes.push(...stemsOf(word, stem).map((one) => stemLexeme(partition, one)));
  return lexemes.length === 1 ? lexemes.join('') : `(${lexemes.join(' | ')})`;
}

/** The stems by which a word is found: one, unless it is written in several ways, or sought in several languages. */
export function stemsOf(word: SoughtWord, stem?: SoughtStems): string[] {
  return [...new Set(stemsByForm(word, stem).flat())];
}

/** The same for each way in which it is written. No stem occurs twice. */
export function stemsByForm(
  { spellings, written = spellings.slice(0, 1), isPrefix }: SoughtWord,
  stem?: SoughtStems,
): string[][] {
  if (!stem || isPrefix) return [];
  const known = new Set<string>();
  const isNew = (one: string) => !known.has(one) && known.add(one);
  return written.map((form) => [stem(form) ?? []].flat().filter(isNew)).filter(({ length }) => length > 0);
}

function sequenceOf({ stem }: Context, term: Term): SequenceTerm {
  const { words, excluded } = term;
  const end = words.at(-1)?.isPrefix ? '' : ' ';
  // A sequence has either all words as they are, or all other spellings.
  const texts = [0, 1].map(
    (index) => ` ${words.map(({ spellings }) => spellings[index] ?? spellings[0]).join(' ')}${end}`,
  );
  const stems = isExactTerm(term) ? [] : words.flatMap((word) => stemsOf(word, stem));
  return { excluded, texts: [...new Set([...texts, ...stems.map((one) => ` %${one} `)])] };
}

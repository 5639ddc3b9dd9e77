import {
  anyLexeme,
  lexeme,
  missingLexeme,
  type Partition,
  stemLexeme,
  type Tier,
  tierLexeme,
  TIERS,
  TITLE_TIERS,
  titleLexeme,
} from './lexemes.js';
import { type Context, type SearchMatch, stemsByForm, stemsOf, wordVector } from './search-match.js';
import { isExactTerm, type SearchQuery, type SoughtWord, type Term } from './search-query.js';
import { vectorDigest } from './search-vector.js';
import type { SoughtStems } from './stemmer.js';

/*
 * How matches are ordered. A document's score is the sum of the weights of the lexemes below that it has, so that an index finds the best
 * documents at any age, and what their words and positions add to it.
 *
 * A word has a share of the weights by its rarity; the shares of all words add up to 1.
 */

/** A word in the title. It outweighs everything else that the same word can have. A shorter title says more. */
const TITLE_WEIGHTS = [1_000, 980, 960, 940, 920, 900];
/** The title consists of exactly the sought words. */
const WHOLE_TITLE = 500;
const HEADING = 100;
/** For its length, the text has the word often. */
const BODY_WEIGHTS = [15, 25, 35, 45];
/** The document has the word. Only with `or`, because otherwise all matches have all words. */
const PRESENT = 300;

/**
 * The share of a word's stem in the weights above, if it is sought by its stem. The word as it stands, which has the stem too, has all of
 * the weight. A stem in a title of any length outweighs the word elsewhere.
 */
const STEM = 0.7;

/** All words are next to each other, in their order, in the title. */
export const PHRASE_IN_TITLE = 200;
/** The same anywhere. */
export const PHRASE = 100;
/** All words are near each other. The weight is divided by the number of words in between, plus 1. */
export const NEAR = 150;

const WEIGHTS = new Map<Tier, number>([
  ...TITLE_TIERS.map((tier, index): [Tier, number] => [tier, TITLE_WEIGHTS[index] ?? 0]),
  ['H', HEADING],
  ...TIERS.slice(TITLE_TIERS.length + 1).map((tier, index): [Tier, number] => [tier, BODY_WEIGHTS[index] ?? 0]),
]);

export interface SearchRank {
  /** Tsqueries as text. */
  lexemes: readonly string[];
  /** The weight that each of them adds. */
  weights: readonly number[];
  /** A tsquery that every match meets, and that the index alone decides. Undefined if a document with one of the lexemes always matches. */
  candidates?: string;
  /** Tsqueries that are evaluated on the positions of words. Undefined if there is only one word, or there are alternatives. */
  positions?: { near: string; phrase: string; phraseInTitle: string };
  /** The matches that have all words in the title. */
  titled: SearchMatch;
  /** The other matches. */
  untitled: SearchMatch;
}

/** Returns the tsquery of each word that affects the rank. */
export function rankedWords(partition: Partition, query: SearchQuery, stem?: SoughtStems): string[] {
  return wordsOf(query).map(({ word, asItStands }) => wordVector({ partition, stem }, word, asItStands));
}

/** `rarities` are those of `rankedWords`: the higher, the rarer the word. */
export function searchRank(
  context: Context & { match: SearchMatch },
  query: SearchQuery,
  rarities: readonly number[],
): SearchRank {
  const { partition, stem, match } = context;
  const words = wordsOf(query);
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const boosts = new Map<string, number>();
  const boost = (one: string, weight: number) => boosts.set(one, (boosts.get(one) ?? 0) + weight);
  const [alternative = [], ...others] = query;
  words.forEach((sought, index) => {
    const { word } = sought;
    const stems = sought.asItStands ? [] : stemsByForm(word, stem);
    const flags = flagsOf(word);
    const share = (rarities[index] ?? 0) / all;
    const ofSpelling = stems.length > 0 ? share * (1 - STEM) : share;
    for (const spelling of word.spellings) {
      for (const [tier, weight] of WEIGHTS) boost(tierLexeme(partition, spelling, tier, flags), weight * ofSpelling);
      if (others.length > 0) boost(lexeme(partition, spelling, flags), PRESENT * ofSpelling);
    }
    // A text has a word by its stem in the language that it is in.
    for (const ofForm of stems) {
      for (const [tier, weight] of WEIGHTS) {
        boost(anyOf(ofForm.map((one) => tierLexeme(partition, `%${one}`, tier))), weight * share * STEM);
      }
      if (others.length > 0) boost(anyOf(ofForm.map((one) => stemLexeme(partition, one))), PRESENT * share * STEM);
    }
  });
  const included = alternative.filter(({ excluded }) => !excluded);
  if (others.length === 0 && included.length > 0)
    boost(titleLexeme(partition, vectorDigest(included.flatMap(covers))), WHOLE_TITLE);
  const titles = query
    .map((terms) => wordsOf([terms]).map((sought) => titleOf(context, sought)))
    .map((inTitle) => inTitle.join(' & ') || lexeme(partition, ' '))
    .map((title) => `(${title})`)
    .join(' | ');
  return {
    lexemes: [...boosts.keys()],
    weights: [...boosts.values()],
    candidates:
      others.length > 0 || alternative.length > 1 || words.length > 1 ? candidatesOf(context, query) : undefined,
    positions: others.length === 0 ? positionsOf(context, included) : undefined,
    titled: { ...match, vector: `(${match.vector}) & (${titles})` },
    untitled: { ...match, vector: `(${match.vector}) & !(${titles})`, excludes: true },
  };
}

interface RankedWord {
  word: SoughtWord;
  asItStands: boolean;
}

/** The words that are sought, each once. */
function wordsOf(query: SearchQuery): RankedWord[] {
  const words = new Map<string, RankedWord>();
  for (const term of query.flat().filter(({ excluded }) => !excluded)) {
    for (const word of term.words) {
      const key = `${word.spellings[0]}${word.isPrefix ? '*' : ''}`;
      words.set(key, { word, asItStands: isExactTerm(term) && (words.get(key)?.asItStands ?? true) });
    }
  }
  return [...words.values()];
}

function flagsOf({ isPrefix }: SoughtWord): string {
  return isPrefix ? ':*' : '';
}

function anyOf(lexemes: readonly string[]): string {
  return lexemes.length === 1 ? lexemes.join('') : `(${lexemes.join(' | ')})`;
}

function covers({ words }: Term): string[] {
  return words.flatMap((word) => word.covers);
}

/** A tsquery for a word in the title, or only in one of these tiers. */
export function titleOf(
  { partition, stem }: Context,
  { word, asItStands }: RankedWord,
  tiers: readonly Tier[] = TITLE_TIERS,
): string {
  const stems = asItStands ? [] : stemsOf(word, stem).map((one) => `%${one}`);
  const lexemes = [...word.spellings, ...stems].flatMap((one) =>
    tiers.map((tier) => tierLexeme(partition, one, tier, flagsOf(word))),
  );
  return `(${lexemes.join(' | ')})`;
}

/** Documents with all words of an alternative, wherever they are. */
function candidatesOf(context: Context, query: SearchQuery): string {
  const { partition } = context;
  const alternatives = query.map(
    (terms) =>
      terms
        .filter(({ excluded, words }) => !excluded || words.length === 1)
        .map((term) => {
          const all = term.words.map((word) => wordVector(context, word, isExactTerm(term))).join(' & ');
          return term.excluded ? `!(${all})` : `(${all})`;
        })
        .join(' & ') || anyLexeme(partition),
  );
  return `${alternatives.map((one) => `(${one})`).join(' | ')} | ${missingLexeme(partition)}`;
}

function positionsOf({ partition }: Context, terms: readonly Term[]): SearchRank['positions'] {
  const words = terms.flatMap((term) => term.words);
  if (words.length < 2) return undefined;
  return {
    near: inPlace(partition, words, '').join(' & '),
    phrase: phraseOf(partition, words, ''),
    phraseInTitle: phraseOf(partition, words, 'A'),
  };
}

/** A tsquery for words next to each other, as they stand. `weight` is `A` for the title, and empty for any place. */
export function phraseOf(partition: Partition, words: readonly SoughtWord[], weight: '' | 'A'): string {
  return inPlace(partition, words, weight).reduce(
    (left, right, index) => `${left} <${words[index - 1]?.covers.length ?? 1}> ${right}`,
  );
}

function inPlace(partition: Partition, words: readonly SoughtWord[], weight: '' | 'A'): string[] {
  return words.map(({ spellings, isPrefix }) => {
    const marks = `${isPrefix ? '*' : ''}${weight}`;
    const flags = marks === '' ? '' : `:${marks}`;
    return `(${spellings.map((spelling) => lexeme(partition, spelling, flags)).join(' | ')})`;
  });
}

import { anyLexeme, TITLE_TIERS, titleLexeme } from './lexemes.js';
import { type Context, wordVector } from './search-match.js';
import { isExactTerm, readSearch, type SearchQuery, type Term } from './search-query.js';
import { phraseOf, titleOf } from './search-rank.js';
import { vectorDigest } from './search-vector.js';

/** At least two characters of a word, which somebody may still be typing. */
const UNFINISHED = /[\p{L}\p{M}\p{N}]{2}$/u;

/** Reads a search like `readSearch`. The last word is also sought as the beginning of a word. Undefined for blank text. */
export function readTyped(text: string): SearchQuery | undefined {
  const query = readSearch(text);
  if (!query || !UNFINISHED.test(text)) return query;
  const begun = readSearch(`${text}*`) ?? [];
  // The whole word may be found by its stem, by which no beginning is found.
  return [...begun, ...query.slice(-1)];
}

/**
 * Tsqueries as text, the best matches first: documents whose title is the search, then those with all words in the title, shorter titles first, then
 * those with all words anywhere. A document that is too large for all of its words to be recorded is found by those that are.
 */
export function typedSteps(context: Context, query: SearchQuery): string[] {
  if (query.length === 0) return [];
  const whole = ofAlternatives(context, query, (terms) => [wholeTitle(context, terms)]);
  const titles = TITLE_TIERS.map((tier) =>
    ofAlternatives(context, query, (terms) => terms.map((term) => inTitle(context, term, tier))),
  );
  const anywhere = ofAlternatives(context, query, (terms) => terms.map((term) => inDocument(context, term)));
  return [whole, ...titles, anywhere];
}

/** A tsquery that one of the alternatives meets: `found` says what for its included terms, and it has none of the excluded ones. */
function ofAlternatives(context: Context, query: SearchQuery, found: (included: readonly Term[]) => string[]): string {
  const alternatives = query.map((terms) => {
    const included = terms.filter(({ excluded }) => !excluded);
    // Exclusions alone apply to all documents.
    const tests = included.length > 0 ? found(included) : [anyLexeme(context.partition)];
    const others = terms.filter(({ excluded }) => excluded).map((term) => `!(${inDocument(context, term)})`);
    return `(${[...tests.map((test) => `(${test})`), ...others].join(' & ')})`;
  });
  return [...new Set(alternatives)].join(' | ');
}

function wholeTitle({ partition }: Context, terms: readonly Term[]): string {
  return titleLexeme(partition, vectorDigest(terms.flatMap(({ words }) => words.flatMap(({ covers }) => covers))));
}

function inTitle(context: Context, term: Term, tier: (typeof TITLE_TIERS)[number]): string {
  const asItStands = isExactTerm(term);
  const words = term.words.map((word) => titleOf(context, { word, asItStands }, [tier]));
  return (words.length > 1 ? [...words, phraseOf(context.partition, term.words, 'A')] : words).join(' & ');
}

/** A tsquery for a term: its words next to each other. */
function inDocument(context: Context, term: Term): string {
  const { words } = term;
  return words
    .map((word) => wordVector(context, word, isExactTerm(term)))
    .reduce((left, right, index) => `${left} <${words[index - 1]?.covers.length ?? 1}> ${right}`);
}

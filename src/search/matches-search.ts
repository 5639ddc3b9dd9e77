import type { Bindings } from '../database/statements/bindings.js';
import type { SearchMatch, SequenceTerm } from './search-match.js';

/** SQL that is true for the row `alias` of a table of documents (`words`, `gaps`, `sequence`) if it matches the search. An index finds the rows. */
export function matchesSearch(match: SearchMatch, alias: string, bindings: Bindings): string {
  const { gaps, sequence } = match;
  const alternatives = sequence.map((terms) => terms.map((term) => inSequence(term, alias, bindings)).join(' AND '));
  const exact = alternatives.length > 0 ? alternatives.map((terms) => `(${terms})`).join(' OR ') : 'false';
  return `${matchesVector(match, `${alias}.words`, bindings)} AND (${alias}.gaps < ${gaps} OR ${exact})`;
}

/**
 * SQL that is true if the vector `column` matches. An index finds the rows.
 *
 * While PostgreSQL moves the words of a row into the index, the index may have a word that is sought and not yet one that is excluded, and
 * PostgreSQL does not look at the row then. Thus each row that was found is tested: the function, unlike its operator, never uses an index.
 */
export function matchesVector({ vector, excludes }: SearchMatch, column: string, bindings: Bindings): string {
  const query = `${bindings.add(vector)}::tsquery`;
  return `${column} @@ ${query}${excludes ? ` AND ts_match_vq(${column}, ${query})` : ''}`;
}

function inSequence({ excluded, texts }: SequenceTerm, alias: string, bindings: Bindings): string {
  const tests = texts.map((text) => `strpos(${alias}.sequence, ${bindings.add(text)}) > 0`);
  return `${excluded ? 'NOT ' : ''}(${tests.join(' OR ')})`;
}

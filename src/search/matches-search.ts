import type { Bindings } from '../database/bindings.js';
import type { SearchMatch, SequenceTerm } from './search-match.js';

/** SQL that is true for the row `alias` of a table of documents (`words`, `gaps`, `sequence`) if it matches the search. An index finds the rows. */
export function matchesSearch({ vector, gaps, sequence }: SearchMatch, alias: string, bindings: Bindings): string {
  const alternatives = sequence.map((terms) => terms.map((term) => inSequence(term, alias, bindings)).join(' AND '));
  const exact = alternatives.length > 0 ? alternatives.map((terms) => `(${terms})`).join(' OR ') : 'false';
  return `${alias}.words @@ ${bindings.add(vector)}::tsquery AND (${alias}.gaps < ${gaps} OR ${exact})`;
}

function inSequence({ excluded, texts }: SequenceTerm, alias: string, bindings: Bindings): string {
  const tests = texts.map((text) => `strpos(${alias}.sequence, ${bindings.add(text)}) > 0`);
  return `${excluded ? 'NOT ' : ''}(${tests.join(' OR ')})`;
}

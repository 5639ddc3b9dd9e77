import { type Context, searchMatch } from '../../search/search-match.js';
import type { SearchQuery, Term } from '../../search/search-query.js';
import { allOf, anyOf, type Condition, negate } from './entry-conditions.js';
import type { TitleHits } from './referenced-titles.js';

/** A search of entries by their own words and by the titles of the entries that they refer to. */
export interface ReferencedSearch {
  /** What every match meets, and nothing else. */
  matches: Condition;
  /** What every match meets that does not match by its own words alone. Undefined if there can be none. */
  refers?: Condition;
  /** Whether a title can exclude an entry that matches by its own words. */
  excludes: boolean;
}

/** Each word or phrase is sought in the entry's own words, or in one of the titles. */
export function referencedSearch(context: Context, query: SearchQuery, hits: TitleHits): ReferencedSearch {
  const { partition, stem } = context;
  const inText = (terms: readonly Term[]): Condition => {
    return { kind: 'words', match: searchMatch(partition, [terms], stem), negated: false };
  };
  const refersTo = (ids: readonly string[]): Condition => {
    return { kind: 'refers', fields: hits.fields, entries: `{${ids.join(',')}}`, negated: false };
  };
  const isInTitles = (term: Term) => hits.of(term).length > 0;
  const hasTerm = (term: Term): Condition =>
    isInTitles(term) ? anyOf([refersTo(hits.of(term)), inText([term])]) : inText([term]);
  const ofAlternative = (terms: readonly Term[]): Condition => {
    const included = terms.filter(({ excluded }) => !excluded);
    // One look into the index of words finds all words that no title has.
    const own = included.filter((term) => !isInTitles(term));
    return allOf([
      ...(own.length > 0 ? [inText(own)] : []),
      ...included.filter(isInTitles).map(hasTerm),
      ...terms.filter(({ excluded }) => excluded).map((term) => negate(hasTerm({ ...term, excluded: false }))),
    ]);
  };
  const all = query.flat();
  const ids = new Set(all.filter(({ excluded }) => !excluded).flatMap((term) => hits.of(term)));
  return {
    matches: anyOf(query.map(ofAlternative)),
    ...(ids.size > 0 && { refers: refersTo([...ids]) }),
    excludes: all.some((term) => term.excluded && isInTitles(term)),
  };
}

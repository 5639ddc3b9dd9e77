import { type Context, searchMatch } from '../../search/search-match.js';
import type { SearchQuery, Term } from '../../search/search-query.js';
import { allOf, anyOf, type Condition, negate } from '../../lists/conditions/condition.js';
import { hasWords, refersTo } from './entry-conditions.js';
import type { TitleHits } from './referenced-titles.js';

/** The conditions of a search of entries by their own words and by the titles of the entries that they refer to. */
export interface ReferencedSearch {
  /** What every match meets, and nothing else. */
  matches: Condition;
  /** What an entry that matches by its own words must still meet: a title may exclude it. */
  own: Condition;
  /** What the other matches meet, and nothing else. Undefined if there can be none. */
  referred?: Condition;
}

/** Seeks each word or phrase in the entry's own words, or in one of the titles. */
export function referencedSearch(context: Context, query: SearchQuery, hits: TitleHits): ReferencedSearch {
  const alternatives = query.map((terms) => new Alternative(context, terms, hits));
  const matches = anyOf(alternatives.map((one) => one.matches));
  const [only, ...others] = alternatives;
  if (only && others.length === 0) return { matches, own: only.own, referred: only.referred };
  const titled = alternatives.flatMap((one) => one.titled);
  return {
    matches,
    own: matches,
    // Titles are read first, because most texts that match do not refer to any of them.
    ...(titled.length > 0 && {
      referred: allOf([refersToTitles(hits, titled), matches, negate(inText(context, query))]),
    }),
  };
}

/** Terms that must all hold. */
class Alternative {
  /** The included terms that are in titles. */
  readonly titled: readonly Term[];
  /** What is left of the matches if these are met. */
  private readonly rest: readonly Condition[];

  constructor(
    private readonly context: Context,
    private readonly terms: readonly Term[],
    private readonly hits: TitleHits,
  ) {
    const included = terms.filter(({ excluded }) => !excluded);
    this.titled = included.filter((term) => this.isInTitles(term));
    // One look into the index of words finds all words that no title has.
    const untitled = included.filter((term) => !this.isInTitles(term));
    this.rest = [
      ...(untitled.length > 0 ? [inText(context, [untitled])] : []),
      ...this.excluded.map((term) => negate(this.has(term))),
    ];
  }

  get matches(): Condition {
    return allOf([...this.titled.map((term) => this.has(term)), ...this.rest]);
  }

  get own(): Condition {
    const titled = this.excluded.filter((term) => this.isInTitles(term));
    return allOf(titled.map((term) => negate(refersToTitles(this.hits, [term]))));
  }

  get referred(): Condition | undefined {
    const { titled, context, hits } = this;
    if (titled.length === 0) return undefined;
    const only = titled.length === 1;
    // With only one such term, the reference already meets it.
    return allOf([
      refersToTitles(hits, titled),
      negate(inText(context, [titled])),
      ...(only ? [] : titled.map((term) => this.has(term))),
      ...this.rest,
    ]);
  }

  /** The excluded terms, as if they were sought. */
  private get excluded(): Term[] {
    return this.terms.filter(({ excluded }) => excluded).map((term) => ({ ...term, excluded: false }));
  }

  private has(term: Term): Condition {
    const own = inText(this.context, [[term]]);
    return this.isInTitles(term) ? anyOf([refersToTitles(this.hits, [term]), own]) : own;
  }

  private isInTitles(term: Term): boolean {
    return this.hits.of(term).length > 0;
  }
}

function inText({ partition, stem }: Context, query: SearchQuery): Condition {
  return hasWords(searchMatch(partition, query, stem));
}

/** Whether the entry refers to one whose title has one of the terms. */
function refersToTitles(hits: TitleHits, terms: readonly Term[]): Condition {
  const ids = new Set(terms.flatMap((term) => hits.of(term)));
  return refersTo({ fields: hits.fields, entries: `{${[...ids].join(',')}}` });
}

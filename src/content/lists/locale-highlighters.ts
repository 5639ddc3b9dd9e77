import type { LocaleReading } from '../../fields/localized/shown-value.js';
import { Highlighter } from '../../search/highlighter.js';
import type { SearchQuery } from '../../search/search-query.js';
import type { Stemmer } from '../../search/stemmer.js';
import type { IndexedType } from '../schemas.js';
import type { SearchedWords } from '../words/searched-words.js';

/** Which values of entries are highlighted, and by which stems. */
export interface Highlighters {
  /** Undefined for the values of the default locale. */
  reading?: LocaleReading;
  /** For values of a localized field in the locale `code`, and for those of other fields. */
  of: (code: string | undefined) => Highlighter;
}

/** The highlighters of a search in a locale, or without one. */
export function highlightersOf(
  type: IndexedType,
  sought: SearchQuery,
  { reading, wordsOf }: { reading?: LocaleReading; wordsOf: (type: IndexedType) => SearchedWords },
): Highlighters {
  const { localeSearch, stem } = type;
  if (!localeSearch || wordsOf(type).view === undefined) {
    const highlighter = new Highlighter(sought, stem);
    return { reading, of: () => highlighter };
  }
  const known = new Map<Stemmer | undefined, Highlighter>();
  return {
    reading,
    of: (code) => {
      const own = code === undefined ? localeSearch.ownStem : localeSearch.stems.get(code);
      const highlighter = known.get(own) ?? new Highlighter(sought, own);
      known.set(own, highlighter);
      return highlighter;
    },
  };
}

import { hash } from 'node:crypto';
import type { Partition } from '../../search/lexemes.js';
import type { SoughtStems } from '../../search/stemmer.js';
import { partitionOf } from '../../search/words.js';
import { ALL_LOCALES, type LocaleRequest } from '../locales/locale-request.js';
import type { IndexedType } from '../schemas.js';
import { headsOf } from './locale-documents.js';
import { languageOfLocale } from './locale-languages.js';
import { type LocaleSearch, type SearchView, viewIn } from './locale-search.js';

/** Where a search looks for words, and how it reads them. */
export interface SearchedWords {
  table: 'entry_words' | 'entry_locale_words';
  /** The view that documents must be shown in. Undefined in a table with one document for each entry. */
  view?: string;
  partition: Partition;
  stem: SoughtStems | undefined;
}

/** The words that a search of entries of a type looks at, in the locale of its request. */
export function searchedWords(
  { id, stem, localeSearch }: Pick<IndexedType, 'id' | 'stem' | 'localeSearch'>,
  request?: LocaleRequest,
): SearchedWords {
  const inLocale = request && request.locale !== ALL_LOCALES ? localeSearch : undefined;
  const view = inLocale && viewIn(inLocale, request?.locale ?? '', request?.hasFallback ?? true);
  if (!inLocale || !view) return { table: 'entry_words', partition: partitionOf(id), stem };
  return {
    table: 'entry_locale_words',
    view: view.name,
    partition: headsOf(view).map(({ head, chain }) => ({
      name: localePartition(id, head),
      languages: languagesOf(inLocale, chain),
    })),
    stem: stemsIn(inLocale, view),
  };
}

/** The languages of the stems of documents that show values of these locales. */
function languagesOf({ language }: LocaleSearch, chain: readonly string[]): ReadonlySet<string> {
  const all = [...chain.map(languageOfLocale), language ?? undefined];
  return new Set(all.filter((one) => one !== undefined));
}

/** The partition of the documents of a type with this head. Those of different heads can be the same, because each search tests the view. */
export function localePartition(typeId: string, head: string): string {
  return hash('sha1', `${typeId} ${head}`, 'hex').slice(0, 5);
}

/** The stems in the languages of all values that the view may show. */
function stemsIn({ stems, ownStem }: LocaleSearch, { chain }: SearchView): SoughtStems | undefined {
  const all = [...new Set([...chain.map((code) => stems.get(code)), ownStem])].filter((stem) => stem !== undefined);
  return all.length === 0 ? undefined : (word) => all.flatMap((stem) => stem(word) ?? []);
}

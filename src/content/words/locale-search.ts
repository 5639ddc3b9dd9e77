import { chainOf, codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import type { SearchLanguage, Stemmer } from '../../search/stemmer.js';
import { languageOfLocale, markedStemmer } from './locale-languages.js';

/** What a search in a locale looks at: the values of the locale alone (`de`), or what is shown in it (`de+`). */
export interface SearchView {
  name: string;
  code: string;
  /** The locales whose values it looks at, first the one that it prefers. */
  chain: readonly string[];
  /** Whether it looks at other locales where this one has no value. */
  hasFallback: boolean;
}

/** How entries of a type with localized fields are searched in its locales. */
export interface LocaleSearch {
  settings: LocaleSettings;
  /** Of the type. */
  language: SearchLanguage | null;
  views: readonly SearchView[];
  /** By the codes of the locales; those without known stems are missing. */
  stems: ReadonlyMap<string, Stemmer>;
  /** Of fields that are not localized. Undefined if the type has no language. */
  ownStem: Stemmer | undefined;
}

/** Returns undefined for a type without localized fields. */
export async function localeSearch(
  settings: LocaleSettings | null,
  language: SearchLanguage | null,
): Promise<LocaleSearch | undefined> {
  if (settings === null) return undefined;
  const stems = new Map<string, Stemmer>();
  for (const code of codesOf(settings)) {
    const ofLocale = languageOfLocale(code);
    if (ofLocale) stems.set(code, await markedStemmer(ofLocale));
  }
  return {
    settings,
    language,
    views: viewsOf(settings, language),
    stems,
    ownStem: language === null ? undefined : await markedStemmer(language),
  };
}

/** The documents of the default locale have the stems of the type's language, so it has a view only if its own language is another. */
function viewsOf(settings: LocaleSettings, language: SearchLanguage | null): SearchView[] {
  return codesOf(settings).flatMap((code): SearchView[] => {
    if (code === settings.default && (languageOfLocale(code) ?? language) === language) return [];
    const chain = chainOf(settings, code);
    const own: SearchView = { name: code, code, chain: [code], hasFallback: false };
    return chain.length === 1 ? [own] : [own, { name: `${code}+`, code, chain, hasFallback: true }];
  });
}

/** The stemmer of the values of a field, which is stored for a locale or is not localized. */
export function stemOfField(
  { settings, stems, ownStem }: LocaleSearch,
  schema: Schema,
  { name, locale = settings.default }: CompiledField,
): Stemmer | undefined {
  return schema.isOfLocale(name) ? stems.get(locale) : ownStem;
}

/** The view of a search in a locale. Undefined if it looks at the documents of the default locale. */
export function viewIn({ views }: LocaleSearch, code: string, hasFallback: boolean): SearchView | undefined {
  const ofLocale = views.filter((view) => view.code === code);
  return ofLocale.find((view) => view.hasFallback === hasFallback) ?? ofLocale[0];
}

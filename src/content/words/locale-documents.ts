import { nameIn } from '../../fields/localized/localized-names.js';
import { localeStateOf } from '../../fields/localized/locale-state.js';
import { supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';
import type { LocaleSearch, SearchView } from './locale-search.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * A document of search beside that of the default locale. An entry has one for each text that one of its views shows (see docs/decisions/
 * search-in-locales.md): locales in which it shows the same text share the document.
 */
export interface LocaleDocument {
  /** Its name among those of the entry. */
  name: string;
  /** Whose partition has its words (see `headsOf`). */
  head: string;
  /** The names of the views that show it, sorted. */
  views: readonly string[];
  /** For each localized field that is searched: the stored name of the value that is shown. Missing if none is. */
  sources: ReadonlyMap<string, string>;
}

/** The head of the documents of entries without own values in a locale, with `fallback=none`. */
const NO_LOCALE = '';

/** The heads of the documents that a view may show, and the locales whose values each may have. */
export function headsOf({ code, chain, hasFallback }: SearchView): { head: string; chain: readonly string[] }[] {
  if (hasFallback) return chain.map((head, index) => ({ head, chain: chain.slice(index) }));
  return [
    { head: code, chain },
    { head: NO_LOCALE, chain: [] },
  ];
}

/** The documents that an entry with these values has. */
export function localeDocuments(
  schema: Schema,
  { settings: { default: standard }, views }: LocaleSearch,
  values: Values,
): LocaleDocument[] {
  const names = [...schema.localized].filter((name) => schema.field(name)?.searchable);
  const off = localeStateOf(values).off ?? [];
  const storedName = (name: string, code: string) => (code === standard ? name : nameIn(name, code));
  const isShown = (name: string, code: string) =>
    !off.includes(code) && supplied(values, storedName(name, code)) !== undefined;
  const documents = new Map<string, LocaleDocument & { views: string[] }>();
  for (const { name: view, chain, hasFallback } of views) {
    const valued = chain.find((code) => names.some((name) => isShown(name, code)));
    const head = valued ?? (hasFallback ? chain.at(-1)! : NO_LOCALE);
    const sources = new Map<string, string>();
    for (const name of names) {
      const from = chain.find((code) => isShown(name, code));
      if (from !== undefined) sources.set(name, storedName(name, from));
    }
    const key = `${head} ${[...sources.values()].join()}`;
    const known = documents.get(key);
    if (known) known.views.push(view);
    else documents.set(key, { name: hasFallback ? `${head}+` : head, head, views: [view], sources });
  }
  return [...documents.values()].map((document) => ({ ...document, views: document.views.sort() }));
}

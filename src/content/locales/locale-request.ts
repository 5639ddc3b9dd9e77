import { Problem } from '../../errors/problem.js';
import { chainOf, codesOf, type LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { LocaleReading } from '../../fields/localized/shown-value.js';
import type { Parameter } from '../../http/parameters.js';
import { readOption } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { canonicalLocale } from '../../validation/locales.js';
import { listed } from '../../validation/suggestion.js';
import { shorten } from '../../fields/formats/text.js';
import type { CompiledType } from '../schemas.js';
import type { ShownLocales } from './shown-json.js';

/** All locales at once. */
export const ALL_LOCALES = '*';

/** In which locale a request reads entries, before the code is looked up. */
export interface LocaleRequest {
  /** A code, or `*`. */
  locale: string;
  /** Whether values of other locales are shown where the locale has none. */
  hasFallback: boolean;
}

/** The names of the parameters that `readLocale` reads. */
export const localeParameters: Parameter[] = [
  {
    name: 'locale',
    schema: { type: 'string' },
    description:
      'The locale in which localized fields are shown: a code such as `de`, or `*` for all, as an object from codes to values. The entry then has ' +
      '`locale`, and in `fallbacks` the locales of values that come from others. Without it, the default locale is shown.',
  },
  {
    name: 'fallback',
    schema: { type: 'string', enum: ['none'] },
    description: 'With `none`, only own values of the locale are shown.',
  },
];

/** The locale of a write. */
export const writeLocaleParameter: Parameter = {
  name: 'locale',
  schema: { type: 'string' },
  description:
    'The locale of the values of localized fields: a code such as `de`, or `*` if they are objects from codes to values, in which null removes a ' +
    'value and codes that are not sent stay as they are. Without it, they are those of the default locale. The response is in the same locale.',
};

/** Reads `locale` and `fallback`. Returns undefined if neither was sent. */
export function readLocale(query: Query): LocaleRequest | undefined {
  const locale = query['locale'] as string | undefined;
  const fallback = readOption(query, 'fallback', ['none']);
  if (locale === undefined) {
    if (fallback !== undefined) throw Problem.parameter('fallback', 'fallback needs locale.');
    return undefined;
  }
  return { locale, hasFallback: fallback === undefined };
}

/** Reads the locale of a write; undefined if it was not sent. */
export function readWriteLocale(query: Query): string | undefined {
  return query['locale'] as string | undefined;
}

/** Throws a 400 that names the locales there are, unless the tenant has the locale. */
export function assertKnownLocale(locale: string, settings: LocaleSettings): void {
  const codes = codesOf(settings);
  if (locale === ALL_LOCALES || codes.includes(locale)) return;
  const canonical = canonicalLocale(locale);
  const meant = canonical !== undefined && codes.includes(canonical) ? ` Did you mean ${canonical}?` : '';
  const detail = `There is no locale ${shorten(locale)}.${meant} The locales are ${listed(codes)}, or * for all.`;
  throw Problem.parameter('locale', detail);
}

/** The locales in which values are looked for. */
export function readingOf(settings: LocaleSettings, { locale, hasFallback }: LocaleRequest): LocaleReading {
  return { chain: hasFallback ? chainOf(settings, locale) : [locale], default: settings.default };
}

/** How entries of a type are shown. `settings` are those of the tenant. `showsOff`: also values of locales that are taken off. */
export function shownLocales(
  { schema }: Pick<CompiledType, 'schema'>,
  settings: LocaleSettings,
  request: LocaleRequest,
  showsOff: boolean,
): ShownLocales {
  return {
    locale: request.locale,
    ...readingOf(settings, request),
    revision: settings.revision,
    codes: codesOf(settings),
    localized: schema.localized,
    showsOff,
  };
}

import { type LocaleState, localeStateOf, withoutLocaleState } from './locale-state.js';
import { readName, LOCALE_STATE } from './localized-names.js';
import type { LocaleSettings } from './locale-settings.js';

type Values = Record<string, unknown>;

/** The locales of which these fields, by their stored names, are values. */
export function localesOfNames(
  names: readonly string[],
  localized: ReadonlySet<string>,
  settings: LocaleSettings,
): string[] {
  const codes = names.flatMap((name) => {
    const { own, locale } = readName(name);
    return localized.has(own) ? (locale ?? settings.default) : [];
  });
  return [...new Set(codes)].sort();
}

/** The values with the state of their locales, in which those that changed at `at` are noted. */
export function withChangedState(values: Values, changed: readonly string[], at: string): Values {
  const before = localeStateOf(values);
  const times = Object.fromEntries(changed.map((code) => [code, at]));
  const state: LocaleState = { ...before, at: { ...before.at, ...times } };
  return { [LOCALE_STATE]: state, ...withoutLocaleState(values) };
}

import type { Locale, Locales } from '../../../api/locales';

/** The languages with one more, or with another version of one that is there. */
export function withLocale({ default: standard, locales }: Locales, locale: Locale): Locales {
  const isThere = locales.some(({ code }) => code === locale.code);
  const all = isThere ? locales.map((each) => (each.code === locale.code ? locale : each)) : [...locales, locale];
  return { default: standard, locales: all };
}

/** Without one of them. Those that fell back to it fall back to where it did. */
export function withoutLocale({ default: standard, locales }: Locales, removed: Locale): Locales {
  const rest = locales.filter(({ code }) => code !== removed.code);
  return {
    default: standard,
    locales: rest.map((each) => (each.fallback === removed.code ? { ...each, fallback: removed.fallback } : each)),
  };
}

/** With another default, which falls back to nothing. The one of before falls back to it. */
export function withDefault({ default: before, locales }: Locales, code: string): Locales {
  return {
    default: code,
    locales: locales.map((each) => {
      if (each.code === code) return { ...each, fallback: null };
      return each.code === before ? { ...each, fallback: code } : each;
    }),
  };
}

/** The languages that another one may fall back to without a circle. */
export function possibleFallbacks({ locales }: Locales, code: string): readonly Locale[] {
  const leadsBack = (from: string, steps = locales.length): boolean => {
    const next = locales.find((each) => each.code === from)?.fallback;
    if (next === undefined || next === null || steps === 0) return false;
    return next === code || leadsBack(next, steps - 1);
  };
  return locales.filter((each) => each.code !== code && !leadsBack(each.code));
}

/** A language in which values can be written. */
export interface Locale {
  /** BCP 47, in canonical form. */
  code: string;
  name: string;
  /** The locale whose value is shown where this one has none; null if nothing is shown then. */
  fallback: string | null;
}

/** The locales of a tenant. */
export interface LocaleSettings {
  /** The code of the locale of values that are written and read without one. It has no fallback. */
  default: string;
  locales: readonly Locale[];
  /** Grows with every change of the settings. */
  revision: number;
}

/** What a tenant has before it sets its locales. */
export const FIRST_SETTINGS: LocaleSettings = {
  default: 'en',
  locales: [{ code: 'en', name: 'English', fallback: null }],
  revision: 0,
};

export function codesOf({ locales }: Pick<LocaleSettings, 'locales'>): string[] {
  return locales.map(({ code }) => code);
}

/** The codes of the locales other than the default. */
export function otherCodes(settings: LocaleSettings): string[] {
  return codesOf(settings).filter((code) => code !== settings.default);
}

/** The locale and those that it falls back to, in this order. The settings have no circle. */
export function chainOf({ locales }: Pick<LocaleSettings, 'locales'>, code: string): string[] {
  const chain: string[] = [];
  for (let next: string | null = code; next !== null;) {
    const [at, found]: [string, Locale | undefined] = [next, locales.find((one) => one.code === next)];
    if (!found || chain.includes(at)) break;
    chain.push(at);
    next = found.fallback;
  }
  return chain;
}

/** What may be given to a key or a role: its scopes, and the locales whose values it may change (undefined or null: all). */
interface LimitedToLocales {
  readonly scopes: readonly string[];
  readonly locales?: readonly string[] | null;
}

/**
 * Whether somebody who may change the values of the locales `own` (undefined: all) may give this to others. Who changes no content needs no
 * limit, but is given no other locales either.
 */
export function allowsLocales(own: ReadonlySet<string> | undefined, { scopes, locales }: LimitedToLocales): boolean {
  if (own === undefined) return true;
  return locales?.every((locale) => own.has(locale)) ?? !scopes.some(writesContent);
}

function writesContent(scope: string): boolean {
  return scope === '*' || scope === 'write' || /^content:(write|draft)/.test(scope);
}

/** Returns the locales that both lists allow; undefined if both allow all. */
export function commonLocales(
  some: readonly string[] | null | undefined,
  others: readonly string[] | null | undefined,
): readonly string[] | undefined {
  if (!some || !others) return some ?? others ?? undefined;
  return some.filter((locale) => others.includes(locale));
}

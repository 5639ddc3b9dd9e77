import { Problem } from '../../errors/problem.js';
import { readName, LOCALE_STATE } from '../../fields/localized/localized-names.js';
import type { Caller } from '../../http/caller.js';
import { listed } from '../../validation/suggestion.js';
import type { EntryStatus } from '../entries/entry.entity.js';
import type { Transition } from '../entries/writes/entry-write.js';
import type { CompiledType } from '../schemas.js';

type LocaleRights = Pick<Caller, 'locales'>;
type LocalizedType = Pick<CompiledType, 'schema' | 'locales'>;

interface LocaleUpdate {
  before: EntryStatus;
  transition: Pick<Transition, 'status' | 'events'>;
  /** The stored names of the fields that change. */
  names: readonly string[];
  isOfLocales?: boolean;
}

/**
 * Throws a 403 if the caller is limited to locales and may not change the values of these fields, by their stored names. What is not localized
 * belongs to the default locale, whose code is `standard`.
 */
export function assertMayChangeLocales(
  { locales }: LocaleRights,
  type: LocalizedType,
  names: readonly string[],
  standard: string,
): void {
  if (!locales) return;
  for (const name of names) {
    if (name === LOCALE_STATE) continue;
    const { own, locale = standard } = readName(name);
    if (locales.has(locale)) continue;
    const what = type.schema.localized.has(own) ? `the values of ${locale}` : `${own}, which is not localized`;
    throw limited(locales, `cannot change ${what}`);
  }
}

/** The same for a new entry. */
export function assertMayCreateInLocales(
  by: LocaleRights,
  type: LocalizedType,
  { status, names }: { status: EntryStatus; names: readonly string[] },
  standard: string,
): void {
  if (status === 'published') assertNotLimited(by, 'cannot publish entries');
  assertMayChangeLocales(by, type, names, standard);
}

/** The same for an update. `isOfLocales`: it publishes or takes off some locales, and not all of the entry. */
export function assertMayUpdateInLocales(
  by: LocaleRights,
  type: LocalizedType,
  { before, transition, names, isOfLocales = false }: LocaleUpdate,
  standard: string,
): void {
  const { status, events } = transition;
  if (status !== before || (events.includes('entry.published') && !isOfLocales))
    assertNotLimited(by, 'cannot change the status of an entry or publish all of it');
  assertMayChangeLocales(by, type, names, standard);
}

/** Throws a 403 if the caller is limited to locales. `act` continues a sentence: `cannot delete entries`. */
export function assertNotLimited({ locales }: LocaleRights, act: string): void {
  if (locales) throw limited(locales, act);
}

/** Throws a 403 if the caller may not publish, or take off, the values of these locales. */
export function assertMayPublishLocales({ locales }: LocaleRights, codes: readonly string[]): void {
  if (!locales) return;
  const other = codes.find((code) => !locales.has(code));
  if (other !== undefined) throw limited(locales, `cannot change what is live in ${other}`);
}

function limited(locales: ReadonlySet<string>, act: string): Problem {
  return new Problem('forbidden', `The key or role is limited to the locales ${listed([...locales])}, and ${act}.`);
}

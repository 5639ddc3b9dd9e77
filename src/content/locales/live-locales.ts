import type { EntryStatus } from '../entries/entry.entity.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { type LocaleState, localeStateOf, withoutLocaleState } from '../../fields/localized/locale-state.js';
import { LOCALE_STATE } from '../../fields/localized/localized-names.js';
import type { Schema } from '../../fields/schema.js';

/** What a change does to the locales that readers see, besides changing values. */
export type LiveChange =
  /** Publishes values of these locales alone. */
  | { publishes: readonly string[] }
  /** Publishes all values of a draft, which has values of these locales. */
  | { publishesDraftOf: readonly string[] }
  | { takesOff: readonly string[] }
  | { bringsBack: readonly string[] };

/**
 * The values with the locales that readers do not see after the change. An entry that was not published shows no locale that its first
 * publication does not name.
 */
export function withLiveChange(
  schema: Schema,
  values: EntryFields,
  before: EntryStatus,
  change: LiveChange | undefined,
): EntryFields {
  if (!change || !schema.isLocalized) return values;
  const { off: were = [], ...state } = localeStateOf(values);
  const off = offAfter(schema.localesIn(values), were, before, change);
  const after: LocaleState = off.length > 0 ? { off: off.sort(), ...state } : state;
  return { [LOCALE_STATE]: after, ...withoutLocaleState(values) };
}

function offAfter(
  valued: readonly string[],
  were: readonly string[],
  before: EntryStatus,
  change: LiveChange,
): string[] {
  if ('takesOff' in change) return [...new Set([...were, ...change.takesOff])];
  if ('bringsBack' in change) return were.filter((code) => !change.bringsBack.includes(code));
  if ('publishesDraftOf' in change) return were.filter((code) => !change.publishesDraftOf.includes(code));
  const hidden = before === 'published' ? were : valued;
  return hidden.filter((code) => !change.publishes.includes(code));
}

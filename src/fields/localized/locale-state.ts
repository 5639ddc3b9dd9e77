import { isRecord } from '../record.js';
import { LOCALE_STATE } from './localized-names.js';

/** What an entry stores of its locales besides values. */
export interface LocaleState {
  /** The locales that readers do not see although they have values. */
  off?: readonly string[];
  /** When values of each locale last changed. ISO 8601. */
  at?: Readonly<Record<string, string>>;
}

/** The state in the stored values of an entry. An entry that was written before its type had localized fields has none. */
export function localeStateOf(values: Readonly<Record<string, unknown>>): LocaleState {
  const state = values[LOCALE_STATE];
  return isRecord(state) ? state : {};
}

/** The values without the state. */
export function withoutLocaleState(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = { ...values };
  delete others[LOCALE_STATE];
  return others;
}

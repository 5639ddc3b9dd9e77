import { supplied } from '../record.js';
import { nameIn } from './localized-names.js';

type Values = Readonly<Record<string, unknown>>;

/** How values in a locale are read. */
export interface LocaleReading {
  /** The locale and those that it falls back to. */
  chain: readonly string[];
  default: string;
}

/** The stored names of a field's values that a reading looks at, first the one that it prefers. */
export function sourcesOf(field: string, { chain, default: standard }: LocaleReading): string[] {
  return chain.map((code) => (code === standard ? field : nameIn(field, code)));
}

/**
 * What is shown of a localized field: the first value along the chain, also an empty text or list. Values of locales that are `off` are passed
 * over. Undefined if nothing is shown. This is the rule; whatever reads JSON text or the index must agree with it.
 */
export function shownValue(
  values: Values,
  field: string,
  reading: LocaleReading,
  off: readonly string[] = [],
): { value: unknown; from: string } | undefined {
  for (const from of reading.chain) {
    if (off.includes(from)) continue;
    const value = supplied(values, from === reading.default ? field : nameIn(field, from));
    if (value !== undefined) return { value, from };
  }
  return undefined;
}

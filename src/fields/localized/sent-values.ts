import type { ValueError } from '../../errors/problem.js';
import { listed } from '../../validation/suggestion.js';
import { shorten } from '../formats/text.js';
import { isRecord } from '../record.js';
import { codesOf, type LocaleSettings } from './locale-settings.js';
import { isStoredName, nameIn, readName } from './localized-names.js';

/** What values were sent in: a code, `*` if localized fields are objects from codes to values, undefined for the default locale. */
export type SentIn = string | undefined;

/** What is localized in the values, and for which locales. */
interface LocalizedFields {
  localized: ReadonlySet<string>;
  settings: LocaleSettings;
}

/**
 * Returns values that were sent in a locale under the names that they are stored under, and an error for each that is not of a known locale.
 * Values that are no object, and names that are no fields, are left to the check of the schema.
 */
export function storedValues(
  sent: unknown,
  locale: SentIn,
  { localized, settings }: LocalizedFields,
): { values: unknown; errors: ValueError[] } {
  if (!isRecord(sent)) return { values: sent, errors: [] };
  const values: Record<string, unknown> = {};
  const errors: ValueError[] = [];
  const nameOf = (field: string, code: string) => (code === settings.default ? field : nameIn(field, code));
  for (const [name, value] of Object.entries(sent)) {
    if (isStoredName(name)) {
      const shown = shorten(name);
      errors.push({ path: `fields.${shown}`, code: 'unknown_property', message: `There is no field ${shown}.` });
    } else if (!localized.has(name) || locale === undefined) values[name] = value;
    else if (locale !== '*') values[nameOf(name, locale)] = value;
    else if (value === null) for (const code of codesOf(settings)) values[nameOf(name, code)] = null;
    else if (!isRecord(value)) {
      const message = `${name} must be an object from the codes of locales to values, because of locale=*.`;
      errors.push({ path: `fields.${name}`, code: 'type', message });
    } else {
      const known = codesOf(settings);
      for (const [code, one] of Object.entries(value)) {
        if (known.includes(code)) values[nameOf(name, code)] = one;
        else {
          const message = `There is no locale ${shorten(code)}. The locales are ${listed(known)}.`;
          errors.push({ path: `fields.${name}.${shorten(code)}`, code: 'unknown_property', message });
        }
      }
    }
  }
  return { values, errors };
}

/**
 * An error of stored values as it concerns the values that were sent. With `*`, the path has the locale after the field. Else the message names a
 * locale that is not that of the values.
 */
export function sentError(error: ValueError, locale: SentIn, { localized, settings }: LocalizedFields): ValueError {
  const [root = '', stored = '', ...inside] = error.path.split('.');
  const { own: name, locale: code } = readName(stored);
  if (!localized.has(name)) return error;
  const at = code ?? settings.default;
  const message = error.message.replaceAll(stored, name);
  if (locale === '*') return { ...error, path: [root, name, at, ...inside].join('.'), message };
  const isOfOther = at !== (locale ?? settings.default);
  return { ...error, path: [root, name, ...inside].join('.'), message: isOfOther ? `In ${at}: ${message}` : message };
}

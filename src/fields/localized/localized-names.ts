import type { FieldDefinition } from '../field-definition.js';
import { type LocaleSettings, otherCodes } from './locale-settings.js';

/*
 * A value of a localized field is an ordinary value of a field of its own: `title` has those of the default locale, `title@de` the German ones.
 * The definitions of the others follow from that of `title`. So validation, indexes, drafts, versions and schema changes know only fields.
 */

/** Between the name of a field and the code of a locale. No field that a request defines has it in its name. */
const MARK = '@';

/** The member of the stored values of an entry that has what is known of its locales (`LocaleState`). It is no field. */
export const LOCALE_STATE = MARK;

/** The stored name of a field's values in a locale other than the default. */
export function nameIn(field: string, code: string): string {
  return `${field}${MARK}${code}`;
}

/** Splits the stored name of a field, or a path or key that begins with one. `locale` is undefined for the default. */
export function readName(name: string): { own: string; locale: string | undefined } {
  const mark = name.indexOf(MARK);
  if (mark < 0) return { own: name, locale: undefined };
  const end = name.indexOf('.', mark);
  const code = name.slice(mark + 1, end < 0 ? undefined : end).replace(/[+!]$/, '');
  return { own: name.slice(0, mark) + (end < 0 ? '' : name.slice(end)), locale: code };
}

/** The name, path or key as requests write it. */
export function ownName(name: string): string {
  return name.includes(MARK) ? readName(name).own : name;
}

/** Each name as requests write it, once. */
export function ownNames(names: readonly string[]): string[] {
  return [...new Set(names.map(ownName))];
}

/** Whether a name that a request sent could be taken for a stored one. */
export function isStoredName(name: string): boolean {
  return name.includes(MARK);
}

/** The definitions of what is stored: each localized field is followed by one for each locale other than the default. */
export function storedDefinitions(
  definitions: readonly FieldDefinition[],
  settings: LocaleSettings | null,
): readonly FieldDefinition[] {
  if (!settings || !definitions.some(({ localized }) => localized)) return definitions;
  const codes = otherCodes(settings);
  return definitions.flatMap((definition) =>
    definition.localized ? [definition, ...codes.map((code) => definitionIn(definition, code))] : [definition],
  );
}

/** Only the default locale has a default value and must have a value. Of the others, `required_in` says so (`Schema.missingIn`). */
function definitionIn({ default: _default, required: _required, ...definition }: FieldDefinition, code: string) {
  return { ...definition, name: nameIn(definition.name, code) };
}

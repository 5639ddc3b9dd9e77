import { CompiledField } from '../compiled-field.js';
import type { FieldDefinition } from '../field-definition.js';
import type { IndexNames } from '../compiled-field.js';
import { typesOf } from '../registry.js';
import { ABSENT } from '../types/absent-type.js';
import { chainOf, type LocaleSettings, otherCodes } from './locale-settings.js';
import { localeStateOf } from './locale-state.js';
import { supplied } from '../record.js';
import { nameIn } from './localized-names.js';
import { shownValue } from './shown-value.js';

type Values = Readonly<Record<string, unknown>>;

/*
 * What lists look at besides stored values, so that a list in a locale costs no more than another: it has rows in the index like a field.
 */

/** A field of the index whose values follow from the stored ones. */
export interface DerivedField {
  readonly field: CompiledField;
  /** The stored names of the fields that it depends on. Undefined: it depends on the locales of all values. */
  readonly sources: readonly string[] | undefined;
  readonly value: (values: Values) => unknown;
}

/** Follows the name of a field in the index of what is shown in a locale. No code of a locale contains it. */
const SHOWN = '+';
/** The same in the index of references and files in locales that are taken off. Only what must not lose them reads it. */
const HIDDEN = '!';

/** What is known of the locales of an entry: those that readers see, those with own values, and those that are behind the default. */
const LOCALE_STATUSES = ['live', 'valued', 'behind'] as const;
export type LocaleStatus = (typeof LOCALE_STATUSES)[number];

export interface Derived {
  /** By the stored names of the fields. */
  shown: ReadonlyMap<string, DerivedField>;
  hidden: readonly DerivedField[];
  statuses: ReadonlyMap<LocaleStatus, DerivedField>;
}

/** The derived fields of a content type with localized fields. */
export function derivedFields(
  definitions: readonly FieldDefinition[],
  settings: LocaleSettings,
  indexNames: IndexNames | null,
): Derived {
  const localized = definitions.filter((definition) => definition.localized);
  const shown = new Map<string, DerivedField>();
  const hidden: DerivedField[] = [];
  for (const code of otherCodes(settings)) {
    const chain = chainOf(settings, code);
    for (const definition of localized) {
      const reading = { chain, default: settings.default };
      const name = nameIn(definition.name, code);
      const field = compiled({ ...definition, name: `${name}${HIDDEN}` }, indexNames);
      if (field.leafFields.some((leaf) => leaf.definition.type === 'reference' || leaf.definition.type === 'media')) {
        const value = (values: Values) =>
          localeStateOf(values).off?.includes(code) ? supplied(values, name) : undefined;
        hidden.push({ field, sources: [name], value });
      }
      // Without a fallback, the own values are what is shown.
      if (chain.length === 1) continue;
      const sources = chain.map((one) => (one === settings.default ? definition.name : nameIn(definition.name, one)));
      shown.set(name, {
        field: compiled({ ...definition, name: `${name}${SHOWN}` }, indexNames, sources),
        sources,
        value: (values) => shownValue(values, definition.name, reading, localeStateOf(values).off)?.value,
      });
    }
  }
  const names = localized.map(({ name }) => name);
  const statuses = new Map<LocaleStatus, DerivedField>();
  for (const status of LOCALE_STATUSES) {
    statuses.set(status, {
      field: compiled({ name: `@${status}`, type: 'text', multiple: true }, indexNames),
      sources: undefined,
      value: (values) => {
        const codes = codesWith(status, values, names, settings);
        return codes.length > 0 ? codes : undefined;
      },
    });
  }
  return { shown, hidden, statuses };
}

/** The locales other than the default of which this is true. */
function codesWith(status: LocaleStatus, values: Values, names: readonly string[], settings: LocaleSettings): string[] {
  const { off = [], at = {} } = localeStateOf(values);
  const standard = at[settings.default] ?? '';
  return otherCodes(settings).filter((code) => {
    const isValued = names.some((name) => (values[nameIn(name, code)] ?? undefined) !== undefined);
    if (!isValued || status === 'valued') return isValued;
    return status === 'live' ? !off.includes(code) : standard > (at[code] ?? '');
  });
}

function compiled(
  definition: FieldDefinition,
  indexNames: IndexNames | null,
  sources?: readonly string[],
): CompiledField {
  const type = typesOf('content').get(definition.type) ?? ABSENT;
  const indexName = indexNames && Object.hasOwn(indexNames, definition.name) ? indexNames[definition.name] : undefined;
  return new CompiledField(definition, type, 'content', undefined, indexName, sources);
}

import type { LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { LocaleReading } from '../../fields/localized/shown-value.js';
import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { type Condition, constant, negate } from '../../lists/conditions/condition.js';
import { fieldCondition } from '../../lists/filters/filters.js';
import { assertKnownCodes, readCodes } from '../locales/known-codes.js';
import { ALL_LOCALES, assertKnownLocale, type LocaleRequest, readingOf } from '../locales/locale-request.js';
import type { CompiledType, IndexedType } from '../schemas.js';
import { type SearchedWords, searchedWords } from '../words/searched-words.js';
import type { FieldsOf } from './entry-names.js';
import { fieldsIn } from './listed-fields.js';

/** Of the list and of one entry. */
export const translatedParameter: Parameter = {
  name: 'translated',
  schema: { type: 'string' },
  description:
    'Keeps only entries that are live in these locales, whose codes are separated by commas: that have own values in them which are not taken off. ' +
    'Every entry is live in the default locale.',
};

/** Of the list, for those who translate. */
export const untranslatedParameters: Parameter[] = [
  {
    name: 'missing',
    schema: { type: 'string' },
    description:
      'Keeps only entries without a value of their own in these locales, whose codes are separated by commas. Nothing is missing in the default ' +
      'locale. Needs a key that can read drafts.',
  },
  {
    name: 'behind',
    schema: { type: 'string' },
    description:
      'Keeps only entries of which a value of the default locale changed later than those in these locales, whose codes are separated by commas. ' +
      'Needs a key that can read drafts.',
  },
];

/** The codes of locales that a list names, by the parameter. */
export interface LocaleStates {
  translated?: readonly string[];
  missing?: readonly string[];
  behind?: readonly string[];
}

export function readLocaleStates(query: Query): LocaleStates {
  const [translated, missing, behind] = ['translated', 'missing', 'behind'].map((name) => readCodes(query, name));
  return { ...(translated && { translated }), ...(missing && { missing }), ...(behind && { behind }) };
}

/** How a list looks at entries because of its locale. */
export interface LocaleView {
  fieldsOf: FieldsOf;
  wordsOf: (type: IndexedType) => SearchedWords;
  /** How it shows localized fields. Undefined if it shows the default locale. */
  reading?: LocaleReading;
  conditions: readonly Condition[];
}

export const DEFAULT_VIEW: LocaleView = {
  fieldsOf: ({ schema }) => schema,
  wordsOf: (type) => searchedWords(type),
  conditions: [],
};

/** `settings` are those of the tenant. Throws a 400 for an unknown locale. */
export function localeView(
  { schema }: Pick<CompiledType, 'schema'>,
  settings: LocaleSettings,
  locale: LocaleRequest | undefined,
  states: LocaleStates,
): LocaleView {
  if (locale) assertKnownLocale(locale.locale, settings);
  const conditions = Object.entries(states).flatMap(([parameter, codes]: [string, readonly string[]]) => {
    assertKnownCodes(codes, settings, parameter);
    return codes.map((code) => stateCondition(schema, parameter as keyof LocaleStates, code, settings.default));
  });
  return {
    fieldsOf: (type) => fieldsIn(type.schema, locale, settings.default),
    wordsOf: (type) => searchedWords(type, locale),
    ...(locale && locale.locale !== ALL_LOCALES && { reading: readingOf(settings, locale) }),
    conditions,
  };
}

/** The status that an index has of each state. What lacks a value is not among those that have one. */
const STATUSES = { translated: 'live', missing: 'valued', behind: 'behind' } as const;

function stateCondition(
  schema: CompiledType['schema'],
  parameter: keyof LocaleStates,
  code: string,
  standard: string,
): Condition {
  if (code === standard) return constant(parameter === 'translated');
  const field = schema.statusField(STATUSES[parameter]);
  const filter = { parameter, name: parameter, operator: 'eq', values: [code] } as const;
  const condition = field ? fieldCondition(field, filter) : constant(false);
  return parameter === 'missing' ? negate(condition) : condition;
}

import type { LocaleSettings } from '../../fields/localized/locale-settings.js';
import type { Parameter } from '../../http/parameters.js';
import { type Condition, constant } from '../../lists/conditions/condition.js';
import { fieldCondition } from '../../lists/filters/filters.js';
import { assertKnownCodes } from '../locales/known-codes.js';
import { assertKnownLocale, type LocaleRequest } from '../locales/locale-request.js';
import type { CompiledType } from '../schemas.js';
import type { FieldsOf } from './entry-names.js';
import { fieldsIn } from './listed-fields.js';

export const translatedParameter: Parameter = {
  name: 'translated',
  schema: { type: 'string' },
  description:
    'Keeps only entries that are live in these locales, whose codes are separated by commas: that have own values in them which are not taken off. ' +
    'Every entry is live in the default locale.',
};

/** How a list looks at entries because of its locale. */
export interface LocaleView {
  fieldsOf: FieldsOf;
  conditions: readonly Condition[];
}

export const DEFAULT_VIEW: LocaleView = { fieldsOf: ({ schema }) => schema, conditions: [] };

/** `settings` are those of the tenant. Throws a 400 for an unknown locale. */
export function localeView(
  { schema }: Pick<CompiledType, 'schema'>,
  settings: LocaleSettings,
  { locale, translated = [] }: { locale: LocaleRequest | undefined; translated: readonly string[] | undefined },
): LocaleView {
  if (locale) assertKnownLocale(locale.locale, settings);
  assertKnownCodes(translated, settings, 'translated');
  const live = schema.statusField('live');
  const others = translated.filter((code) => code !== settings.default);
  return {
    fieldsOf: (type) => fieldsIn(type.schema, locale, settings.default),
    conditions: others.map((code) => {
      if (!live) return constant(false);
      return fieldCondition(live, { parameter: 'translated', name: 'translated', operator: 'eq', values: [code] });
    }),
  };
}

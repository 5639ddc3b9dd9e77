import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import { ALL_LOCALES, type LocaleRequest } from '../locales/locale-request.js';

/** The fields that a list can name. */
export interface ListedFields {
  fieldAt(path: string): CompiledField | undefined;
  readonly fieldsAtPaths: readonly CompiledField[];
}

/** The fields as a request names them: in its locale, they are what is shown. `standard` is the code of the default locale. */
export function fieldsIn(schema: Schema, request: LocaleRequest | undefined, standard: string): ListedFields {
  const { locale, hasFallback } = request ?? {};
  if (locale === undefined || locale === ALL_LOCALES || locale === standard || !schema.isLocalized) return schema;
  return {
    fieldAt: (path) => schema.fieldIn(path, locale, !hasFallback),
    fieldsAtPaths: schema.fieldsAtPaths,
  };
}

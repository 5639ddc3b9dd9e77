import type { ValueError } from '../../errors/problem.js';
import { type SentIn, sentError, storedValues } from '../../fields/localized/sent-values.js';
import type { CompiledType } from '../schemas.js';

/** The values under the names that they are stored under, and the errors of those that are not of a known locale. Most types have no localized fields. */
export function sentValues(
  { schema, locales }: Pick<CompiledType, 'schema' | 'locales'>,
  values: unknown,
  locale: SentIn,
): { values: unknown; errors: readonly ValueError[] } {
  if (!locales) return { values, errors: [] };
  return storedValues(values, locale, { localized: schema.localized, settings: locales });
}

/** Errors of stored values as they concern the values that were sent. */
export function sentErrors(
  { type, locale }: { type: Pick<CompiledType, 'schema' | 'locales'>; locale?: SentIn },
  errors: readonly ValueError[],
): ValueError[] {
  if (!type.locales) return [...errors];
  const fields = { localized: type.schema.localized, settings: type.locales };
  return errors.map((error) => sentError(error, locale, fields));
}

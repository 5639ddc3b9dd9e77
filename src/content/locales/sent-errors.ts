import type { ValueError } from '../../errors/problem.js';
import { type SentIn, sentError } from '../../fields/localized/sent-values.js';
import type { CompiledType } from '../schemas.js';

/** Errors of stored values as they concern the values that were sent. */
export function sentErrors(
  { type, locale }: { type: Pick<CompiledType, 'schema' | 'locales'>; locale?: SentIn },
  errors: readonly ValueError[],
): ValueError[] {
  if (!type.locales) return [...errors];
  const fields = { localized: type.schema.localized, settings: type.locales };
  return errors.map((error) => sentError(error, locale, fields));
}

import { codesOf } from '../../fields/localized/locale-settings.js';
import { sourcesOf } from '../../fields/localized/shown-value.js';
import { isRecord } from '../../fields/record.js';
import { ALL_LOCALES } from '../locales/locale-request.js';
import type { CompiledType } from '../schemas.js';
import type { BulkOperation } from './operation.js';

type KeyedOperation = Pick<BulkOperation, 'locale'> & Required<Pick<BulkOperation, 'key'>>;

/** Whether the key of an upsert has no value: in all locales, not in one of them. */
export function isKeyEmpty({ schema }: Pick<CompiledType, 'schema'>, { key, locale }: KeyedOperation): boolean {
  const isByCode = locale === ALL_LOCALES && schema.localized.has(key.field) && isRecord(key.value);
  const values = isByCode ? Object.values(key.value as object) : [key.value];
  return values.every((value) => value === undefined || value === null);
}

/**
 * The stored names of the values by which an upsert may find its entry: of those that there are, the first one decides. With all locales, that
 * of the default locale comes first. Values of fallbacks find nothing, because they are not what the operation writes.
 */
export function keyNames({ schema, locales }: CompiledType, { key, locale }: KeyedOperation): string[] {
  const { field } = key;
  if (!locales || locale === undefined || !schema.localized.has(field)) return [field];
  const { default: standard } = locales;
  const chain = locale === ALL_LOCALES ? [standard, ...codesOf(locales)] : [locale];
  return sourcesOf(field, { chain, default: standard });
}

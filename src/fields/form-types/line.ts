import { Check } from '../check.js';
import { fitsLength } from '../constraints/bounds.js';
import { FieldType } from '../field-type.js';
import { textual } from '../types/textual.js';

/** Maximum length of a form field in characters, unless its type or its `max` sets another limit. */
const LIMIT = 1_000;

/** The common part of the textual form types. Values are single strings, so `multiple` and `unique` do not apply. */
export const line = { ...textual, constraints: ['min', 'max', 'pattern'] } satisfies Partial<FieldType>;

/** Whether the value is a string of an allowed length. Reports an error if not. */
export function isLine(value: unknown, check: Check, limit = LIMIT): value is string {
  if (typeof value === 'string') return fitsLength(value, check, limit);
  check.fault('type', 'must be a string');
  return false;
}

/**
 * Whether the value is a string of at most 1,000 characters. Reports an error if not. For types whose `min` and `max` do not limit a
 * length.
 */
export function isShort(value: unknown, check: Check): value is string {
  if (typeof value !== 'string') check.fault('type', 'must be a string');
  else if (value.length > LIMIT) check.fault('too_long', `must have at most ${LIMIT} characters`);
  else return true;
  return false;
}

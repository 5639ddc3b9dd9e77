import { Check } from '../check.js';
import { FieldType } from '../field-type.js';
import { textual } from '../textual.js';

/** Characters in a form field where its type and its `max` say nothing else. */
const LIMIT = 1_000;

/** What the textual form types have in common. Values are single strings, so `multiple` and `unique` do not apply. */
export const line = { ...textual, constraints: ['min', 'max', 'pattern'] } satisfies Partial<FieldType>;

/** Whether the value is a string of a fitting length; reports it when not. */
export function isLine(value: unknown, check: Check, limit = LIMIT): value is string {
  if (typeof value === 'string') return check.length(value, limit);
  check.fault('type', 'must be a string');
  return false;
}

/** Whether the value is a string of at most 1,000 characters, for types whose `min` and `max` are no lengths. */
export function isShort(value: unknown, check: Check): value is string {
  if (typeof value !== 'string') check.fault('type', 'must be a string');
  else if (value.length > LIMIT) check.fault('too_long', `must have at most ${LIMIT} characters`);
  else return true;
  return false;
}

import { isISO8601, ValidateBy } from 'class-validator';
import { instantOf } from '../fields/calendar.js';

/** Accepts RFC 3339, and ISO 8601 as far as `Date` supports it. For example, `Date` does not support week dates and the basic format. */
export function IsInstant(message: string): PropertyDecorator {
  const validate = (value: unknown) =>
    typeof value === 'string' &&
    (instantOf(value) !== undefined || isISO8601(value, { strict: true, strictSeparator: true })) &&
    !Number.isNaN(Date.parse(value));
  return ValidateBy({ name: 'isIso8601', validator: { validate, defaultMessage: () => message } });
}

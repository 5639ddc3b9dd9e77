import type { CompiledField } from '../../fields/compiled-field.js';
import { MAX_EMAIL } from '../../fields/formats/email.js';
import { MAX_URL } from '../../fields/formats/url.js';

const MAX_LINE = 1_000;
const MAX_TEXT = 20_000;

/** Limits in UTF-16 units that the types have whatever `max` says. */
const MAX_UNITS: Readonly<Record<string, number>> = { email: MAX_EMAIL, url: MAX_URL };

/** Returns how many characters (code points) a value may have. */
export function maxLengthOf({ definition: { type, max }, type: { measures } }: CompiledField): number {
  const limit = type === 'textarea' ? MAX_TEXT : MAX_LINE;
  return measures === 'length' ? (max ?? limit) : limit;
}

/**
 * Returns the limit for `maxlength`, which counts UTF-16 units: a character has one or two. So the browser lets every value pass that the
 * service accepts, and the service decides about the others.
 */
export function maxUnitsOf(field: CompiledField): number {
  return Math.min(2 * maxLengthOf(field), MAX_UNITS[field.definition.type] ?? Infinity);
}

import type { Steps } from '../admission/steps.js';
import type { IndexRow } from '../fields/compiled-field.js';
import type { Schema } from '../fields/schema.js';

/**
 * Returns a submission's rows in `submission_values`, one for each field of its form. If the field has no value, its row is in a separate
 * section, so that a list sorted by the field can walk the index and return these submissions last.
 */
export function* indexRowsSteps(schema: Schema, values: Record<string, string>): Steps<IndexRow[]> {
  const missing = schema.fields.filter(({ name }) => !Object.hasOwn(values, name));
  return [
    ...(yield* schema.indexRowsSteps(values)),
    ...missing.map(({ name }) => ({ field: sectionWithout(name), key: '', discriminator: '' })),
  ];
}

/** The section of the submissions without a value of the field. No field name begins with a `!`. */
export function sectionWithout(field: string): string {
  return `!${field}`;
}

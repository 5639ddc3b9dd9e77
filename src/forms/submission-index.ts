import type { Steps } from '../admission/steps.js';
import type { IndexRow } from '../fields/compiled-field.js';
import type { Schema } from '../fields/schema.js';

/**
 * A submission's rows in `submission_values`, one for each field of its form. A field without a value has its row in a section of its
 * own: a list sorted by the field then walks along the index to the very end, where such submissions come.
 */
export function* indexRowsSteps(schema: Schema, values: Record<string, string>): Steps<IndexRow[]> {
  const missing = schema.fields.filter(({ name }) => !Object.hasOwn(values, name));
  return [
    ...(yield* schema.indexRowsSteps(values)),
    ...missing.map(({ name }) => ({ field: sectionWithout(name), key: '', discriminator: '' })),
  ];
}

/** The section of those without a value of the field. No field's name begins with a `!`. */
export function sectionWithout(field: string): string {
  return `!${field}`;
}

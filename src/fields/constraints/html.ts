import { checkBoolean } from './attribute-check.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** Whether texts that become rich text are HTML already. Otherwise they are escaped. */
    html: boolean;
  }
}

export const html: Constraint = {
  checkAttribute: checkBoolean,
  schema: () => ({
    type: 'boolean',
    description:
      'If `true`, texts of a field that becomes `rich_text` are taken as HTML. Otherwise they are escaped, so that they show the same text.',
  }),
  values: { of: 'nothing' },
  // Only a change of the type reads it (see `conversionOf`).
  change: { concerns: 'nothing' },
};

import type { Check } from '../check.js';
import { checkBoolean } from './attribute-check.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** Whether the value is a list of values of the type. */
    multiple: boolean;
  }
}

/** Maximum number of elements in a list. */
export const MAX_ELEMENTS = 1_000;

export const multiple: Constraint = {
  checkAttribute: checkBoolean,
  schema: ({ isFile, isListText }) => ({
    type: 'boolean',
    description: isFile
      ? 'If `true`, several files can be sent. Their names are stored as one text, joined by `, `. The other constraints apply to each file.'
      : isListText
        ? 'If `true`, several of the options can be chosen. They are stored as one text, joined by `, `, so no option may contain a comma.'
        : 'If `true`, the value is a list of at most 1,000 values of the type. The other constraints apply to each ' +
          'value of the list.',
  }),
  // Some types are lists without it: see `isList`.
  values: { of: 'nothing' },
  change: { concerns: 'shape' },
};

/** Whether a value is a list that is not too long. Reports an error if not. */
export function isList(value: unknown, check: Check): value is unknown[] {
  if (!Array.isArray(value)) check.fault('type', 'must be a list');
  else if (value.length > MAX_ELEMENTS) check.fault('too_long', `must have at most ${MAX_ELEMENTS} values`);
  else return true;
  return false;
}

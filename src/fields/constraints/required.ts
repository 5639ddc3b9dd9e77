import { ABSENT } from '../types/absent-type.js';
import type { Check } from '../check.js';
import { checkBoolean } from './attribute-check.js';
import type { Constraint } from './constraint.js';
import { isTurnedOn } from './turned-on.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** Whether a value must be supplied. Of a list, also that it must not be empty. */
    required: boolean;
  }
}

export const required: Constraint = {
  appliesTo: (type) => type !== ABSENT,
  checkAttribute: checkBoolean,
  schema: () => ({ type: 'boolean', description: 'Whether a value must be supplied. The default is `false`.' }),
  valueSchema: ({ required: isRequired }) => (isRequired ? { minItems: 1 } : undefined),
  values: {
    of: 'list',
    check(list, check) {
      if (list.length === 0 && check.definition.required) reportMissing(check);
    },
  },
  change: { concerns: 'presence', isTighter: isTurnedOn('required') },
};

/** Reports that a value is missing, if the check looks for that. */
export function reportMissing(check: Check): void {
  if (check.validation.looksForMissing) check.fault('required', 'is required');
}

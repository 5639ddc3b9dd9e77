import type { FieldDefinition } from '../field-definition.js';
import type { Constraint } from './constraint.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** What becomes of a reference when the entry that it leads to is deleted. The default is `keep`. */
    on_delete: OnDelete;
  }
}

/** `keep`: the value may dangle; `refuse`: the deletion is refused; `clear`: the value is removed in the commit of the deletion. */
const ON_DELETE = ['keep', 'refuse', 'clear'] as const;
type OnDelete = (typeof ON_DELETE)[number];

export const onDelete: Constraint = {
  checkAttribute(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (!(ON_DELETE as readonly string[]).includes(value)) {
      check.fault('unsupported', `must be one of ${ON_DELETE.join(', ')}`);
    }
  },
  checkTogether(attributes, check) {
    if (attributes.get('required') === true && attributes.get('on_delete') === 'clear') {
      check.fault('not_applicable', 'must not be clear if the field is required');
    }
  },
  schema: () => ({
    type: 'string',
    enum: [...ON_DELETE],
    description:
      'What becomes of a value when the entry that it leads to is deleted. `keep` (the default): it stays. `refuse`: the deletion is 409. ' +
      '`clear`: it is removed in the same commit, and its entry gets a new version; this is not possible for a `required` field.',
  }),
  values: { of: 'nothing' },
  // Values that dangle already stay as they are.
  change: { concerns: 'nothing' },
};

/** Whether no value of the field may lead to an entry that is deleted. */
export function isGuarded({ on_delete: rule = 'keep' }: Pick<FieldDefinition, 'on_delete'>): boolean {
  return rule !== 'keep';
}

import type { FieldDefinition } from '../field-definition.js';
import { checkBoolean } from './attribute-check.js';
import type { Constraint } from './constraint.js';
import { isTurnedOn } from './turned-on.js';

declare module '../field-definition.js' {
  interface ConstraintAttributes {
    /** Whether no two entries can have the same value. */
    unique: boolean;
  }
}

export const unique: Constraint = {
  isOuterOnly: true,
  checkAttribute: checkBoolean,
  schema: () => ({ type: 'boolean', description: 'If `true`, no two entries can have the same value.' }),
  // A write claims the values (see `Schema.uniques`).
  values: { of: 'nothing' },
  change: { concerns: 'claims', isTighter: isTurnedOn('unique') },
};

/**
 * `set`: the stored values must be claimed, because they become unique or because the claims have other keys (`hasOtherKeys`); `lifted`:
 * their claims must be removed.
 */
export type UniqueChange = 'set' | 'lifted';

/** Returns what a change of a definition means for the claims of its values. */
export function uniqueChange(
  before: FieldDefinition,
  after: FieldDefinition,
  hasOtherKeys: boolean,
): UniqueChange | undefined {
  const was = before.unique === true;
  const is = after.unique === true;
  if (!is) return was ? 'lifted' : undefined;
  return !was || hasOtherKeys ? 'set' : undefined;
}

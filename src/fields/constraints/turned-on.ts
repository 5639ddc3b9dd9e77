import type { FieldDefinition } from '../field-definition.js';

/** Returns whether a change turns an attribute on. For constraints that are on or off. */
export function isTurnedOn(name: 'required' | 'unique') {
  return (before: FieldDefinition, after: FieldDefinition): boolean => after[name] === true && before[name] !== true;
}

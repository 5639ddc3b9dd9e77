import { FieldType } from '../field-type.js';
import { exactKey } from '../sort-key.js';

/**
 * A checkbox. `required` means that one of the two values must be sent. For a consent that must be given, use a `select` with one option.
 */
export const checkboxFormType: FieldType = {
  value: { type: 'string', enum: ['true', 'false'], description: '`"true"` or `"false"`.', example: 'true' },
  constraints: [],
  sortable: true,
  textual: false,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (!isTick(value)) check.fault('format', 'must be "true" or "false"');
  },
  key: (value) => exactKey(value as string),
  readFilter: (text) => (isTick(text) ? exactKey(text) : undefined),
};

function isTick(text: string): boolean {
  return text === 'true' || text === 'false';
}

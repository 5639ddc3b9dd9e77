import { FieldType } from '../field-type.js';
import { booleanKey } from '../sort-key.js';

export const booleanType: FieldType = {
  value: { type: 'boolean', description: '`true` or `false`. `false` sorts first.', example: true },
  constraints: ['unique', 'multiple'],
  sortable: true,
  textual: false,
  check(value, check) {
    if (typeof value !== 'boolean') check.fault('type', 'must be a boolean');
  },
  key: (value) => booleanKey(value as boolean),
  readFilter: (text) => (text === 'true' || text === 'false' ? booleanKey(text === 'true') : undefined),
};

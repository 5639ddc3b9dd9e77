import { FieldType } from '../field-type.js';
import { textual } from './textual.js';

export const selectType: FieldType = {
  ...textual,
  constraints: ['options', 'unique', 'multiple'],
  measures: undefined,
  value: { type: 'string', description: 'One of the `options` of the field.', example: 'blue' },
  canEqual: (text, { options }) => options?.includes(text) === true,
  check(value, check) {
    if (typeof value !== 'string') check.fault('type', 'must be a string');
  },
};

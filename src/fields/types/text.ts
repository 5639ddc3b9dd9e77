import { FieldType } from '../field-type.js';
import { textual } from './textual.js';

export const textType: FieldType = {
  ...textual,
  value: { type: 'string', description: 'A string.', example: 'Hello, world' },
  check(value, check) {
    if (typeof value !== 'string') check.fault('type', 'must be a string');
  },
};

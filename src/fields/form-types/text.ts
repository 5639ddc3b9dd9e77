import { FieldType } from '../field-type.js';
import { isLine, line } from './line.js';

export const textFormType: FieldType = {
  ...line,
  value: {
    type: 'string',
    description: 'A line of at most 1,000 characters, unless `max` sets another limit.',
    example: 'Ada Lovelace',
  },
  check(value, check) {
    isLine(value, check);
  },
};

import { FieldType } from '../field-type.js';
import { isLine, line } from './line.js';

const LIMIT = 20_000;

export const textareaFormType: FieldType = {
  ...line,
  value: {
    type: 'string',
    description: 'A text of at most 20,000 characters, unless `max` sets another limit.',
    example: 'Hello,\nI have a question.',
  },
  check(value, check) {
    isLine(value, check, LIMIT);
  },
};

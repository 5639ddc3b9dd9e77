import { isEmail, MAX_EMAIL } from '../email.js';
import { FieldType } from '../field-type.js';
import { isLine, line } from './line.js';

export const email: FieldType = {
  ...line,
  input: 'email',
  value: {
    type: 'string',
    format: 'email',
    maxLength: MAX_EMAIL,
    description: 'An email address.',
    example: 'ada@example.com',
  },
  check(value, check) {
    if (!isLine(value, check)) return;
    if (!isEmail(value)) return check.fault('format', 'must be an email address');
    check.pattern(value);
  },
};

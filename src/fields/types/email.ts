import { faultOfEmail, isEmail, EMAIL_PATTERN, MAX_EMAIL } from '../formats/email.js';
import { FieldType } from '../field-type.js';
import { textual } from './textual.js';

export const emailType: FieldType = {
  ...textual,
  value: {
    type: 'string',
    format: 'email',
    maxLength: MAX_EMAIL,
    pattern: EMAIL_PATTERN,
    description: 'An email address.',
    example: 'ada@example.com',
  },
  canEqual: isEmail,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    const fault = faultOfEmail(value);
    if (fault !== undefined) check.fault('format', fault);
  },
};

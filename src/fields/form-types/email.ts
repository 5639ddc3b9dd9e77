import { canonicalEmail, faultOfEmail, isEmail, EMAIL_PATTERN, MAX_EMAIL } from '../formats/email.js';
import { FieldType } from '../field-type.js';
import { type FilterKey, keyOfSpellings } from '../sort-key.js';
import { isLine, line } from './line.js';

/** Spellings of one address have one key: a visitor's browser chooses how the address is sent. */
const emailKey = (text: string): FilterKey => keyOfSpellings(canonicalEmail(text));

export const emailFormType: FieldType = {
  ...line,
  input: 'email',
  value: {
    type: 'string',
    format: 'email',
    maxLength: MAX_EMAIL,
    pattern: EMAIL_PATTERN,
    description: 'An email address.',
    example: 'ada@example.com',
  },
  key: (value) => emailKey(value as string),
  readFilter: emailKey,
  canEqual: isEmail,
  check(value, check) {
    if (!isLine(value, check)) return;
    const fault = faultOfEmail(value);
    if (fault !== undefined) check.fault('format', fault);
  },
};

import { FieldType } from '../field-type.js';
import { isLine, line } from './line.js';

const TEL = /^[\d +().\-/]+(?:(?:x|ext\.?) *\d+)?$/i;
const DIGIT = /\d/g;

export const telFormType: FieldType = {
  ...line,
  input: 'tel',
  value: {
    type: 'string',
    description:
      'A telephone number with at least three digits. It can contain spaces, `+ - ( ) . /` and an extension.',
    example: '+44 (20) 7946-0018 ext. 12',
  },
  // In a query string, a + that is not encoded is a space.
  canEqual: (text) => isTel(text) && !text.startsWith(' '),
  check(value, check) {
    if (isLine(value, check) && !isTel(value)) check.fault('format', 'must be a telephone number');
  },
};

function isTel(text: string): boolean {
  return TEL.test(text) && (text.match(DIGIT)?.length ?? 0) >= 3;
}

import { FieldType } from '../field-type.js';
import { numberKey } from '../sort-key.js';
import { isDecimal, readNumber } from '../types/number.js';
import { isShort } from './line.js';

export const numberFormType: FieldType = {
  value: { type: 'string', description: 'A decimal number, such as `42`, `-12.5` or `1e3`.', example: '42' },
  input: 'number',
  constraints: ['min', 'max'],
  measures: 'value',
  sortable: true,
  textual: false,
  check(value, check) {
    if (!isShort(value, check)) return;
    if (readNumber(value.trim()) !== undefined) return;
    check.fault('format', isDecimal(value.trim()) ? 'is a number that is out of range' : 'must be a number');
  },
  numberOf,
  key: (value) => numberKey(numberOf(value)),
  // The values are texts, which keep all of their digits. They are compared by what a double keeps of them.
  readFilter(text) {
    const value = readNumber(text);
    return value === undefined ? undefined : numberKey(value);
  },
};

function numberOf(value: unknown): number {
  return readNumber((value as string).trim()) ?? 0;
}

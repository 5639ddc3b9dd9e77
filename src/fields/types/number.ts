import { isExactNumber } from '../../json/exact-number.js';
import { FieldType } from '../field-type.js';
import { numberKey } from '../sort-key.js';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether the text is a decimal number (`-12.5`, `1e3`). */
export function isDecimal(text: string): boolean {
  // The length limit keeps the pattern from running over a megabyte.
  return text.length <= 1_000 && DECIMAL.test(text);
}

/** Reads a decimal number. Returns undefined if the text is not a number or is out of range. */
export function readNumber(text: string): number | undefined {
  const value = isDecimal(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

export const numberType: FieldType = {
  value: { type: 'number', description: 'A finite number.', example: 9.99 },
  constraints: ['min', 'max', 'unique', 'multiple'],
  measures: 'value',
  sortable: true,
  textual: false,
  check(value, check) {
    // One that is not finite was reported already, when it was read.
    if (typeof value !== 'number' || !Number.isFinite(value)) check.fault('type', 'must be a number');
  },
  key: (value) => numberKey(value as number),
  searchText: String,
  readFilter(text) {
    const value = isExactNumber(text) ? readNumber(text) : undefined;
    return value === undefined ? undefined : numberKey(value);
  },
};

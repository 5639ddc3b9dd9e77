import { FieldType } from '../field-type.js';
import { numberKey } from '../sort-key.js';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Reads a decimal number (`-12.5`, `1e3`). Returns undefined if the text is not a number or out of range. */
export function readNumber(text: string): number | undefined {
  // The length limit keeps the pattern from running over a megabyte.
  if (text.length > 1_000 || !DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export const number: FieldType = {
  value: { type: 'number', description: 'A finite number.', example: 9.99 },
  constraints: ['min', 'max', 'unique', 'multiple'],
  measures: 'value',
  sortable: true,
  textual: false,
  check(value, check) {
    // JSON can contain 1e999, which is parsed as Infinity.
    if (typeof value !== 'number' || !Number.isFinite(value)) return check.fault('type', 'must be a number');
    check.range(value);
  },
  key: (value) => numberKey(value as number),
  searchText: String,
  readFilter(text) {
    const value = readNumber(text);
    return value === undefined ? undefined : numberKey(value);
  },
};

import { Check } from '../check.js';
import { FieldType } from '../field-type.js';
import { textual } from '../textual.js';

/** Reports every error of a plain string. `rich_text` checks its HTML in the same way. */
export function checkText(value: unknown, check: Check): void {
  if (typeof value !== 'string') return check.fault('type', 'must be a string');
  check.length(value);
  check.pattern(value);
}

export const text: FieldType = {
  ...textual,
  value: { type: 'string', description: 'A string.', example: 'Hello, world' },
  check: checkText,
};

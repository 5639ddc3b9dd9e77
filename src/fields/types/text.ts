import { Check } from '../check.js';
import { FieldType } from '../field-type.js';
import { textual } from '../textual.js';

/** Reports what is wrong with a plain string; also what `rich_text` asks of its HTML. */
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

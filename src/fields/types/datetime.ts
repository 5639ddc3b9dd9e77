import { instantOf } from '../calendar.js';
import { FieldType } from '../field-type.js';
import { exactKey } from '../sort-key.js';

export const datetime: FieldType = {
  value: {
    type: 'string',
    format: 'date-time',
    description:
      'A date and time in the format of RFC 3339, with any offset. It is stored as sent. It is sorted and ' +
      'compared by its instant.',
    example: '2026-01-31T09:30:00+01:00',
  },
  constraints: ['unique', 'multiple'],
  sortable: true,
  textual: false,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (instantOf(value) === undefined) {
      check.fault('format', 'must be a date and time with an offset, such as 2026-01-31T09:30:00Z');
    }
  },
  key: (value) => exactKey(instantOf(value as string) ?? ''),
  readFilter(text) {
    const instant = instantOf(text);
    return instant === undefined ? undefined : exactKey(instant);
  },
};

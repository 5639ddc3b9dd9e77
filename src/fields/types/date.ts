import { CALENDAR_PATTERNS, isDate } from '../formats/calendar.js';
import { FieldType } from '../field-type.js';
import { exactKey } from '../sort-key.js';

export const dateType: FieldType = {
  value: {
    type: 'string',
    format: 'date',
    pattern: CALENDAR_PATTERNS.date,
    description: 'A calendar date in the format `YYYY-MM-DD`.',
    example: '2026-01-31',
  },
  constraints: ['unique', 'multiple'],
  sortable: true,
  textual: false,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (isDate(value)) return;
    const isShaped = /^\d{4}-\d{2}-\d{2}$/.test(value);
    check.fault(
      'format',
      isShaped ? `must be a date, but there is no day ${value}` : 'must be a date in the format YYYY-MM-DD',
    );
  },
  key: (value) => exactKey(value as string),
  readFilter: (text) => (isDate(text) ? exactKey(text) : undefined),
};

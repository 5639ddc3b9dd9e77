import { CALENDAR_PATTERNS, faultOfInstant, instantOf, offsetWithPlus } from '../formats/calendar.js';
import { FieldType } from '../field-type.js';
import { exactKey } from '../sort-key.js';

export const datetimeType: FieldType = {
  value: {
    type: 'string',
    pattern: CALENDAR_PATTERNS.datetime,
    description:
      'A date and time in the format of RFC 3339, with any offset. The seconds and the colon of the offset can be ' +
      'omitted, and a space can stand for the `T`. A date in the format `YYYY-MM-DD` means its midnight in UTC. The value is stored as sent. It is ' +
      'sorted and compared by its instant.',
    example: '2026-01-31T09:30:00+01:00',
  },
  constraints: ['unique', 'multiple'],
  sortable: true,
  textual: false,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (instantOf(value) === undefined) check.fault('format', faultOfInstant(value));
  },
  key: (value) => exactKey(instantOf(value as string) ?? ''),
  readFilter(text) {
    const instant = instantOf(offsetWithPlus(text));
    return instant === undefined ? undefined : exactKey(instant);
  },
};

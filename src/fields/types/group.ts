import { FieldType } from '../field-type.js';
import { isRecord } from '../record.js';

/** Fields that belong together. The value is an object with their values. */
export const groupType: FieldType = {
  value: {
    type: 'object',
    description:
      'An object with the values of the `fields` of the group. Entries can be sorted and filtered by the fields of a single ' +
      'group under their path (`seo.title`), not by those of a list of groups.',
    example: { title: 'Soda bread', description: 'Without yeast' },
    additionalProperties: true,
  },
  constraints: ['fields', 'multiple'],
  sortable: false,
  textual: false,
  parts: ({ fields = [] }) => [{ fields }],
  check(value, check) {
    if (!isRecord(value)) check.fault('type', 'must be an object');
  },
};

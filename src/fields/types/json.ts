import { FieldType } from '../field-type.js';

/** Any JSON value. It cannot be sorted, filtered or searched. */
export const jsonType: FieldType = {
  value: { description: 'Any JSON value. `null` counts as not supplied.', example: { anything: ['goes', 1, true] } },
  constraints: ['multiple'],
  sortable: false,
  textual: false,
  check() {},
};

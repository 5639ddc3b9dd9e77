import { FieldType } from '../field-type.js';

/** Anything at all; too shapeless to sort, filter or search. */
export const json: FieldType = {
  value: { description: 'Any JSON value. `null` counts as not supplied.', example: { anything: ['goes', 1, true] } },
  constraints: ['multiple'],
  sortable: false,
  textual: false,
  check() {},
};

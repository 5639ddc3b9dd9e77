import { FieldType } from '../field-type.js';

/**
 * Stands for every type that an extension declares which is turned off. Stored values are shown as JSON and kept as they are; nothing can
 * check another one. So they are neither indexed nor searched, and a value need not be supplied.
 */
export const ABSENT: FieldType = {
  value: { description: 'Any JSON value.', example: {} },
  constraints: [],
  sortable: false,
  textual: false,
  check() {},
};

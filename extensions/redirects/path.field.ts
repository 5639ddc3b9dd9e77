import type { FieldType } from 'trivet/fields/field-type.js';
import { textual } from 'trivet/fields/types/textual.js';
import { isPath, MAX_PATH } from './paths.js';

/** The type of fields that hold the path of a page, which a redirect can lead to. */
export const path: FieldType = {
  ...textual,
  value: {
    type: 'string',
    maxLength: MAX_PATH,
    description: 'A path of the website, without a query.',
    example: '/about',
  },
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (!isPath(value)) check.fault('format', 'must be a path such as /about');
  },
};

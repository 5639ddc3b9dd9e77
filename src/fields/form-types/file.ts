import { FieldType } from '../field-type.js';
import { textual } from '../types/textual.js';

/** Files. What is stored as the value, listed and searched is their names, joined if there are several. */
export const fileFormType: FieldType = {
  ...textual,
  value: {
    type: 'string',
    description:
      'A file, which can be sent in `multipart/form-data` only. The value is the name of the file; several names are joined by `, `. The ' +
      'type cannot have a `default`.',
    example: 'resume.pdf',
  },
  constraints: ['multiple', 'max_bytes', 'accept'],
  isListText: true,
  isFile: true,
  check(value, check) {
    if (typeof value !== 'string') check.fault('type', 'must be a file');
  },
};

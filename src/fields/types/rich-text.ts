import { FieldType } from '../field-type.js';
import { linesOfHtml } from '../html.js';
import { textual } from '../textual.js';
import { checkText } from './text.js';

export const richText: FieldType = {
  ...textual,
  constraints: [...textual.constraints, 'html'],
  value: {
    type: 'string',
    description:
      'A string of HTML. It is stored byte for byte. Search reads its text, its links and the alternative text of its images.',
    example: '<p>Hello, <b>world</b></p>',
  },
  check: checkText,
  searchLines: (value) => linesOfHtml(value as string),
};

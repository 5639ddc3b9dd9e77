import { FieldType } from '../field-type.js';
import { linesOfHtml } from '../formats/html.js';
import { textType } from './text.js';

export const richTextType: FieldType = {
  ...textType,
  constraints: [...textType.constraints, 'html'],
  value: {
    type: 'string',
    description:
      'A string of HTML. It is stored byte for byte. Search reads its text, its links and the alternative text of its images.',
    example: '<p>Hello, <b>world</b></p>',
  },
  searchLines: (value) => linesOfHtml(value as string),
};

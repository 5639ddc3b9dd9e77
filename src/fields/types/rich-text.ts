import { FieldType } from '../field-type.js';
import { textOfHtml, textOfHtmlSteps } from '../html.js';
import { textual } from '../textual.js';
import { checkText } from './text.js';

export const richText: FieldType = {
  ...textual,
  value: {
    type: 'string',
    description: 'A string of HTML, kept byte for byte. Search reads it without its tags.',
    example: '<p>Hello, <b>world</b></p>',
  },
  check: checkText,
  searchText: (value) => textOfHtml(value as string),
  searchTextSteps: (value) => textOfHtmlSteps(value as string),
};

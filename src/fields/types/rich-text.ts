import { FieldType } from '../field-type.js';
import { textOfHtml, textOfHtmlSteps } from '../html.js';
import { textual } from '../textual.js';
import { checkText } from './text.js';

export const richText: FieldType = {
  ...textual,
  value: {
    type: 'string',
    description: 'A string of HTML. It is stored byte for byte. Search ignores the tags.',
    example: '<p>Hello, <b>world</b></p>',
  },
  check: checkText,
  searchText: (value) => textOfHtml(value as string),
  searchTextSteps: (value) => textOfHtmlSteps(value as string),
};

/** Content types and forms of the tenant that is fuzzed. They stay as they are; changes are tried on types that are made for it. */
import { oneOfEach } from './generators/fields.mjs';

const STRICT = [
  {
    name: 'title',
    type: 'text',
    required: true,
    unique: true,
    min: 1,
    max: 200,
    label: 'Title',
    help: 'What to call it.',
  },
  {
    name: 'kind',
    type: 'select',
    options: ['red', 'green', 'Grün, blau', "it's", '__proto__', 'ﬁ', '😀'],
    required: true,
  },
  { name: 'count', type: 'integer', default: 3 },
  { name: 'rating', type: 'number', min: -5, max: 5 },
  { name: 'code', type: 'text', pattern: '^([A-Z]+-[0-9]+ ?)+$' },
  { name: 'related', type: 'reference', content_type: '{{type.every}}', multiple: true },
];

/** Names that mean something to JavaScript or to the query language. */
const TRICKY = [
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  'eq',
  'in',
  'fields',
  'A',
  'a',
].map((name) => ({ name, type: 'text' }));

export const SCHEMAS = {
  /** By name; references are to `every`, which therefore has none itself. */
  of(document) {
    return {
      contentTypes: { every: oneOfEach(document, 'content', ['reference']), strict: STRICT, tricky: TRICKY },
      forms: { every: oneOfEach(document, 'form'), tricky: TRICKY },
    };
  },
  /** Of the types that are made to be changed. */
  fresh: [
    { name: 'title', type: 'text', required: true, max: 200 },
    { name: 'code', type: 'text', unique: true },
    { name: 'tags', type: 'text', multiple: true },
    { name: 'body', type: 'rich_text' },
    { name: 'size', type: 'number' },
  ],
};

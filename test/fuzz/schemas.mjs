/** Content types and forms of the fuzzed tenant. They stay unchanged; cases that change a type use a new one. */
import { oneOfEach, TRICKY_NAMES } from './generators/fields.mjs';

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
  {
    name: 'sections',
    type: 'blocks',
    blocks: [
      {
        name: 'quote',
        fields: [
          { name: 'by', type: 'reference', content_type: '{{type.every}}' },
          { name: 'code', type: 'text', required: true, pattern: '^[a-z ]*$' },
        ],
      },
    ],
  },
];

const TRICKY = [...TRICKY_NAMES, 'in', 'fields', 'A', 'a'].map((name) => ({ name, type: 'text' }));

/** The form that takes files. It is filled in as multipart. */
export const UPLOAD_FORM = [
  { name: 'cv', type: 'file', required: true },
  { name: 'more', type: 'file', multiple: true, max_bytes: 100_000 },
  { name: 'alt', type: 'textarea' },
];

export const SCHEMAS = {
  /** The fields by type name. References point to `every`, which therefore has no references itself. */
  of(document) {
    return {
      contentTypes: { every: oneOfEach(document, 'content', ['reference']), strict: STRICT, tricky: TRICKY },
      forms: { every: oneOfEach(document, 'form'), tricky: TRICKY },
    };
  },
  /** The fields of types that are created to be changed. */
  fresh: [
    { name: 'title', type: 'text', required: true, max: 200 },
    { name: 'code', type: 'text', unique: true },
    { name: 'tags', type: 'text', multiple: true },
    { name: 'body', type: 'rich_text' },
    { name: 'size', type: 'number' },
  ],
};

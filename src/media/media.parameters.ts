import type { Parameter } from '../http/parameters.js';
import { FITS, FORMATS, MAX_SIDE, SIDES } from './variants/variant.js';

export const MIME_TYPE_FILTER = 'filter[mime_type]';
export const ALT_FILTER = 'filter[alt][exists]';
/** No person searches for more characters. */
export const MAX_SEARCH = 512;

/** The parameters of the file list, except those of the page. */
export const mediaListParameters: Parameter[] = [
  {
    name: MIME_TYPE_FILTER,
    schema: { type: 'string' },
    description: 'Returns only files of this type. `image/*` matches all images.',
  },
  {
    name: ALT_FILTER,
    schema: { type: 'boolean' },
    description: '`false` returns only files without alternative text, `true` only those that have one.',
  },
  {
    name: 'search',
    schema: { type: 'string', maxLength: MAX_SEARCH },
    description:
      'Full-text search in file names and alternative texts. A file must contain all words. `"a phrase"`, ' +
      '`-not` and `or` are supported. Case and accents are ignored.',
  },
];

export const deleteParameters: Parameter[] = [
  {
    name: 'force',
    schema: { type: 'boolean', default: false },
    description: 'Deletes the file even if entries still use it.',
  },
];

const side = { type: 'integer' as const, minimum: 1, maximum: MAX_SIDE };
const ladder = `The value is rounded up to the next of ${SIDES.join(', ')}.`;

/** The parameters that describe a variant of an image. */
export const variantParameters: Parameter[] = [
  {
    name: 'w',
    schema: side,
    description:
      `The width in pixels. ${ladder} For example, \`w=300\` returns an image with a width of at most 320. Images ` +
      'are never enlarged.',
  },
  { name: 'h', schema: side, description: `The height in pixels. ${ladder} Images are never enlarged.` },
  {
    name: 'fit',
    schema: { type: 'string', enum: [...FITS] },
    description:
      'How the image is fitted when both `w` and `h` are sent. `cover` (the default) fills both sides and crops the rest. ' +
      '`contain` fits the image into both sides with a margin. `inside` fits the image into both sides. ' +
      '`outside` covers both sides without cropping.',
  },
  {
    name: 'format',
    schema: { type: 'string', enum: [...FORMATS] },
    description: 'When omitted, the format of the image is used if it is one of these, and otherwise `png`.',
  },
];

/** The signature of a variant's query. */
export const signatureParameter: Parameter = {
  name: 's',
  schema: { type: 'string' },
  description:
    'The signature of the variant. It is required when the tenant requires signatures ' +
    '(`media: {"signed_variants": true}`). The URL that *Get the URL of a variant* returns contains it.',
};

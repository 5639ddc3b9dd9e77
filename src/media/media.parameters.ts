import type { Parameter } from '../lists/parameters.js';
import { FITS, FORMATS, MAX_SIDE, SIDES } from './variant.js';

export const MIME_TYPE_FILTER = 'filter[mime_type]';
/** Longer searches are no longer a person's. */
export const MAX_SEARCH = 512;

/** What the list of files takes beside the page. */
export const mediaListParameters: Parameter[] = [
  {
    name: MIME_TYPE_FILTER,
    schema: { type: 'string' },
    description: 'Only files of this type; `image/*` is every image.',
    example: 'image/*',
  },
  {
    name: 'search',
    schema: { type: 'string', maxLength: MAX_SEARCH },
    description:
      'Full-text search over filename and alternative text: words are ANDed; `"a phrase"`, `-not` and `or` are understood; case and ' +
      'accents are ignored.',
    example: 'summer',
  },
];

export const deleteParameters: Parameter[] = [
  {
    name: 'force',
    schema: { type: 'boolean', default: false },
    description: 'Deletes the file although entries still use it.',
  },
];

const side = { type: 'integer' as const, minimum: 1, maximum: MAX_SIDE };
const ladder = `Rounded up to the next of ${SIDES.join(', ')}.`;

/** What turns an image into another one. */
export const variantParameters: Parameter[] = [
  {
    name: 'w',
    schema: side,
    description: `Width in pixels. ${ladder} \`w=300\` gives an image of at most 320. No image is enlarged.`,
  },
  { name: 'h', schema: side, description: `Height in pixels. ${ladder} No image is enlarged.` },
  {
    name: 'fit',
    schema: { type: 'string', enum: [...FITS], default: 'cover' },
    description:
      'With both `w` and `h`: `cover` fills them and crops the rest, `contain` fits into them with a margin, `inside` fits into them, ' +
      '`outside` covers them without cropping.',
  },
  {
    name: 'format',
    schema: { type: 'string', enum: [...FORMATS] },
    description: "The image's own where it is one of these, otherwise `png` when omitted.",
  },
];

/** The signature of a variant's query. */
export const signatureParameter: Parameter = {
  name: 's',
  schema: { type: 'string' },
  description:
    'The signature that a variant needs where the tenant demands one (`media: {"signed_variants": true}`). It comes with the URL of ' +
    '*Get the URL of a variant*.',
};

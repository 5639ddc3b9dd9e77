import { Check } from '../check.js';
import { FieldType } from '../field-type.js';
import { textKey } from '../sort-key.js';
import { countCodePoints, shorten } from '../formats/text.js';
import { faultOfHttpUrl, isHttpUrl, isLocalPath, MAX_URL, URL_PATTERNS } from '../formats/url.js';

interface Media {
  url: string;
  alt: string;
}

const MAX_ALT = 1_000;

/** An `id` has been replaced by what it names (see `MediaIds`). */
const MISSING = { url: 'is required, unless id names an uploaded file', alt: 'is required' };

const FILE_ID = '^med_[0-7][0-9a-hjkmnp-tv-z]{25}$';

/** An image or another file. Filters use its URL, and search uses its alternative text. */
export const mediaType: FieldType = {
  value: {
    type: 'object',
    description:
      'An object with exactly the properties `url` (an absolute http or https URL, or a path of this service) ' +
      'and `alt`. A request can name an uploaded file by `id` instead of `url`, with or without `alt`.',
    example: { url: 'https://example.com/cat.jpg', alt: 'A cat on a mat' },
    properties: {
      url: { type: 'string', maxLength: MAX_URL, pattern: `${URL_PATTERNS.http}|${URL_PATTERNS.local}` },
      alt: { type: 'string', maxLength: MAX_ALT },
    },
    required: ['url', 'alt'],
    additionalProperties: false,
  },
  reference: {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: FILE_ID },
      alt: { type: ['string', 'null'], maxLength: MAX_ALT },
      url: { type: 'null' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  constraints: ['multiple'],
  sortable: false,
  textual: true,
  refers: true,
  check(value, check) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return check.fault('type', 'must be an object with url and alt, or with the id of an uploaded file');
    }
    for (const key of Object.keys(value)) {
      if (key !== 'url' && key !== 'alt')
        check.fault('unknown_property', 'is not a property of a media value', `.${shorten(key)}`);
    }
    const url = member(value, 'url', check);
    if (url !== undefined && !isHttpUrl(url) && !isLocalPath(url)) {
      const reason = faultOfHttpUrl(url) ?? '';
      check.fault('format', `must be an absolute http or https URL, or a path of this service: ${reason}`, '.url');
    }
    const alt = member(value, 'alt', check);
    if (alt !== undefined && alt.length > MAX_ALT && countCodePoints(alt) > MAX_ALT) {
      check.fault('too_long', `must have at most ${MAX_ALT} characters`, '.alt');
    }
  },
  key: (value) => textKey((value as Media).url),
  readFilter: textKey,
  canEqual: (text) => isHttpUrl(text) || isLocalPath(text),
  searchText: (value) => (value as Media).alt,
};

/** Returns the string under a key of the object. If it is missing or not a string, reports an error and returns undefined. */
function member(media: object, key: keyof Media, check: Check): string | undefined {
  const value: unknown = Object.hasOwn(media, key) ? (media as Record<string, unknown>)[key] : undefined;
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) check.fault('required', MISSING[key], `.${key}`);
  else check.fault('type', 'must be a string', `.${key}`);
  return undefined;
}

import { FieldType } from '../field-type.js';
import { textual } from './textual.js';
import { faultOfHttpUrl, isHttpUrl, MAX_URL, URL_PATTERNS } from '../formats/url.js';

export const urlType: FieldType = {
  ...textual,
  value: {
    type: 'string',
    format: 'uri',
    maxLength: MAX_URL,
    pattern: URL_PATTERNS.http,
    description: 'An absolute http or https URL.',
    example: 'https://example.com/about',
  },
  canEqual: isHttpUrl,
  check(value, check) {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    const reason = faultOfHttpUrl(value);
    if (reason !== undefined) check.fault('format', `must be an absolute http or https URL: ${reason}`);
  },
};

import { FieldType } from '../field-type.js';
import { faultOfHttpUrl, isHttpUrl, MAX_URL, URL_PATTERNS } from '../formats/url.js';
import { isLine, line } from './line.js';

export const urlFormType: FieldType = {
  ...line,
  input: 'url',
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
    if (!isLine(value, check)) return;
    const reason = faultOfHttpUrl(value);
    if (reason !== undefined) check.fault('format', `must be an absolute http or https URL: ${reason}`);
  },
};

import { firstMatch } from './characters.js';
import { parseUrl } from '../../validation/parse-url.js';

/** Maximum length of a URL. Every browser supports it. */
export const MAX_URL = 2_048;

// Whitespace, control characters, and the characters that would break out of an HTML attribute.
const FORBIDDEN = /[\s\p{Cc}<>"\\]/u;
const SCHEME = /^https?:\/\//i;
const HOST = /^[^/?#]/;

const ALLOWED = String.raw`[^\s\p{Cc}<>"\\]`;

/** For JSON Schema: what `isHttpUrl` reads, apart from its host and port, and what `isLocalPath` reads. */
export const URL_PATTERNS = {
  http: `^[Hh][Tt][Tt][Pp][Ss]?://(?![/?#])${ALLOWED}+$`,
  local: `^/(?!/)${ALLOWED}*$`,
} as const;

/** Whether the text is an absolute http or https URL of at most 2,048 characters. */
export function isHttpUrl(text: string): boolean {
  return faultOfHttpUrl(text) === undefined;
}

/** Returns why the text is not an absolute http or https URL, as the end of a sentence; undefined if it is one. */
export function faultOfHttpUrl(text: string): string | undefined {
  if (text.length > MAX_URL) return `it has more than ${MAX_URL} characters`;
  const scheme = SCHEME.exec(text)?.[0];
  const forbidden = firstMatch(text, FORBIDDEN);
  if (forbidden !== undefined) return `it has ${forbidden}`;
  if (scheme === undefined) return 'it does not begin with http:// or https://';
  if (!HOST.test(text.slice(scheme.length))) return `it has no host after ${scheme}`;
  return parseUrl(text) ? undefined : 'its host or port is not valid';
}

/** Whether the text is a path of this service, such as `/v1/media/…`, that no browser reads as another host. */
export function isLocalPath(text: string): boolean {
  return text.length <= MAX_URL && text.startsWith('/') && !text.startsWith('//') && !FORBIDDEN.test(text);
}

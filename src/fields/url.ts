/** Maximum length of a URL. Every browser supports it. */
export const MAX_URL = 2_048;

// Whitespace, control characters, and the characters that would break out of an HTML attribute.
const FORBIDDEN = /[\s\p{Cc}<>"\\]/u;
const HTTP = /^https?:\/\/[^/?#]/i;

/** Whether the text is an absolute http or https URL of at most 2,048 characters. */
export function isHttpUrl(text: string): boolean {
  return text.length <= MAX_URL && HTTP.test(text) && !FORBIDDEN.test(text) && URL.canParse(text);
}

/** Whether the text is a path of this service, such as `/v1/media/…`, that no browser reads as another host. */
export function isLocalPath(text: string): boolean {
  return text.length <= MAX_URL && text.startsWith('/') && !text.startsWith('//') && !FORBIDDEN.test(text);
}

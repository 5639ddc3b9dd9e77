import { isHttpUrl, isLocalPath, MAX_URL } from 'trivet/fields/formats/url.js';

/** Maximum length of a path. A unique index has room for it, at four bytes for each character. */
export const MAX_PATH = 500;

/** Whether the text is a path of a website without a query, such as `/about`. */
export function isPath(text: string): boolean {
  return text.length <= MAX_PATH && isLocalPath(text) && !/[?#]/.test(text);
}

/** Whether a visitor can be sent there: a path of the same website, or an http or https URL. */
export function isTarget(text: string): boolean {
  return text.length <= MAX_URL && (isLocalPath(text) || isHttpUrl(text));
}

import { isEmail as isAddress } from 'class-validator';

/** Maximum length of an address in SMTP (RFC 5321). */
export const MAX_EMAIL = 254;

// A line break would end a header line. The validator throws on a lone surrogate.
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/** Whether the text is a single email address without characters that could end a header line. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && !FORBIDDEN.test(text) && isAddress(text);
}

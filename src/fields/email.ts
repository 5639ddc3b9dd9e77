import { isEmail as isAddress } from 'class-validator';

/** The longest address that SMTP carries (RFC 5321). */
export const MAX_EMAIL = 254;

// A line break would end a header line; the validator throws at a lone surrogate.
const UNFIT = /[\p{Cc}\p{Cs}]/u;

/** Whether the text is one email address, and nothing that could end a header line. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && !UNFIT.test(text) && isAddress(text);
}

import { domainToASCII, domainToUnicode } from 'node:url';
import { isEmail as isAddress } from 'class-validator';
import type { ValueError } from '../../errors/problem.js';
import { firstMatch, INVISIBLE } from './characters.js';
import { lowered } from './text.js';

/** Maximum length of an address in SMTP (RFC 5321). */
export const MAX_EMAIL = 254;

const QUOTED = /^"(.*)"$/s;
const ESCAPED = /\\(.)/gs;
/** A local part that needs no quotation marks (RFC 5322, RFC 6532). */
const DOT_ATOM = /^[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*$/;

const LOCAL_CHARACTER = String.raw`[A-Za-z\d!#$%&'*+\-/=?^_\x60{|}~\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]`;
const QUOTED_CHARACTER = String.raw`(?:[\s\u0001-\u0008\u000b\u000c\u000e-\u001f!#-\[\]-~\u007f\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]|\\[^\u000a])`;
const LABEL = String.raw`(?!-)(?:[A-Za-z\d\-]|[^\u0000-\u00a0\uff01-\uff5e]){1,63}(?<!-)`;
const TOP_LABEL = String.raw`(?:[A-Za-z\u00a1-\u00a8\u00aa-\ud7ff\uf900-\ufdcf\ufdf0-\uff00\uff5f-\uffef]{2,63}|[Xx][Nn][A-Za-z\d\-]{1,60}[A-Za-z\d])`;

/** For JSON Schema: what `isEmail` reads, apart from the length of its parts, invisible characters, and what IDNA says of its domain. */
export const EMAIL_PATTERN = `^(?:${LOCAL_CHARACTER}+(?:\\.${LOCAL_CHARACTER}+)*|"${QUOTED_CHARACTER}*")@(?:${LABEL}\\.)+${TOP_LABEL}$`;

/** Whether the text is a single email address. */
export function isEmail(text: string): boolean {
  return faultOfEmail(text) === undefined;
}

/** Returns what is wrong with a text that is not a single email address, as the end of a sentence about it; undefined if it is one. */
export function faultOfEmail(text: string): string | undefined {
  if (text.length > MAX_EMAIL) return `must be an email address of at most ${MAX_EMAIL} characters`;
  // They would make different addresses look the same, or end a header line. The validator throws on a lone surrogate.
  const invisible = firstMatch(text, INVISIBLE);
  if (invisible !== undefined)
    return `must be an email address without invisible characters, but contains ${invisible}`;
  return isAddress(text) && domainToASCII(partsOf(text).domain) !== '' ? undefined : 'must be an email address';
}

/** Returns the error of a property that must be an email address; none if it is one. */
export function checkEmail(value: unknown, path: string): ValueError[] {
  const isText = typeof value === 'string';
  const fault = isText ? faultOfEmail(value) : 'must be an email address';
  return fault === undefined ? [] : [{ path, code: isText ? 'format' : 'type', message: `${path} ${fault}.` }];
}

/**
 * Returns the one spelling of an address by which it is compared: equal for two texts if they are spellings of one mailbox. Case does not matter,
 * nor how letters with accents are composed (NFC), nor whether the domain is written in letters or as `xn--…` (IDNA), nor quotation marks and
 * backslashes around the local part that it does not need. What only some mail servers ignore stays: dots, and `+tag`. A text that is not an
 * address has one spelling too.
 */
export function canonicalEmail(text: string): string {
  const trimmed = text.trim();
  const { local, domain } = partsOf(trimmed);
  if (local === undefined) return lowered(trimmed);
  const quoted = QUOTED.exec(local)?.[1];
  return `${lowered(quoted?.replace(ESCAPED, '$1') ?? local)}@${canonicalDomain(domain)}`;
}

/** Returns the canonical form of an address without the part of its local part that begins with a `+`. */
export function withoutTag(address: string): string {
  const { local = '', domain } = partsOf(canonicalEmail(address));
  const plus = local.indexOf('+');
  return `${plus > 0 ? local.slice(0, plus) : local}@${domain}`;
}

/** Whether the local part of an address needs quotation marks, because it contains a space, for example. */
export function needsQuotes(address: string): boolean {
  return !DOT_ATOM.test(partsOf(canonicalEmail(address)).local ?? '');
}

function partsOf(address: string): { local: string | undefined; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: at < 0 ? undefined : address.slice(0, at), domain: address.slice(at + 1) };
}

/** In letters, because it sorts so. What IDNA does not allow is only in lower case. */
function canonicalDomain(domain: string): string {
  return domainToUnicode(domainToASCII(domain)) || lowered(domain);
}

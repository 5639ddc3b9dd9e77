import { isIP } from 'node:net';
import { AddressPolicy, isAllowedAddress } from './address.js';

const MAX_LENGTH = 2048;

/**
 * White space, control and invisible characters, lone surrogates and backslashes: what a URL parser silently drops or
 * repairs.
 */
const REPAIRED = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;

/**
 * What is wrong with `url` as the target of outgoing requests, as a sentence, or undefined when nothing is. A good URL
 * can be stored and shown as it was sent: whoever connects parses it with the same WHATWG parser that judged it here.
 */
export function checkTargetUrl(url: unknown, policy: AddressPolicy): string | undefined {
  if (typeof url !== 'string') return 'url must be a string.';
  if (url.length > MAX_LENGTH) return 'url must have at most 2,048 characters.';
  if (REPAIRED.test(url)) return 'url must not contain white space, control characters or backslashes.';
  // Checked on the text as well, because the parser would make an absolute URL of https:host and https:///host.
  const authority = /^https:\/\/([^/?#]+)/i.exec(url)?.[1];
  if (!authority) return 'url must be an absolute https URL.';
  if (authority.includes('@')) return 'url must not contain credentials.';
  if (url.includes('#')) return 'url must not contain a fragment.';
  if (!URL.canParse(url)) return 'url must be an absolute https URL.';
  if (!isAllowedHost(new URL(url).hostname, policy)) return 'url must point to a public host.';
  return undefined;
}

/**
 * Judges literal addresses and names that are private by definition; other names are judged when they are resolved.
 */
function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$|\.+$/g, '');
  // An empty label names nothing.
  if (host.split('.').includes('') && isIP(host) === 0) return false;
  if (policy.allowPrivateNetworks) return true;
  if (isIP(host) !== 0) return isAllowedAddress(host, policy);
  if (isUnder(host, 'localhost')) return isAllowedAddress('127.0.0.1', policy) || isAllowedAddress('::1', policy);
  // A self-hoster who opened ranges has such names for them; the address behind one is still checked at every
  // connection.
  if (isUnder(host, 'local') || isUnder(host, 'internal')) return policy.allow.length > 0;
  return true;
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

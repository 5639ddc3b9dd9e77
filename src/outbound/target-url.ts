import { isIP } from 'node:net';
import { AddressPolicy, isAllowedAddress } from './address.js';

const MAX_LENGTH = 2048;

/** Characters that a URL parser drops or repairs: white space, control and invisible characters, lone surrogates, backslashes. */
const REPAIRED = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;

/**
 * Returns why `url` is not allowed as the target of outgoing requests, as a sentence, or undefined if it is allowed. An allowed URL can
 * be stored and shown as it was sent, because connections use the same WHATWG parser as this check.
 */
export function checkTargetUrl(url: unknown, policy: AddressPolicy): string | undefined {
  if (typeof url !== 'string') return 'url must be a string.';
  if (url.length > MAX_LENGTH) return 'url must have at most 2,048 characters.';
  if (REPAIRED.test(url)) return 'url must not contain white space, control characters or backslashes.';
  // Also check the text, because the parser would convert https:host and https:///host to absolute URLs.
  const authority = /^https:\/\/([^/?#]+)/i.exec(url)?.[1];
  if (!authority) return 'url must be an absolute https URL.';
  if (authority.includes('@')) return 'url must not contain credentials.';
  if (url.includes('#')) return 'url must not contain a fragment.';
  if (!URL.canParse(url)) return 'url must be an absolute https URL.';
  if (!isAllowedHost(new URL(url).hostname, policy)) return 'url must point to a public host.';
  return undefined;
}

/** Checks literal addresses and names that are private by definition. Other names are checked when they are resolved. */
function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$|\.+$/g, '');
  // A name with an empty label is not valid.
  if (host.split('.').includes('') && isIP(host) === 0) return false;
  if (policy.allowPrivateNetworks) return true;
  if (isIP(host) !== 0) return isAllowedAddress(host, policy);
  if (isUnder(host, 'localhost')) return isAllowedAddress('127.0.0.1', policy) || isAllowedAddress('::1', policy);
  // An operator who allowed ranges may use such names for them. Their addresses are still checked at every connection.
  if (isUnder(host, 'local') || isUnder(host, 'internal')) return policy.allow.length > 0;
  return true;
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

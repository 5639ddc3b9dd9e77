import { isIP } from 'node:net';
import { firstMatch } from '../fields/formats/characters.js';
import { AddressPolicy, isAllowedAddress, isPublicAddress } from './address.js';
import { parseUrl } from '../validation/parse-url.js';

const MAX_LENGTH = 2048;

/** Characters that a URL parser drops or repairs: white space, control and invisible characters, lone surrogates, backslashes. */
const REPAIRED = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;

const NOT_HTTPS = 'url must be an absolute https URL.';
const NOT_PUBLIC =
  'url must point to a public host. For development, the operator can allow other hosts with WEBHOOK_ALLOW_PRIVATE_NETWORKS=true.';
export const PUBLIC_NEEDS_HTTPS = 'url must be an https URL: http is allowed only for addresses that are not public.';

/**
 * Returns why `url` is not allowed as the target of outgoing requests, as a sentence, or undefined if it is allowed. An allowed URL can
 * be stored and shown as it was sent, because connections use the same WHATWG parser as this check.
 */
export function checkTargetUrl(url: unknown, policy: AddressPolicy): string | undefined {
  if (typeof url !== 'string') return 'url must be a string.';
  if (url.length > MAX_LENGTH) return 'url must have at most 2,048 characters.';
  const repaired = firstMatch(url, REPAIRED);
  if (repaired) return `url must not contain white space, control characters or backslashes: it has ${repaired}.`;
  // Also check the text, because the parser would convert https:host and https:///host to absolute URLs.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1];
  if (!authority) return NOT_HTTPS;
  if (authority.includes('@')) return 'url must not contain credentials.';
  if (url.includes('#')) return 'url must not contain a fragment.';
  const parsed = parseUrl(url);
  if (!parsed) return NOT_HTTPS;
  const { protocol, hostname } = parsed;
  const host = hostname.replace(/^\[|\]$|\.+$/g, '');
  if (protocol === 'http:') return checkPlainHost(host, policy);
  return isAllowedHost(host, policy) ? undefined : NOT_PUBLIC;
}

/** Returns the host name of an http URL whose addresses decide whether it is allowed; undefined for any other URL. */
export function plainHostName(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !hostname.startsWith('[') && isIP(hostname) === 0 ? hostname : undefined;
}

/** http is only for development, and only within private networks. The addresses of a name are checked when it is resolved. */
function checkPlainHost(host: string, policy: AddressPolicy): string | undefined {
  if (!policy.allowPrivateNetworks) {
    return isPrivate(host)
      ? `${NOT_HTTPS} For development, the operator can allow http to private addresses with WEBHOOK_ALLOW_PRIVATE_NETWORKS=true.`
      : NOT_HTTPS;
  }
  if (!isAllowedHost(host, policy)) return NOT_HTTPS;
  return isIP(host) !== 0 && isPublicAddress(host) ? PUBLIC_NEEDS_HTTPS : undefined;
}

function isPrivate(host: string): boolean {
  return isIP(host) !== 0 ? !isPublicAddress(host) : isPrivateName(host);
}

/** Whether the name cannot be in the public DNS: `receiver`, `crm.internal`. */
export function isPrivateName(host: string): boolean {
  return !host.includes('.') || ['localhost', 'local', 'internal', 'test'].some((domain) => isUnder(host, domain));
}

/** Checks literal addresses and names that are private by definition. Other names are checked when they are resolved. */
function isAllowedHost(host: string, policy: AddressPolicy): boolean {
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

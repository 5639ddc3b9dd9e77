import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What an address is counted by: an IPv4 address by itself, also inside IPv6; an IPv6 address by its /64, all of which one client owns.
 * `unknown` for what is not an address.
 */
export function addressGroup(text: string | undefined): string {
  if (text === undefined || !isIP(text)) return 'unknown';
  const address = ipaddr.process(text.replace(/%.*$/, ''));
  if (address.kind() === 'ipv4') return address.toString();
  return `${address
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}

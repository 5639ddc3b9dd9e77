import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the key that an address is counted by. An IPv4 address, also mapped into IPv6, counts on its own. An IPv6 address counts by
 * its /64, because one client owns all of it. Text that is not an address gives `unknown`.
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

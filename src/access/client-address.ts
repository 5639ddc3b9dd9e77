import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The address that limits count by: the socket's, or what the trusted proxies say (`TRUST_PROXY`). An IPv6 client owns a /64, so it
 * counts by that; an IPv4 address inside IPv6 counts as itself.
 */
export function clientAddress(request: Request): string {
  const claimed = request.ip ?? '';
  // A proxy forwards what it was told: what is no address is not believed.
  const text = isIP(claimed) ? claimed : (request.socket.remoteAddress ?? '');
  if (!isIP(text)) return 'unknown';
  const address = ipaddr.process(text.replace(/%.*$/, ''));
  if (address.kind() === 'ipv4') return address.toString();
  return `${address
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}

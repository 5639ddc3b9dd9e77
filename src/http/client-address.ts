import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { addressGroup } from '../admission/address-group.js';

/**
 * Returns the key that limits count by (see `addressGroup`), from the socket's address or from trusted proxies (`TRUST_PROXY`). If a server sends
 * the request for a visitor, it is the visitor's.
 */
export function clientAddress(request: Request): string {
  return addressGroup(request.visitorAddress ?? addressOf(request));
}

/** Returns the whole address, without the zone of IPv6. An IPv4 address that is mapped into IPv6 is an IPv4 address. */
export function wholeAddress(request: Request): string | null {
  const address = addressOf(request)?.replace(/%.*$/, '') ?? '';
  return isIP(address) ? ipaddr.process(address).toString() : null;
}

function addressOf(request: Request): string | undefined {
  // A proxy may forward any text. Use the socket's address if the text is not an IP address.
  return isIP(request.ip ?? '') ? request.ip : request.socket.remoteAddress;
}

import { isIP } from 'node:net';
import type { Request } from 'express';
import { addressGroup } from '../admission/address-group.js';

/** Returns the key that limits count by (see `addressGroup`), from the socket's address or from trusted proxies (`TRUST_PROXY`). */
export function clientAddress(request: Request): string {
  // A proxy may forward any text. Use the socket's address if the text is not an IP address.
  return addressGroup(isIP(request.ip ?? '') ? request.ip : request.socket.remoteAddress);
}

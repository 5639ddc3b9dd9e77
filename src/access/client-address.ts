import { isIP } from 'node:net';
import type { Request } from 'express';
import { addressGroup } from '../admission/address-group.js';

/** The address that limits count by (see `addressGroup`): the socket's, or what the trusted proxies say (`TRUST_PROXY`). */
export function clientAddress(request: Request): string {
  // A proxy forwards what it was told: what is not an address is not believed.
  return addressGroup(isIP(request.ip ?? '') ? request.ip : request.socket.remoteAddress);
}

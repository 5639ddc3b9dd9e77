import https from 'node:https';
import { LookupFunction } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import { AddressPolicy, isAllowedAddress } from './address.js';
import { OutboundError } from './outbound-error.js';
import { Resolve } from './resolve.js';

const IDLE_MS = 10_000;
const MAX_SOCKETS_PER_ORIGIN = 256;
const MAX_IDLE_PER_ORIGIN = 64;
const MAX_IDLE = 512;
/** Enough for several addresses of both families. A name with hundreds of addresses must not turn this into a port scanner. */
const MAX_ADDRESSES = 6;

export interface CheckedAgentOptions {
  policy: AddressPolicy;
  resolve: Resolve;
  keepAlive: boolean;
  /** PEM certificates that are trusted in addition to node's root certificates. */
  ca?: string | Buffer;
}

/**
 * Connects to host names only at addresses that the policy allows. Node's `net` receives exactly the addresses that were checked, so
 * there is no gap between check and use. A pooled connection was checked when it was opened. Node does no lookup for a literal address,
 * so callers must check the URL with `checkTargetUrl` first.
 */
export class CheckedAgent extends https.Agent {
  constructor({ policy, resolve, keepAlive, ca }: CheckedAgentOptions) {
    super({
      keepAlive,
      timeout: IDLE_MS,
      maxSockets: MAX_SOCKETS_PER_ORIGIN,
      maxFreeSockets: MAX_IDLE_PER_ORIGIN,
      lookup: checkedLookup(policy, resolve),
      // Tries one address after another. Node's default of 250 ms for each is too short for distant receivers.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 2_000,
      // Created once, because the root certificates take milliseconds to load.
      secureContext: createSecureContext(ca ? { ca: [...rootCertificates, ca] } : {}),
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
      rejectUnauthorized: true,
    });
  }

  /** Node limits idle connections only per origin, and a tenant can use any number of origins. */
  override keepSocketAlive(socket: Duplex): boolean | void {
    let idle = 0;
    for (const sockets of Object.values(this.freeSockets)) idle += sockets?.length ?? 0;
    return idle < MAX_IDLE && super.keepSocketAlive(socket);
  }
}

function checkedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (host, _options, callback) => {
    const refuse = (message: string, cause?: unknown) => callback(new OutboundError('dns', message, { cause }), []);
    resolve(host).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowedAddress(address, policy));
        if (allowed.length > 0) return callback(null, allowed.slice(0, MAX_ADDRESSES));
        refuse(`${host} has no allowed address among ${found.map(({ address }) => address).join(', ')}`);
      },
      (error: unknown) => refuse(`${host} did not resolve`, error),
    );
  };
}

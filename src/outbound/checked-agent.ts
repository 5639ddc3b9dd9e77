import http from 'node:http';
import https from 'node:https';
import { LookupFunction } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import { AddressPolicy, isAllowedAddress, isPublicAddress } from './address.js';
import { OutboundError, OutboundErrorCode } from './outbound-error.js';
import { Resolve } from './resolve.js';

const IDLE_MS = 10_000;
const MAX_SOCKETS_PER_ORIGIN = 256;
/** Tenants share receivers, such as those of automation services. Connections that only a moment's pause leaves idle are not closed. */
const MAX_IDLE_PER_ORIGIN = MAX_SOCKETS_PER_ORIGIN;
const MAX_IDLE = 512;
/** Enough for several addresses of both families. A name with hundreds of addresses must not turn this into a port scanner. */
const MAX_ADDRESSES = 6;

interface CheckedAgentOptions {
  policy: AddressPolicy;
  resolve: Resolve;
  keepAlive: boolean;
  /** PEM certificates that are trusted in addition to node's root certificates. */
  ca?: string | Buffer;
}

/** The addresses that an agent may connect to, and the error code if a name has no such address. */
interface AddressCheck {
  allows: (address: string) => boolean;
  refusal: OutboundErrorCode;
}

/**
 * Connects to host names only at addresses that the policy allows. Node's `net` receives exactly the addresses that were checked, so
 * there is no gap between check and use. A pooled connection was checked when it was opened. Node does no lookup for a literal address,
 * so callers must check the URL with `checkTargetUrl` first.
 */
export class CheckedAgent extends https.Agent {
  constructor({ policy, ca, ...options }: CheckedAgentOptions) {
    const allows = (address: string) => isAllowedAddress(address, policy);
    super({
      ...agentOptions(options, { allows, refusal: 'address_not_public' }),
      // Created once, because the root certificates take milliseconds to load.
      secureContext: createSecureContext(ca ? { ca: [...rootCertificates, ca] } : {}),
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
      rejectUnauthorized: true,
      // Without it, a receiver that supports only HTTP/2 would answer in HTTP/2.
      ALPNProtocols: ['http/1.1'],
    });
  }

  /** Node limits idle connections only per origin, and a tenant can use any number of origins. */
  override keepSocketAlive(socket: Duplex): boolean | void {
    return mayKeepMore(this) && super.keepSocketAlive(socket);
  }
}

/** The same for http, which is allowed only for addresses that are not public, and only if the policy allows all networks. */
export class CheckedPlainAgent extends http.Agent {
  constructor({ policy, ...options }: Omit<CheckedAgentOptions, 'ca'>) {
    const allows = (address: string) => isAllowedAddress(address, policy) && !isPublicAddress(address);
    super(agentOptions(options, { allows, refusal: 'address_public' }));
  }

  override keepSocketAlive(socket: Duplex): boolean | void {
    return mayKeepMore(this) && super.keepSocketAlive(socket);
  }
}

function agentOptions(
  { resolve, keepAlive }: Pick<CheckedAgentOptions, 'resolve' | 'keepAlive'>,
  check: AddressCheck,
): https.AgentOptions {
  return {
    keepAlive,
    timeout: IDLE_MS,
    maxSockets: MAX_SOCKETS_PER_ORIGIN,
    maxFreeSockets: MAX_IDLE_PER_ORIGIN,
    lookup: checkedLookup(resolve, check),
    // Tries one address after another. Node's default of 250 ms for each is too short for distant receivers.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 2_000,
  };
}

function mayKeepMore({ freeSockets }: http.Agent): boolean {
  let idle = 0;
  for (const sockets of Object.values(freeSockets)) idle += sockets?.length ?? 0;
  return idle < MAX_IDLE;
}

function checkedLookup(resolve: Resolve, { allows, refusal }: AddressCheck): LookupFunction {
  return (host, _options, callback) => {
    resolve(host).then(
      (found) => {
        const allowed = found.filter(({ address }) => allows(address));
        if (allowed.length > 0) return callback(null, allowed.slice(0, MAX_ADDRESSES));
        const addresses = found.map(({ address }) => address).join(', ');
        callback(new OutboundError(refusal, `${host} has no allowed address among ${addresses}`), []);
      },
      (error: unknown) => {
        const known = error instanceof OutboundError;
        callback(known ? error : new OutboundError('dns', `${host} did not resolve`, { cause: error }), []);
      },
    );
  };
}

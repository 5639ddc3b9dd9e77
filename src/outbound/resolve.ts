import { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { AddressPolicy } from './address.js';
import { OutboundError } from './outbound-error.js';

/** Returns every address of a host name. Rejects with an `OutboundError` if the name has no address (`name_unknown`), or DNS fails (`dns`). */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** DNS answered that there is no such name, or that it has no address of the requested family. */
const UNKNOWN = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/**
 * Returns a resolver that uses DNS, because the system resolver (node's `lookup`) runs on two of libuv's threads, where two slow names
 * would block all others. The system resolver knows hosts files and search domains, which contain internal names. It is used if DNS
 * finds nothing and ranges are allowed, and alone if all networks are allowed, so that development needs no DNS.
 */
export function resolverFor({ allowPrivateNetworks, allow }: AddressPolicy): Resolve {
  const system: Resolve = (host) =>
    lookup(host, { all: true }).catch((error: unknown) => {
      throw failure(host, [error]);
    });
  if (allowPrivateNetworks) return system;

  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
    const found: LookupAddress[] = [];
    if (v4.status === 'fulfilled') found.push(...v4.value.map((address) => ({ address, family: 4 })));
    if (v6.status === 'fulfilled') found.push(...v6.value.map((address) => ({ address, family: 6 })));
    if (found.length > 0) return found;
    if (allow.length > 0) return system(host);
    throw failure(
      host,
      [v4, v6].flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
    );
  };
}

function failure(host: string, causes: readonly unknown[]): OutboundError {
  const isUnknown = causes.every((cause) => UNKNOWN.includes(String((cause as { code?: unknown }).code)));
  if (isUnknown) return new OutboundError('name_unknown', `DNS has no address for ${host}.`, { cause: causes[0] });
  return new OutboundError('dns', `DNS did not respond for ${host}.`, { cause: causes[0] });
}

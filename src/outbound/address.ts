import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address range: its first address and the length of its prefix in bits. */
export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Where outgoing connections may go: public addresses, the ranges in `allow`, or with `allowPrivateNetworks` anywhere.
 */
export interface AddressPolicy {
  allowPrivateNetworks: boolean;
  allow: readonly Cidr[];
}

/**
 * All that IANA has allocated for global unicast; what lies outside is reserved, or carries an IPv4 address inside.
 */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3');

/** Azure's metadata and agent endpoint: the one such service that sits on an address that looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Whether `ip` is globally routable unicast after IANA's special-purpose registries. Only the canonical notations of
 * an address are understood, and forms that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) are refused outright.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (!address || ip === AZURE_WIRE_SERVER) return false;
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST_V6)) return false;
  return address.range() === 'unicast';
}

/** Whether `policy` lets a connection go to `ip`. What is not an address is refused under every policy. */
export function isAllowedAddress(ip: string, policy: AddressPolicy): boolean {
  const address = parseAddress(ip);
  if (!address) return false;
  if (policy.allowPrivateNetworks || isPublicAddress(ip)) return true;
  return policy.allow.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr));
}

/**
 * Reads `10.0.0.0/8, fd00::/8, 192.168.1.5` (a bare address is a range of one). Throws a RangeError naming what it
 * can't read.
 */
export function parseCidrs(list: string): Cidr[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(parseCidr);
}

function parseCidr(item: string): Cidr {
  const [ip = '', length, ...rest] = item.split('/');
  const address = parseAddress(ip);
  const bits = address?.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  if (!address || rest.length > 0 || !(prefix <= bits)) throw new RangeError(`"${item}" is not a CIDR range.`);
  return [address, prefix];
}

/**
 * Stricter than ipaddr.js, which also reads octal, hexadecimal and short forms; a zone (`fe80::1%eth0`) is refused
 * too.
 */
function parseAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(ip) !== 0 && !ip.includes('%') ? ipaddr.parse(ip) : undefined;
}

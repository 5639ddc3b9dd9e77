import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address range: its first address and the length of its prefix in bits. */
type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The addresses that outgoing connections may reach: public ones, the ranges in `allow`, or all with `allowPrivateNetworks`. */
export interface AddressPolicy {
  allowPrivateNetworks: boolean;
  allow: readonly Cidr[];
}

/** The range that IANA has allocated for global unicast. Addresses outside of it are reserved. */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3');

/** Azure's metadata and agent endpoint, the only service of this kind with an address that looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Whether `ip` is globally routable unicast according to IANA's special-purpose registries. An IPv6 form of an IPv4 address (mapped,
 * NAT64, 6to4) is public if the IPv4 address is. Only the canonical notations of an address are accepted.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (!address) return false;
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  // ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8.
  if (/^::[\d.]+$/.test(ip)) return false;
  const carried = carriedAddress(address);
  if (carried) return isPublicV4(carried);
  return address.match(GLOBAL_UNICAST_V6) && address.range() === 'unicast';
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_WIRE_SERVER;
}

/** The IPv6 forms whose connections end at an IPv4 address, and the index of that address's first byte. */
const CARRIERS: [form: [ipaddr.IPv6, number], start: number][] = [
  [ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), 12],
  [ipaddr.IPv6.parseCIDR('64:ff9b::/96'), 12],
  [ipaddr.IPv6.parseCIDR('2002::/16'), 2],
];

function carriedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const [, start] = CARRIERS.find(([form]) => address.match(form)) ?? [];
  return start === undefined ? undefined : new ipaddr.IPv4(address.toByteArray().slice(start, start + 4));
}

/** Whether `policy` allows connections to `ip`. Every policy refuses text that is not an address. */
export function isAllowedAddress(ip: string, policy: AddressPolicy): boolean {
  const address = parseAddress(ip);
  if (!address) return false;
  if (policy.allowPrivateNetworks || isPublicAddress(ip)) return true;
  return policy.allow.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr));
}

/** Parses `10.0.0.0/8, fd00::/8, 192.168.1.5` (a single address is a range of one). Throws a RangeError that names an invalid item. */
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

/** Stricter than ipaddr.js, which also accepts octal, hexadecimal and short forms. Refuses a zone (`fe80::1%eth0`) too. */
function parseAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(ip) !== 0 && !ip.includes('%') ? ipaddr.parse(ip) : undefined;
}

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
 * All that IANA has allocated for global unicast; what lies outside is reserved.
 */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3');

/** Azure's metadata and agent endpoint: the one such service that sits on an address that looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Whether `ip` is globally routable unicast after IANA's special-purpose registries; a form that carries an IPv4 address (mapped, NAT64,
 * 6to4) is as public as that. Only the canonical notations of an address are understood.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (!address) return false;
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  // ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8.
  if (/^::[\d.]+$/.test(ip)) return false;
  const carried = carriedAddress(address);
  if (carried) return isPublicV4(carried);
  return address.match(GLOBAL_UNICAST_V6) && address.range() === 'unicast';
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_WIRE_SERVER;
}

/** The forms that carry an IPv4 address which is connected to in the end, and the byte that it begins with. */
const CARRIERS: [form: [ipaddr.IPv6, number], start: number][] = [
  [ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), 12],
  [ipaddr.IPv6.parseCIDR('64:ff9b::/96'), 12],
  [ipaddr.IPv6.parseCIDR('2002::/16'), 2],
];

function carriedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const [, start] = CARRIERS.find(([form]) => address.match(form)) ?? [];
  return start === undefined ? undefined : new ipaddr.IPv4(address.toByteArray().slice(start, start + 4));
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

import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { IdPrefix } from '../modules/module-manifest.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const VALUES = new Uint8Array(128).fill(255);
for (let value = 0; value < 32; value++) VALUES[ALPHABET.charCodeAt(value)] = value;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** The position of each of the 16 bytes in the text of a UUID. */
const BYTE_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const RANDOM_BYTES = 16;
/** Random bytes for 256 UUIDs. The library would get them from the system for each UUID, which takes four times as long as the rest. */
const random = Buffer.alloc(256 * RANDOM_BYTES);
let randomAt = random.length;
let latest = { milliseconds: 0, sequence: 0 };

/** Returns a new version 7 UUID. Within one process, each is greater than the previous one. */
export function newUuid(): string {
  if (randomAt === random.length) {
    randomFillSync(random);
    randomAt = 0;
  }
  const bytes = random.subarray(randomAt, (randomAt += RANDOM_BYTES));
  const now = Date.now();
  // The 32-bit sequence of each millisecond starts with 31 random bits, so that it can grow.
  if (now > latest.milliseconds) latest = { milliseconds: now, sequence: bytes.readUInt32BE(6) >>> 1 };
  else latest.sequence++;
  return v7({ random: bytes, msecs: latest.milliseconds, seq: latest.sequence });
}

/** Returns a version 7 UUID as if it was created at this time. */
export function uuidAt(milliseconds: number): string {
  return v7({ msecs: milliseconds });
}

/** Returns the millisecond in which a version 7 UUID was created. It is the `created_at` of the record. */
export function timeOf(uuid: string): Date {
  return new Date(parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** Returns the lower bound of the version 7 UUIDs that are created at this time or later. */
export function firstUuidOf(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns the prefix, `_` and 26 characters of Crockford base32 (TypeID specification 0.3). */
export function formatId(prefix: IdPrefix, uuid: string): string {
  let text = '';
  // 26 characters hold 130 bits: two zero bits, then the 128 bits of the UUID.
  let buffer = 0;
  let bits = 2;
  for (const at of BYTE_AT) {
    buffer = (buffer << 8) | hexByte(uuid, at);
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(buffer >>> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return `${prefix}_${text}`;
}

/** Returns the UUID of a public ID, or undefined if its prefix or format is wrong. */
export function parseId(prefix: IdPrefix, id: string): string | undefined {
  const start = prefix.length + 1;
  if (id.length !== start + 26 || !id.startsWith(prefix) || id[start - 1] !== '_') return undefined;
  if (id.charCodeAt(start) > 55 /* '7': more would not fit 128 bits */) return undefined;
  let uuid = '';
  let buffer = 0;
  let bits = -2;
  for (let at = start; at < id.length; at++) {
    const value = VALUES[id.charCodeAt(at)] ?? 255;
    if (value === 255) return undefined;
    buffer = (buffer << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      uuid += HEX[(buffer >>> bits) & 255];
      if (uuid.length === 8 || uuid.length === 13 || uuid.length === 18 || uuid.length === 23) uuid += '-';
      buffer &= (1 << bits) - 1;
    }
  }
  return uuid;
}

function hexByte(text: string, at: number): number {
  return (hexDigit(text.charCodeAt(at)) << 4) | hexDigit(text.charCodeAt(at + 1));
}

function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code | 32) - 87;
}

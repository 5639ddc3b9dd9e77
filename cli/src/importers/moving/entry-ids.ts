import { createHash } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the ID that an entry of a source has in every run: a UUID of version 7 with this time, and a hash of what the source calls it in the
 * place of the random bits. So a second run finds the entries of the first one, and references need no look-up.
 */
export function entryIdOf(time: number, source: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([source, key]))
    .digest()
    .subarray(0, 16);
  bytes.writeUIntBE(time, 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  // 26 characters hold 130 bits: two zero bits, then the 128 bits of the UUID.
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let at = 0; at < 26; at++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `ent_${text}`;
}

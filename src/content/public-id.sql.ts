/*
 * SQL that converts the IDs of entries. The value index has a reference as the text of a public ID (`ent_…`), and `entries` has UUIDs. A
 * public ID has 26 digits of base 32, of which the first one has only three bits.
 */

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Characters whose last five bits are the values of the digits, from 64 on. */
const VALUES = '@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_';

/** The value of each digit, by its code. Other characters count as 0. */
const VALUES_BY_CODE = `'\\x${Buffer.from(Array.from({ length: 128 }, (_, code) => Math.max(0, DIGITS.indexOf(String.fromCharCode(code))))).toString('hex')}'::bytea`;

/** SQL for the digits of a public ID as bytes. */
export function digitsOf(publicId: string): string {
  return `convert_to(substr(${publicId}, 5), 'UTF8')`;
}

/**
 * SQL for the UUID of a public ID, from the column `bytes` with its `digitsOf`. Two digits have the first byte, and each four of the others
 * have five hexadecimal digits. No text of 30 characters is an error.
 */
export function uuidOf(bytes: string): string {
  const groups = [2, 6, 10, 14, 18, 22].map((at) => hexOf(bytes, [at, at + 1, at + 2, at + 3]));
  return `concat(${hexOf(bytes, [0, 1])}, ${groups.join(', ')})::uuid`;
}

/** SQL for the hexadecimal digits of the number that these digits are. */
function hexOf(bytes: string, places: readonly number[]): string {
  const terms = places.map(
    (at, index) =>
      `get_byte(${VALUES_BY_CODE}, get_byte(${bytes}, ${at}) & 127) * ${32 ** (places.length - 1 - index)}`,
  );
  return `lpad(to_hex(${terms.join(' + ')}), ${places.length === 2 ? 2 : 5}, '0')`;
}

/** SQL for the public ID of an entry, from the column `bytes` with the bytes of its UUID (`uuid_send`). */
export function publicIdOf(bytes: string): string {
  const characters = Array.from({ length: 26 }, (_, index) => `chr(64 + ${digitAt(bytes, index)})`);
  return `'ent_' || translate(concat(${characters.join(', ')}), '${VALUES}', '${DIGITS}')`;
}

/** SQL for the value of a digit: five of the 130 bits that are two zeros and the UUID. */
function digitAt(bytes: string, index: number): string {
  const start = 5 * index - 2;
  if (start < 0) return `(get_byte(${bytes}, 0) >> 5)`;
  const at = Math.floor(start / 8);
  const offset = start % 8;
  if (offset <= 3) return `((get_byte(${bytes}, ${at}) >> ${3 - offset}) & 31)`;
  return `(((get_byte(${bytes}, ${at}) << ${offset - 3}) | (get_byte(${bytes}, ${at + 1}) >> ${11 - offset})) & 31)`;
}

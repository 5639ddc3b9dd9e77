/*
 * SQL that converts the IDs of entries. The value index has a reference as the text of a public ID (`ent_…`), and `entries` has UUIDs. A
 * public ID has 26 digits of base 32, of which the first one has only three bits.
 */

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Characters whose last five bits are the values of the digits, from 64 on. */
const VALUES = '@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_';

/** The value of each digit, by its code. Other bytes count as 0. */
const VALUES_BY_CODE = `'\\x${Buffer.from(Array.from({ length: 256 }, (_, code) => Math.max(0, DIGITS.indexOf(String.fromCharCode(code))))).toString('hex')}'::bytea`;

/** SQL for the digits of a public ID as bytes. */
export function digitsOf(publicId: string): string {
  return `convert_to(substr(${publicId}, 5), 'UTF8')`;
}

/**
 * SQL for the UUID of a public ID, from the column `bytes` with its `digitsOf`. Two digits have the first byte, and each twelve of the
 * others have fifteen hexadecimal digits. No text of 30 characters is an error.
 */
export function uuidOf(bytes: string): string {
  return `concat(${hexOf(bytes, 0, 2, 2)}, ${hexOf(bytes, 2, 12, 15)}, ${hexOf(bytes, 14, 12, 15)})::uuid`;
}

/** SQL for the hexadecimal digits of the number that `count` digits from `start` on are. */
function hexOf(bytes: string, start: number, count: number, length: number): string {
  const values = Array.from(
    { length: count },
    (_, index) => `get_byte(${VALUES_BY_CODE}, get_byte(${bytes}, ${start + index}))`,
  );
  const [first = '', ...others] = values;
  const number = others.reduce((sum, value) => `(${sum} * 32 + ${value})`, `${first}::bigint`);
  return `lpad(to_hex(${number}), ${length}, '0')`;
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

import { hash } from 'node:crypto';
import { firstCodePoints, fold } from './text.js';

/**
 * A value in the index, where every type shares one text column compared bytewise (`COLLATE "C"`). Equality is `sort_key = key AND discriminator =
 * discriminator`, `<` is `sort_key < lower`, `>=` is `>= lower`, `<=` is `< upper` and `>` is `>= upper`.
 */
export interface FilterKey extends ValueKey {
  lower: string;
  upper: string;
}

/** What sorts, and what else tells values apart that sort alike. */
export interface ValueKey {
  key: string;
  discriminator: string;
}

/** How much of a text the index sorts by, in code points. */
export const SORTED_CODE_POINTS = 256;

/** Folding more than this of a text would not change what is sorted by, save for text made of accents. */
const FOLDED_CODE_POINTS = 512;

/** Hash letters that tell texts of one fold apart: 70 bits. */
const HASH_LENGTH = 15;

/** What the discriminator of a text begins with, where its fold does not tell the whole. */
export const DISCRIMINATORS = {
  /** The fold is the text but for its case. */
  cased: 'A',
  /** The fold also leaves out accents, or spells letters out. */
  accented: 'B',
  /** The key ends before the text does. */
  cut: 'C',
} as const;

/**
 * The key of a text: its fold, which sorts, and a discriminator where the fold does not tell the whole text, so that equality is exact
 * from the index alone. Texts of the same fold (or the same first 256 code points of it) sort alike, and are equal to `<` and `>`.
 */
export function textKey(text: string): FilterKey {
  const beginning = firstCodePoints(text, FOLDED_CODE_POINTS);
  const whole = fold(beginning);
  const key = firstCodePoints(whole, SORTED_CODE_POINTS);
  const isCut = key !== whole || beginning !== text;
  return { ...exactKey(key), discriminator: !isCut && key === text ? '' : discriminatorOf(text, key, isCut) };
}

function discriminatorOf(text: string, folded: string, isCut: boolean): string {
  const kind = isCut
    ? DISCRIMINATORS.cut
    : folded === text.toLowerCase()
      ? DISCRIMINATORS.cased
      : DISCRIMINATORS.accented;
  let letters = '';
  for (const byte of hash('sha256', text, 'buffer').subarray(0, HASH_LENGTH)) {
    letters += String.fromCharCode(65 + (byte % 26));
  }
  return kind + letters;
}

/** The key of a value whose text says it all and sorts as it stands. It holds no control character, so nothing lies between it and `upper`. */
export function exactKey(key: string): FilterKey {
  return { key, discriminator: '', lower: key, upper: `${key}\u0001` };
}

const float = new DataView(new ArrayBuffer(8));

/** The key of a finite number: 16 hexadecimal digits that sort as the numbers do. */
export function numberKey(value: number): FilterKey {
  float.setFloat64(0, value === 0 ? 0 : value);
  const high = float.getUint32(0);
  const low = float.getUint32(4);
  // Of two negative numbers the one with the greater bits is less, and all of them are less than the positive ones.
  return exactKey(value < 0 ? hex(~high) + hex(~low) : hex(high | 0x80000000) + hex(low));
}

/** The key of a boolean. */
export function booleanKey(value: boolean): FilterKey {
  return exactKey(value ? '1' : '0');
}

/** A short text that no other text of the field shares: the text itself, or its whole hash. */
export function identity(text: string): string {
  return text.length <= 64 ? `=${text}` : `#${sha256(text)}`;
}

/** Bytewise comparison as UTF-8, as PostgreSQL's collation "C" does it. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    // As UTF-8, what takes two units of UTF-16 comes after everything that takes one.
    if (one !== other) return isHalf(one) === isHalf(other) ? one - other : isHalf(one) ? 1 : -1;
  }
  return a.length - b.length;
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function hex(unsigned: number): string {
  return (unsigned >>> 0).toString(16).padStart(8, '0');
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}

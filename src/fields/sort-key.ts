import { hash } from 'node:crypto';
import { firstCodePoints, fold } from './formats/text.js';

/**
 * The key of a value in the index, where all types share one text column that is compared bytewise (`COLLATE "C"`). Equality is `sort_key =
 * key AND discriminator = discriminator`, `<` is `sort_key < lower`, `>=` is `>= lower`, `<=` is `< upper` and `>` is `>= upper`.
 */
export interface FilterKey extends ValueKey {
  lower: string;
  upper: string;
}

/** The sort key of a value, and a discriminator for values with the same sort key. */
export interface ValueKey {
  key: string;
  discriminator: string;
}

/** Number of code points of a text that the index sorts by. */
const SORTED_CODE_POINTS = 256;

/** Number of code points of a text that are folded. Folding more would not change the sort key, except for text made of accents. */
const FOLDED_CODE_POINTS = 512;

/** Number of hash letters that distinguish texts with the same fold: 70 bits. */
const HASH_LENGTH = 15;

/** The first letter of a text's discriminator, if the fold loses information. */
export const DISCRIMINATORS = {
  /** The fold differs from the text only in case. */
  cased: 'A',
  /** The fold also removes accents or spells out letters. */
  accented: 'B',
  /** The key ends before the text does. */
  cut: 'C',
} as const;

/**
 * Returns the key of a text: its fold, which sorts, and a discriminator if the fold loses information, so that the index alone can decide
 * equality. Texts with the same fold (or the same first 256 code points of it) have the same sort key, so `<` and `>` treat them as equal.
 */
export function textKey(text: string): FilterKey {
  const beginning = firstCodePoints(text, FOLDED_CODE_POINTS);
  const whole = fold(beginning);
  const key = firstCodePoints(whole, SORTED_CODE_POINTS);
  const isCut = key !== whole || beginning !== text;
  return { ...exactKey(key), discriminator: !isCut && key === text ? '' : discriminatorOf(text, key, isCut) };
}

/**
 * Returns the key of a text that stands for all spellings of a value. It sorts as `textKey` does. If the fold loses information, `contains`
 * reads the value, whose spelling may be another one.
 */
export function keyOfSpellings(canonical: string): FilterKey {
  const key = textKey(canonical);
  const { discriminator } = key;
  return discriminator === '' ? key : { ...key, discriminator: DISCRIMINATORS.cut + discriminator.slice(1) };
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

/**
 * Returns the key of a value whose text contains all information and sorts correctly. It contains no control character, so no other key
 * lies between it and `upper`.
 */
export function exactKey(key: string): FilterKey {
  return { key, discriminator: '', lower: key, upper: `${key}\u0001` };
}

const float = new DataView(new ArrayBuffer(8));

/** Returns the key of a finite number: 16 hexadecimal digits that sort like the numbers. */
export function numberKey(value: number): FilterKey {
  float.setFloat64(0, value === 0 ? 0 : value);
  const high = float.getUint32(0);
  const low = float.getUint32(4);
  // A negative number is less if its bits are greater, and every negative number is less than the positive ones.
  return exactKey(value < 0 ? hex(~high) + hex(~low) : hex(high | 0x80000000) + hex(low));
}

/** Returns the key of a boolean. */
export function booleanKey(value: boolean): FilterKey {
  return exactKey(value ? '1' : '0');
}

/** Returns a short text that no other text of the field shares: the text itself, or its complete hash. */
export function identity(text: string): string {
  return text.length <= 64 ? `=${text}` : `#${sha256(text)}`;
}

/** Compares bytewise as UTF-8, like PostgreSQL's collation "C". */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    // In UTF-8, a character of two UTF-16 units comes after every character of one.
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

import { UNSEEN } from '../../validation/blank.js';
import { countCodePoints } from './text.js';

/** A character that nobody sees, except for the common space, or a lone surrogate. Texts that differ only in them look the same. */
export const INVISIBLE = new RegExp(`(?! )[${UNSEEN}\\p{Cs}]`, 'u');

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\n': 'a line break',
  '\r': 'a line break',
  '\t': 'a tab',
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero width space',
  '\u200c': 'a zero width non-joiner',
  '\u200d': 'a zero width joiner',
  '\u200e': 'a left-to-right mark',
  '\u200f': 'a right-to-left mark',
  '\u2060': 'a word joiner',
  '\u3164': 'a Hangul filler',
  '\ufeff': 'a byte order mark',
};

/** Returns the first character that matches, with its position in characters from 1: `a space at position 12`. */
export function firstMatch(text: string, characters: RegExp): string | undefined {
  const match = characters.exec(text);
  return match ? `${nameOf(match[0])} at position ${countCodePoints(text.slice(0, match.index)) + 1}` : undefined;
}

function nameOf(character: string): string {
  if (NAMES[character] !== undefined) return NAMES[character];
  if (/\p{Cc}/u.test(character)) return 'a control character';
  if (/\s/.test(character)) return 'a white space';
  return INVISIBLE.test(character) ? `an invisible character (${codeOf(character)})` : `the character ${character}`;
}

/** `U+200B` */
function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

import type { SlicedWork } from '../admission/sliced-work.js';
import { foldWithout, foldWithoutSliced } from '../fields/formats/text.js';

/** Signs within words that search ignores, as ranges of a regular expression. */
const IGNORED_RANGES = {
  accents: String.raw`\u0300-\u036f`,
  softHyphen: String.raw`\u00ad`,
  joiners: String.raw`\u200c\u200d\u2060\ufeff`,
  variationSelectors: String.raw`\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}`,
  hebrewPoints: String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
  arabicVowels: String.raw`\u0610-\u061a\u0640\u064b-\u0652\u0670`,
  skinTones: String.raw`\u{1f3fb}-\u{1f3ff}`,
  emojiTags: String.raw`\u{e0020}-\u{e007f}`,
};
const RANGES = Object.values(IGNORED_RANGES).join('');
// Each range is meant by itself.
// eslint-disable-next-line no-misleading-character-class
const IGNORED = new RegExp(`[${RANGES}]+`, 'gu');
/** Those of them that no expression counts as part of a word: the soft hyphen and the joiners. */
const INVISIBLE = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g;

/** Signs of usual texts that separate words. Without them, most texts are ASCII, which is folded many times faster. */
const SEPARATORS = /[\u00a0\u00ab\u00bb\u2010-\u2015\u2018-\u201f\u2022\u2026]/g;

/** Returns the text as search compares it: without case, accents and signs within words. */
export function foldWords(text: string): string {
  return foldWithout(text.replace(SEPARATORS, ' '), IGNORED);
}

/** Returns the text without the invisible signs that would separate its words. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** `foldWords` in steps. */
export function foldWordsSliced(text: string): SlicedWork<string> {
  return foldWithoutSliced(text, IGNORED);
}

/** Characters that are not marks, but whose normal form may be joined to the character before them, or is ignored. */
const JOINING_RANGES = {
  hangul: String.raw`\u1161-\u1175\u11a8-\u11c2\u3133\u3135\u3136\u313a-\u313f\u314f-\u3163`,
  halfwidth: String.raw`\uff9e\uff9f\uffa3\uffa5\uffa6\uffaa-\uffaf\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc`,
  arabicForms: String.raw`\ufcf2-\ufcf4\ufe71\ufe77\ufe79\ufe7b\ufe7d\ufe7f`,
  thaiAndLao: String.raw`\u0e33\u0eb3`,
  kiratRai: String.raw`\u{16d67}\u{16d68}`,
};
/** Everything that belongs to the character before it. */
// eslint-disable-next-line no-misleading-character-class
const ATTACHED = new RegExp(`[\\p{M}${RANGES}${Object.values(JOINING_RANGES).join('')}]+`, 'uy');

/**
 * Returns the end of the unit of text that begins at `from`: a character and everything attached to it. The fold of a text consists of the
 * folds of its units.
 */
export function endOfUnit(text: string, from: number): number {
  const end = from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  const next = text.charCodeAt(end);
  // Neither ASCII, which most texts consist of, nor ideographs are attached to anything.
  if (!(next >= 0xad) || (next >= 0x3400 && next < 0xa000)) return end;
  ATTACHED.lastIndex = end;
  return ATTACHED.test(text) ? ATTACHED.lastIndex : end;
}

/** Letters that are also spelled out: `Müller` and `Mueller`. `ß`, `æ` and `œ` are always spelled out when a text is folded. */
const SPELLINGS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  Å: 'Aa',
  Ø: 'Oe',
};
const SPELLED_OUT = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');
/** Also letters followed by a combining diaeresis or ring. */
const MAY_BE_SPELLED_OUT = /[\u00c4\u00d6\u00dc\u00e4\u00f6\u00fc\u00c5\u00e5\u00d8\u00f8\u212b]|\u0308|\u030a/;

/** Returns the text with its umlauts spelled out; undefined if it has none. */
export function spellOut(text: string): string | undefined {
  if (!MAY_BE_SPELLED_OUT.test(text)) return undefined;
  const spelled = text.normalize('NFC').replace(SPELLED_OUT, (letter) => SPELLINGS[letter] ?? letter);
  return spelled === text ? undefined : spelled;
}

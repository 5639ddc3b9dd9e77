import type { SlicedWork } from '../../admission/sliced-work.js';

const ASCII = /^\p{ASCII}*$/u;
const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}/gu;
const MARKS = /[\u0300-\u036f]+/g;

/** More combining marks in a row than any script needs (UAX #15). The two letters decompose to marks. */
const MARKS_WITHOUT_END = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Letters that Unicode does not decompose, and the letters that people type for them. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Returns the text without case, in one composition (NFC). Accents stay. */
export function lowered(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Returns the text without case and accents, and with spaces for control characters. Search and sorting use it. */
export function fold(text: string): string {
  return foldWithout(text, MARKS);
}

/** Same as `fold`, without the characters that `ignored` matches in decomposed text. It must match accents. */
export function foldWithout(text: string, ignored: RegExp): string {
  const folded = ASCII.test(text) ? text.toLowerCase() : foldUnicode(text, ignored);
  return CONTROL.test(folded) ? folded.replace(CONTROLS, ' ') : folded;
}

function foldUnicode(text: string, ignored: RegExp): string {
  return (
    text
      // Normalizing sorts each run of marks in quadratic time, so limit the runs first.
      .replace(MARKS_WITHOUT_END, '$1')
      .normalize('NFKD')
      .toLowerCase()
      .replace(ignored, '')
      .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
      .normalize('NFC')
  );
}

/** Number of UTF-16 units of a text that one step folds: about a millisecond, even if folding turns each into many. */
const PIECE = 8_192;

/** `foldWithout` in steps. */
export function* foldWithoutSliced(text: string, ignored: RegExp, piece = PIECE): SlicedWork<string> {
  if (text.length <= piece) return foldWithout(text, ignored);
  let folded = '';
  for (let from = 0; from < text.length;) {
    const to = nextCut(text, from + piece);
    folded += foldWithout(text.slice(from, to), ignored);
    from = to;
    yield;
  }
  return folded;
}

/**
 * Characters that do not affect those before them when a text is normalized: letters, numbers, signs and spaces, except vowels and final
 * consonants that join the letter before them (Hangul, Thai and Lao). Beyond 16 bits, only mathematical letters, emoji and ideographs,
 * because most texts in other such scripts have spaces.
 */
const STARTER =
  /(?![\u0e33\u0eb3\u1100-\u11ff\u3130-\u318f\u3200-\u327f\ua960-\ua97f\ud7b0-\udfff\uff9e-\uffdc\u{10000}-\u{1d3ff}\u{1d800}-\u{1efff}])[\p{L}\p{N}\p{P}\p{S}\p{Z}\p{Cc}]/gu;

/** Returns the first position from `from` on at which a cut does not change the fold of the text. */
function nextCut(text: string, from: number): number {
  STARTER.lastIndex = from < text.length && isLow(text.charCodeAt(from)) ? from + 1 : from;
  return STARTER.exec(text)?.index ?? text.length;
}

/** Returns the length in code points. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) {
      count--;
      i++;
    }
  }
  return count;
}

/** Returns the first `count` code points. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** Cuts a text from outside to `max` units, for use in a message. */
export function shorten(text: string, max = 64): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

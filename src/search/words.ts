import { firstCodePoints } from '../fields/text.js';

/** Longer words are cut, in documents and in searches. A lexeme can have 2,046 bytes. */
const MAX_WORD_LENGTH = 100;

/** Characters other than letters, marks and numbers separate words. */
const NO_WORD = /[^\p{L}\p{M}\p{N}]+/u;
const NO_ASCII_WORD = /[^A-Za-z0-9]+/;
const ASCII = /^[\0-\x7f]*$/;

/** Scripts that do not separate words. Each character is indexed as a word, and a search for a word is a search for a phrase. */
const UNPARTED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])/u;

/** Returns the words of a folded text in order. */
export function wordsOf(folded: string): string[] {
  const words = ASCII.test(folded)
    ? folded.split(NO_ASCII_WORD)
    : folded.split(NO_WORD).flatMap((word) => word.split(UNPARTED));
  return words.filter((word) => word !== '').map((word) => firstCodePoints(word, MAX_WORD_LENGTH));
}

/** A character that ends a word or is a word by itself. A text can be cut before it. */
const BORDER = new RegExp(`[^\\p{L}\\p{M}\\p{N}]|${UNPARTED.source}`, 'gu');

/** Splits a folded text into parts of at least `length` units, without cutting a word. The last part may be shorter. */
export function* partsOf(folded: string, length: number): Generator<string, void, undefined> {
  for (let from = 0; from < folded.length;) {
    const to = folded.length <= from + length ? folded.length : nextBorder(folded, from + length);
    yield folded.slice(from, to);
    from = to;
  }
}

function nextBorder(text: string, from: number): number {
  // Do not cut between the two halves of a surrogate pair.
  BORDER.lastIndex = (text.codePointAt(from - 1) ?? 0) > 0xffff ? from + 1 : from;
  return BORDER.exec(text)?.index ?? text.length;
}

/**
 * Returns the lexeme of a word in a partition (a content type, or the media of a tenant). It contains the partition, so that one index
 * serves all partitions, but a search for a word reads only the entries of its own partition.
 */
export function lexeme(partition: string, word: string): string {
  return `'${partition}${word}'`;
}

/** The suffix of a word that occurs more often, or later in the text, than positions can record. */
export const SATURATED = '=';

/** Returns the partition of an ID: five hexadecimal digits of its random part. IDs that share them share index pages, never results. */
export function partitionOf(id: string): string {
  return id.slice(-5);
}

import { firstCodePoints } from '../fields/text.js';

/** Longer words are cut, in documents and in searches alike. A lexeme may have 2,046 bytes. */
const MAX_WORD_LENGTH = 100;

/** Everything that is no letter, mark or number parts words. */
const NO_WORD = /[^\p{L}\p{M}\p{N}]+/u;
const NO_ASCII_WORD = /[^A-Za-z0-9]+/;
const ASCII = /^[\0-\x7f]*$/;

/** Scripts that part no words: each character stands for itself, and a word that is searched for is a phrase of them. */
const UNPARTED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])/u;

/** The words of a folded text, in their order. */
export function wordsOf(folded: string): string[] {
  const words = ASCII.test(folded)
    ? folded.split(NO_ASCII_WORD)
    : folded.split(NO_WORD).flatMap((word) => word.split(UNPARTED));
  return words.filter((word) => word !== '').map((word) => firstCodePoints(word, MAX_WORD_LENGTH));
}

/** A character that ends a word, or is one by itself: a text can be cut before it. */
const BORDER = new RegExp(`[^\\p{L}\\p{M}\\p{N}]|${UNPARTED.source}`, 'gu');

/** Parts of a folded text, of at least `length` units, whose words are the words of the whole. */
export function* partsOf(folded: string, length: number): Generator<string, void, undefined> {
  for (let from = 0; from < folded.length;) {
    const to = folded.length <= from + length ? folded.length : nextBorder(folded, from + length);
    yield folded.slice(from, to);
    from = to;
  }
}

function nextBorder(text: string, from: number): number {
  // Not between the two halves of a character.
  BORDER.lastIndex = (text.codePointAt(from - 1) ?? 0) > 0xffff ? from + 1 : from;
  return BORDER.exec(text)?.index ?? text.length;
}

/**
 * The lexeme of a word within a partition: a content type, or a tenant's media. The partition is a part of the lexeme so that one index
 * serves all of them and yet reads, for a word, only what the one partition has of it.
 */
export function lexeme(partition: string, word: string): string {
  return `'${partition}${word}'`;
}

/** Behind a word: it stands in the text more often, or farther behind, than positions can tell. */
export const SATURATED = '=';

/** The partition of an id: five hexadecimal digits of its random part. Two that share them share index pages, never answers. */
export function partitionOf(id: string): string {
  return id.slice(-5);
}

import type { SlicedWork } from '../admission/sliced-work.js';
import { firstCodePoints } from '../fields/formats/text.js';
import { foldWords, foldWordsSliced, spellOut, withoutInvisible } from './fold-words.js';

/** Longer words are cut, in documents and in searches. A lexeme can have 2,046 bytes. */
const MAX_WORD_LENGTH = 100;

/** Ways in which one word is written nearby. A language has at most three or four (`peche`, `pêche`, `péché`). */
const MAX_FORMS = 4;

/** UTF-16 units of text that one step splits into words, in about a millisecond. */
const PIECE = 2_048;

/** Words that are found in one step. */
const WORDS = 500;

/** Receives the words of a text in order. `start` and `end` are places in the folded part. */
export interface WordReceiver {
  /** Whether `word` is called with `written`, which takes time. */
  readonly needsWritten?: boolean;
  /** A part of the text, before its words. The parts, one after the other, are the text. */
  part?(part: string, folded: string): SlicedWork<void>;
  /**
   * A word. `other` is how it is spelled without umlauts (`mueller` for `Müller`). `written` are the ways in which it is written nearby, in
   * lower case with accents (`müller`); undefined if it has none.
   */
  word(word: string, other: string | undefined, start: number, end: number, written?: readonly string[]): void;
  /** A name with signs (`c++`, `.net`, `r&d`), before the words that it consists of (`c`; `net`; `r`, `d`). */
  name(name: string, words: number, start: number, end: number): void;
}

/** Reads the words of a text that was not folded. */
export function* readWords(text: string, receiver: WordReceiver): SlicedWork<void> {
  // Nearly every text has only one part.
  for (const part of text.length <= PIECE ? [text] : partsOf(text, PIECE)) {
    const isShort = part.length <= 2 * PIECE;
    const folded = isShort ? foldWords(part) : yield* foldWordsSliced(part);
    if (receiver.part) yield* receiver.part(part, folded);
    const forms: Forms = isShort ? { others: spellings(part) } : {};
    if (isShort && receiver.needsWritten) forms.written = writtenForms(part);
    yield* readFolded(folded, forms, receiver);
    yield;
  }
}

const ASCII = /^[\0-\x7f]*$/;
/** A word, a flag, or another emoji. */
const WORD = /[\p{L}\p{M}\p{N}]+|\p{RI}{2}|\p{Extended_Pictographic}/gu;

/** Scripts that do not separate words. Each character is indexed as a word, and a search for a word is a search for a phrase. */
export const UNPARTED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])/u;

/** A character of such a script, or the characters between two of them. */
const PARTED = new RegExp(`${UNPARTED.source}|(?:(?!${UNPARTED.source}).)+`, 'gsu');

/** How the words of a text are also spelled, in their order, and how they are written, by the folded word. */
interface Forms {
  others?: readonly string[];
  written?: ReadonlyMap<string, readonly string[]>;
}

function* readFolded(folded: string, forms: Forms, receiver: WordReceiver): SlicedWork<void> {
  if (ASCII.test(folded)) return yield* readAscii(folded, forms, receiver);
  let count = 0;
  let characters = 0;
  for (const match of folded.matchAll(WORD)) {
    const [word] = match;
    let start = match.index;
    readName(folded, start, word, receiver);
    if (UNPARTED.test(word)) {
      // One by one: folding makes millions of characters of a text of squared words.
      for (const [one] of word.matchAll(PARTED)) {
        const end = start + one.length;
        receiver.word(cut(one), undefined, start, end);
        start = end;
        if (++characters % WORDS === 0) yield;
      }
    } else {
      readWord(word, count, start, forms, receiver);
    }
    if (++count % WORDS === 0) yield;
  }
}

/** Same as `readFolded`. Most text is ASCII when it is folded, and a pattern takes five times as long. */
function* readAscii(folded: string, forms: Forms, receiver: WordReceiver): SlicedWork<void> {
  const { length } = folded;
  for (let from = 0, count = 0; from < length; count += WORDS) {
    if (count > 0) yield;
    from = readAsciiWords(folded, from, count, forms, receiver);
  }
}

/** Reads `WORDS` words from `from` on, and returns their end. `count` is the number of words before. A generator would be slower. */
function readAsciiWords(folded: string, from: number, count: number, forms: Forms, receiver: WordReceiver): number {
  const { length } = folded;
  for (const last = count + WORDS; count < last; count++) {
    while (from < length && !isAsciiWord(folded.charCodeAt(from))) from++;
    let to = from;
    while (to < length && isAsciiWord(folded.charCodeAt(to))) to++;
    if (from === to) return length;
    const word = folded.slice(from, to);
    if (mayHaveName(folded, from, to)) readName(folded, from, word, receiver);
    readWord(word, count, from, forms, receiver);
    from = to;
  }
  return from;
}

function readWord(
  word: string,
  index: number,
  start: number,
  { others, written }: Forms,
  receiver: WordReceiver,
): void {
  const whole = cut(word);
  const other = others?.[index];
  receiver.word(whole, other === whole ? undefined : other, start, start + word.length, written?.get(word));
}

const [PLUS, HASH, AND, DOT] = [43, 35, 38, 46];

/** Of a folded text, whose letters are lower-case. */
function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** Whether the text has a dot before the word, or a sign of a name behind it. */
function mayHaveName(text: string, from: number, to: number): boolean {
  const behind = text.charCodeAt(to);
  return behind === PLUS || behind === HASH || behind === AND || text.charCodeAt(from - 1) === DOT;
}

function readName(text: string, index: number, word: string, receiver: WordReceiver): void {
  const name = nameAt(text, index, word);
  if (name) receiver.name(cut(name.text), name.words, name.start, name.start + name.text.length);
}

function cut(word: string): string {
  return firstCodePoints(word, MAX_WORD_LENGTH);
}

/** The words of a text as they are spelled without umlauts; undefined if it has none. */
function spellings(text: string): string[] | undefined {
  const spelled = spellOut(text);
  // Letters take the place of letters, so that both texts have the same words.
  return spelled === undefined ? undefined : foldWords(spelled).match(WORD)?.map(cut);
}

/** A letter of the languages that have stems, beyond ASCII, or an accent by itself. */
const ACCENTED = /(?!\p{ASCII})\p{Script=Latin}|[\u0300-\u036f]/u;

/** The ways in which the words of a text are written, in lower case, by the folded word; undefined if that is how they are folded. */
function writtenForms(text: string): Map<string, string[]> | undefined {
  if (!ACCENTED.test(text)) return undefined;
  const forms = new Map<string, string[]>();
  for (const one of new Set(withoutInvisible(text).match(WORD))) {
    // A longer word is cut, so that its end is unknown anyway.
    if (one.length > MAX_WORD_LENGTH) continue;
    const [word, written] = [foldWords(one), one.normalize('NFKC').toLowerCase()];
    const known = forms.get(word);
    if (!known) forms.set(word, [written]);
    else if (known.length < MAX_FORMS && !known.includes(written)) known.push(written);
  }
  return forms;
}

/** `c++`, `c#` */
const SIGNS_BEHIND = /(?:\+\+(?![+\p{L}])|#(?![#\p{L}\p{N}]))/uy;
/** `r&d`, `at&t` */
const JOINED = /(?:&\p{L}+){1,2}(?![&\p{L}\p{N}])/uy;
const LETTER = /^\p{L}/u;
const LETTERS = /^\p{L}{1,20}$/u;
/** A dot that begins a name is not part of a number, a file name or an ellipsis. */
const NO_NAME_BEFORE = /[.\p{L}\p{M}\p{N}]/u;

interface Name {
  text: string;
  start: number;
  /** The number of words that it consists of. */
  words: number;
}

/** Returns the name with signs that begins with the word at `index`, or directly before it. */
function nameAt(text: string, index: number, word: string): Name | undefined {
  const end = index + word.length;
  const [before, behind] = [text[index - 1], text[end]];
  if (before === '.' && LETTER.test(word) && !NO_NAME_BEFORE.test(text[index - 2] ?? '')) {
    return { text: `.${word}`, start: index - 1, words: 1 };
  }
  const signs =
    behind === '+' || behind === '#'
      ? LETTER.test(word) && matchAt(SIGNS_BEHIND, text, end)
      : behind === '&' && before !== '&' && LETTERS.test(word) && matchAt(JOINED, text, end);
  if (!signs) return undefined;
  return { text: word + signs, start: index, words: signs.split('&').length };
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

/** A character that is no word, or a word by itself. A text can be cut before it. */
const BORDER = new RegExp(`[^\\p{L}\\p{M}\\p{N}\\p{Cf}]|${UNPARTED.source}`, 'gu');
/** Folding turns some signs into letters, which belong to the word before: `™`, `℀`. */
const WORD_SIGN = /[\p{L}\p{N}]/u;
/** What `isWordSign` knows: at most one for each sign of Unicode. A text may consist of hundreds of thousands of the same. */
const wordSigns = new Map<string, boolean>();

function isWordSign(sign: string): boolean {
  let known = wordSigns.get(sign);
  if (known === undefined) {
    known = WORD_SIGN.test(sign.normalize('NFKD'));
    wordSigns.set(sign, known);
  }
  return known;
}

/** A better place for a cut, because signs can be part of a name. U+FEFF is ignored within words. */
const SPACE = /[^\S\ufeff]/g;
const NEAR = 256;

/** Splits a text into parts of at least `length` units, without cutting a word. The last part may be shorter. */
export function* partsOf(text: string, length: number): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    const to = text.length <= from + length ? text.length : nextBorder(text, from + length);
    yield text.slice(from, to);
    from = to;
  }
}

function nextBorder(text: string, from: number): number {
  SPACE.lastIndex = 0;
  const space = SPACE.exec(text.slice(from, from + NEAR))?.index;
  if (space !== undefined) return from + space;
  // Do not cut between the two halves of a surrogate pair.
  BORDER.lastIndex = (text.codePointAt(from - 1) ?? 0) > 0xffff ? from + 1 : from;
  for (let border = BORDER.exec(text); border; border = BORDER.exec(text)) {
    const [sign, unparted] = border;
    if (unparted !== undefined || !isWordSign(sign)) return border.index;
  }
  return text.length;
}

/** Returns the partition of an ID: five hexadecimal digits of its random part. IDs that share them share index pages, never results. */
export function partitionOf(id: string): string {
  return id.slice(-5);
}

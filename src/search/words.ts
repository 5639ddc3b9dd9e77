import type { Steps } from '../admission/steps.js';
import { firstCodePoints } from '../fields/text.js';
import { foldWords, foldWordsSteps, spellOut, withoutInvisible } from './fold-words.js';

/** Longer words are cut, in documents and in searches. A lexeme can have 2,046 bytes. */
const MAX_WORD_LENGTH = 100;

/** Ways in which one word is written nearby. A language has at most three or four (`peche`, `pêche`, `péché`). */
const MAX_FORMS = 4;

/** UTF-16 units of text that one step splits into words, in about a millisecond. */
const PIECE = 2_048;

/** Receives the words of a text in order. */
export interface WordReceiver {
  /** Whether `word` is called with `written`, which takes time. */
  readonly needsWritten?: boolean;
  /**
   * A word. `other` is how it is spelled without umlauts (`mueller` for `Müller`). `written` are the ways in which it is written nearby, in
   * lower case with accents (`müller`); undefined if it has none.
   */
  word(word: string, other?: string, written?: readonly string[]): void;
  /** A name with signs (`c++`, `.net`, `r&d`), before the words that it consists of (`c`; `net`; `r`, `d`). */
  name(name: string, words: number): void;
}

/** Reads the words of a text that was not folded. */
export function* readWords(text: string, receiver: WordReceiver): Steps<void> {
  // Nearly every text has only one part.
  for (const part of text.length <= PIECE ? [text] : partsOf(text, PIECE)) {
    const isShort = part.length <= 2 * PIECE;
    const folded = isShort ? foldWords(part) : yield* foldWordsSteps(part);
    const forms: Forms = isShort ? { others: spellings(part, folded) } : {};
    if (isShort && receiver.needsWritten) forms.written = writtenForms(part);
    readFolded(folded, forms, receiver);
    yield;
  }
}

const ASCII = /^[\0-\x7f]*$/;
/** A word, a flag, or another emoji. */
const WORD = /[\p{L}\p{M}\p{N}]+|\p{RI}{2}|\p{Extended_Pictographic}/gu;

/** Scripts that do not separate words. Each character is indexed as a word, and a search for a word is a search for a phrase. */
const UNPARTED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])/u;

/** How the words of a text are also spelled, and how they are written, by the folded word. */
interface Forms {
  others?: ReadonlyMap<string, string>;
  written?: ReadonlyMap<string, readonly string[]>;
}

function readFolded(folded: string, forms: Forms, receiver: WordReceiver): void {
  if (ASCII.test(folded)) return readAscii(folded, forms, receiver);
  const { others, written } = forms;
  for (const match of folded.matchAll(WORD)) {
    const [word] = match;
    readName(folded, match.index, word, receiver);
    for (const one of UNPARTED.test(word) ? word.split(UNPARTED) : [word]) {
      if (one !== '') receiver.word(cut(one), others?.get(one), written?.get(one));
    }
  }
}

/** Same as `readFolded`. Most text is ASCII when it is folded, and a pattern takes five times as long. */
function readAscii(folded: string, { others, written }: Forms, receiver: WordReceiver): void {
  const { length } = folded;
  for (let from = 0; from < length;) {
    while (from < length && !isAsciiWord(folded.charCodeAt(from))) from++;
    let to = from;
    while (to < length && isAsciiWord(folded.charCodeAt(to))) to++;
    if (from === to) return;
    const word = folded.slice(from, to);
    readName(folded, from, word, receiver);
    receiver.word(cut(word), others?.get(word), written?.get(word));
    from = to;
  }
}

/** Of a folded text, whose letters are lower-case. */
function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function readName(text: string, index: number, word: string, receiver: WordReceiver): void {
  const name = nameAt(text, index, word);
  if (name !== undefined) receiver.name(name, name.includes('&') ? name.split('&').length : 1);
}

function cut(word: string): string {
  return firstCodePoints(word, MAX_WORD_LENGTH);
}

/** The other spellings of a text's words, by the folded word; undefined if there are none. */
function spellings(text: string, folded: string): Map<string, string> | undefined {
  const spelled = spellOut(text);
  if (spelled === undefined) return undefined;
  // Letters take the place of letters, so that both texts have the same words.
  const words = folded.match(WORD) ?? [];
  const others = foldWords(spelled).match(WORD) ?? [];
  return new Map(words.flatMap((word, index) => (word === others[index] ? [] : [[word, cut(others[index] ?? word)]])));
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

/** Returns the name with signs that begins with the word at `index`, or directly before it. */
function nameAt(text: string, index: number, word: string): string | undefined {
  const end = index + word.length;
  const [before, behind] = [text[index - 1], text[end]];
  if (before === '.' && LETTER.test(word) && !NO_NAME_BEFORE.test(text[index - 2] ?? '')) return `.${cut(word)}`;
  if (behind === '+' || behind === '#')
    return LETTER.test(word) ? joined(word, matchAt(SIGNS_BEHIND, text, end)) : undefined;
  if (behind !== '&' || before === '&' || !LETTERS.test(word)) return undefined;
  return joined(word, matchAt(JOINED, text, end));
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

function joined(word: string, rest: string | undefined): string | undefined {
  return rest === undefined ? undefined : cut(word + rest);
}

/** A character that is no word, or a word by itself. A text can be cut before it. */
const BORDER = new RegExp(`[^\\p{L}\\p{M}\\p{N}\\p{Cf}]|${UNPARTED.source}`, 'gu');
/** A better place for a cut, because signs can be part of a name. */
const SPACE = /\s/g;
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
  return BORDER.exec(text)?.index ?? text.length;
}

/** Returns the partition of an ID: five hexadecimal digits of its random part. IDs that share them share index pages, never results. */
export function partitionOf(id: string): string {
  return id.slice(-5);
}

import { runAtOnce } from '../admission/sliced-work.js';
import { isBlank } from '../validation/blank.js';
import { readWords } from './words.js';

/** A word of a search, or a name with signs. */
export interface SoughtWord {
  /** How it may be spelled, the spelling of the search first. */
  spellings: readonly string[];
  /** The words of a text that it covers: `r` and `d` for `r&d`. */
  covers: readonly string[];
  /** How it is written, in lower case with accents; undefined if it has none. */
  written?: readonly string[];
  /** Whether words that begin with it are sought too. */
  isPrefix: boolean;
  /** Where it is in the folded text of its term. */
  start: number;
  end: number;
}

/** Words that must stand next to each other in this order; usually one. */
export interface Term {
  excluded: boolean;
  quoted: boolean;
  words: readonly SoughtWord[];
  /** What the words were read from, and where that begins in the search. */
  text: string;
  from: number;
}

/** Whether the words are sought as they stand, not by their stems. */
export function isExactTerm({ quoted, words }: Term): boolean {
  return quoted || words.length > 1;
}

/** Alternatives, of which one must match. All terms of an alternative must match. */
export type SearchQuery = readonly (readonly Term[])[];

/** A word, `or`, or a quoted phrase, whose end may be missing. A hyphen directly before a word or phrase excludes it. */
const TOKEN = /(-?)"([^"]*)"?|(\S+)/gu;
const EXCLUDES = /^-[.\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u;
/** At least two characters must stand before the star. */
const PREFIX = /[\p{L}\p{M}\p{N}]{2}\*$/u;

/**
 * Reads a search. Words are combined with AND. `"a phrase"`, `-not`, `or` and `beginning*` are supported (AND binds tighter). Any text is
 * valid. Blank text returns undefined. A text without a word (`!!!`) has no alternatives and finds nothing.
 */
export function readSearch(text: string): SearchQuery | undefined {
  if (isBlank(text)) return undefined;
  const alternatives: Term[][] = [];
  let terms: Term[] = [];
  for (const { 0: token, 1: hyphen = '', 2: phrase, 3: bare = '', index } of text.matchAll(TOKEN)) {
    if (bare.toLowerCase() === 'or' && terms.length > 0) {
      alternatives.push(terms);
      terms = [];
      continue;
    }
    const term =
      phrase === undefined
        ? { ...partOf(bare, index, PREFIX.test(bare)), excluded: EXCLUDES.test(bare), quoted: false }
        : { ...partOf(phrase, index + token.indexOf('"') + 1), excluded: hyphen === '-', quoted: true };
    if (term.words.length > 0) terms.push(term);
  }
  if (terms.length > 0) alternatives.push(terms);
  return alternatives;
}

function partOf(text: string, from: number, hasPrefix = false): Pick<Term, 'words' | 'text' | 'from'> {
  return { words: soughtWords(text, hasPrefix), text, from };
}

/** Returns the words of a part of a search. `state-of-the-art` has four, and so have words that other punctuation separates. */
function soughtWords(text: string, hasPrefix: boolean): SoughtWord[] {
  const words: (SoughtWord & { covers: string[] })[] = [];
  let uncovered = 0;
  runAtOnce(
    readWords(text, {
      needsWritten: true,
      name(name, length, start, end) {
        words.push({ spellings: [name], covers: [], isPrefix: false, start, end });
        uncovered = length;
      },
      word(word, other, start, end, written) {
        const spellings = other === undefined ? [word] : [word, other];
        if (uncovered > 0 && uncovered-- > 0) words.at(-1)?.covers.push(word);
        else words.push({ spellings, covers: [word], isPrefix: false, start, end, ...(written && { written }) });
      },
    }),
  );
  const last = words.at(-1);
  if (hasPrefix && last) words[words.length - 1] = { ...last, isPrefix: true };
  return words;
}

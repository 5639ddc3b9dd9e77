import { stemsOf } from './search-match.js';
import { isExactTerm, type SearchQuery, type SoughtWord, type Term } from './search-query.js';
import type { Stemmer } from './stemmer.js';

/** A set of positions in all terms, 32 in each number. */
export type Bits = Int32Array;

/** A word or a phrase that a search includes. */
interface SoughtTerm {
  /** The number of words of a text that it covers. */
  length: number;
  /** How much a fragment gains by it. A phrase gains more than its words. */
  weight: number;
  /** Whether it begins with a name with signs, which may begin before its first word (`.net`). */
  beginsWithName: boolean;
  /** If it ends with a name with signs, the number of words that the name covers; otherwise 0. */
  wordsOfLastName: number;
}

/** Words whose stems are remembered. */
const MAX_REMEMBERED = 4_096;

/**
 * The terms that a search includes, prepared to be found in a text with a few operations for each word. Each position in a term is a bit,
 * and a phrase is followed by shifting bits (the algorithm Shift-And).
 */
export class SoughtTerms {
  readonly terms: readonly SoughtTerm[];
  /** The most words that a term covers. */
  readonly longest: number;
  /** The number of numbers that all positions need. */
  readonly size: number;
  /** The first position of each term. */
  readonly firsts: Bits;
  /** The last position of each term. */
  readonly lasts: Bits;
  /** Positions that every word meets, because a name before them covers it. */
  readonly covered: Bits;
  readonly hasCovered: boolean;
  private readonly termsByLast = new Map<number, number>();
  private readonly words = new Map<string, Bits>();
  /** Beginnings of words, by their length. */
  private readonly beginnings = new Map<number, Map<string, Bits>>();
  private readonly stems = new Map<string, Bits>();
  /** The positions that words meet by their stems, as the words are written. */
  private readonly remembered = new Map<string, Bits | undefined>();

  constructor(
    query: SearchQuery,
    private readonly stem?: Stemmer,
  ) {
    const included = distinct(
      query.flat().filter(({ excluded }) => !excluded),
      stem,
    );
    this.terms = included.map(soughtTerm);
    this.longest = Math.max(1, ...this.terms.map(({ length }) => length));
    const positions = this.terms.reduce((sum, { length }) => sum + length, 0);
    this.size = Math.ceil(positions / 32);
    [this.firsts, this.lasts, this.covered] = [this.none(), this.none(), this.none()];
    let first = 0;
    for (const [index, term] of included.entries()) {
      set(this.firsts, first);
      let position = first;
      for (const word of term.words) {
        this.add(word, position);
        if (!isExactTerm(term)) for (const one of stemsOf(word, stem)) this.mark(this.stems, one, position);
        for (let next = 1; next < widthOf(word); next++) set(this.covered, position + next);
        position += widthOf(word);
      }
      set(this.lasts, position - 1);
      this.termsByLast.set(position - 1, index);
      first = position;
    }
    this.hasCovered = this.covered.some((bits) => bits !== 0);
  }

  none(): Bits {
    return new Int32Array(this.size);
  }

  /** Returns the term whose last position this is. */
  termAt(last: number): number | undefined {
    return this.termsByLast.get(last);
  }

  /** Whether words are also sought by their stems. */
  get seeksStems(): boolean {
    return this.stems.size > 0;
  }

  /**
   * Returns the positions that a word of a text meets: as it is, in its other spelling, as the name that begins with it, or by the stem of
   * a form in which it is written.
   */
  positionsOf(
    word: string,
    other: string | undefined,
    name: string | undefined,
    written: readonly string[] | undefined,
  ): Bits | undefined {
    let found = this.look(word, undefined);
    if (other !== undefined) found = this.look(other, found);
    if (name !== undefined) found = this.look(name, found);
    if (!this.seeksStems) return found;
    if (!written) return union(found, this.byStem(word));
    for (const form of written) found = union(found, this.byStem(form));
    return found;
  }

  private look(word: string, found: Bits | undefined): Bits | undefined {
    let all = union(found, this.words.get(word));
    for (const [length, beginnings] of this.beginnings) {
      if (length <= word.length) all = union(all, beginnings.get(word.slice(0, length)));
    }
    return all;
  }

  private byStem(form: string): Bits | undefined {
    const known = this.remembered.get(form);
    if (known || this.remembered.has(form)) return known;
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    const stem = this.stem?.(form);
    const found = stem === undefined ? undefined : this.stems.get(stem);
    this.remembered.set(form, found);
    return found;
  }

  private add({ spellings, isPrefix }: SoughtWord, position: number): void {
    for (const spelling of spellings) {
      if (isPrefix) {
        const { length } = spelling;
        const beginnings = this.beginnings.get(length) ?? new Map<string, Bits>();
        this.beginnings.set(length, beginnings);
        this.mark(beginnings, spelling, position);
      } else {
        this.mark(this.words, spelling, position);
      }
    }
  }

  private mark(map: Map<string, Bits>, key: string, position: number): void {
    const bits = map.get(key) ?? this.none();
    set(bits, position);
    map.set(key, bits);
  }
}

/** Words that are spelled alike can have different stems (`pêche`, `péché`). */
function distinct(terms: readonly Term[], stem?: Stemmer): Term[] {
  const keyOf = ({ words, quoted }: Term) =>
    JSON.stringify([quoted, words.map((word) => [word.spellings[0], word.isPrefix, stemsOf(word, stem)])]);
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

function soughtTerm({ words }: Term): SoughtTerm {
  const [first, last] = [words[0], words.at(-1)];
  return {
    length: words.reduce((sum, word) => sum + widthOf(word), 0),
    weight: words.length === 1 ? 1 : words.length + 1,
    beginsWithName: first !== undefined && isName(first),
    wordsOfLastName: last && isName(last) ? widthOf(last) : 0,
  };
}

/** The number of words of a text that a sought word covers. */
function widthOf({ covers }: SoughtWord): number {
  return Math.max(1, covers.length);
}

function isName({ spellings, covers }: SoughtWord): boolean {
  return spellings[0] !== covers[0];
}

function set(bits: Bits, position: number): void {
  const index = position >> 5;
  bits[index] = (bits[index] ?? 0) | (1 << (position & 31));
}

function union(a: Bits | undefined, b: Bits | undefined): Bits | undefined {
  if (!a || !b || a === b) return a ?? b;
  return a.map((bits, index) => bits | (b[index] ?? 0));
}

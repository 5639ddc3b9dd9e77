import { hash } from 'node:crypto';
import { runAtOnce, type SlicedWork } from '../admission/sliced-work.js';
import type { SearchLine, SearchRole } from '../fields/search-text.js';
import {
  anyLexeme,
  bodyTier,
  gapsLexeme,
  lexeme,
  missingLexeme,
  stemLexeme,
  type Tier,
  tierLexeme,
  titleLexeme,
  titleTier,
} from './lexemes.js';
import { isDictionaryWord } from './near-words.js';
import type { Stemmer } from './stemmer.js';
import { positionOf, TsvectorWriter, type Weight } from './tsvector.js';
import { readWords, type WordReceiver } from './words.js';

/** Limits of a tsvector: the highest position, and the number of positions of one word. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** Maximum bytes of lexemes and positions, which stays below PostgreSQL's 1 MB even with alignment. */
const MAX_BYTES = 800_000;

/** Words of a document that corrections can consist of. Each that is new takes about 30 µs to write. */
const MAX_VOCABULARY = 10_000;

/** Lexemes written in one step. */
const LEXEMES = 500;
/** Words of a sequence that one step joins. */
const SEQUENCED = 10_000;

/** What a tsvector does not record of a document. */
export const GAPS = { none: 0, positions: 1, words: 2 } as const;

/** A document as search stores it. */
export interface SearchDocument {
  /** A tsvector in PostgreSQL's binary format. */
  vector: Buffer;
  gaps: (typeof GAPS)[keyof typeof GAPS];
  /**
   * If the vector has gaps, all words in order, with a space before and after each, in lines. A second part has the other spellings and
   * the names with signs in place of the words. The last line has the stems, each with a percent sign before it.
   */
  sequence: string | null;
  /** The different words that corrections of searches can consist of, up to `MAX_VOCABULARY`. */
  vocabulary: readonly string[];
}

/** Texts of a document, and the stemmer of the language that they are in. */
export interface SearchSection {
  lines: readonly SearchLine[];
  stem: Stemmer | undefined;
}

/** The document of short lines, at once. */
export function searchDocument(partition: string, lines: readonly SearchLine[], stem?: Stemmer): SearchDocument {
  return runAtOnce(searchDocumentSliced(partition, lines, stem));
}

/**
 * Returns a document of the words of the lines, with their positions and their tiers. `to_tsvector` is not used, because its parser treats
 * hosts, signs and (depending on the database's locale) letters differently.
 */
export function* searchDocumentSliced(
  partition: string,
  lines: readonly SearchLine[],
  stem?: Stemmer,
): SlicedWork<SearchDocument> {
  return yield* sectionsDocumentSliced(partition, [{ lines, stem }]);
}

/** The same, of texts in several languages. */
export function* sectionsDocumentSliced(
  partition: string,
  sections: readonly SearchSection[],
): SlicedWork<SearchDocument> {
  const words = new Words(partition);
  for (const { lines, stem } of sections) yield* readLines(words.in(stem), lines);
  return yield* words.document();
}

/** Like `searchDocumentSliced`, for documents that are found but not ranked. It has half as many lexemes. */
export function* unrankedDocumentSliced(partition: string, lines: readonly SearchLine[]): SlicedWork<SearchDocument> {
  const words = yield* readLines(new Words(partition, false), lines);
  return yield* words.document();
}

/** Returns the sequence of the lines (see `SearchDocument`), also if a vector would record all of it. */
export function* searchSequence(lines: readonly SearchLine[], stem?: Stemmer): SlicedWork<string> {
  const words = yield* readLines(new Words('').in(stem), lines);
  return yield* words.sequenceText();
}

function* readLines(words: Words, lines: readonly SearchLine[]): SlicedWork<Words> {
  for (const line of lines) {
    for (const { text, role } of line) {
      words.role = role;
      yield* readWords(text, words);
    }
    words.endLine();
  }
  return words;
}

/** What precedes a position of a word in the title or in a heading; queries can ask for it. */
const WEIGHTS: Record<SearchRole, Weight> = { title: 'A', heading: 'B', body: '' };

/** Where a word or a stem occurs. */
interface Occurrences {
  /** How often, outside of the title. */
  count: number;
  inTitle: boolean;
  inHeading: boolean;
}

interface Word extends Occurrences {
  /** As a tsvector stores them. */
  positions: number[];
}

interface Stem extends Occurrences {
  /** Whether the vector has room for it. */
  isRecorded: boolean;
}

class Words implements WordReceiver {
  role: SearchRole = 'body';
  private readonly words = new Map<string, Word>();
  private readonly stems = new Map<string, Stem>();
  private stem: Stemmer | undefined;
  /** The stems of the words so far, as they are written, because words occur again. */
  private stemOf = new Map<string, Stem | undefined>();
  private readonly stemsBy = new Map<Stemmer, Map<string, Stem | undefined>>();
  private readonly sequence: string[] = ['\n'];
  /** The sequence with other spellings and names; undefined until there is one. */
  private spelled?: string[];
  /** Words that still belong to the last name. */
  private covered = 0;
  private readonly title: string[] = [];
  private position = 0;
  private length = 0;
  private bytes = 0;
  private hasAllPositions = true;
  private hasAllWords = true;

  constructor(
    private readonly partition: string,
    private readonly isRanked = true,
  ) {}

  /** The following words are in the language of the stemmer. */
  in(stem: Stemmer | undefined): this {
    this.stem = stem;
    if (stem) {
      this.stemOf = this.stemsBy.get(stem) ?? new Map<string, Stem | undefined>();
      this.stemsBy.set(stem, this.stemOf);
    }
    return this;
  }

  get needsWritten(): boolean {
    return this.stem !== undefined;
  }

  name(name: string, words: number): void {
    this.record(name, this.position + 1);
    this.spell(name);
    this.covered = words;
  }

  word(word: string, other: string | undefined, _start: number, _end: number, written?: readonly string[]): void {
    this.position++;
    this.length++;
    this.record(word, this.position);
    if (other !== undefined) this.record(other, this.position);
    if (this.stem) this.recordStems(this.stem, word, written);
    if (this.role === 'title') this.title.push(word);
    const isCovered = this.covered > 0 && this.covered-- > 0;
    if (other !== undefined && !isCovered) this.spell(other);
    else if (!isCovered) this.spelled?.push(word);
    this.sequence.push(word);
  }

  endLine(): void {
    this.position++;
    this.covered = 0;
    this.sequence.push('\n');
    this.spelled?.push('\n');
  }

  *document(): SlicedWork<SearchDocument> {
    const { partition } = this;
    const vector = new TsvectorWriter();
    vector.add(anyLexeme(partition));
    const vocabulary: string[] = [];
    const add = (one: string, tier: Tier) => vector.add(tierLexeme(partition, one, tier));
    const ofTitle = titleTier(this.title.length);
    const addTiers = (one: string, { count, inTitle, inHeading }: Occurrences) => {
      if (!this.isRanked) return;
      if (inTitle) add(one, ofTitle);
      if (inHeading) add(one, 'H');
      const ofBody = bodyTier(count, this.length);
      if (ofBody) add(one, ofBody);
    };
    for (const [one, word] of this.words) {
      vector.add(lexeme(partition, one), word.positions);
      addTiers(one, word);
      if (vocabulary.length < MAX_VOCABULARY && isDictionaryWord(one)) vocabulary.push(one);
      if (vector.length % LEXEMES < 4) yield;
    }
    for (const [one, stem] of this.stems) {
      if (!stem.isRecorded) continue;
      vector.add(stemLexeme(partition, one));
      addTiers(`%${one}`, stem);
      if (vector.length % LEXEMES < 4) yield;
    }
    if (this.title.length > 0) vector.add(titleLexeme(partition, vectorDigest(this.title)));
    const gaps = !this.hasAllWords ? GAPS.words : !this.hasAllPositions ? GAPS.positions : GAPS.none;
    if (gaps !== GAPS.none) vector.add(gapsLexeme(partition));
    if (gaps === GAPS.words) vector.add(missingLexeme(partition));
    const sequence = gaps === GAPS.none ? null : yield* this.sequenceText();
    return { vector: yield* vector.bytes(), gaps, sequence, vocabulary };
  }

  *sequenceText(): SlicedWork<string> {
    const texts: string[] = [];
    for (const part of [this.sequence, this.spelled ?? []]) {
      for (let from = 0; from < part.length; from += SEQUENCED) {
        texts.push(part.slice(from, from + SEQUENCED).join(' '), ' ');
        yield;
      }
    }
    for (const stem of this.stems.keys()) texts.push(`%${stem} `);
    return texts.join('');
  }

  private record(one: string, position: number): void {
    let word = this.words.get(one);
    if (!word) {
      if (!this.fits(one)) return;
      word = { positions: [], count: 0, inTitle: false, inHeading: false };
      this.words.set(one, word);
    }
    this.occurs(word);
    if (position < MAX_POSITION && word.positions.length < MAX_POSITIONS) {
      word.positions.push(positionOf(position, WEIGHTS[this.role]));
      this.bytes += 2;
    } else {
      this.hasAllPositions = false;
    }
  }

  private recordStems(stemmer: Stemmer, word: string, written?: readonly string[]): void {
    const stems =
      written && written.length > 1
        ? new Set(written.map((form) => this.stemFor(form, stemmer)))
        : [this.stemFor(written?.[0] ?? word, stemmer)];
    for (const stem of stems) if (stem) this.occurs(stem);
  }

  private stemFor(form: string, stemmer: Stemmer): Stem | undefined {
    const known = this.stemOf.get(form);
    if (known || this.stemOf.has(form)) return known;
    const one = stemmer(form);
    let stem = one === undefined ? undefined : this.stems.get(one);
    if (one !== undefined && !stem) {
      stem = { isRecorded: this.fits(one), count: 0, inTitle: false, inHeading: false };
      this.stems.set(one, stem);
    }
    this.stemOf.set(form, stem);
    return stem;
  }

  private occurs(one: Occurrences): void {
    if (this.role === 'title') one.inTitle = true;
    else one.count++;
    if (this.role === 'heading') one.inHeading = true;
  }

  /** Whether the vector has room for another word or stem. */
  private fits(one: string): boolean {
    // The lexemes of its tiers have about the same length again.
    this.bytes += 2 * (this.partition.length + Buffer.byteLength(one)) + 16;
    if (this.bytes > MAX_BYTES) this.hasAllWords = false;
    return this.hasAllWords;
  }

  private spell(word: string): void {
    this.spelled ??= [...this.sequence];
    this.spelled.push(word);
  }
}

/** Identifies the words of a title. */
export function vectorDigest(words: readonly string[]): string {
  return hash('sha256', words.join(' '), 'hex').slice(0, 16);
}

import { hash } from 'node:crypto';
import { runNow, type Steps } from '../admission/steps.js';
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
import type { Stemmer } from './stemmer.js';
import { readWords, type WordReceiver } from './words.js';

/** Limits of a tsvector: the highest position, and the number of positions of one word. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** Maximum bytes of lexemes and positions, which stays below PostgreSQL's 1 MB even with alignment. */
const MAX_BYTES = 800_000;

/** Lexemes written in one step. */
const LEXEMES = 500;

/** What a tsvector does not record of a document. */
export const GAPS = { none: 0, positions: 1, words: 2 } as const;

/** A document as search stores it. */
export interface SearchDocument {
  /** A tsvector as text. */
  vector: string;
  gaps: (typeof GAPS)[keyof typeof GAPS];
  /**
   * If the vector has gaps, all words in order, with a space before and after each, in lines. A second part has the other spellings and
   * the names with signs in place of the words.
   */
  sequence: string | null;
}

/** The document of short lines, at once. */
export function searchDocument(partition: string, lines: readonly SearchLine[]): SearchDocument {
  return runNow(searchDocumentSteps(partition, lines));
}

/**
 * Returns a document of the words of the lines, with their positions and their tiers. `to_tsvector` is not used, because its parser treats
 * hosts, signs and (depending on the database's locale) letters differently.
 */
export function* searchDocumentSteps(
  partition: string,
  lines: readonly SearchLine[],
  stem?: Stemmer,
): Steps<SearchDocument> {
  const words = new Words(partition);
  for (const line of lines) {
    for (const { text, role } of line) {
      words.role = role;
      yield* readWords(text, words);
    }
    words.endLine();
  }
  return yield* words.document(stem);
}

/** What precedes a position of a word in the title or in a heading; queries can ask for it. */
const WEIGHTS: Record<SearchRole, string> = { title: 'A', heading: 'B', body: '' };

interface Word {
  /** As a tsvector writes them. */
  positions: string;
  recorded: number;
  /** Occurrences outside of the title. */
  count: number;
  inTitle: boolean;
  inHeading: boolean;
}

class Words implements WordReceiver {
  role: SearchRole = 'body';
  private readonly words = new Map<string, Word>();
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

  constructor(private readonly partition: string) {}

  name(name: string, words: number): void {
    this.record(name, this.position + 1);
    this.spell(name);
    this.covered = words;
  }

  word(word: string, other?: string): void {
    this.position++;
    this.length++;
    this.record(word, this.position);
    if (other !== undefined) this.record(other, this.position);
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

  *document(stem: Stemmer | undefined): Steps<SearchDocument> {
    const { partition } = this;
    const lexemes = [anyLexeme(partition)];
    const add = (one: string, tier: Tier | undefined) => {
      if (tier) lexemes.push(tierLexeme(partition, one, tier));
    };
    const ofTitle = titleTier(this.title.length);
    for (const [one, { positions, count, inTitle, inHeading }] of this.words) {
      lexemes.push(lexeme(partition, one) + positions);
      if (inTitle) add(one, ofTitle);
      if (inHeading) add(one, 'H');
      add(one, bodyTier(count, this.length));
      if (lexemes.length % LEXEMES < 4) yield;
    }
    if (stem) for (const one of new Set([...this.words.keys()].map(stem))) lexemes.push(stemLexeme(partition, one));
    if (this.title.length > 0) lexemes.push(titleLexeme(partition, digestOf(this.title)));
    const gaps = !this.hasAllWords ? GAPS.words : !this.hasAllPositions ? GAPS.positions : GAPS.none;
    if (gaps !== GAPS.none) lexemes.push(gapsLexeme(partition));
    if (gaps === GAPS.words) lexemes.push(missingLexeme(partition));
    const sequence = gaps === GAPS.none ? null : [...this.sequence, ...(this.spelled ?? []), ''].join(' ');
    return { vector: lexemes.join(' '), gaps, sequence };
  }

  private record(one: string, position: number): void {
    let word = this.words.get(one);
    if (!word) {
      // The lexemes of tiers and of the stem have about the same length again.
      this.bytes += 2 * (this.partition.length + Buffer.byteLength(one)) + 16;
      if (this.bytes > MAX_BYTES) {
        this.hasAllWords = false;
        return;
      }
      word = { positions: '', recorded: 0, count: 0, inTitle: false, inHeading: false };
      this.words.set(one, word);
    }
    if (this.role === 'title') word.inTitle = true;
    else word.count++;
    if (this.role === 'heading') word.inHeading = true;
    if (position < MAX_POSITION && word.recorded < MAX_POSITIONS) {
      word.positions += `${word.recorded++ === 0 ? ':' : ','}${position}${WEIGHTS[this.role]}`;
      this.bytes += 2;
    } else {
      this.hasAllPositions = false;
    }
  }

  private spell(word: string): void {
    this.spelled ??= [...this.sequence];
    this.spelled.push(word);
  }
}

/** Identifies the words of a title. */
export function digestOf(words: readonly string[]): string {
  return hash('sha256', words.join(' '), 'hex').slice(0, 16);
}

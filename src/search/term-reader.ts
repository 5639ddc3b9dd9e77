import { runAtOnce, type SlicedWork } from '../admission/sliced-work.js';
import { type UnitParts, type Origins, originsOf, SAME_PLACES } from './origins.js';
import type { Bits, SoughtTerms } from './sought-terms.js';
import type { WordReceiver } from './words.js';

/** A term in a line of text. `start` and `end` are places in the line, in UTF-16 units. */
export interface Match {
  line: number;
  start: number;
  end: number;
  /** The index of the term. */
  term: number;
}

interface Place {
  start: number;
  end: number;
}

/** Where a word is, and the name with signs that begins with it. */
interface WordPlace {
  word: Place;
  name: Place | undefined;
}

/** The origins of a longer part are found in steps. */
const SHORT = 4_096;
const ASCII = /^[\0-\x7f]*$/;

/** Finds the sought terms among the words that the search document of a text has. */
export class TermReader implements WordReceiver {
  private line = -1;
  /** The positions in terms that the words so far lead to. */
  private readonly state: Bits;
  private isIdle = true;
  /** The number of words so far. */
  private count = 0;
  /** Where the last words are that a term may begin or end with. */
  private readonly places: WordPlace[] = [];
  private lastName?: Place & { text: string };
  /** The part of the line that is being read. */
  private text = '';
  private from = 0;
  private origins?: Origins;

  constructor(
    private readonly sought: SoughtTerms,
    private readonly unitParts: UnitParts,
    private readonly onMatch: (match: Match) => void,
  ) {
    this.state = sought.none();
  }

  get needsWritten(): boolean {
    return this.sought.seeksStems;
  }

  /** A term never begins in one line and ends in the next. */
  beginLine(): void {
    this.line++;
    this.state.fill(0);
    this.isIdle = true;
    this.text = '';
    this.from = 0;
  }

  *part(part: string): SlicedWork<void> {
    this.from += this.text.length;
    this.text = part;
    this.origins = ASCII.test(part) ? SAME_PLACES : undefined;
    if (!this.origins && part.length > SHORT) this.origins = yield* originsOf(part, this.unitParts);
  }

  name(text: string, _words: number, start: number, end: number): void {
    this.lastName = { text, start, end };
  }

  word(text: string, other: string | undefined, start: number, end: number, written?: readonly string[]): void {
    const name = this.lastName;
    this.lastName = undefined;
    this.count++;
    const positions = this.sought.positionsOf(text, other, name?.text, written);
    if (positions) {
      const word = this.placeOf(start, end);
      this.places[this.count % this.sought.longest] = { word, name: name && this.placeOf(name.start, name.end) };
    } else if (this.isIdle || !this.sought.hasCovered) {
      if (!this.isIdle) this.state.fill(0);
      this.isIdle = true;
      return;
    }
    this.advance(positions);
  }

  /** Moves each position to the next one if the word meets that, and begins all terms. */
  private advance(positions: Bits | undefined): void {
    const { state, sought } = this;
    this.isIdle = true;
    let carried = 0;
    for (let index = 0; index < sought.size; index++) {
      const before = state[index] ?? 0;
      const next = (before << 1) | carried | (sought.firsts[index] ?? 0);
      const now = next & ((positions?.[index] ?? 0) | (sought.covered[index] ?? 0));
      carried = before >>> 31;
      state[index] = now;
      if (now === 0) continue;
      this.isIdle = false;
      for (let ended = now & (sought.lasts[index] ?? 0); ended !== 0; ended &= ended - 1) {
        this.report(sought.termAt(32 * index + 31 - Math.clz32(ended & -ended)));
      }
    }
  }

  private report(index: number | undefined): void {
    const term = index === undefined ? undefined : this.sought.terms[index];
    if (index === undefined || !term) return;
    const { length, beginsWithName, wordsOfLastName } = term;
    const first = this.placeAt(this.count - length + 1);
    const last = this.placeAt(this.count - Math.max(0, wordsOfLastName - 1));
    const start = (beginsWithName ? first?.name : first?.word)?.start;
    const end = (wordsOfLastName > 0 ? last?.name : last?.word)?.end;
    if (start !== undefined && end !== undefined) this.onMatch({ line: this.line, start, end, term: index });
  }

  private placeAt(count: number): WordPlace | undefined {
    return this.places[count % this.sought.longest];
  }

  private placeOf(start: number, end: number): Place {
    this.origins ??= runAtOnce(originsOf(this.text, this.unitParts));
    return { start: this.from + this.origins.start(start), end: this.from + this.origins.end(end) };
  }
}

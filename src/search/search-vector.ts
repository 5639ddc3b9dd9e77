import { runNow, type Steps } from '../admission/steps.js';
import { lexeme, SATURATED, partsOf, wordsOf } from './words.js';

/** Limits of a tsvector: the highest position, and the number of positions of one word. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** Maximum bytes of lexemes and positions, which stays below PostgreSQL's 1 MB even with alignment. */
const MAX_BYTES = 800_000;

/** UTF-16 units of text that one step splits into words, in at most a millisecond. */
const PIECE = 2_048;

/** Lexemes written in one step. */
const LEXEMES = 500;

/**
 * Returns a tsvector as text: the words of folded lines with their positions, and the partition's own lexeme, which every document has. A
 * phrase never spans two lines. `to_tsvector` is not used, because its parser treats hosts, signs and (depending on the database's
 * locale) letters differently.
 */
export function searchVector(partition: string, lines: string): string {
  return runNow(searchVectorSteps(partition, lines));
}

/** `searchVector` in steps. */
export function* searchVectorSteps(partition: string, lines: string): Steps<string> {
  const words = new Words(partition);
  let units = 0;
  for (const line of lines.split('\n')) {
    // Nearly every line has only one part.
    for (const part of line.length <= PIECE ? [line] : partsOf(line, PIECE)) {
      for (const word of wordsOf(part)) words.add(word);
      if ((units += part.length + 1) < PIECE) continue;
      units = 0;
      yield;
    }
    words.endLine();
  }
  return yield* words.text();
}

class Words {
  private readonly positions = new Map<string, number[]>();
  private readonly saturated = new Set<string>();
  private position = 0;
  private bytes = 0;

  constructor(private readonly partition: string) {}

  add(word: string): void {
    const position = ++this.position;
    const places = this.positions.get(word);
    if (!places) {
      this.bytes += this.partition.length + Buffer.byteLength(word) + 8;
      if (this.bytes > MAX_BYTES) return;
      this.positions.set(word, [Math.min(position, MAX_POSITION)]);
      if (position > MAX_POSITION) this.saturated.add(word);
    } else if (places.length < MAX_POSITIONS && position <= MAX_POSITION) {
      this.bytes += 2;
      places.push(position);
    } else {
      this.saturated.add(word);
    }
  }

  endLine(): void {
    this.position++;
  }

  *text(): Steps<string> {
    const parts = [lexeme(this.partition, '')];
    for (const [word, places] of this.positions) {
      parts.push(`${lexeme(this.partition, word)}:${places.join(',')}`);
      if (parts.length % LEXEMES === 0) yield;
    }
    for (const word of this.saturated) {
      parts.push(lexeme(this.partition, word + SATURATED));
      if (parts.length % LEXEMES === 0) yield;
    }
    return parts.join(' ');
  }
}

import { lexeme, SATURATED, wordsOf } from './words.js';

/** What a tsvector holds: positions up to this, and so many of one word. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** Bytes of lexemes and positions that stay below PostgreSQL's 1 MB, whatever it adds to align them. */
const MAX_BYTES = 800_000;

/**
 * A tsvector as text: the words of folded lines with their positions, and the partition's own lexeme, which every document has. No phrase
 * goes from one line into the next. It is made here rather than by `to_tsvector`, whose parser reads hosts, signs and (with the
 * database's locale) letters its own way.
 */
export function searchVector(partition: string, lines: string): string {
  const positions = new Map<string, number[]>();
  const saturated = new Set<string>();
  let position = 0;
  let bytes = 0;
  for (const line of lines.split('\n')) {
    for (const word of wordsOf(line)) {
      position++;
      const places = positions.get(word);
      if (!places) {
        bytes += partition.length + Buffer.byteLength(word) + 8;
        if (bytes > MAX_BYTES) continue;
        positions.set(word, [Math.min(position, MAX_POSITION)]);
        if (position > MAX_POSITION) saturated.add(word);
      } else if (places.length < MAX_POSITIONS && position <= MAX_POSITION) {
        bytes += 2;
        places.push(position);
      } else {
        saturated.add(word);
      }
    }
    position++;
  }
  const parts = [lexeme(partition, '')];
  for (const [word, places] of positions) parts.push(`${lexeme(partition, word)}:${places.join(',')}`);
  for (const word of saturated) parts.push(lexeme(partition, word + SATURATED));
  return parts.join(' ');
}

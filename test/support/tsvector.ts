const WEIGHTS = ['', 'C', 'B', 'A'];

/** Returns a tsvector in PostgreSQL's binary format as text, in its order. Throws an error if the server would refuse it or change it. */
export function tsvectorText(vector: Buffer): string {
  const texts: string[] = [];
  const lexemes = new Set<string>();
  let at = 4;
  while (at < vector.length) {
    const end = vector.indexOf(0, at);
    const lexeme = vector.toString('utf8', at, end);
    if (lexemes.has(lexeme)) throw new Error(`'${lexeme}' occurs twice`);
    lexemes.add(lexeme);
    const count = vector.readUInt16BE(end + 1);
    at = end + 3 + 2 * count;
    const stored = Array.from({ length: count }, (_none, index) => vector.readUInt16BE(end + 3 + 2 * index));
    const positions = stored.map((position) => position & 0x3fff);
    if (positions.some((position, index) => position <= (positions[index - 1] ?? 0))) {
      throw new Error(`'${lexeme}' has positions in a wrong order: ${positions.join()}`);
    }
    const written = stored.map((position) => `${position & 0x3fff}${WEIGHTS[position >> 14]}`);
    texts.push(`'${lexeme}'${count > 0 ? ':' : ''}${written.join(',')}`);
  }
  if (vector.readInt32BE() !== texts.length) throw new Error('The number of lexemes is wrong');
  return texts.join(' ');
}

const NEWLINE = 0x0a;

/**
 * Splits the output of `COPY` into parts of whole rows, each about `bytes` long. In the text format of `COPY`, a newline always ends a row.
 */
export class TableParts {
  rows = 0;
  private chunks: Buffer[] = [];
  private held = 0;
  /** Number of held bytes up to the end of the last whole row. */
  private whole = 0;

  constructor(private readonly bytes: number) {}

  /** Returns a part if enough bytes have arrived. */
  push(chunk: Buffer): Buffer | undefined {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.rows++;
      this.whole = this.held + at + 1;
    }
    this.chunks.push(chunk);
    this.held += chunk.length;
    return this.held >= this.bytes && this.whole > 0 ? this.take(this.whole) : undefined;
  }

  /** Returns the rest. */
  end(): Buffer | undefined {
    return this.held > 0 ? this.take(this.held) : undefined;
  }

  private take(length: number): Buffer {
    const all = Buffer.concat(this.chunks);
    const rest = all.subarray(length);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.held = rest.length;
    this.whole = 0;
    return all.subarray(0, length);
  }
}

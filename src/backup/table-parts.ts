const NEWLINE = 0x0a;

/** Cuts the output of `COPY` into parts of whole rows, about `bytes` long. In its text format a newline ends a row and is nowhere else. */
export class TableParts {
  rows = 0;
  private chunks: Buffer[] = [];
  private held = 0;
  /** Bytes held up to the end of the last whole row. */
  private whole = 0;

  constructor(private readonly bytes: number) {}

  /** A part, when enough has come. */
  push(chunk: Buffer): Buffer | undefined {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.rows++;
      this.whole = this.held + at + 1;
    }
    this.chunks.push(chunk);
    this.held += chunk.length;
    return this.held >= this.bytes && this.whole > 0 ? this.take(this.whole) : undefined;
  }

  /** What is left. */
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

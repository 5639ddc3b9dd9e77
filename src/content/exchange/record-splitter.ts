const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
/** A client may send each byte as a chunk, which takes a hundred times its memory. So chunks are joined when there are this many. */
const MAX_PARTS = 1_000;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Where a CSV record is: at the start of a cell, in a cell without or with quotation marks, or after a closing (or doubled) one. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

/** A record of a stream. */
export interface StreamedRecord {
  /** The line on which it begins, from 1. */
  line: number;
  /** Without its line end. Undefined if it is larger than allowed. */
  bytes?: Buffer;
}

/** Splits a stream of bytes into lines or CSV records. Holds at most one record in memory. Skips empty lines. */
export class RecordSplitter {
  private place: Place = 'start';
  private parts: Buffer[] = [];
  private size = 0;
  private line = 1;
  private startLine = 1;
  private isFirst = true;

  /** @param isCsv whether line ends in quotation marks belong to a record. */
  constructor(
    private readonly isCsv: boolean,
    private readonly maxBytes: number,
  ) {}

  *push(chunk: Buffer): Iterable<StreamedRecord> {
    let from = 0;
    for (let at = this.next(chunk, 0); at >= 0; at = this.next(chunk, at + 1)) {
      this.line++;
      // A record that is too large ends at the next line end: its quotation marks are probably wrong.
      if (this.place === 'quoted' && this.size + at - from <= this.maxBytes) continue;
      const record = this.finish(chunk.subarray(from, at));
      if (record) yield record;
      from = at + 1;
    }
    this.keep(chunk.subarray(from));
  }

  /** Returns the record at the end of the stream, which needs no line end. */
  end(): StreamedRecord | undefined {
    return this.finish(Buffer.alloc(0));
  }

  /** Returns the position of the next line end, and follows the quotation marks before it. */
  private next(chunk: Buffer, from: number): number {
    if (!this.isCsv) return chunk.indexOf(NEWLINE, from);
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) return at;
      const isMark = this.isFirst && this.place === 'start' && BYTE_ORDER_MARK.includes(byte ?? 0);
      if (!isMark) this.place = placeAfter(this.place, byte);
    }
    return -1;
  }

  private finish(rest: Buffer): StreamedRecord | undefined {
    this.keep(rest);
    const record: StreamedRecord = { line: this.startLine };
    if (this.size <= this.maxBytes) record.bytes = this.withoutEnd(Buffer.concat(this.parts));
    this.parts = [];
    this.size = 0;
    this.place = 'start';
    this.startLine = this.line;
    this.isFirst = false;
    return record.bytes?.length === 0 ? undefined : record;
  }

  private keep(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > this.maxBytes) this.parts = [];
    else if (bytes.length > 0) this.parts.push(bytes);
    if (this.parts.length === MAX_PARTS) this.parts = [Buffer.concat(this.parts)];
  }

  private withoutEnd(bytes: Buffer): Buffer {
    const isMarked = this.isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const start = isMarked ? BYTE_ORDER_MARK.length : 0;
    return bytes.subarray(start, bytes.at(-1) === RETURN ? -1 : undefined);
  }
}

function placeAfter(place: Place, byte: number | undefined): Place {
  if (place === 'quoted') return byte === QUOTE ? 'closed' : 'quoted';
  if (byte === COMMA) return 'start';
  if (byte === QUOTE) return place === 'plain' ? 'plain' : 'quoted';
  return 'plain';
}

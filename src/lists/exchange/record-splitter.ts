const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
/** What separates the cells of CSV. The European Excel writes semicolons, and calls texts with tabs CSV too. */
const SEPARATORS = [',', ';', '\t'] as const;
/** The line with which Excel names its separator, before the header. */
const NAMED_SEPARATOR = /^"?sep=([,;\t])"?$/i;
/** A client may send each byte as a chunk, which takes a hundred times its memory. So chunks are joined when there are this many. */
const MAX_PARTS = 1_000;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Where a CSV record is: at the start of a cell, in a cell without or with quotation marks, or after a closing (or doubled) one. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

type Separator = (typeof SEPARATORS)[number];

/** A record of a stream. */
export interface StreamedRecord {
  /** The lines on which it begins and ends, from 1. */
  line: number;
  lastLine: number;
  /** What separates the cells of CSV. */
  separator: Separator;
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
  /** Known from the first record on. */
  private separator?: Separator;
  private separatorByte = COMMA;
  private lastByte?: number;

  /** @param isCsv whether line ends in quotation marks belong to a record. */
  constructor(
    private readonly isCsv: boolean,
    private readonly maxBytes: number,
  ) {}

  *push(chunk: Buffer): Iterable<StreamedRecord> {
    let from = 0;
    for (let at = this.next(chunk, 0); at >= 0; at = this.next(chunk, at + 1)) {
      // A record does not end within its quotation marks, even if it is too large: the rest of a cell must not be taken for records.
      if (this.place === 'quoted') {
        this.line++;
        continue;
      }
      const record = this.finish(chunk.subarray(from, at), this.line++);
      if (record) yield record;
      from = at + 1;
    }
    this.keep(chunk.subarray(from));
    this.lastByte = chunk.at(-1) ?? this.lastByte;
  }

  /** Returns the record at the end of the stream, which needs no line end. */
  end(): StreamedRecord | undefined {
    return this.finish(Buffer.alloc(0), this.lastByte === NEWLINE ? this.line - 1 : this.line);
  }

  /** Returns the position of the next line end, and follows the quotation marks before it. */
  private next(chunk: Buffer, from: number): number {
    if (!this.isCsv) return chunk.indexOf(NEWLINE, from);
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) return at;
      const isMark = this.isFirst && this.place === 'start' && BYTE_ORDER_MARK.includes(byte ?? 0);
      if (!isMark) this.place = this.placeAfter(byte);
    }
    return -1;
  }

  private finish(rest: Buffer, lastLine: number): StreamedRecord | undefined {
    this.keep(rest);
    const bytes = this.size <= this.maxBytes ? this.withoutEnd(Buffer.concat(this.parts)) : undefined;
    const line = this.startLine;
    this.parts = [];
    this.size = 0;
    this.place = 'start';
    this.startLine = lastLine + 1;
    this.isFirst = false;
    if (bytes?.length === 0) return undefined;
    if (this.separator === undefined) {
      const named = this.isCsv ? NAMED_SEPARATOR.exec(bytes?.toString('latin1', 0, 10) ?? '')?.[1] : undefined;
      this.separator = (named as Separator | undefined) ?? separatorIn(bytes);
      this.separatorByte = this.separator.charCodeAt(0);
      if (named !== undefined) return undefined;
    }
    return { line, lastLine, separator: this.separator, bytes };
  }

  private placeAfter(byte: number | undefined): Place {
    if (this.place === 'quoted') return byte === QUOTE ? 'closed' : 'quoted';
    if (byte === this.separatorByte) return 'start';
    if (byte === QUOTE) return this.place === 'plain' ? 'plain' : 'quoted';
    return 'plain';
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

/** The separator of a header. Names of fields contain none, so the first one that is found is it. */
function separatorIn(header: Buffer | undefined): Separator {
  return SEPARATORS.find((separator) => header?.includes(separator)) ?? ',';
}

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CHECKSUM_ENTRY, FORMAT, FORMAT_ENTRY } from './archive-format.js';
import { BackupError } from './backup-error.js';
import { BLOCK_BYTES, decodeHeader, paddingOf, type TarEntry } from './tar-header.js';

/** An entry, and the position in the file at which its content begins. */
export interface ArchiveEntry extends TarEntry {
  start: number;
}

const CHUNK_BYTES = 1024 * 1024;
/** Maximum size of a text (the manifest, a checksum, a key). Texts are read as a whole. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** Reads a backup file. Seeks from header to header, so that only the requested contents are read. */
export class ArchiveReader {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly size: number,
    private readonly signal?: AbortSignal,
  ) {}

  /**
   * Throws a BackupError if the file cannot be read, or does not begin like a backup in a supported format. After `signal` is aborted,
   * every method except `close` throws.
   */
  static async open(path: string, signal?: AbortSignal): Promise<ArchiveReader> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      throw new BackupError(`${path} cannot be read (${error.code}).`);
    });
    try {
      const { size } = await file.stat();
      const reader = new ArchiveReader(path, file, size, signal);
      await reader.assertFormat();
      return reader;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Yields all entries in their order. Throws a BackupError if a header is damaged or the file ends too early. */
  async *entries(): AsyncGenerator<ArchiveEntry> {
    let position = 0;
    for (;;) {
      const entry = await this.entryAt(position);
      if (!entry) return this.assertEnd(position);
      yield entry;
      position = entry.start + entry.size + paddingOf(entry.size);
    }
  }

  /** Returns the bytes of an entry. */
  content({ start, size }: ArchiveEntry): Readable {
    return Readable.from(this.chunks(start, start + size), { objectMode: false });
  }

  async text({ start, size }: ArchiveEntry): Promise<string> {
    if (size > MAX_TEXT_BYTES) throw this.damaged();
    return (await this.read(start, size)).toString('utf8');
  }

  /** Reads the whole file. Throws a BackupError if it is incomplete or any byte was changed. */
  async verify(): Promise<void> {
    let last: ArchiveEntry | undefined;
    for await (const entry of this.entries()) last = entry;
    if (last?.name !== CHECKSUM_ENTRY || this.size - last.start > MAX_TEXT_BYTES) throw this.damaged();
    const digest = createHash('sha256');
    for await (const chunk of this.chunks(0, last.start - BLOCK_BYTES)) digest.update(chunk);
    const content = Buffer.from(`${digest.digest('hex')}\n`);
    const end = Buffer.alloc(content.length + paddingOf(content.length) + 2 * BLOCK_BYTES);
    content.copy(end);
    if (!(await this.read(last.start, this.size - last.start)).equals(end)) throw this.damaged();
  }

  damaged(): BackupError {
    return new BackupError(`${this.path} is damaged or incomplete.`);
  }

  private async assertFormat(): Promise<void> {
    const first = await this.entryAt(0).catch(() => undefined);
    if (first?.name !== FORMAT_ENTRY) throw new BackupError(`${this.path} is not a Trivet backup.`);
    const format = (await this.text(first)).trim();
    if (format !== FORMAT) {
      throw new BackupError(`${this.path} has the format "${format}", which this version of Trivet cannot read.`);
    }
  }

  /** Returns undefined at the regular end of the file. */
  private async entryAt(position: number): Promise<ArchiveEntry | undefined> {
    const block = await this.read(position, BLOCK_BYTES);
    let entry: TarEntry | undefined;
    try {
      entry = decodeHeader(block);
    } catch {
      throw this.damaged();
    }
    return entry && { ...entry, start: position + BLOCK_BYTES };
  }

  private async assertEnd(position: number): Promise<void> {
    const end = await this.read(position, 2 * BLOCK_BYTES);
    if (position + end.length !== this.size || end.some((byte) => byte !== 0)) throw this.damaged();
  }

  private async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; position += CHUNK_BYTES) {
      yield this.read(position, Math.min(CHUNK_BYTES, end - position));
    }
  }

  private async read(position: number, length: number): Promise<Buffer> {
    this.signal?.throwIfAborted();
    const buffer = Buffer.alloc(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.file.read(buffer, done, length - done, position + done);
      if (bytesRead === 0) throw this.damaged();
      done += bytesRead;
    }
    return buffer;
  }
}

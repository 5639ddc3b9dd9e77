import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CHECKSUM_ENTRY, FORMAT, FORMAT_ENTRY } from './archive-format.js';
import { BackupError } from './backup-error.js';
import { BLOCK_BYTES, encodeHeader, paddingOf } from './tar-header.js';

/** Maximum number of bytes of a file that are in memory at once. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Writes a backup file under a temporary name in the same folder (mode 0600). The file gets its final name when it is complete and on disk.
 */
export class ArchiveWriter {
  private readonly digest = createHash('sha256');
  private readonly began = new Date();
  private written = 0;

  private constructor(
    private readonly path: string,
    private readonly temporary: string,
    private readonly file: FileHandle,
    private readonly signal?: AbortSignal,
  ) {}

  /**
   * Throws if `path` exists already, because a backup never replaces a file. After `signal` is aborted, every method except `discard`
   * throws.
   */
  static async create(path: string, signal?: AbortSignal): Promise<ArchiveWriter> {
    await assertFree(path);
    const temporary = `${path}.partial-${randomBytes(6).toString('hex')}`;
    const writer = new ArchiveWriter(path, temporary, await open(temporary, 'wx', 0o600), signal);
    await writer.add(FORMAT_ENTRY, Buffer.from(`${FORMAT}\n`));
    return writer;
  }

  /** Number of bytes written so far. */
  get size(): number {
    return this.written;
  }

  async add(name: string, content: Buffer): Promise<void> {
    await this.write(encodeHeader({ name, size: content.length }, this.began));
    await this.write(content);
    await this.write(Buffer.alloc(paddingOf(content.length)));
  }

  /** Adds the first `size` bytes of an open file. */
  async addFile(name: string, source: FileHandle, size: number): Promise<void> {
    await this.write(encodeHeader({ name, size }, this.began));
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size, 1)));
    for (let position = 0; position < size;) {
      const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, size - position), position);
      if (bytesRead === 0) throw new Error(`${name} became shorter while it was being copied.`);
      await this.write(chunk.subarray(0, bytesRead));
      position += bytesRead;
    }
    await this.write(Buffer.alloc(paddingOf(size)));
  }

  /** Adds the checksum of everything before it, and gives the file its final name. */
  async finish(): Promise<void> {
    await this.add(CHECKSUM_ENTRY, Buffer.from(`${this.digest.copy().digest('hex')}\n`));
    await this.write(Buffer.alloc(2 * BLOCK_BYTES));
    await this.file.sync();
    await this.file.close();
    await publish(this.temporary, this.path);
  }

  /** Removes the temporary file. Does nothing after `finish`. */
  async discard(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(this.temporary, { force: true });
  }

  private async write(bytes: Buffer): Promise<void> {
    this.signal?.throwIfAborted();
    this.digest.update(bytes);
    this.written += bytes.length;
    for (let done = 0; done < bytes.length;) {
      done += (await this.file.write(bytes, done)).bytesWritten;
    }
  }
}

async function assertFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found) throw new BackupError(`${path} already exists. Choose the path of a new file.`);
}

/**
 * Publishes with a link, which fails if a file has appeared at `path`; a rename would replace it. Some file systems do not support links.
 */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await rm(temporary);
  } catch {
    await assertFree(path);
    await rename(temporary, path);
  }
  const directory = await open(dirname(path));
  // Some file systems do not support this. The file itself is on disk.
  await directory.sync().catch(() => undefined);
  await directory.close();
}

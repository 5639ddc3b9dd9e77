import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { SoftSemaphore } from '../../queues/soft-semaphore.js';

/** Bytes that a stream reads ahead. Each slow client holds about twice as many. */
const CHUNK_BYTES = 65_536;
/**
 * Limits the chunks of all files that are read at once. Node's four threads do not read more at a time. Each chunk is written to its client
 * in the iteration of the event loop in which it arrives, and an iteration must stay short for the requests during a thousand downloads.
 */
const reads = new SoftSemaphore(8);

/** Streams the bytes of an open file from `position` up to `end`, which is excluded. Closes the file. */
export class FileStream extends Readable {
  constructor(
    private readonly file: FileHandle,
    private position: number,
    private readonly end: number,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _read(): void {
    reads.run(() => this.readChunk()).catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.file.close().then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }

  private async readChunk(): Promise<void> {
    if (this.destroyed) return;
    const wanted = Math.min(CHUNK_BYTES, this.end - this.position);
    if (wanted <= 0) {
      this.push(null);
      return;
    }
    const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(wanted), 0, wanted, this.position);
    if (bytesRead === 0) throw new Error('The file became shorter while it was being read.');
    this.position += bytesRead;
    this.push(buffer.subarray(0, bytesRead));
  }
}

import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Gate } from '../queues/gate.js';

/** What a stream reads ahead: each client that reads slowly holds about twice as much. */
const CHUNK_BYTES = 65_536;
/**
 * Chunks that are read at once, of all files. Node's four threads read no more at a time; and each chunk is written to its client in the
 * iteration of the event loop in which it arrives, which must stay short for the requests that come beside a thousand downloads.
 */
const reads = new Gate(8);

/** The bytes of an open file from `position` up to `end`, which is not among them. Closes the file. */
export class FileStream extends Readable {
  constructor(
    private readonly file: FileHandle,
    private position: number,
    private readonly end: number,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
  }

  override _read(): void {
    reads.through(() => this.readChunk()).catch((error: Error) => this.destroy(error));
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

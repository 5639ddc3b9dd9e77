import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { UsageError } from '../../exit-code.js';

const MIB = 1024 * 1024;
/** What an archive may become when it is unpacked, against bombs. */
const LIMITS = { entries: 1_000_000, ratio: 200, bytes: 1_024 * MIB, header: 8 * MIB };
const LATE = 'The archive is not complete, or it is not a tar archive.';

/** A file of an archive. Its name is only compared, and never becomes a path. */
interface ArchivedFile {
  name: string;
  content: Readable;
}

/** The files of a tar archive, compressed or not, one after the other. Each must be read before the next one. */
export async function* filesIn(file: string, signal: AbortSignal): AsyncGenerator<ArchivedFile> {
  const { size } = await stat(file);
  const most = Math.max(LIMITS.bytes, size * LIMITS.ratio);
  const guard = new Guard(most);
  const unpacked = extract();
  const parts = (await isGzip(file)) ? [createGunzip()] : [];
  const running = pipeline([createReadStream(file), ...parts, guard.counter, unpacked], { signal });
  // The loop below ends with the same error.
  running.catch(() => undefined);
  let entries = 0;
  try {
    for await (const entry of unpacked) {
      if (++entries > LIMITS.entries) throw new UsageError(`The archive has more than ${LIMITS.entries} files.`);
      const { name, type, size: bytes = 0 } = entry.header;
      guard.next(bytes);
      if (type === 'file') yield { name: name.replace(/^\.\//, ''), content: entry as unknown as Readable };
      entry.resume();
    }
    await running;
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    throw new UsageError(`${LATE} ${error instanceof Error ? error.message : ''}`.trim());
  }
  if (entries === 0) throw new UsageError(LATE);
}

/** Counts what an archive becomes, and what of it is not the content of a file: a header must not fill the memory. */
class Guard {
  readonly counter: Transform;
  private seen = 0;
  private content = 0;

  constructor(most: number) {
    this.counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.seen += chunk.length;
        if (this.seen > most) return done(new UsageError('The archive becomes too large when it is unpacked.'));
        if (this.seen - this.content > LIMITS.header)
          return done(new UsageError('The archive has a header that is too large.'));
        done(null, chunk);
      },
    });
  }

  /** Another file begins. */
  next(bytes: number): void {
    this.content = this.seen + bytes;
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

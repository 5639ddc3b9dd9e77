import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * Creates a file at `path`, where none is yet, and lets `write` fill it, which must destroy the stream if it fails. Then it rejects only when the
 * file is closed: one that the system is still about to open would appear after the caller has removed it.
 */
export async function writeNewFile(path: string, write: (target: WriteStream) => Promise<void>): Promise<void> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const closed = new Promise<void>((resolve) => target.once('close', resolve));
  try {
    await write(target);
  } catch (error) {
    await closed;
    throw error;
  }
}

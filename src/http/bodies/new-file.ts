import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * Creates a file and fills it with `write`, which must destroy the stream if it fails. Rejects if `path` exists. After a failure of `write`, it
 * rejects only when the file is closed: otherwise the system could still create the file after the caller has removed it.
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

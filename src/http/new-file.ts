import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * Creates a file at `path`, where there is none yet. `write` fills it, and must destroy the stream if it fails. In that case this waits until the
 * file is closed: a file that the system is still about to open would appear after the caller has removed it.
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

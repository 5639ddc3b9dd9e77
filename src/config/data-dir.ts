import { chmod, mkdir, stat } from 'node:fs/promises';
import { ConfigError } from './environment.js';

const PRIVATE = 0o700;
/** If root runs the embedded PostgreSQL as another user, that user must be able to traverse the directory (except on Linux). */
const PASSABLE = 0o711;
const STICKY = 0o1000;

/**
 * Creates `DATA_DIR` if it does not exist, and makes it readable only by its owner. Throws a ConfigError if it cannot be used. A shared
 * directory (like /tmp, which has the sticky bit) and a directory of another user keep their mode.
 */
export async function ensureDataDir(path: string): Promise<void> {
  const user = process.getuid?.();
  const mode = user === 0 && process.platform !== 'linux' ? PASSABLE : PRIVATE;
  try {
    await mkdir(path, { recursive: true, mode });
    const found = await stat(path);
    if (!found.isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    const isOurs = found.uid === user && !(found.mode & STICKY);
    if (isOurs && found.mode & ~mode & 0o777) await chmod(path, found.mode & mode);
  } catch (error) {
    throw new ConfigError([`DATA_DIR cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`]);
  }
}

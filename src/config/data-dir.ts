import { chmod, mkdir, stat } from 'node:fs/promises';
import { ConfigError } from './environment.js';

const PRIVATE = 0o700;
/** On other systems than Linux the embedded PostgreSQL, which root runs as another user, must be able to pass through. */
const PASSABLE = 0o711;
const STICKY = 0o1000;

/**
 * Creates `DATA_DIR` if it does not exist, and makes it readable for its owner only. Throws a ConfigError if it can't be created. A shared
 * directory (like /tmp, which has the sticky bit) and one that belongs to another user keep their mode.
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

import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from './start-error.js';

const PRIVATE = 0o700;
/** If root runs the embedded PostgreSQL as another user, that user must be able to traverse the directory (except on Linux). */
const PASSABLE = 0o711;
const STICKY = 0o1000;

/**
 * Creates `DATA_DIR` if it does not exist, and makes it readable only by its owner. Throws a StartError if it cannot be used. A shared
 * directory (like /tmp, which has the sticky bit) and a directory of another user keep their mode.
 */
export async function ensureDataDir(path: string): Promise<void> {
  const user = process.getuid?.();
  const mode = user === 0 && process.platform !== 'linux' ? PASSABLE : PRIVATE;
  await create(path, mode).catch(refuse(path, 'cannot be created'));
  const found = await stat(path).catch(refuse(path, 'cannot be read'));
  if (!found.isDirectory()) refuse(path, 'cannot be used as a directory')({ code: 'ENOTDIR' });
  const isOurs = found.uid === user && !(found.mode & STICKY);
  if (isOurs && found.mode & ~mode & 0o777) {
    await chmod(path, found.mode & mode).catch(refuse(path, 'cannot be made private'));
  }
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch(refuse(path, 'cannot be written to'));
}

/** Creates a directory and those above it. Node's own recursion does not end in a file system such as /proc. */
async function create(path: string, mode: number): Promise<void> {
  if (await isThere(path)) return;
  await create(dirname(path), mode);
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    // Another start was faster.
    if (error.code !== 'EEXIST') throw error;
  });
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Waits for work on files in `DATA_DIR`. Throws a StartError if the system refuses it, for example because the disk is full. */
export async function inDataDir<Result>(path: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    return refuse(error.path ?? path, 'cannot be used')(error);
  });
}

function refuse(path: string, what: string): (error: { code?: string }) => never {
  return ({ code }) => {
    const user = process.getuid ? ` (uid ${process.getuid()})` : '';
    throw new StartError(
      `DATA_DIR: ${path} ${what} by this process${user}: ${code ?? 'unknown error'}. ` +
        'Give this user a directory that it may write to, or set DATA_DIR to another one.',
    );
  };
}

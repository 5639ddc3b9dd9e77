import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns the secret in the file `path` (mode 0600). Creates it with `generate` if it does not exist. Processes that start at once all
 * get the same secret, and a crash never leaves a partial file.
 */
export async function storedSecret(path: string, generate: () => string): Promise<string> {
  return (await readSecret(path)) ?? (await createSecret(path, generate()));
}

/** Returns undefined if there is no such file. */
export async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function createSecret(path: string, secret: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, `${secret}\n`, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link fails if another process was faster, so the first secret stays.
    await link(temporary, path);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readSecret(path)) ?? secret;
  } finally {
    await unlink(temporary);
  }
}

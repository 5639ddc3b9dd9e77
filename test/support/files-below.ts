import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the paths of all files below a folder, relative to it. Folders may disappear meanwhile, which makes a recursive `readdir` fail; one
 * that is missing has no files.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const paths = found.map(async (one) => {
    if (!one.isDirectory()) return [one.name];
    return (await filesBelow(join(folder, one.name))).map((path) => join(one.name, path));
  });
  return (await Promise.all(paths)).flat();
}

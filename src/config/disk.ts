import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is assumed where the system does not tell. */
const UNKNOWN_BYTES = 10_737_418_240;

/** The size of the disk that `path` is on, or will be on once it is made. In bytes, used or not. */
export function diskBytes(path: string): number {
  try {
    const { blocks, bsize } = statfsSync(path);
    return blocks * bsize || UNKNOWN_BYTES;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && dirname(path) !== path ? diskBytes(dirname(path)) : UNKNOWN_BYTES;
  }
}

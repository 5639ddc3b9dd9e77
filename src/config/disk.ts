import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The assumed size if the system does not report it. */
const UNKNOWN_BYTES = 10_737_418_240;

/** Returns the size in bytes, used and free, of the disk that contains `path` or will contain it. */
export function diskBytes(path: string): number {
  try {
    const { blocks, bsize } = statfsSync(path);
    return blocks * bsize || UNKNOWN_BYTES;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && dirname(path) !== path ? diskBytes(dirname(path)) : UNKNOWN_BYTES;
  }
}

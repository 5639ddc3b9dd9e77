import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request } from 'express';

/** About a millisecond of work. */
const SLICE_BYTES = 512 * 1024;

/** Returns what identifies a request under its key: SHA-256 of the method, the path with its query, and the body, in hexadecimal digits. */
export async function digestOf(
  { method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>,
  body: Buffer,
): Promise<string> {
  const hash = createHash('sha256').update(`${method} ${originalUrl}\n`);
  for (let from = 0; from < body.length; from += SLICE_BYTES) {
    if (from > 0) await nextTurn();
    hash.update(body.subarray(from, from + SLICE_BYTES));
  }
  return hash.digest('hex');
}

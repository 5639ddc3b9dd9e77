import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request } from 'express';
import type { SentForm } from '../http/form-body.js';

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

/** Same as `digestOf`, for a body in multipart: a digest of its parts, without the boundaries between them. */
export function digestOfForm(
  { method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>,
  { parts, files }: SentForm,
): string {
  const contents = files.map(({ field, filename, declaredType, hash }) => [field, filename, declaredType, hash]);
  const text = JSON.stringify([[...parts], contents]);
  return createHash('sha256').update(`${method} ${originalUrl}\n`).update(text).digest('hex');
}

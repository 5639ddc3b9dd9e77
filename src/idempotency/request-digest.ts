import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request } from 'express';
import type { SentForm } from '../http/bodies/form-body.js';

/** About a millisecond of work. */
const SLICE_BYTES = 512 * 1024;

type Identified = Pick<Request, 'method' | 'originalUrl' | 'caller'>;

/**
 * Returns what identifies a request under its key: SHA-256 of the method, the path with its query, the scopes of the API key and the body, in
 * hexadecimal digits. A key with other scopes may not be allowed to see the answer.
 */
export async function digestOfRequest(request: Identified, body: Buffer): Promise<string> {
  const hash = createHash('sha256').update(headOf(request));
  for (let from = 0; from < body.length; from += SLICE_BYTES) {
    if (from > 0) await nextTurn();
    hash.update(body.subarray(from, from + SLICE_BYTES));
  }
  return hash.digest('hex');
}

/** Same as `digestOf`, for a body in multipart: a digest of its parts, without the boundaries between them. */
export function digestOfForm(request: Identified, { parts, files }: SentForm): string {
  const contents = files.map(({ field, filename, declaredType, hash }) => [field, filename, declaredType, hash]);
  const text = JSON.stringify([[...parts], contents]);
  return createHash('sha256').update(headOf(request)).update(text).digest('hex');
}

function headOf({ method, originalUrl, caller }: Identified): string {
  return `${method} ${originalUrl}\n${[...(caller?.scopes ?? [])].sort().join(' ')}\n`;
}

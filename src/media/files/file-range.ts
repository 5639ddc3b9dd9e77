import type { Request } from 'express';
import type { ByteRange } from '../storage/media-storage.js';
import type { ServedFile } from './served-file.js';

/** Returns the requested range. Returns undefined for several ranges or an invalid header, to send the whole file (RFC 9110, 14.2). */
export function rangeOf(request: Request, { size, etag }: ServedFile): ByteRange | 'unsatisfiable' | undefined {
  const { range = '', 'if-range': ifRange } = request.headers;
  if (size === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 ? 'unsatisfiable' : rangeFrom(Math.max(0, size - Number(last)), size);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return rangeFrom(Number(first), last === '' ? size : Math.min(Number(last) + 1, size));
}

function rangeFrom(start: number, beyond: number): ByteRange {
  return { start, end: beyond - 1 };
}

/** Returns the number of bytes of the range, or of the whole file. */
export function lengthOf(range: ByteRange | undefined, size: number): number {
  return range ? range.end - range.start + 1 : size;
}

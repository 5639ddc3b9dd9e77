import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';
import { CSV, mediaTypeOf, NDJSON, notThis, otherCharset } from '../../http/bodies/media-type.js';

/** Returns whether a stream of lines is CSV. Throws a 415 for another type of body; CSV is one unless `takesCsv` is false. */
export function readLinesType(request: Request, takesCsv: boolean): 'ndjson' | 'csv' {
  const sent = mediaTypeOf(request);
  const unsupported = (how: string) => new Problem('unsupported_media_type', `Send the lines ${how}.`);
  const isCsv = sent.type === CSV && takesCsv;
  if (!isCsv && !NDJSON.includes(sent.type)) {
    throw unsupported(`with Content-Type: ${NDJSON[0]}${takesCsv ? ` or ${CSV}` : ''}${notThis(sent.type)}`);
  }
  const charset = otherCharset(sent);
  if (charset !== undefined) throw unsupported(`in UTF-8${notThis(charset)}`);
  // RFC 4180, 3
  if (isCsv && sent.parameters['header']?.toLowerCase() === 'absent') {
    throw unsupported('of CSV with a header: the first line must have the names of the columns');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw unsupported('without Content-Encoding');
  }
  return isCsv ? 'csv' : 'ndjson';
}

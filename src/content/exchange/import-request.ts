import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';
import { CSV, mediaTypeOf, NDJSON, notThis, otherCharset } from '../../http/bodies/media-type.js';
import { type Parameter, readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import type { EntryStatus } from '../entries/entry.entity.js';

export const importParameters: Parameter[] = [
  {
    name: 'key',
    schema: { type: 'string' },
    description:
      'The name of a `unique` field. The entry with the value of a line is updated, or one is created with it. Without `key`, each line ' +
      'creates an entry.',
  },
  {
    name: 'status',
    schema: { type: 'string', enum: ['draft', 'published'] },
    description:
      'The status of lines that have none. Without it, new entries are drafts, and others keep their status.',
  },
  {
    name: 'locale',
    schema: { type: 'string' },
    description:
      'The locale of lines that have none: a code, or `*`. The columns of CSV name it themselves (`title@de`), unless it is sent.',
  },
  {
    name: 'dry_run',
    schema: { type: 'boolean' },
    description:
      'With `true`, the lines are checked and counted, and nothing is changed. Lines see the changes of lines in the same batch only.',
  },
];

/** What a request to import says besides its lines. */
export interface ImportRequest {
  format: 'ndjson' | 'csv';
  key?: string;
  status?: EntryStatus;
  /** The locale of lines that have none. */
  locale?: string;
  isDryRun: boolean;
}

/** Throws a 415 for another type of body, and a 400 for a wrong parameter. */
export function readImport(query: Query, request: Request): ImportRequest {
  const sent = mediaTypeOf(request);
  const unsupported = (how: string) => new Problem('unsupported_media_type', `Send the lines ${how}.`);
  if (sent.type !== CSV && !NDJSON.includes(sent.type)) {
    throw unsupported(`with Content-Type: ${NDJSON[0]} or ${CSV}${notThis(sent.type)}`);
  }
  const charset = otherCharset(sent);
  if (charset !== undefined) throw unsupported(`in UTF-8${notThis(charset)}`);
  // RFC 4180, 3
  if (sent.type === CSV && sent.parameters['header']?.toLowerCase() === 'absent') {
    throw unsupported('of CSV with a header: the first line must have the names of the columns');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw unsupported('without Content-Encoding');
  }
  const { status } = query;
  if (status !== undefined && status !== 'draft' && status !== 'published') {
    throw Problem.parameter('status', 'status must be draft or published.');
  }
  return {
    format: sent.type === CSV ? 'csv' : 'ndjson',
    key: query['key'] as string | undefined,
    status,
    locale: query['locale'] as string | undefined,
    isDryRun: readFlag(query, 'dry_run') ?? false,
  };
}

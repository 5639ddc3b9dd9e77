import { Problem } from '../../errors/problem.js';
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
  isDryRun: boolean;
}

const TYPE = /^(application\/x-ndjson|text\/csv)\s*(;\s*charset="?utf-8"?\s*)?(;\s*header="?present"?\s*)?;?\s*$/i;

/** Throws a 415 for another type of body, and a 400 for a wrong parameter. */
export function readImport(
  query: Query,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ImportRequest {
  const [, type] = TYPE.exec(String(headers['content-type'] ?? '')) ?? [];
  if (type === undefined) {
    throw new Problem(
      'unsupported_media_type',
      'Send the lines with Content-Type: application/x-ndjson or text/csv, in UTF-8.',
    );
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the lines without Content-Encoding.');
  }
  const { status } = query;
  if (status !== undefined && status !== 'draft' && status !== 'published') {
    throw Problem.parameter('status', 'status must be draft or published.');
  }
  return {
    format: type.toLowerCase() === 'text/csv' ? 'csv' : 'ndjson',
    key: query['key'] as string | undefined,
    status,
    isDryRun: readFlag(query, 'dry_run') ?? false,
  };
}

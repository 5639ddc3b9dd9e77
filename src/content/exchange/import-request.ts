import type { Request } from 'express';
import { Problem } from '../../errors/problem.js';
import { type Parameter, readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { readLinesType } from '../../lists/exchange/lines-type.js';
import type { EntryStatus } from '../entries/entry.entity.js';

export const importParameters: Parameter[] = [
  {
    name: 'key',
    schema: { type: 'string' },
    description:
      'The name of a `unique` field. The entry with the value of a line is updated, or one is created with it. Values of a localized field are ' +
      'compared in the locale of the line. Without `key`, each line creates an entry.',
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
      'The locale of lines that have none: a code, or `*`. With `*`, the columns of CSV name the locales of their values (`title@de`), as those of an ' +
      'export with `*` do; without `locale`, too, if one of them does.',
  },
  {
    name: 'keep_ids',
    schema: { type: 'boolean' },
    description:
      'With `true`, a line of NDJSON may have an `id`. An entry of the content type with this ID is updated, as with `key`. Otherwise a new entry gets ' +
      'the ID, unless `key` finds another one. Its `created_at` is the time that the ID contains. Needs the scope `*`.',
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
  keepsIds: boolean;
}

/** Throws a 415 for another type of body, and a 400 for a wrong parameter. */
export function readImport(query: Query, request: Request): ImportRequest {
  const format = readLinesType(request, true);
  const { status } = query;
  if (status !== undefined && status !== 'draft' && status !== 'published') {
    throw Problem.parameter('status', 'status must be draft or published.');
  }
  const keepsIds = readFlag(query, 'keep_ids') ?? false;
  if (keepsIds && format === 'csv') throw Problem.parameter('keep_ids', 'keep_ids is for lines of JSON only.');
  return {
    keepsIds,
    format,
    key: query['key'] as string | undefined,
    status,
    locale: query['locale'] as string | undefined,
    isDryRun: readFlag(query, 'dry_run') ?? false,
  };
}

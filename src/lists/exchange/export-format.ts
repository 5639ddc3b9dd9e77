import { Problem } from '../../errors/problem.js';
import { type Parameter, readFlag } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';

const BYTE_ORDER_MARK = '\ufeff';

/** How an export is written. */
export interface ExportFormat {
  format: 'ndjson' | 'csv';
  /** What precedes the header of CSV: a byte order mark, or nothing. */
  bom: string;
}

/** The parameters of every export. `description` says what its lines are. */
export function formatParameters(description: string): Parameter[] {
  return [
    { name: 'format', schema: { type: 'string', enum: ['ndjson', 'csv'] }, description },
    {
      name: 'bom',
      schema: { type: 'boolean' },
      description:
        'With `true`, CSV begins with a byte order mark, by which spreadsheets recognize UTF-8. It has no effect on NDJSON.',
    },
  ];
}

/** Throws a 400 if a parameter is malformed. */
export function readFormat(query: Query): ExportFormat {
  const { format = 'ndjson' } = query;
  if (format !== 'ndjson' && format !== 'csv') throw Problem.parameter('format', 'format must be ndjson or csv.');
  return { format, bom: readFlag(query, 'bom') === true ? BYTE_ORDER_MARK : '' };
}

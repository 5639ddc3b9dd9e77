import type { Parameter } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';
import { type ExportFormat, formatParameters, readFormat } from '../../lists/exchange/export-format.js';
import { entryListParameters } from '../entries/entries.parameters.js';
import { type EntryListRequest, readEntryList } from '../lists/entry-list-request.js';
import type { Shape } from '../reading/shape.js';

/** What an export has in common with the list. */
const OF_LIST = [
  ...['sort', 'filter', 'where', 'search', 'locale', 'fallback', 'translated', 'missing', 'behind'],
  ...['select', 'view'],
];

export const exportParameters: Parameter[] = [
  ...formatParameters(
    '`ndjson` (the default): each line is `{id, fields, status, created_at, updated_at}`, or the whole entry with `view=full`. `csv`: the columns are the fields and `status`, in the form that an import reads.',
  ),
  ...entryListParameters.filter(({ name }) => OF_LIST.includes(name)),
];

export interface ExportRequest extends ExportFormat {
  list: EntryListRequest;
}

/** Throws a 400 if a parameter is malformed. */
export function readExport(query: Query, shape: Shape): ExportRequest {
  return { ...readFormat(query), list: readEntryList(query, shape) };
}

import type { Bindings } from '../../database/statements/bindings.js';
import { rowCondition } from '../../lists/conditions/row-condition.js';
import { type ListQuery, NEWEST_FIRST } from '../../lists/engine/list-query.js';
import { columnsOf, type ListTable } from '../../lists/engine/list-table.js';
import { matchesVector } from '../../search/matches-search.js';
import type { SearchMatch } from '../../search/search-match.js';
import type { MediaFilters } from './media-filters.js';

const COLUMNS = columnsOf({
  filename: 'filename',
  alt: 'alt',
  mimeType: 'mime_type',
  extension: 'extension',
  size: 'size',
  width: 'width',
  height: 'height',
  createdAt: 'created_at',
});

const COUNTED = 'SELECT coalesce(sum(e.files), 0)::bigint FROM media_counts e WHERE e.tenant_id = $1';

/** The list of a tenant's files, newest first: those that the filters leave (`image/*` means every image) and that match a search. */
export function mediaList(
  { mimeType, hasAlt }: Omit<MediaFilters, 'search'>,
  search: SearchMatch | undefined,
): { table: ListTable; query: ListQuery } {
  const ofType = mimeType === undefined ? [] : [(bindings: Bindings) => isOfType(mimeType, bindings)];
  const described = hasAlt === undefined ? [] : [() => `e.alt ${hasAlt ? '<>' : '='} ''`];
  // The words of a file are in its row.
  const found = search ? [(bindings: Bindings) => matchesVector(search, 'e.search', bindings)] : [];
  const count = (bindings: Bindings) => `(${[COUNTED, ...ofType.map((test) => test(bindings))].join(' AND ')})`;
  return {
    table: {
      name: 'media',
      id: 'id',
      columns: COLUMNS,
      // There is a counter for each type.
      counters: {
        all: `(${COUNTED})`,
        of: (_conditions, bindings) => (search || described.length > 0 ? undefined : count(bindings)),
      },
    },
    query: { conditions: [...ofType, ...described, ...found].map((test) => rowCondition(test)), sort: NEWEST_FIRST },
  };
}

/** SQL that is true for rows `e` with the type, of files and of their counters. */
function isOfType(mimeType: string, bindings: Bindings): string {
  if (mimeType.endsWith('/*')) return `starts_with(e.mime_type, ${bindings.add(mimeType.slice(0, -1))})`;
  return `e.mime_type = ${bindings.add(mimeType)}`;
}

import { Problem } from '../../errors/problem.js';
import type { ListedFields } from './listed-fields.js';
import { unknownSortField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import { readSortNames, type SortName } from '../../lists/sort-names.js';
import { NEWEST_FIRST, type SortKey } from '../../lists/engine/list-query.js';
import { COLUMN_NAMES, entryColumnNamed } from './entry-columns.js';

export const MAX_KEYS = 3;

/** Reads `sort`; undefined if it is not sent. Throws a 400 if it is malformed. */
export function readSort(query: Query): SortName[] | undefined {
  return readSortNames(query, MAX_KEYS);
}

/**
 * Looks up the names among the fields. Without names, the newest entries come first. Throws a 400 if a field
 * is unknown, cannot be sorted by, or is named twice.
 */
export function resolveSort(names: readonly SortName[] | undefined, fields: ListedFields): readonly SortKey[] {
  if (names === undefined) return NEWEST_FIRST;
  const keys = names.map((name) => resolveName(name, fields));
  if (new Set(names.map(({ name }) => name)).size < names.length) {
    throw Problem.parameter('sort', 'sort must not name a field twice.');
  }
  return keys;
}

function resolveName({ name, descending }: SortName, fields: ListedFields): SortKey {
  const field = fields.fieldAt(name);
  if (field) {
    if (!field.sortable)
      throw Problem.parameter('sort', `Entries cannot be sorted by ${name} because ${field.withoutKey}.`);
    return { by: 'field', field, descending };
  }
  const column = entryColumnNamed(name);
  if (column) return { by: 'column', column, descending };
  throw unknownSortField(name, [
    ...fields.fieldsAtPaths.filter(({ sortable }) => sortable).map(({ path }) => path),
    ...COLUMN_NAMES,
  ]);
}

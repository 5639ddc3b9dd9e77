import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import { unknownSortField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import { readSortNames, type SortName } from '../../lists/sort-names.js';
import { isSystemColumn, SYSTEM_COLUMNS, type SystemColumn } from './entry-conditions.js';

const MAX_KEYS = 3;

/** A key of the order. Ties are broken by ID, in the direction of the last key. */
export type SortKey = { descending: boolean } & (
  { by: 'field'; field: CompiledField } | { by: 'column'; column: SystemColumn }
);

export const NEWEST_FIRST: SortKey[] = [{ by: 'column', column: 'created_at', descending: true }];

/** Reads `sort`; undefined if it is not sent. Throws a 400 if it is malformed. */
export function readSort(query: Query): SortName[] | undefined {
  return readSortNames(query, MAX_KEYS);
}

/**
 * Looks up the names in the schema. Without names, the newest entries come first. Throws a 400 if a field
 * is unknown, cannot be sorted by, or is named twice.
 */
export function resolveSort(names: readonly SortName[] | undefined, schema: Schema): SortKey[] {
  if (names === undefined) return NEWEST_FIRST;
  const keys = names.map((name) => resolveName(name, schema));
  if (new Set(names.map(({ name }) => name)).size < names.length) {
    throw Problem.parameter('sort', 'sort must not name a field twice.');
  }
  return keys;
}

function resolveName({ name, descending }: SortName, schema: Schema): SortKey {
  const field = schema.fieldAt(name);
  if (field) {
    if (!field.sortable)
      throw Problem.parameter('sort', `Entries cannot be sorted by ${name} because ${field.withoutKey}.`);
    return { by: 'field', field, descending };
  }
  if (isSystemColumn(name)) return { by: 'column', column: name, descending };
  throw unknownSortField(name, [
    ...schema.fieldsAtPaths.filter(({ sortable }) => sortable).map(({ path }) => path),
    ...SYSTEM_COLUMNS,
  ]);
}

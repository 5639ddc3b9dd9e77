import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import type { Query } from '../../http/query.js';
import { isSystemColumn, type SystemColumn } from './entry-filters.js';

const MAX_KEYS = 3;

/** One key of the order. Ties of all are broken by id, in the direction of the last. */
export type SortKey = { descending: boolean } & (
  { by: 'field'; field: CompiledField } | { by: 'column'; column: SystemColumn } | { by: 'rank' }
);

export const NEWEST_FIRST: SortKey[] = [{ by: 'column', column: 'created_at', descending: true }];

/** Reads `sort`. Without it the newest come first, or the best matches of a search. 400 for a field that is unknown or can't sort. */
export function readSort(query: Query, schema: Schema, searching: boolean): SortKey[] {
  const { sort } = query;
  if (sort === undefined) {
    return searching ? [{ by: 'rank', descending: true }] : NEWEST_FIRST;
  }
  const parts = (sort as string).split(',');
  if (parts.length > MAX_KEYS) throw Problem.parameter('sort', `At most ${MAX_KEYS} fields can be sorted by.`);
  const keys = parts.map((part) => readKey(part, schema));
  if (new Set(parts.map((part) => part.replace(/^-/, ''))).size < parts.length) {
    throw Problem.parameter('sort', 'sort names a field twice.');
  }
  return keys;
}

function readKey(part: string, schema: Schema): SortKey {
  const descending = part.startsWith('-');
  const name = descending ? part.slice(1) : part;
  const field = schema.field(name);
  if (field) {
    if (!field.sortable) throw Problem.parameter('sort', `${name} can't be sorted by: it is ${field.definition.type}.`);
    return { by: 'field', field, descending };
  }
  if (isSystemColumn(name)) return { by: 'column', column: name, descending };
  throw Problem.parameter('sort', `There is no field ${name.slice(0, 100)}.`, 'unknown_field');
}

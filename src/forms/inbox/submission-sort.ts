import type { CompiledField } from '../../fields/compiled-field.js';
import { unknownSortField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import type { CompiledForm } from '../form-schemas.js';
import { assertIndexed, COLUMNS, isColumn } from './submission-conditions.js';

/** `sort` as it was requested. The name is later looked up in the form's schema. */
export interface RequestedSort {
  name: string;
  descending: boolean;
}

/** The order of a list. Without a field, it is that of the IDs, which is also the order of time. */
export interface SubmissionSort {
  field?: CompiledField;
  descending: boolean;
}

/** Reads `sort` from the query string. */
export function readSort(query: Query): RequestedSort {
  const sort = (query['sort'] ?? '-created_at') as string;
  const descending = sort.startsWith('-');
  return { name: descending ? sort.slice(1) : sort, descending };
}

/**
 * Throws a 400 (`unknown_field`) if the name is neither a field of the form, nor `created_at`, nor `id`, and a 503 while the index of a field
 * that was added or changed is being written.
 */
export function resolveSort({ name, descending }: RequestedSort, form: CompiledForm): SubmissionSort {
  if (isColumn(name)) return { descending };
  const field = form.schema.field(name);
  if (!field?.sortable) throw unknownSortField(name, [...sortable(form), ...COLUMNS]);
  assertIndexed(form, name);
  return { field, descending };
}

function sortable({ schema }: CompiledForm): string[] {
  return schema.fields.filter((one) => one.sortable).map((one) => one.name);
}

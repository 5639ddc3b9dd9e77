import type { CompiledField } from '../../fields/compiled-field.js';
import { unknownSortField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import { readSortNames, type SortName } from '../../lists/sort-names.js';
import type { CompiledForm } from '../form-schemas.js';
import { assertIndexed, COLUMNS, isColumn } from './submission-conditions.js';

/** The order of a list. Without a field, it is that of the IDs, which is also the order of time. */
export interface SubmissionSort {
  field?: CompiledField;
  descending: boolean;
}

/** Reads `sort` from the query string. */
export function readSort(query: Query): SortName {
  return readSortNames(query, 1)?.[0] ?? { name: 'created_at', descending: true };
}

/**
 * Throws a 400 (`unknown_field`) if the name is neither a field of the form, nor `created_at`, nor `id`, and a 503 while the index of a field
 * that was added or changed is being written.
 */
export function resolveSort({ name, descending }: SortName, form: CompiledForm): SubmissionSort {
  if (isColumn(name)) return { descending };
  const field = form.schema.field(name);
  if (!field?.sortable) throw unknownSortField(name, [...sortable(form), ...COLUMNS]);
  assertIndexed(form, name);
  return { field, descending };
}

function sortable({ schema }: CompiledForm): string[] {
  return schema.fields.filter((one) => one.sortable).map((one) => one.name);
}

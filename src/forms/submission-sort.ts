import type { Schema } from '../fields/schema.js';
import { unknownSortField } from '../fields/unknown-field.js';
import type { Query } from '../http/query.js';
import { sectionWithout } from './submission-index.js';

/** `sort` as it was requested. The name is later looked up in the form's schema. */
export interface RequestedSort {
  name: string;
  descending: boolean;
}

/** The order of a list: the sections that it reads one after another, in one direction. */
export interface SubmissionSort {
  sections: readonly Section[];
  descending: boolean;
}

/** A section of the index by field. Null means the submissions themselves in the order of their IDs, which is also the order of time. */
export type Section = string | null;

/** Reads `sort` from the query string. */
export function readSort(query: Query): RequestedSort {
  const sort = (query['sort'] ?? '-created_at') as string;
  const descending = sort.startsWith('-');
  return { name: descending ? sort.slice(1) : sort, descending };
}

/** Throws a 400 (`unknown_field`) if the name is neither a field of the form, nor `created_at`, nor `id`. */
export function resolveSort({ name, descending }: RequestedSort, schema: Schema): SubmissionSort {
  if (name === 'created_at' || name === 'id') return { sections: [null], descending };
  if (schema.field(name)) return { sections: [name, sectionWithout(name)], descending };
  throw unknownSortField(name, [...schema.fields.map((field) => field.name), 'created_at', 'id']);
}

import { Problem } from '../errors/problem.js';
import type { Schema } from '../fields/schema.js';
import type { Query } from '../http/query.js';
import { sectionWithout } from './submission-index.js';

/** The order of a list: what it runs through, one after the other, in one direction. */
export interface SubmissionSort {
  sections: readonly Section[];
  descending: boolean;
}

/** A section of the index by field; null stands for the submissions themselves, by id, which is by time as well. */
export type Section = string | null;

/** Reads `sort`. 400 `unknown_field` for what is neither a field of the form, nor `created_at`, nor `id`. */
export function readSort(query: Query, schema: Schema): SubmissionSort {
  const sort = (query['sort'] ?? '-created_at') as string;
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  if (name === 'created_at' || name === 'id') return { sections: [null], descending };
  if (schema.field(name)) return { sections: [name, sectionWithout(name)], descending };
  throw Problem.parameter('sort', `There is no field ${name.slice(0, 100)}.`, 'unknown_field');
}

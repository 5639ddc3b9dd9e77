import { Problem } from '../errors/problem.js';
import { shorten } from '../fields/formats/text.js';
import type { Query } from '../http/query.js';

/** A key of `sort`, before its name is looked up in the schema. */
export interface SortName {
  name: string;
  descending: boolean;
}

/** Reads `sort`; undefined if it is not sent. Throws a 400 if it has too many names, or something that is no name. */
export function readSortNames({ sort }: Query, max: number): SortName[] | undefined {
  if (typeof sort !== 'string') return undefined;
  const parts = sort.split(',');
  const names = parts.map((part) => {
    const descending = part.startsWith('-');
    return { name: descending ? part.slice(1) : part, descending };
  });
  if (parts.length > 1 && parts.some((part) => part === '')) {
    throw Problem.parameter('sort', 'sort has a comma with no name before or after it.');
  }
  if (names.length > max) {
    throw Problem.parameter('sort', `sort must name ${max === 1 ? 'only one field' : `at most ${max} fields`}.`);
  }
  const trimmed = parts.map((part) => part.trim()).join(',');
  if (parts.length > 1 && trimmed !== sort) {
    throw Problem.parameter('sort', `sort must have no spaces around its commas: write ${shorten(trimmed, 200)}.`);
  }
  return names;
}

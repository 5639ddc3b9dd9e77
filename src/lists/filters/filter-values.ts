import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { FilterKey } from '../../fields/sort-key.js';
import { INTEGERS } from '../../fields/types/integer.js';
import type { Filter } from './filters.js';

/** Reads a value of a filter on a field. Throws a 400 if `read` returns undefined. */
export function readKey(
  field: CompiledField,
  filter: Filter,
  text: string,
  read: (text: string) => FilterKey | undefined,
): FilterKey {
  return read(text) ?? unreadable(filter, expectedValue(field), plusHint(text, read));
}

/** Throws the 400 for a value that cannot be read. */
export function unreadable({ parameter }: Filter, expected: string, hint = ''): never {
  throw Problem.parameter(parameter, `${parameter} must be ${expected}.${hint}`);
}

/** In a query string, a `+` stands for a space. Says how to send it, if the value can be read with it. */
function plusHint(text: string, read: (meant: string) => unknown): string {
  const meant = text.replaceAll(' ', '+');
  if (meant === text || read(meant) === undefined) return '';
  return ` A + must be encoded as %2B: ${encodeURIComponent(meant)}`;
}

/** How values of types are written that have a format of their own. */
const FORMATS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  date: 'a calendar date in the format YYYY-MM-DD',
  datetime: 'a date and time such as 2026-01-31T09:30:00Z, or a date in the format YYYY-MM-DD',
  media: 'the URL of a file',
  integer: INTEGERS,
  number: 'a number within the range and with the digits that a double keeps',
  reference: 'the ID of an entry',
};

export function expectedValue({ definition: { type }, path }: CompiledField): string {
  return type === 'select' ? `one of the options of ${path}` : (FORMATS[type] ?? `a value of type ${type}`);
}

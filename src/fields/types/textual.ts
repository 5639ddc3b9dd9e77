import { FieldType } from '../field-type.js';
import { identity, textKey } from '../sort-key.js';

const asIs = (value: unknown): string => value as string;

/** The common part of the types whose values are text. */
export const textual = {
  constraints: ['min', 'max', 'pattern', 'unique', 'multiple'],
  measures: 'length',
  sortable: true,
  textual: true,
  key: (value) => textKey(value as string),
  readFilter: textKey,
  searchText: asIs,
  identity: (value) => identity(value as string),
} satisfies Partial<FieldType>;

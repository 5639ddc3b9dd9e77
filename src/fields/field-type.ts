import type { Steps } from '../admission/steps.js';
import { Check } from './check.js';
import { Constraint } from './field-definition.js';
import { JsonSchema } from './json-schema.js';
import { FilterKey } from './sort-key.js';

/** All there is to know about a type of field. A type is one file that exports one of these, and one line in the registry. */
export interface FieldType {
  /** What one value looks like, in OpenAPI's words: with a description and an example. */
  readonly value: JsonSchema & { description: string; example: unknown };

  /** The attributes that a definition of this type may have beyond those of every field. */
  readonly constraints: readonly Constraint[];

  /** What `min` and `max` limit, for types that have them. */
  readonly measures?: 'value' | 'length';

  /** Whether entries sort by it; it then has a key. */
  readonly sortable: boolean;

  /** Whether `contains` and `starts_with` apply. */
  readonly textual: boolean;

  /** Reports what is wrong with one supplied value, constraints of the definition included. */
  check(value: unknown, check: Check): void;

  /** The key of a valid value in the index; absent where neither sorting nor filtering makes sense. */
  readonly key?: (value: unknown) => FilterKey;

  /** The key of what a filter's text says; undefined when it can't be read as the type. */
  readonly readFilter?: (text: string) => FilterKey | undefined;

  /** What full-text search sees of a valid value. */
  readonly searchText?: (value: unknown) => string;

  /** `searchText` in steps, for types that have to read a long text for it. */
  readonly searchTextSteps?: (value: unknown) => Steps<string>;

  /** A short text that only equal values share, where the key is not that already; for `unique`. */
  readonly identity?: (value: unknown) => string;
}

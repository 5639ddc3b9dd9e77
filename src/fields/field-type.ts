import type { SlicedWork } from '../admission/sliced-work.js';
import { Check } from './check.js';
import { ConstraintName, FieldDefinition } from './field-definition.js';
import { JsonSchema } from './definitions/json-schema.js';
import type { SearchLine } from './search-text.js';
import { FilterKey } from './sort-key.js';

/** Definitions inside a definition. An item of a list says by its `block` which of several parts it has; a group has one part without it. */
interface DefinitionPart {
  block?: string;
  fields: readonly FieldDefinition[];
}

/** Joins the values of a list that is stored as one text. */
export const SEPARATOR = ', ';

/** A type of field. To add one, write one file that exports a `FieldType`, and add one line to the registry. */
export interface FieldType {
  /** The OpenAPI schema of one value, with a description and an example. */
  readonly value: JsonSchema & { description: string; example: unknown };

  /** The schema of what a request may send in the place of a value, to name what is in it. */
  readonly reference?: JsonSchema;

  /** The attributes that a definition of this type may have, in addition to those of every field. */
  readonly constraints: readonly ConstraintName[];

  /** What `min` and `max` limit, for types that have them. */
  readonly measures?: 'value' | 'length';

  /** Returns the number that `min` and `max` limit, if they measure the value and it is not a number itself. */
  readonly numberOf?: (value: unknown) => number;

  /** Whether entries can be sorted by it. A sortable type has a key. */
  readonly sortable: boolean;

  /** Whether `contains` and `starts_with` apply. */
  readonly textual: boolean;

  /** Whether values name something that looks for its users (an entry, a file). They are indexed also where they cannot be filtered. */
  readonly refers?: true;

  /** Whether the value is a list also without `multiple`. */
  readonly isList?: true;

  /** Whether a list of values (`multiple`) is stored as one text, joined by `SEPARATOR`. A value with a comma counts as several. */
  readonly isListText?: true;

  /** Whether the values are names of files, which are sent beside the other values. There is no default. */
  readonly isFile?: true;

  /** Of a form field, the type of its `<input>` on the page of the form. Absent if it is `text`, or the page has another control for it. */
  readonly input?: 'color' | 'date' | 'datetime-local' | 'email' | 'month' | 'number' | 'tel' | 'time' | 'url' | 'week';

  /** For types that hold definitions: those inside a definition. The values inside are checked, indexed and found as all others. */
  readonly parts?: (definition: FieldDefinition) => readonly DefinitionPart[];

  /**
   * Reports why one supplied value is not a value of the type. If it reports nothing, the constraints of the definition are checked after
   * it. A type that holds definitions reports only what is wrong with the object itself.
   */
  check(value: unknown, check: Check): void;

  /** Returns the index key of a valid value. Absent if the type can be neither sorted nor filtered. */
  readonly key?: (value: unknown) => FilterKey;

  /** Returns the key of a filter's text; undefined if the text is not a value of the type. */
  readonly readFilter?: (text: string) => FilterKey | undefined;

  /** Whether a filter's text can be equal to a value of the field. Absent if every text that has a key can. */
  readonly canEqual?: (text: string, definition: FieldDefinition) => boolean;

  /** Returns the text of a valid value for full-text search. */
  readonly searchText?: (value: unknown) => string;

  /** Same as `searchText`, for types whose text has headings or several lines, or takes long to read. It replaces `searchText`. */
  readonly searchLines?: (value: unknown) => SlicedWork<SearchLine[]>;

  /** Returns a short text that is the same for equal values only, for `unique`. Absent if the key is such a text. */
  readonly identity?: (value: unknown) => string;
}

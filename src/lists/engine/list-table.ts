import type { Bindings } from '../../database/statements/bindings.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Condition } from '../conditions/condition.js';
import type { Scope } from '../conditions/scope.js';

/** What the engine is told about a table whose rows are listed. All names and expressions are SQL. */
export interface ListTable {
  name: string;
  /** The column with the ID that the list is ordered by if nothing else orders it, and the ties of other orders. */
  id: string;
  /** The column and the ID of what all rows of the list belong to. Undefined in lists of a whole tenant. */
  parent?: { column: string; id: string };
  /** A test of the row `e`, if the list is limited to a part of the table. The index of values has only these rows (`sections`). */
  part?: string;
  columns: ShownColumns;
  /** The index of the values of fields, if rows have fields. */
  values?: ValueIndex;
  /**
   * The table of words, and its column with the ID of the row, if the search is not a condition of the table itself. With `view`, a row may have
   * several documents, and the list looks at the one that has this among its `views`.
   */
  words?: { table: string; row: string; view?: string };
  /** Undefined if totals are always counted. */
  counters?: Counters;
  /** Undefined if the list does not depend on the version of a schema. */
  version?: SchemaVersion;
}

/** The columns that a page shows. */
interface ShownColumns {
  /** The columns that are read from the row, besides the ID. */
  read: (row: string, bindings: Bindings) => string;
  /** What a page returns of a row that has these columns. */
  shown: (row: string) => string;
}

/** An index of the values of rows: a table with `field`, `sort_key` and `discriminator` (see `sort-key.ts`). */
export interface ValueIndex {
  table: string;
  /** The column with the ID of the row. */
  row: string;
  /** The names under which the index has the rows of a field that the list looks at. Each row of the list is under one of them. */
  sections?: (name: string) => readonly string[];
  /** The name under which the index has the rows without a value of the field. Undefined if it has none. */
  absent?: (field: CompiledField) => string;
  /** A test that is true for every row of the index, and without which no statement uses the index by ID. */
  byRow?: string;
  /** SQL that selects whether a test of a text holds for a stored value of the row with this ID. */
  storedText: (field: CompiledField, id: string, test: (text: string) => string, scope: Scope) => string;
}

/** Numbers of rows that are counted when rows are written. */
export interface Counters {
  /** SQL for the number of all rows of the list's part of the table. */
  all: string;
  /** SQL for the number of rows that meet these conditions; undefined if it must be counted. */
  of: (conditions: readonly Condition[], bindings: Bindings) => string | undefined;
  /** SQL of a number that changes whenever the conditions may have other matches (see `TotalCache`). Undefined if totals are not kept. */
  state?: (conditions: readonly Condition[], bindings: Bindings) => string;
  /** The versions of the schemas that the conditions look at. */
  versions?: (conditions: readonly Condition[]) => readonly number[];
}

/** The version of the schema that a list relies on. */
export interface SchemaVersion {
  expected: number;
  /** SQL for the version as it is in the statement's snapshot; null if another schema that the conditions look at has changed. */
  current: (conditions: readonly Condition[], bindings: Bindings) => string;
}

/** `ShownColumns` that a page shows as they are. The names are those of the result. */
export function columnsOf(columns: Readonly<Record<string, string>>) {
  const all = Object.entries(columns);
  return {
    read: (row: string) => all.map(([, column]) => `${row}.${column}`).join(', '),
    shown: (row: string) => all.map(([name, column]) => `${row}.${column} AS "${name}"`).join(', '),
  };
}

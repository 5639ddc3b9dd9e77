import type { Steps } from '../../admission/steps.js';
import { columns } from '../../database/text-array.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import { type IndexRow, keptError, rowKey } from '../../fields/compiled-field.js';
import type { Reference, Schema, UniqueValue } from '../../fields/schema.js';
import { parseSteps } from '../../json/parse-steps.js';
import { isSameSteps } from '../../json/same-steps.js';
import { type SearchDocument, searchDocumentSteps } from '../../search/search-vector.js';
import { partitionOf } from '../../search/words.js';
import { targetsOf } from '../content-type.entity.js';
import type { CompiledType, IndexedType } from '../schemas.js';
import { valuesJson } from '../values-json.js';
import type { EntryStatus } from './entry.entity.js';
import type {
  AddedUniques,
  AddedValues,
  DocumentColumns,
  Guard,
  RemovedUniques,
  RemovedValues,
} from './entry-writes.sql.js';
import { guardOf, type LookUps, lookUps } from './reference-look-ups.js';

export type Values = Record<string, unknown>;

/** Maps parameters of the statements to properties of index rows. */
const ADDED_VALUES = { addedFields: 'field', addedKeys: 'key', addedDiscriminators: 'discriminator' } as const;
const REMOVED_VALUES = { removedFields: 'field', removedKeys: 'key', removedDiscriminators: 'discriminator' } as const;
const ADDED_UNIQUES = { addedUniqueFields: 'field', addedUniqueValues: 'key' } as const;
const REMOVED_UNIQUES = { removedUniqueFields: 'field', removedUniqueValues: 'key' } as const;

/** A change of some fields of an entry. */
export interface Change {
  before: Values;
  after: Values;
  /** The fields that it sets or removes. */
  names: readonly string[];
  uniques: { removed: UniqueValue[]; added: UniqueValue[] };
}

/** The stored form of an entry's values. */
export interface Derived {
  /** The values as JSON. */
  fields: string;
  document: SearchDocument;
  added: AddedValues & AddedUniques;
}

/** The stored form of an update, including the index rows that it removes. */
export interface DerivedChanges extends Omit<Derived, 'document'> {
  /** Undefined if it is unchanged. */
  document?: SearchDocument;
  /** The fields whose values differ. */
  changed: string[];
  removed: RemovedValues & RemovedUniques;
}

/** The rows of an entry in the index and among the unique values that a write adds and removes. */
export interface RowChanges {
  values: { added: readonly IndexRow[]; removed: readonly IndexRow[] };
  uniques: { added: readonly UniqueValue[]; removed: readonly UniqueValue[] };
}

/** The stored form of a new entry, with its rows. */
export interface NewRows {
  /** The values as JSON. */
  fields: string;
  document: SearchDocument;
  rows: RowChanges;
}

/** The stored form of an update, with the rows that differ. */
export interface ChangedRows extends Omit<NewRows, 'document'>, Pick<DerivedChanges, 'document' | 'changed'> {}

/** The content of a new entry. `isHeavy` means that it is large. */
interface NewValues {
  values: Values;
  uniques: readonly UniqueValue[];
  isHeavy: boolean;
}

/** Derives the stored form of a new entry. */
export function* deriveAll(type: IndexedType, entry: NewValues): Steps<Derived> {
  const { fields, document, rows } = yield* newRows(type, entry);
  return {
    fields,
    document,
    added: {
      ...(yield* columns(rows.values.added, ADDED_VALUES)),
      ...(yield* columns(rows.uniques.added, ADDED_UNIQUES)),
    },
  };
}

/** Same as `deriveAll`, for a statement that writes many entries. */
export function* newRows(type: IndexedType, { values, uniques, isHeavy }: NewValues): Steps<NewRows> {
  return {
    fields: yield* valuesJson(type.schema, values, isHeavy),
    document: yield* documentOf(type, values),
    rows: {
      values: { added: yield* type.schema.indexRowsSteps(values), removed: [] },
      uniques: { added: uniques, removed: [] },
    },
  };
}

/** Applies a patch to an entry. If the entry is or becomes published, checks all of its values and returns their errors. */
export function* applyPatch(
  schema: Schema,
  stored: string,
  patch: { set: Values; removed: readonly string[]; isPublished: boolean },
): Steps<Change & { errors: ValueError[] }> {
  const before = (yield* parseSteps(stored)) as Values;
  const after = { ...before, ...patch.set };
  for (const name of patch.removed) delete after[name];
  const names = [...Object.keys(patch.set), ...patch.removed];
  const uniques: Change['uniques'] = { removed: [], added: [] };
  for (const name of names) {
    const field = schema.field(name);
    if (!field?.unique) continue;
    const [had, has] = [yield* schema.uniquesOf(field, before), yield* schema.uniquesOf(field, after)];
    const { removed, added } = difference(had, has);
    uniques.removed.push(...removed);
    uniques.added.push(...added);
    yield;
  }
  const errors = patch.isPublished ? yield* schema.checkStoredSteps(after) : [];
  errors.push(...(yield* keptFaults(schema, before, patch)));
  return { before, after, names, uniques, errors };
}

/** An error for each value of a patch that differs from the stored one, of fields whose values are kept as they are. */
export function* keptFaults(
  schema: Schema,
  before: Values,
  { set, removed }: { set: Values; removed: readonly string[] },
): Steps<ValueError[]> {
  const errors: ValueError[] = [];
  for (const field of schema.fields) {
    if (!field.isKept) continue;
    const { name } = field;
    const isChanged = Object.hasOwn(set, name)
      ? !(yield* isSameSteps(set[name], before[name]))
      : removed.includes(name);
    if (isChanged) errors.push(keptError(field));
  }
  return errors;
}

/** Derives the stored form of a change. It contains only the index rows that differ. */
export function* deriveChanges(type: IndexedType, change: Change, isHeavy: boolean): Steps<DerivedChanges> {
  const { rows, ...derived } = yield* changedRows(type, change, isHeavy);
  return {
    ...derived,
    added: {
      ...(yield* columns(rows.values.added, ADDED_VALUES)),
      ...(yield* columns(rows.uniques.added, ADDED_UNIQUES)),
    },
    removed: {
      ...(yield* columns(rows.values.removed, REMOVED_VALUES)),
      ...(yield* columns(rows.uniques.removed, REMOVED_UNIQUES)),
    },
  };
}

/** Same as `deriveChanges`, for a statement that writes many entries. */
export function* changedRows(type: IndexedType, change: Change, isHeavy: boolean): Steps<ChangedRows> {
  const { schema } = type;
  const { before, after } = change;
  const values: { removed: IndexRow[]; added: IndexRow[] } = { removed: [], added: [] };
  let isReworded = false;
  const changed: string[] = [];
  for (const name of change.names) {
    if (yield* isSameSteps(before[name], after[name])) continue;
    changed.push(name);
    const field = schema.field(name);
    if (!field) continue;
    isReworded ||= field.searchable;
    const [had, has] = [yield* schema.indexRowsOf(field, before), yield* schema.indexRowsOf(field, after)];
    const { removed, added } = difference(had, has);
    values.removed.push(...removed);
    values.added.push(...added);
    yield;
  }
  return {
    fields: yield* valuesJson(schema, after, isHeavy),
    changed,
    ...(isReworded && { document: yield* documentOf(type, after) }),
    rows: { values, uniques: change.uniques },
  };
}

/** The values of unique fields that a stored entry holds, as columns. */
export function* heldUniques(schema: Schema, stored: string): Steps<RemovedUniques> {
  return yield* columns(yield* storedUniques(schema, stored), REMOVED_UNIQUES);
}

/** The values of unique fields that a stored entry holds. */
export function* storedUniques(schema: Schema, stored: string): Steps<UniqueValue[]> {
  const lost = schema.fields.find(({ definition, isAbsent }) => definition.unique && isAbsent);
  // Nothing knows which values of it the index has, and they would stay taken.
  if (lost)
    throw new Problem(
      'conflict',
      `The entry cannot be deleted, because ${lost.name} is unique, and ${lost.withoutKey}.`,
    );
  const hasUniques = schema.fields.some(({ unique }) => unique);
  return hasUniques ? yield* schema.uniquesSteps((yield* parseSteps(stored)) as Values) : [];
}

/** The references in the values, how to look them up, and the entries that the write must hold; undefined if there are none. */
export function* referenceColumns(
  { schema, targets }: CompiledType,
  values: Values,
): Steps<{ references: Reference[]; columns: LookUps; guard: Guard | undefined }> {
  const references = yield* schema.referencesSteps(values);
  const sought = references.map(({ field, id, isGuarded }) => ({
    to: id,
    types: targetsOf(targets, field.key),
    isGuarded,
  }));
  return { references, columns: yield* lookUps(sought), guard: yield* guardOf(sought.filter((one) => one.isGuarded)) };
}

/** The columns of a document; undefined leaves them as they are. */
export function documentColumns(document: SearchDocument | undefined): DocumentColumns {
  return { words: document?.vector ?? null, gaps: document?.gaps ?? 0, sequence: document?.sequence ?? null };
}

/** What search stores of an entry. */
export function* documentOf({ id, schema, stem }: IndexedType, values: Values): Steps<SearchDocument> {
  return yield* searchDocumentSteps(partitionOf(id), yield* schema.searchLines(values), stem);
}

/** When an entry that gets this status at `at` became published. `before` is when it did if it is published already. */
export function publishedAt(status: EntryStatus, at: string, before: string | null = null): string | null {
  return status === 'published' ? (before ?? at) : null;
}

/** The rows that are in only one of two lists. */
function difference<Row extends IndexRow | UniqueValue>(
  before: readonly Row[],
  after: readonly Row[],
): { removed: Row[]; added: Row[] } {
  const had = new Set(before.map(rowKey));
  const has = new Set(after.map(rowKey));
  return {
    removed: before.filter((row) => !has.has(rowKey(row))),
    added: after.filter((row) => !had.has(rowKey(row))),
  };
}

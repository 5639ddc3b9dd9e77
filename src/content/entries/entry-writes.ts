import type { Steps } from '../../admission/steps.js';
import { columns } from '../../database/text-array.js';
import type { ValueError } from '../../errors/problem.js';
import { type IndexRow, rowKey } from '../../fields/compiled-field.js';
import type { Reference, Schema, UniqueValue } from '../../fields/schema.js';
import { parseSteps } from '../../json/parse-steps.js';
import { isSameSteps } from '../../json/same-steps.js';
import { stringifySteps } from '../../json/stringify-steps.js';
import { type SearchDocument, searchDocumentSteps } from '../../search/search-vector.js';
import { partitionOf } from '../../search/words.js';
import { targetsOf } from '../content-type.entity.js';
import type { CompiledType, IndexedType } from '../schemas.js';
import type { AddedUniques, AddedValues, DocumentColumns, RemovedUniques, RemovedValues } from './entries.sql.js';
import { type LookUps, lookUps } from './reference-look-ups.js';

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

/** Derives the stored form of a new entry. `isHeavy` means that the entry is large. */
export function* deriveAll(
  type: IndexedType,
  { values, uniques, isHeavy }: { values: Values; uniques: readonly UniqueValue[]; isHeavy: boolean },
): Steps<Derived> {
  return {
    fields: isHeavy ? yield* stringifySteps(values) : JSON.stringify(values),
    document: yield* documentOf(type, values),
    added: {
      ...(yield* columns(yield* type.schema.indexRowsSteps(values), ADDED_VALUES)),
      ...(yield* columns(uniques, ADDED_UNIQUES)),
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
    if (!field?.definition.unique) continue;
    const [had, has] = [yield* schema.uniquesOf(field, before), yield* schema.uniquesOf(field, after)];
    const { removed, added } = difference(had, has);
    uniques.removed.push(...removed);
    uniques.added.push(...added);
    yield;
  }
  const errors = patch.isPublished ? yield* schema.checkStoredSteps(after) : [];
  return { before, after, names, uniques, errors };
}

/** Derives the stored form of a change. It contains only the index rows that differ. */
export function* deriveChanges(type: IndexedType, change: Change, isHeavy: boolean): Steps<DerivedChanges> {
  const { schema } = type;
  const { before, after } = change;
  const rows: { removed: IndexRow[]; added: IndexRow[] } = { removed: [], added: [] };
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
    rows.removed.push(...removed);
    rows.added.push(...added);
    yield;
  }
  return {
    fields: isHeavy ? yield* stringifySteps(after) : JSON.stringify(after),
    changed,
    ...(isReworded && { document: yield* documentOf(type, after) }),
    added: {
      ...(yield* columns(rows.added, ADDED_VALUES)),
      ...(yield* columns(change.uniques.added, ADDED_UNIQUES)),
    },
    removed: {
      ...(yield* columns(rows.removed, REMOVED_VALUES)),
      ...(yield* columns(change.uniques.removed, REMOVED_UNIQUES)),
    },
  };
}

/** The values of unique fields that a stored entry holds. */
export function* heldUniques(schema: Schema, stored: string): Steps<RemovedUniques> {
  const hasUniques = schema.fields.some(({ definition }) => definition.unique);
  const uniques = hasUniques ? yield* schema.uniquesSteps((yield* parseSteps(stored)) as Values) : [];
  return yield* columns(uniques, REMOVED_UNIQUES);
}

/** The references in the values, and how to look them up. */
export function* referenceColumns(
  { schema, targets }: CompiledType,
  values: Values,
): Steps<{ references: Reference[]; columns: LookUps }> {
  const references = yield* schema.referencesSteps(values);
  const sought = references.map(({ name, id }) => ({ to: id, types: targetsOf(targets, name) }));
  return { references, columns: yield* lookUps(sought) };
}

/** The columns of a document; undefined leaves them as they are. */
export function documentColumns(document: SearchDocument | undefined): DocumentColumns {
  return { words: document?.vector ?? null, gaps: document?.gaps ?? 0, sequence: document?.sequence ?? null };
}

/** What search stores of an entry. */
export function* documentOf({ id, schema, stem }: IndexedType, values: Values): Steps<SearchDocument> {
  return yield* searchDocumentSteps(partitionOf(id), yield* schema.searchLines(values), stem);
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

import type { Steps } from '../../admission/steps.js';
import type { Value } from '../../database/database.js';
import { columns } from '../../database/text-array.js';
import type { ValueError } from '../../errors/problem.js';
import { type IndexRow, nameOfRow } from '../../fields/compiled-field.js';
import type { Reference, Schema, UniqueValue } from '../../fields/schema.js';
import { parseId } from '../../ids/type-id.js';
import { parseSteps } from '../../json/parse-steps.js';
import { stringifySteps } from '../../json/stringify-steps.js';
import { searchVectorSteps } from '../../search/search-vector.js';
import { partitionOf } from '../../search/words.js';
import type { CompiledType } from '../schemas.js';

export type Values = Record<string, unknown>;

type Columns = readonly Value[];

/** A change of some fields of an entry. */
export interface Change {
  before: Values;
  after: Values;
  /** The fields that it sets or removes. */
  names: readonly string[];
  uniques: { removed: UniqueValue[]; added: UniqueValue[] };
}

/** What a write stores of an entry's values. */
export interface Derived {
  /** The values as JSON. */
  fields: string;
  /** The search vector; null when no word changed. */
  words: string | null;
  removedRows: Columns;
  addedRows: Columns;
  removedUniques: Columns;
  addedUniques: Columns;
}

/** Of a new entry. `isHeavy` says that there is much of it. */
export function* deriveAll(
  typeId: string,
  schema: Schema,
  { values, uniques, isHeavy }: { values: Values; uniques: readonly UniqueValue[]; isHeavy: boolean },
): Steps<Derived> {
  return {
    fields: isHeavy ? yield* stringifySteps(values) : JSON.stringify(values),
    words: yield* entryWords(typeId, schema, values),
    removedRows: [],
    addedRows: yield* indexColumns(yield* schema.indexRowsSteps(values)),
    removedUniques: [],
    addedUniques: yield* uniqueColumns(uniques),
  };
}

/**
 * Applies a patch to an entry and lists its faults. The stored values are checked as well if the entry is published or becomes so.
 */
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

/** Of a change. Index rows only as far as they differ. */
export function* deriveChanges(typeId: string, schema: Schema, change: Change, isHeavy: boolean): Steps<Derived> {
  const { before, after } = change;
  const rows: { removed: IndexRow[]; added: IndexRow[] } = { removed: [], added: [] };
  let isReworded = false;
  for (const name of change.names) {
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
    words: isReworded ? yield* entryWords(typeId, schema, after) : null,
    removedRows: yield* indexColumns(rows.removed),
    addedRows: yield* indexColumns(rows.added),
    removedUniques: yield* uniqueColumns(change.uniques.removed),
    addedUniques: yield* uniqueColumns(change.uniques.added),
  };
}

/** The values of unique fields that a stored entry holds. */
export function* heldUniques(schema: Schema, stored: string): Steps<Columns> {
  if (!schema.fields.some(({ definition }) => definition.unique)) return [[], []];
  return yield* uniqueColumns(yield* schema.uniquesSteps((yield* parseSteps(stored)) as Values));
}

/** The references in some values, and the types and ids to be looked up. */
export function* referenceColumns(
  { schema, targets }: CompiledType,
  values: Values,
): Steps<{ references: Reference[]; columns: Columns }> {
  const references = yield* schema.referencesSteps(values);
  const sought: { type: string | null; to: string | null }[] = [];
  for (const [index, { name, id }] of references.entries()) {
    sought.push({ type: targets[name] ?? null, to: parseId('ent', id) ?? null });
    if (index % 1_000 === 999) yield;
  }
  return { references, columns: yield* columns(sought, ['type', 'to']) };
}

function* entryWords(typeId: string, schema: Schema, values: Values): Steps<string> {
  return yield* searchVectorSteps(partitionOf(typeId), yield* schema.searchTextSteps(values));
}

export function uniqueColumns(rows: readonly UniqueValue[]): Steps<Columns> {
  return columns(rows, ['field', 'key']);
}

function indexColumns(rows: readonly IndexRow[]): Steps<Columns> {
  return columns(rows, ['field', 'key', 'mark']);
}

/** What is only in one of two lists of rows. */
function difference<Row extends IndexRow | UniqueValue>(
  before: readonly Row[],
  after: readonly Row[],
): { removed: Row[]; added: Row[] } {
  const had = new Set(before.map(nameOfRow));
  const has = new Set(after.map(nameOfRow));
  return {
    removed: before.filter((row) => !has.has(nameOfRow(row))),
    added: after.filter((row) => !had.has(nameOfRow(row))),
  };
}

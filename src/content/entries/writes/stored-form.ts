import type { SlicedWork } from '../../../admission/sliced-work.js';
import { Problem } from '../../../errors/problem.js';
import { type IndexRow, rowKey } from '../../../fields/compiled-field.js';
import type { Schema, UniqueValue } from '../../../fields/schema.js';
import { localeStateOf } from '../../../fields/localized/locale-state.js';
import { ownName } from '../../../fields/localized/localized-names.js';
import { localesOfNames, withChangedState } from '../../../fields/localized/changed-state.js';
import { parseSliced } from '../../../json/parse-sliced.js';
import { isSameSliced } from '../../../json/is-same-sliced.js';
import { type SearchDocument, searchDocumentSliced } from '../../../search/search-vector.js';
import { partitionOf } from '../../../search/words.js';
import type { CompiledType, IndexedType } from '../../schemas.js';
import { valuesJson } from '../../values-json.js';
import { type DocumentChanges, documentChanges } from '../../words/document-changes.js';
import type { EntryFields } from './entry-values.js';

/** The rows of an entry in the index and among the unique values that a write adds and removes. */
export interface RowChanges {
  values: { added: readonly IndexRow[]; removed: readonly IndexRow[] };
  uniques: { added: readonly UniqueValue[]; removed: readonly UniqueValue[] };
}

/** An entry before and after a patch. */
export interface AppliedPatch {
  before: EntryFields;
  after: EntryFields;
  /** The fields that the patch sets or removes. */
  names: readonly string[];
  uniques: { removed: UniqueValue[]; added: UniqueValue[] };
}

/** What is stored of an entry's values. */
interface StoredForm {
  /** The values as JSON. */
  fields: string;
  /** Undefined if it is unchanged. */
  document?: SearchDocument;
  /** The documents in locales. Undefined if they are unchanged. */
  documents?: DocumentChanges;
  rows: RowChanges;
  /** The locales that the change concerns: those whose values change, or that are taken off or brought back. */
  locales: readonly string[];
}

/** The content of a new entry. `isHeavy` means that it is large. */
interface NewValues {
  values: EntryFields;
  uniques: readonly UniqueValue[];
  isHeavy: boolean;
  /** When it is created. ISO 8601. */
  at: string;
}

/** Derives the stored form of a new entry. */
export function* storedForm(type: CompiledType, { values, uniques, isHeavy, at }: NewValues): SlicedWork<StoredForm> {
  const names = Object.keys(values);
  const stored = withState(type, values, changedLocales(type, names), at);
  return {
    locales: concernedLocales(type, names),
    fields: yield* valuesJson(type.schema, stored, isHeavy),
    document: yield* documentOf(type, values),
    documents: yield* documentChanges(type, undefined, stored),
    rows: {
      values: { added: yield* type.schema.indexRowsSliced(stored), removed: [] },
      uniques: { added: uniques, removed: [] },
    },
  };
}

/** Derives the stored form of a change. It contains only the index rows that differ. `changed` has the names of the fields that do. */
export function* changedForm(
  type: CompiledType,
  change: AppliedPatch,
  { isHeavy, at }: { isHeavy: boolean; at: string },
): SlicedWork<StoredForm & { changed: string[] }> {
  const { schema } = type;
  const { before, after } = change;
  const values: { removed: IndexRow[]; added: IndexRow[] } = { removed: [], added: [] };
  let isReworded = false;
  const changed: string[] = [];
  for (const name of change.names) {
    if (yield* isSameSliced(before[name], after[name])) continue;
    changed.push(name);
    const field = schema.field(name);
    if (!field) continue;
    isReworded ||= field.searchable && field.locale === undefined;
    const [had, has] = [yield* schema.indexRowsOf(field, before), yield* schema.indexRowsOf(field, after)];
    const { removed, added } = difference(had, has);
    values.removed.push(...removed);
    values.added.push(...added);
    yield;
  }
  const toggled = toggledLocales(before, after);
  const stored = withState(type, after, changedLocales(type, changed), at);
  const locales = [...new Set([...concernedLocales(type, changed), ...toggled])].sort();
  for (const field of toggled.length > 0 ? schema.fields : []) {
    if (field.locale === undefined || !toggled.includes(field.locale) || changed.includes(field.name)) continue;
    const { removed, added } = difference(
      yield* schema.indexRowsOf(field, before),
      yield* schema.indexRowsOf(field, stored),
    );
    values.removed.push(...removed);
    values.added.push(...added);
  }
  for (const derived of schema.derived) {
    const [had, has] = [yield* schema.derivedRows(derived, before), yield* schema.derivedRows(derived, stored)];
    const { removed, added } = difference(had, has);
    values.removed.push(...removed);
    values.added.push(...added);
  }
  return {
    fields: yield* valuesJson(schema, stored, isHeavy),
    changed,
    locales,
    ...(isReworded && { document: yield* documentOf(type, after) }),
    documents: yield* documentChanges(type, before, stored, changed),
    rows: { values, uniques: change.uniques },
  };
}

/** The locales that are taken off or brought back. None of their values changes with that. */
function toggledLocales(before: EntryFields, after: EntryFields): string[] {
  const [was, is] = [localeStateOf(before).off ?? [], localeStateOf(after).off ?? []];
  return [...was.filter((code) => !is.includes(code)), ...is.filter((code) => !was.includes(code))];
}

/** The locales of which these fields, by their stored names, are values. */
function changedLocales({ schema, locales }: CompiledType, changed: readonly string[]): string[] {
  return locales ? localesOfNames(changed, schema.localized, locales) : [];
}

/** The same for events. As everywhere, what is not localized belongs to the default locale; no other one is behind it because of that. */
export function concernedLocales(type: CompiledType, changed: readonly string[]): string[] {
  const { locales, schema } = type;
  if (!locales) return [];
  const own = changed.some((name) => !schema.localized.has(ownName(name))) ? [locales.default] : [];
  return [...new Set([...changedLocales(type, changed), ...own])].sort();
}

/** The values with the state of their locales, of which these changed at `at`. */
function withState(
  { locales }: CompiledType,
  values: EntryFields,
  changed: readonly string[],
  at: string,
): EntryFields {
  return locales ? withChangedState(values, changed, at) : values;
}

/** The values of unique fields that a stored entry holds. */
export function* storedUniques(schema: Schema, stored: string): SlicedWork<UniqueValue[]> {
  const lost = schema.fields.find(({ definition, isAbsent }) => definition.unique && isAbsent);
  // Nothing knows which values of it the index has, and they would stay taken.
  if (lost)
    throw new Problem(
      'conflict',
      `The entry cannot be deleted, because ${lost.name} is unique, and ${lost.withoutKey}.`,
    );
  const hasUniques = schema.fields.some(({ unique }) => unique);
  return hasUniques ? yield* schema.uniquesSliced((yield* parseSliced(stored)) as EntryFields) : [];
}

/** What search stores of an entry. */
export function* documentOf({ id, schema, stem }: IndexedType, values: EntryFields): SlicedWork<SearchDocument> {
  return yield* searchDocumentSliced(partitionOf(id), yield* schema.searchLines(values), stem);
}

/** The rows that are in only one of two lists. */
export function difference<Row extends IndexRow | UniqueValue>(
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
